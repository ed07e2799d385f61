#!/usr/bin/env python3
"""Writes the stub of the extension module, from the same tables that its classes are made of.

    tools/make_stubs.py [FILE]

Needs the installed package. Without FILE the committed stub, onnx_light/onnx_py/_onnxpy.pyi, is replaced. A test compares the two.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

STUB = Path(__file__).resolve().parent.parent / "onnx_light" / "onnx_py" / "_onnxpy.pyi"

HEAD = '''\
# Made by tools/make_stubs.py from the tables of the library; not edited by hand.
# ruff: noqa: E501
# fmt: off
import enum
from collections.abc import Callable, Iterable, Iterator, MutableSequence
from os import PathLike
from typing import Any, ClassVar, Generic, Literal, SupportsIndex, TypeAlias, TypeVar, overload, type_check_only

from typing_extensions import Buffer, Self

__version__: str
_Path = str | bytes | PathLike[str] | PathLike[bytes]

class Error(Exception): ...
class DecodeError(Error): ...
class EncodeError(Error): ...
class TextParseError(DecodeError):
    line: int
    column: int
class JsonParseError(DecodeError):
    line: int
    column: int
class SyntaxParseError(DecodeError):
    line: int
    column: int
class ValidationError(Error): ...
class ExternalDataError(ValidationError, ValueError): ...
class ExternalDataNotFoundError(FileNotFoundError, ExternalDataError): ...
class ExternalDataOSError(OSError, ExternalDataError): ...

class FileLoadMode(enum.IntEnum):
    """How a model's file is read."""

    AUTO = 0
    """The fastest safe way: large files payload by payload, small ones as a whole."""
    MMAP = 1
    """Through a shared mapping; with no_copy payloads are slices of it."""
    IFSTREAM = 2
    """From front to back into one block, which large payloads share."""

class TensorBufferOptions:
    """Which tensors an operation on tensor buffers touches, and how it places them."""

    raw_data_threshold: int
    alignment: int
    def __init__(self) -> None: ...

class ParseOptions(TensorBufferOptions):
    """How to parse; raw_data_threshold is 1024. Calls never change it: one object may serve many threads."""

    num_threads: int
    min_parallel_block_size: int
    no_copy: bool
    skip_raw_data: bool
    file_load_mode: FileLoadMode
    max_recursion_depth: int
    max_tensor_size_bytes: int
    max_total_size_bytes: int
    raw_data_callback: Callable[[TensorProto, GraphProto | None], Callable[[], object] | None] | None

class SerializeOptions(TensorBufferOptions):
    """How to serialise; raw_data_threshold is 64. Calls never change it: one object may serve many threads."""

    num_threads: int
    max_external_file_size: int
    skip_raw_data: bool
    max_recursion_depth: int
    max_serialized_size_bytes: int

@type_check_only
class _Enum(type):
    """Names and numbers of an enum. In truth an object; a class to checkers, so that annotations may name it, as they may with onnx."""

    DESCRIPTOR: Any
    def Name(cls, number: int) -> str: ...
    def Value(cls, name: str) -> int: ...
    def keys(cls) -> list[str]: ...
    def values(cls) -> list[int]: ...
    def items(cls) -> list[tuple[str, int]]: ...
    def __getattr__(cls, name: str) -> int: ...

@type_check_only
class _Message:
    """What all messages can do."""

    DESCRIPTOR: ClassVar[Any]
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __contains__(self, field_name: str, /) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: Any = None, /) -> Self: ...
    def __getstate__(self) -> dict[str, bytes]: ...
    def __setstate__(self, state: dict[str, bytes]) -> None: ...
    def ByteSize(self) -> int: ...
    def Clear(self) -> None: ...
    def CopyFrom(self, other_msg: Self, /) -> None: ...
    def DiscardUnknownFields(self) -> None: ...
    def ClearExtension(self, field_descriptor: Any, /) -> None: ...
    def HasExtension(self, field_descriptor: Any, /) -> bool: ...
    def FindInitializationErrors(self) -> list[str]: ...
    @classmethod
    def FromString(cls, data: Buffer, /, options: ParseOptions | None = None) -> Self: ...
    def IsInitialized(self, errors: list[str] | None = None, /) -> bool: ...
    def ListFields(self) -> list[tuple[Any, Any]]: ...
    def MergeFrom(self, other_msg: Self, /) -> None: ...
    def MergeFromString(self, data: Buffer, /, options: ParseOptions | None = None) -> int: ...
    def ParseFromFile(self, path: str | bytes | PathLike[str], /, options: ParseOptions | None = None) -> None: ...
    def ParseFromString(self, data: Buffer, /, options: ParseOptions | None = None) -> int: ...
    def SerializePartialToString(
        self, deterministic: bool | SerializeOptions = False, options: SerializeOptions | None = None
    ) -> bytes: ...
    def SerializeSize(self) -> int: ...
    def SerializeToFile(
        self, path: str | bytes | PathLike[str], /, options: SerializeOptions | None = None, location: _Path | None = None
    ) -> None: ...
    def SerializeToString(self, deterministic: bool | SerializeOptions = False, options: SerializeOptions | None = None) -> bytes: ...
    def SetInParent(self) -> None: ...
    def UnknownFields(self) -> Any: ...

_T = TypeVar("_T")
_M = TypeVar("_M", bound=_Message)

class RepeatedScalarContainer(MutableSequence[_T]):
    """A repeated field of numbers or strings."""

    @overload
    def __getitem__(self, key: SupportsIndex, /) -> _T: ...
    @overload
    def __getitem__(self, key: slice, /) -> list[_T]: ...
    @overload
    def __setitem__(self, key: SupportsIndex, value: _T, /) -> None: ...
    @overload
    def __setitem__(self, key: slice, value: Iterable[_T], /) -> None: ...
    def __delitem__(self, key: SupportsIndex | slice, /) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[_T]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __deepcopy__(self, memo: Any = None, /) -> Self: ...
    def append(self, value: _T, /) -> None: ...
    def extend(self, values: Iterable[_T], /) -> None: ...
    def MergeFrom(self, values: Iterable[_T], /) -> None: ...
    def insert(self, index: SupportsIndex, value: _T, /) -> None: ...
    def pop(self, index: SupportsIndex = -1, /) -> _T: ...
    def remove(self, value: _T, /) -> None: ...
    def sort(self, *, key: Callable[[_T], Any] | None = None, reverse: bool = False) -> None: ...

class RepeatedCompositeContainer(Generic[_M]):
    """A repeated field of messages."""

    __hash__: ClassVar[None]  # type: ignore[assignment]
    @overload
    def __getitem__(self, key: SupportsIndex, /) -> _M: ...
    @overload
    def __getitem__(self, key: slice, /) -> list[_M]: ...
    def __delitem__(self, key: SupportsIndex | slice, /) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[_M]: ...
    def __reversed__(self) -> Iterator[_M]: ...
    def __contains__(self, value: object, /) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __deepcopy__(self, memo: Any = None, /) -> Self: ...
    def add(self, **fields: Any) -> _M: ...
    def append(self, message: _M, /) -> _M: ...
    def clear(self) -> None: ...
    def extend(self, messages: Iterable[_M], /) -> None: ...
    def MergeFrom(self, messages: Iterable[_M], /) -> None: ...
    def insert(self, index: SupportsIndex, message: _M, /) -> None: ...
    def pop(self, index: SupportsIndex = -1, /) -> _M: ...
    def remove(self, message: _M, /) -> None: ...
    def reverse(self) -> None: ...
    def sort(self, *, key: Callable[[_M], Any] | None = None, reverse: bool = False) -> None: ...

def describe_messages() -> list[tuple[Any, str, list[tuple[Any, ...]]]]: ...
def describe_enums() -> list[tuple[str, list[tuple[str, int]]]]: ...
def set_descriptors(type: Any, descriptors: list[Any], /) -> None: ...
def releases() -> list[tuple[str, int, int, int, int]]: ...

class RawDataView:
    """The payload of a tensor, for reading, without a copy."""

    @property
    def nbytes(self) -> int:
        """How many bytes there are."""
    @property
    def is_borrowed(self) -> bool:
        """Whether they lie in somebody else's memory: a buffer, a mapped file, a consolidated one."""
    def __len__(self) -> int: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...

@type_check_only
class _Payloads:
    def set_raw_data(self, tensor: TensorProto, buffer: Any, copy: bool = True) -> None: ...
    def set_raw_data_with_deleter(self, tensor: TensorProto, buffer: Any, deleter: Callable[[], object]) -> None: ...
    def attach_raw_data_deleter(self, tensor: TensorProto, deleter: Callable[[], object]) -> None: ...
    def raw_data_view(self, tensor: TensorProto) -> RawDataView: ...
    def release_weights(self, model: ModelProto) -> int: ...
    def consolidate_tensors_to_buffer(self, model: ModelProto, options: TensorBufferOptions | None = None) -> None: ...

payloads: _Payloads

@type_check_only
class _TextForms:
    def to_text_format(
        self,
        message: Any,
        as_utf8: bool = True,
        as_one_line: bool = False,
        use_short_repeated_primitives: bool = False,
        python_numbers: bool = True,
    ) -> str: ...
    def from_text_format(self, text: str | bytes, message: _M, allow_unknown_field: bool = False) -> _M: ...
    def to_json(
        self,
        message: Any,
        preserving_proto_field_name: bool = False,
        indent: int | None = 2,
        sort_keys: bool = False,
        use_integers_for_enums: bool = False,
        float_precision: int | None = None,
        ensure_ascii: bool = True,
        always_print_fields_with_no_presence: bool = False,
    ) -> str: ...
    def from_json(self, text: str | bytes, message: _M, ignore_unknown_fields: bool = False) -> _M: ...
    def write_file(self, message: Any, path: str | bytes | PathLike[str], format: str) -> None: ...
    def to_syntax(self, message: Any, elide_after: int | None = None) -> str: ...
    def from_syntax(self, text: str | bytes, message: _M) -> _M: ...

text: _TextForms

@type_check_only
class _Graphs:
    """The structure of graphs: prefixes, merging, parts, verification."""

    def add_prefix_to_graph(
        self, graph: GraphProto, prefix: str, nodes: bool, edges: bool, inputs: bool, outputs: bool, initializers: bool, value_infos: bool,
        name_map: dict[str, str] | None
    ) -> None: ...
    def add_prefix_to_model(
        self, model: ModelProto, prefix: str, nodes: bool, edges: bool, inputs: bool, outputs: bool, initializers: bool, value_infos: bool,
        functions: bool
    ) -> None: ...
    def rename_values(self, graph: GraphProto, names: dict[str, str]) -> None: ...
    def overlapping_names(self, first: GraphProto, second: GraphProto, io_map: list[tuple[str, str]]) -> list[tuple[str, list[str]]]: ...
    def merge_graphs(
        self, first: GraphProto, second: GraphProto, io_map: list[tuple[str, str]], inputs: list[str] | None, outputs: list[str] | None,
        prefix1: str | None, prefix2: str | None, name: str | None, doc_string: str | None
    ) -> GraphProto: ...
    def merge_models(
        self, first: ModelProto, second: ModelProto, io_map: list[tuple[str, str]], inputs: list[str] | None, outputs: list[str] | None,
        prefix1: str | None, prefix2: str | None, name: str | None, doc_string: str | None
    ) -> ModelProto: ...
    def extract_part(self, model: ModelProto, inputs: list[str], outputs: list[str], whole: bool = True) -> ModelProto: ...
    def verify_model(self, model: ModelProto) -> None: ...
    def verify_tensor(self, tensor: TensorProto, ir_version: int) -> None: ...
    def verify_sparse_tensor(self, sparse: SparseTensorProto, ir_version: int) -> None: ...
    def verify_value_info(self, value: ValueInfoProto, ir_version: int) -> None: ...
    def verify_attribute(self, attribute: AttributeProto, ir_version: int) -> None: ...

graph: _Graphs

@type_check_only
class _Files:
    """Models in files with their weights beside them."""

    def load_model(
        self, path: _Path, options: ParseOptions, load_external_data: bool = True, location: _Path | None = None,
        verify_checksums: bool = False
    ) -> ModelProto: ...
    def save_model(
        self, model: ModelProto, path: _Path, options: SerializeOptions, save_as_external_data: bool = False,
        all_tensors_to_one_file: bool = True, location: _Path | None = None, convert_attribute: bool = False, durable: bool = False,
        checksum: bool = False, base_dir: _Path | None = None
    ) -> None: ...
    def save_weights(
        self, model: ModelProto, path: _Path, options: SerializeOptions, save_as_external_data: bool = False,
        all_tensors_to_one_file: bool = True, location: _Path | None = None, convert_attribute: bool = False, durable: bool = False,
        checksum: bool = False, base_dir: _Path | None = None
    ) -> ModelProto | None: ...
    def load_external_data(
        self, message: Any, folder: _Path, options: ParseOptions, names: list[str] = ..., location: _Path | None = None,
        verify_checksums: bool = False, is_model_path: bool = False
    ) -> None: ...
    def call_for_payloads(
        self, model: ModelProto, callable: Callable[[TensorProto, GraphProto | None], Callable[[], object] | None]
    ) -> None: ...
    def list_external_data(self, message: Any) -> list[tuple[TensorProto, str, str, int, int, bytes]]: ...
    def tensors(self, message: Any, initializers: bool = True, attributes: bool = True) -> list[TensorProto]: ...
    def reader_of_weights(self, path: _Path, location: _Path) -> str: ...
    def remove_unread_weights(self, path: _Path, locations: list[str]) -> list[str]: ...
    def reference_of(self, tensor: TensorProto) -> tuple[str, int, int]: ...

files: _Files

class _Crypt:
    """Encrypted models."""

    def available(self) -> bool: ...
    def save(self, model: ModelProto, path: _Path, key: str | Buffer, encryption: str, kdf_iterations: int) -> None: ...
    def save_string(self, model: ModelProto, key: str | Buffer, encryption: str, kdf_iterations: int) -> bytes: ...
    def load(self, path: _Path, key: str | Buffer) -> ModelProto: ...
    def load_string(self, blob: Buffer, key: str | Buffer) -> ModelProto: ...

crypt: _Crypt

class _Tensors:
    """Where tensors are in a model, how large they are, and their elements as bytes."""

    def places(self, model: ModelProto) -> list[tuple[str, TensorProto, bool]]: ...
    def payload_size(self, tensor: TensorProto) -> int | None: ...
    def element_count(self, tensor: TensorProto) -> int | None: ...
    def has_elements(self, tensor: TensorProto) -> bool: ...
    def raw_bytes(self, tensor: TensorProto) -> RawDataView | None: ...
    def external_file_size(self, model_path: str, location: str) -> int: ...

tensors: _Tensors

@type_check_only
class _Build:
    """Messages from Python values in one step."""

    def make_node(
        self, op_type: Any, inputs: Any, outputs: Any, name: Any, doc_string: Any, domain: Any, overload: Any, attributes: dict[str, Any],
        fill: Callable[[AttributeProto, str, Any], object]
    ) -> NodeProto: ...
    def fill_attribute(self, attribute: AttributeProto, name: Any, value: Any) -> bool: ...
    def typed_bytes(self, tensor: TensorProto, field: str) -> bytes: ...
    def append_typed_bytes(self, tensor: TensorProto, field: str, bytes: bytes) -> None: ...

build: _Build

@type_check_only
class _Probes:
    def arena_bytes(self, message: Any, /) -> int: ...
    def first_node(self, graph: GraphProto, /) -> NodeProto | None: ...
    def graph_of(self, model: ModelProto, /) -> GraphProto: ...
    def new_node(self, op_type: str, /) -> NodeProto: ...
    def op_type_or(self, node: NodeProto | None, otherwise: str) -> str: ...

probes: _Probes
'''

# What the package adds to the classes (onnx_light/onnx/_payloads.py).
ADDED = {
    "TensorProto": (
        "def set_raw_data(self, buffer: Any, copy: bool = True) -> None: ...",
        "def set_raw_data_with_deleter(self, buffer: Any, deleter: Callable[[], object]) -> None: ...",
        "def attach_raw_data_deleter(self, deleter: Callable[[], object]) -> None: ...",
        "@property",
        "def raw_data_view(self) -> RawDataView: ...",
    ),
    "ModelProto": ("def release_weights(self) -> int: ...",),
}
SCALARS = {"string": "str", "bytes": "bytes", "float": "float", "double": "float"}


class Stub:
    def __init__(self) -> None:
        from onnx_light.onnx_py import _onnxpy

        described = _onnxpy.describe_messages()
        self.name_of = {cls: full_name.partition(".")[2] for cls, full_name, _ in described}
        self.fields_of = {full_name.partition(".")[2]: fields for _, full_name, fields in described}
        self.enums: dict[str, list[tuple[str, list[tuple[str, int]]]]] = {}
        for name, values in _onnxpy.describe_enums():
            outer, _, short = name.rpartition(".")
            self.enums.setdefault(outer, []).append((short, values))

    def text(self) -> str:
        lines = [HEAD]
        for name in self.fields_of:
            if "." not in name:
                lines += [*self.message(name), ""]
        return "\n".join(lines).rstrip("\n") + "\n"

    def message(self, name: str, indent: str = "") -> Iterator[str]:
        fields = self.fields_of[name]
        inner = indent + "    "
        yield f"{indent}class {name.rpartition('.')[2]}(_Message):"
        for nested in self.fields_of:
            if nested.rpartition(".")[0] == name:
                yield from self.message(nested, inner)
        for short, values in self.enums.get(name, []):
            yield f"{inner}class {short}(metaclass=_Enum):"
            yield f"{inner}    ValueType: TypeAlias = int"
            for value, _ in values:
                yield f"{inner}{value}: ClassVar[int]"
        for field, *_ in fields:
            yield f"{inner}{field.upper()}_FIELD_NUMBER: ClassVar[int]"
        for field in fields:
            yield from self.property(field, inner)
        yield f"{inner}def __init__("
        yield f"{inner}    self,"
        yield f"{inner}    *,"
        for field in fields:
            yield f"{inner}    {field[0]}: {self.argument(field)} | None = ...,"
        yield f"{inner}) -> None: ..."
        for oneof in dict.fromkeys(field[5] for field in fields if field[5]):
            members = ", ".join(f'"{field[0]}"' for field in fields if field[5] == oneof)
            yield f'{inner}def WhichOneof(self, oneof_group: Literal["{oneof}"], /) -> Literal[{members}] | None: ...'
        if not any(field[5] for field in fields):
            yield f"{inner}def WhichOneof(self, oneof_group: str, /) -> str | None: ..."
        yield f"{inner}def HasField(self, field_name: {self.names(fields, singular=True)}, /) -> bool: ..."
        yield f"{inner}def ClearField(self, field_name: {self.names(fields, singular=False)}, /) -> None: ..."
        for line in ADDED.get(name, ()):
            yield inner + line

    def property(self, field: Any, indent: str) -> Iterator[str]:
        name, _, kind, is_repeated, _, _, child, _, doc = field
        if child is None and not is_repeated:
            yield f"{indent}{name}: {SCALARS.get(kind, 'int')}"
        else:
            element = self.name_of[child] if child is not None else SCALARS.get(kind, "int")
            container = "RepeatedCompositeContainer" if child is not None else "RepeatedScalarContainer"
            yield f"{indent}@property"
            yield f"{indent}def {name}(self) -> {f'{container}[{element}]' if is_repeated else element}:"
        # A property's body is its doc; of an attribute the text below it.
        yield f'{indent}{"" if child is None and not is_repeated else "    "}"""{doc}"""'

    def argument(self, field: Any) -> str:
        _, _, kind, is_repeated, _, _, child, _, _ = field
        if child is not None:
            element = f"{self.name_of[child]} | dict[str, Any]"
        else:
            element = {"string": "str | bytes", "enum": "int | str"}.get(kind, SCALARS.get(kind, "int"))
        return f"Iterable[{element}]" if is_repeated else element

    @staticmethod
    def names(fields: Any, singular: bool) -> str:
        names = [field[0] for field in fields if not (singular and field[3])]
        names += dict.fromkeys(field[5] for field in fields if field[5])
        return "Literal[" + ", ".join(f'"{name}"' for name in names) + "]" if names else "str"


def main(path: Path) -> None:
    path.write_text(Stub().text(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else STUB)
