# The extension module. Its messages, at the end, are made by tools/make_stubs.py; the rest is written by hand.
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
def error_class(name: str) -> type[Error]: ...
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
    def from_text_format(
        self, text: str | bytes, message: _M, allow_unknown_field: bool = False, progress: Callable[[int], object] | None = None
    ) -> _M: ...
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
    def from_json(
        self, text: str | bytes, message: _M, ignore_unknown_fields: bool = False, progress: Callable[[int], object] | None = None
    ) -> _M: ...
    def encode(self, message: Any, format: str) -> bytes: ...
    def write_file(
        self, message: Any, path: str | bytes | PathLike[str], format: str, progress: Callable[[int], object] | None = None
    ) -> None: ...
    def write_pieces(self, message: Any, format: str, write: Callable[[bytes], object]) -> None: ...
    def to_syntax(self, message: Any, elide_after: int | None = None) -> str: ...
    def from_syntax(self, text: str | bytes, message: _M, progress: Callable[[int], object] | None = None) -> _M: ...

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
        checksum: bool = False, base_dir: _Path | None = None, progress: Callable[[int], object] | None = None
    ) -> None: ...
    def save_printed(
        self, model: ModelProto, serialize: Callable[[ModelProto], Buffer], path: _Path, options: SerializeOptions,
        save_as_external_data: bool = False, all_tensors_to_one_file: bool = True, location: _Path | None = None,
        convert_attribute: bool = False, durable: bool = False, checksum: bool = False, base_dir: _Path | None = None,
        progress: Callable[[int], object] | None = None
    ) -> bool: ...
    def save_weights(
        self, model: ModelProto, path: _Path, options: SerializeOptions, save_as_external_data: bool = False,
        all_tensors_to_one_file: bool = True, location: _Path | None = None, convert_attribute: bool = False, durable: bool = False,
        checksum: bool = False, base_dir: _Path | None = None, progress: Callable[[int], object] | None = None
    ) -> ModelProto | None: ...
    def write_bytes(self, path: _Path, data: Buffer, progress: Callable[[int], object] | None = None) -> None: ...
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
    def begins_encrypted(self, start: bytes) -> bool: ...
    def save(
        self, model: ModelProto, path: _Path, key: str | Buffer, encryption: str, kdf_iterations: int, num_threads: int,
        progress: Callable[[int], object] | None = None
    ) -> None: ...
    def save_string(
        self, model: ModelProto, key: str | Buffer, encryption: str, kdf_iterations: int, num_threads: int
    ) -> bytes: ...
    def save_pieces(
        self, model: ModelProto, write: Callable[[bytes], object], key: str | Buffer, encryption: str, kdf_iterations: int
    ) -> None: ...
    def load(
        self, path: _Path, key: str | Buffer, num_threads: int, progress: Callable[[int], object] | None = None
    ) -> ModelProto: ...
    def load_string(self, blob: Buffer, key: str | Buffer, num_threads: int) -> ModelProto: ...

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

# --- messages, made by tools/make_stubs.py from the tables of the library

class StringStringEntryProto(_Message):
    KEY_FIELD_NUMBER: ClassVar[int]
    VALUE_FIELD_NUMBER: ClassVar[int]
    key: str
    """What the entry is called."""
    value: str
    """What it says."""
    def __init__(
        self,
        *,
        key: str | bytes | None = ...,
        value: str | bytes | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["key", "value"], /) -> bool: ...
    def ClearField(self, field_name: Literal["key", "value"], /) -> None: ...

class OperatorSetIdProto(_Message):
    DOMAIN_FIELD_NUMBER: ClassVar[int]
    VERSION_FIELD_NUMBER: ClassVar[int]
    domain: str
    """Whose operators; empty or absent for ONNX's own."""
    version: int
    """The version of the set."""
    def __init__(
        self,
        *,
        domain: str | bytes | None = ...,
        version: int | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["domain", "version"], /) -> bool: ...
    def ClearField(self, field_name: Literal["domain", "version"], /) -> None: ...

class TensorProto(_Message):
    class Segment(_Message):
        BEGIN_FIELD_NUMBER: ClassVar[int]
        END_FIELD_NUMBER: ClassVar[int]
        begin: int
        """The first element."""
        end: int
        """One past the last element."""
        def __init__(
            self,
            *,
            begin: int | None = ...,
            end: int | None = ...,
        ) -> None: ...
        def WhichOneof(self, oneof_group: str, /) -> str | None: ...
        def HasField(self, field_name: Literal["begin", "end"], /) -> bool: ...
        def ClearField(self, field_name: Literal["begin", "end"], /) -> None: ...
    class DataType(metaclass=_Enum):
        ValueType: TypeAlias = int
    UNDEFINED: ClassVar[int]
    FLOAT: ClassVar[int]
    UINT8: ClassVar[int]
    INT8: ClassVar[int]
    UINT16: ClassVar[int]
    INT16: ClassVar[int]
    INT32: ClassVar[int]
    INT64: ClassVar[int]
    STRING: ClassVar[int]
    BOOL: ClassVar[int]
    FLOAT16: ClassVar[int]
    DOUBLE: ClassVar[int]
    UINT32: ClassVar[int]
    UINT64: ClassVar[int]
    COMPLEX64: ClassVar[int]
    COMPLEX128: ClassVar[int]
    BFLOAT16: ClassVar[int]
    FLOAT8E4M3FN: ClassVar[int]
    FLOAT8E4M3FNUZ: ClassVar[int]
    FLOAT8E5M2: ClassVar[int]
    FLOAT8E5M2FNUZ: ClassVar[int]
    UINT4: ClassVar[int]
    INT4: ClassVar[int]
    FLOAT4E2M1: ClassVar[int]
    FLOAT8E8M0: ClassVar[int]
    UINT2: ClassVar[int]
    INT2: ClassVar[int]
    FLOAT6E2M3: ClassVar[int]
    FLOAT6E3M2: ClassVar[int]
    class DataLocation(metaclass=_Enum):
        ValueType: TypeAlias = int
    DEFAULT: ClassVar[int]
    EXTERNAL: ClassVar[int]
    DIMS_FIELD_NUMBER: ClassVar[int]
    DATA_TYPE_FIELD_NUMBER: ClassVar[int]
    SEGMENT_FIELD_NUMBER: ClassVar[int]
    FLOAT_DATA_FIELD_NUMBER: ClassVar[int]
    INT32_DATA_FIELD_NUMBER: ClassVar[int]
    STRING_DATA_FIELD_NUMBER: ClassVar[int]
    INT64_DATA_FIELD_NUMBER: ClassVar[int]
    NAME_FIELD_NUMBER: ClassVar[int]
    RAW_DATA_FIELD_NUMBER: ClassVar[int]
    DOUBLE_DATA_FIELD_NUMBER: ClassVar[int]
    UINT64_DATA_FIELD_NUMBER: ClassVar[int]
    DOC_STRING_FIELD_NUMBER: ClassVar[int]
    EXTERNAL_DATA_FIELD_NUMBER: ClassVar[int]
    DATA_LOCATION_FIELD_NUMBER: ClassVar[int]
    METADATA_PROPS_FIELD_NUMBER: ClassVar[int]
    @property
    def dims(self) -> RepeatedScalarContainer[int]:
        """The shape, outermost axis first."""
    data_type: int
    """The element type: a TensorProto.DataType."""
    @property
    def segment(self) -> TensorProto.Segment:
        """Which part of a larger tensor this is."""
    @property
    def float_data(self) -> RepeatedScalarContainer[float]:
        """Elements of FLOAT; real and imaginary parts of COMPLEX64."""
    @property
    def int32_data(self) -> RepeatedScalarContainer[int]:
        """Elements of the types of up to 32 bits; small ones packed, floats as their bits."""
    @property
    def string_data(self) -> RepeatedScalarContainer[bytes]:
        """Elements of STRING."""
    @property
    def int64_data(self) -> RepeatedScalarContainer[int]:
        """Elements of INT64."""
    name: str
    """The value the tensor is."""
    raw_data: bytes
    """The elements as bytes: little-endian, row-major; not for STRING."""
    @property
    def double_data(self) -> RepeatedScalarContainer[float]:
        """Elements of DOUBLE; real and imaginary parts of COMPLEX128."""
    @property
    def uint64_data(self) -> RepeatedScalarContainer[int]:
        """Elements of UINT32 and UINT64."""
    doc_string: str
    """For people."""
    @property
    def external_data(self) -> RepeatedCompositeContainer[StringStringEntryProto]:
        """Where the bytes lie: location, offset, length, checksum."""
    data_location: int
    """Whether the elements are here or in another file."""
    @property
    def metadata_props(self) -> RepeatedCompositeContainer[StringStringEntryProto]:
        """Named texts."""
    def __init__(
        self,
        *,
        dims: Iterable[int] | None = ...,
        data_type: int | None = ...,
        segment: TensorProto.Segment | dict[str, Any] | None = ...,
        float_data: Iterable[float] | None = ...,
        int32_data: Iterable[int] | None = ...,
        string_data: Iterable[bytes] | None = ...,
        int64_data: Iterable[int] | None = ...,
        name: str | bytes | None = ...,
        raw_data: bytes | None = ...,
        double_data: Iterable[float] | None = ...,
        uint64_data: Iterable[int] | None = ...,
        doc_string: str | bytes | None = ...,
        external_data: Iterable[StringStringEntryProto | dict[str, Any]] | None = ...,
        data_location: int | str | None = ...,
        metadata_props: Iterable[StringStringEntryProto | dict[str, Any]] | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["data_type", "segment", "name", "raw_data", "doc_string", "data_location"], /) -> bool: ...
    def ClearField(self, field_name: Literal["dims", "data_type", "segment", "float_data", "int32_data", "string_data", "int64_data", "name", "raw_data", "double_data", "uint64_data", "doc_string", "external_data", "data_location", "metadata_props"], /) -> None: ...
    def set_raw_data(self, buffer: Any, copy: bool = True) -> None: ...
    def set_raw_data_with_deleter(self, buffer: Any, deleter: Callable[[], object]) -> None: ...
    def attach_raw_data_deleter(self, deleter: Callable[[], object]) -> None: ...
    @property
    def raw_data_view(self) -> RawDataView: ...

class SparseTensorProto(_Message):
    VALUES_FIELD_NUMBER: ClassVar[int]
    INDICES_FIELD_NUMBER: ClassVar[int]
    DIMS_FIELD_NUMBER: ClassVar[int]
    @property
    def values(self) -> TensorProto:
        """The stored elements, of shape [count]; its name is the sparse tensor's."""
    @property
    def indices(self) -> TensorProto:
        """Where they are: linear indices [count], or coordinates [count, rank], ascending."""
    @property
    def dims(self) -> RepeatedScalarContainer[int]:
        """The shape of the whole."""
    def __init__(
        self,
        *,
        values: TensorProto | dict[str, Any] | None = ...,
        indices: TensorProto | dict[str, Any] | None = ...,
        dims: Iterable[int] | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["values", "indices"], /) -> bool: ...
    def ClearField(self, field_name: Literal["values", "indices", "dims"], /) -> None: ...

class TensorAnnotation(_Message):
    TENSOR_NAME_FIELD_NUMBER: ClassVar[int]
    QUANT_PARAMETER_TENSOR_NAMES_FIELD_NUMBER: ClassVar[int]
    tensor_name: str
    """The tensor that is spoken of."""
    @property
    def quant_parameter_tensor_names(self) -> RepeatedCompositeContainer[StringStringEntryProto]:
        """By role (SCALE_TENSOR, …), the tensor that plays it."""
    def __init__(
        self,
        *,
        tensor_name: str | bytes | None = ...,
        quant_parameter_tensor_names: Iterable[StringStringEntryProto | dict[str, Any]] | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["tensor_name"], /) -> bool: ...
    def ClearField(self, field_name: Literal["tensor_name", "quant_parameter_tensor_names"], /) -> None: ...

class TensorShapeProto(_Message):
    class Dimension(_Message):
        DIM_VALUE_FIELD_NUMBER: ClassVar[int]
        DIM_PARAM_FIELD_NUMBER: ClassVar[int]
        DENOTATION_FIELD_NUMBER: ClassVar[int]
        dim_value: int
        """How long the axis is."""
        dim_param: str
        """The name of a length that is not known."""
        denotation: str
        """What the axis means."""
        def __init__(
            self,
            *,
            dim_value: int | None = ...,
            dim_param: str | bytes | None = ...,
            denotation: str | bytes | None = ...,
        ) -> None: ...
        def WhichOneof(self, oneof_group: Literal["value"], /) -> Literal["dim_value", "dim_param"] | None: ...
        def HasField(self, field_name: Literal["dim_value", "dim_param", "denotation", "value"], /) -> bool: ...
        def ClearField(self, field_name: Literal["dim_value", "dim_param", "denotation", "value"], /) -> None: ...
    DIM_FIELD_NUMBER: ClassVar[int]
    @property
    def dim(self) -> RepeatedCompositeContainer[TensorShapeProto.Dimension]:
        """Outermost first; none: a scalar."""
    def __init__(
        self,
        *,
        dim: Iterable[TensorShapeProto.Dimension | dict[str, Any]] | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: str, /) -> bool: ...
    def ClearField(self, field_name: Literal["dim"], /) -> None: ...

class TypeProto(_Message):
    class Tensor(_Message):
        ELEM_TYPE_FIELD_NUMBER: ClassVar[int]
        SHAPE_FIELD_NUMBER: ClassVar[int]
        elem_type: int
        """A TensorProto.DataType."""
        @property
        def shape(self) -> TensorShapeProto:
            """Absent: the rank is not known."""
        def __init__(
            self,
            *,
            elem_type: int | None = ...,
            shape: TensorShapeProto | dict[str, Any] | None = ...,
        ) -> None: ...
        def WhichOneof(self, oneof_group: str, /) -> str | None: ...
        def HasField(self, field_name: Literal["elem_type", "shape"], /) -> bool: ...
        def ClearField(self, field_name: Literal["elem_type", "shape"], /) -> None: ...
    class Sequence(_Message):
        ELEM_TYPE_FIELD_NUMBER: ClassVar[int]
        @property
        def elem_type(self) -> TypeProto:
            """Of each element."""
        def __init__(
            self,
            *,
            elem_type: TypeProto | dict[str, Any] | None = ...,
        ) -> None: ...
        def WhichOneof(self, oneof_group: str, /) -> str | None: ...
        def HasField(self, field_name: Literal["elem_type"], /) -> bool: ...
        def ClearField(self, field_name: Literal["elem_type"], /) -> None: ...
    class Map(_Message):
        KEY_TYPE_FIELD_NUMBER: ClassVar[int]
        VALUE_TYPE_FIELD_NUMBER: ClassVar[int]
        key_type: int
        """A TensorProto.DataType: an integer type or STRING."""
        @property
        def value_type(self) -> TypeProto:
            """Of each value."""
        def __init__(
            self,
            *,
            key_type: int | None = ...,
            value_type: TypeProto | dict[str, Any] | None = ...,
        ) -> None: ...
        def WhichOneof(self, oneof_group: str, /) -> str | None: ...
        def HasField(self, field_name: Literal["key_type", "value_type"], /) -> bool: ...
        def ClearField(self, field_name: Literal["key_type", "value_type"], /) -> None: ...
    class Optional(_Message):
        ELEM_TYPE_FIELD_NUMBER: ClassVar[int]
        @property
        def elem_type(self) -> TypeProto:
            """Of the value."""
        def __init__(
            self,
            *,
            elem_type: TypeProto | dict[str, Any] | None = ...,
        ) -> None: ...
        def WhichOneof(self, oneof_group: str, /) -> str | None: ...
        def HasField(self, field_name: Literal["elem_type"], /) -> bool: ...
        def ClearField(self, field_name: Literal["elem_type"], /) -> None: ...
    class SparseTensor(_Message):
        ELEM_TYPE_FIELD_NUMBER: ClassVar[int]
        SHAPE_FIELD_NUMBER: ClassVar[int]
        elem_type: int
        """A TensorProto.DataType."""
        @property
        def shape(self) -> TensorShapeProto:
            """Absent: the rank is not known."""
        def __init__(
            self,
            *,
            elem_type: int | None = ...,
            shape: TensorShapeProto | dict[str, Any] | None = ...,
        ) -> None: ...
        def WhichOneof(self, oneof_group: str, /) -> str | None: ...
        def HasField(self, field_name: Literal["elem_type", "shape"], /) -> bool: ...
        def ClearField(self, field_name: Literal["elem_type", "shape"], /) -> None: ...
    class Opaque(_Message):
        DOMAIN_FIELD_NUMBER: ClassVar[int]
        NAME_FIELD_NUMBER: ClassVar[int]
        domain: str
        """Whose type; empty or absent for ONNX's own."""
        name: str
        """The type's name there."""
        def __init__(
            self,
            *,
            domain: str | bytes | None = ...,
            name: str | bytes | None = ...,
        ) -> None: ...
        def WhichOneof(self, oneof_group: str, /) -> str | None: ...
        def HasField(self, field_name: Literal["domain", "name"], /) -> bool: ...
        def ClearField(self, field_name: Literal["domain", "name"], /) -> None: ...
    TENSOR_TYPE_FIELD_NUMBER: ClassVar[int]
    SEQUENCE_TYPE_FIELD_NUMBER: ClassVar[int]
    MAP_TYPE_FIELD_NUMBER: ClassVar[int]
    DENOTATION_FIELD_NUMBER: ClassVar[int]
    OPAQUE_TYPE_FIELD_NUMBER: ClassVar[int]
    SPARSE_TENSOR_TYPE_FIELD_NUMBER: ClassVar[int]
    OPTIONAL_TYPE_FIELD_NUMBER: ClassVar[int]
    @property
    def tensor_type(self) -> TypeProto.Tensor:
        """A tensor."""
    @property
    def sequence_type(self) -> TypeProto.Sequence:
        """A sequence."""
    @property
    def map_type(self) -> TypeProto.Map:
        """A map."""
    denotation: str
    """What the value means."""
    @property
    def opaque_type(self) -> TypeProto.Opaque:
        """Something only its domain understands."""
    @property
    def sparse_tensor_type(self) -> TypeProto.SparseTensor:
        """A sparse tensor."""
    @property
    def optional_type(self) -> TypeProto.Optional:
        """A value that may be missing."""
    def __init__(
        self,
        *,
        tensor_type: TypeProto.Tensor | dict[str, Any] | None = ...,
        sequence_type: TypeProto.Sequence | dict[str, Any] | None = ...,
        map_type: TypeProto.Map | dict[str, Any] | None = ...,
        denotation: str | bytes | None = ...,
        opaque_type: TypeProto.Opaque | dict[str, Any] | None = ...,
        sparse_tensor_type: TypeProto.SparseTensor | dict[str, Any] | None = ...,
        optional_type: TypeProto.Optional | dict[str, Any] | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: Literal["value"], /) -> Literal["tensor_type", "sequence_type", "map_type", "opaque_type", "sparse_tensor_type", "optional_type"] | None: ...
    def HasField(self, field_name: Literal["tensor_type", "sequence_type", "map_type", "denotation", "opaque_type", "sparse_tensor_type", "optional_type", "value"], /) -> bool: ...
    def ClearField(self, field_name: Literal["tensor_type", "sequence_type", "map_type", "denotation", "opaque_type", "sparse_tensor_type", "optional_type", "value"], /) -> None: ...

class IntIntListEntryProto(_Message):
    KEY_FIELD_NUMBER: ClassVar[int]
    VALUE_FIELD_NUMBER: ClassVar[int]
    key: int
    """The number."""
    @property
    def value(self) -> RepeatedScalarContainer[int]:
        """What it stands for."""
    def __init__(
        self,
        *,
        key: int | None = ...,
        value: Iterable[int] | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["key"], /) -> bool: ...
    def ClearField(self, field_name: Literal["key", "value"], /) -> None: ...

class SimpleShardedDimProto(_Message):
    DIM_VALUE_FIELD_NUMBER: ClassVar[int]
    DIM_PARAM_FIELD_NUMBER: ClassVar[int]
    NUM_SHARDS_FIELD_NUMBER: ClassVar[int]
    dim_value: int
    """How long the axis is."""
    dim_param: str
    """The name of a length that is not known."""
    num_shards: int
    """Into how many shards it is cut."""
    def __init__(
        self,
        *,
        dim_value: int | None = ...,
        dim_param: str | bytes | None = ...,
        num_shards: int | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: Literal["dim"], /) -> Literal["dim_value", "dim_param"] | None: ...
    def HasField(self, field_name: Literal["dim_value", "dim_param", "num_shards", "dim"], /) -> bool: ...
    def ClearField(self, field_name: Literal["dim_value", "dim_param", "num_shards", "dim"], /) -> None: ...

class ShardedDimProto(_Message):
    AXIS_FIELD_NUMBER: ClassVar[int]
    SIMPLE_SHARDING_FIELD_NUMBER: ClassVar[int]
    axis: int
    """Which axis; negative ones count from the end."""
    @property
    def simple_sharding(self) -> RepeatedCompositeContainer[SimpleShardedDimProto]:
        """The cuts, outermost first."""
    def __init__(
        self,
        *,
        axis: int | None = ...,
        simple_sharding: Iterable[SimpleShardedDimProto | dict[str, Any]] | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["axis"], /) -> bool: ...
    def ClearField(self, field_name: Literal["axis", "simple_sharding"], /) -> None: ...

class ShardingSpecProto(_Message):
    TENSOR_NAME_FIELD_NUMBER: ClassVar[int]
    DEVICE_FIELD_NUMBER: ClassVar[int]
    INDEX_TO_DEVICE_GROUP_MAP_FIELD_NUMBER: ClassVar[int]
    SHARDED_DIM_FIELD_NUMBER: ClassVar[int]
    tensor_name: str
    """The input or output."""
    @property
    def device(self) -> RepeatedScalarContainer[int]:
        """The devices, or groups of them (negative numbers)."""
    @property
    def index_to_device_group_map(self) -> RepeatedCompositeContainer[IntIntListEntryProto]:
        """The devices of each group."""
    @property
    def sharded_dim(self) -> RepeatedCompositeContainer[ShardedDimProto]:
        """The axes that are cut."""
    def __init__(
        self,
        *,
        tensor_name: str | bytes | None = ...,
        device: Iterable[int] | None = ...,
        index_to_device_group_map: Iterable[IntIntListEntryProto | dict[str, Any]] | None = ...,
        sharded_dim: Iterable[ShardedDimProto | dict[str, Any]] | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["tensor_name"], /) -> bool: ...
    def ClearField(self, field_name: Literal["tensor_name", "device", "index_to_device_group_map", "sharded_dim"], /) -> None: ...

class NodeDeviceConfigurationProto(_Message):
    CONFIGURATION_ID_FIELD_NUMBER: ClassVar[int]
    SHARDING_SPEC_FIELD_NUMBER: ClassVar[int]
    PIPELINE_STAGE_FIELD_NUMBER: ClassVar[int]
    configuration_id: str
    """The name of the model's configuration."""
    @property
    def sharding_spec(self) -> RepeatedCompositeContainer[ShardingSpecProto]:
        """How the node's inputs and outputs are spread."""
    pipeline_stage: int
    """The stage of the pipeline the node runs in."""
    def __init__(
        self,
        *,
        configuration_id: str | bytes | None = ...,
        sharding_spec: Iterable[ShardingSpecProto | dict[str, Any]] | None = ...,
        pipeline_stage: int | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["configuration_id", "pipeline_stage"], /) -> bool: ...
    def ClearField(self, field_name: Literal["configuration_id", "sharding_spec", "pipeline_stage"], /) -> None: ...

class DeviceConfigurationProto(_Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    NUM_DEVICES_FIELD_NUMBER: ClassVar[int]
    DEVICE_FIELD_NUMBER: ClassVar[int]
    name: str
    """What nodes call it."""
    num_devices: int
    """How many devices there are."""
    @property
    def device(self) -> RepeatedScalarContainer[str]:
        """Their names, if they have any."""
    def __init__(
        self,
        *,
        name: str | bytes | None = ...,
        num_devices: int | None = ...,
        device: Iterable[str | bytes] | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["name", "num_devices"], /) -> bool: ...
    def ClearField(self, field_name: Literal["name", "num_devices", "device"], /) -> None: ...

class ValueInfoProto(_Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    TYPE_FIELD_NUMBER: ClassVar[int]
    DOC_STRING_FIELD_NUMBER: ClassVar[int]
    METADATA_PROPS_FIELD_NUMBER: ClassVar[int]
    name: str
    """The value's name."""
    @property
    def type(self) -> TypeProto:
        """Its type, as far as it is known."""
    doc_string: str
    """For people."""
    @property
    def metadata_props(self) -> RepeatedCompositeContainer[StringStringEntryProto]:
        """Named texts."""
    def __init__(
        self,
        *,
        name: str | bytes | None = ...,
        type: TypeProto | dict[str, Any] | None = ...,
        doc_string: str | bytes | None = ...,
        metadata_props: Iterable[StringStringEntryProto | dict[str, Any]] | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["name", "type", "doc_string"], /) -> bool: ...
    def ClearField(self, field_name: Literal["name", "type", "doc_string", "metadata_props"], /) -> None: ...

class AttributeProto(_Message):
    class AttributeType(metaclass=_Enum):
        ValueType: TypeAlias = int
    UNDEFINED: ClassVar[int]
    FLOAT: ClassVar[int]
    INT: ClassVar[int]
    STRING: ClassVar[int]
    TENSOR: ClassVar[int]
    GRAPH: ClassVar[int]
    FLOATS: ClassVar[int]
    INTS: ClassVar[int]
    STRINGS: ClassVar[int]
    TENSORS: ClassVar[int]
    GRAPHS: ClassVar[int]
    SPARSE_TENSOR: ClassVar[int]
    SPARSE_TENSORS: ClassVar[int]
    TYPE_PROTO: ClassVar[int]
    TYPE_PROTOS: ClassVar[int]
    NAME_FIELD_NUMBER: ClassVar[int]
    F_FIELD_NUMBER: ClassVar[int]
    I_FIELD_NUMBER: ClassVar[int]
    S_FIELD_NUMBER: ClassVar[int]
    T_FIELD_NUMBER: ClassVar[int]
    G_FIELD_NUMBER: ClassVar[int]
    FLOATS_FIELD_NUMBER: ClassVar[int]
    INTS_FIELD_NUMBER: ClassVar[int]
    STRINGS_FIELD_NUMBER: ClassVar[int]
    TENSORS_FIELD_NUMBER: ClassVar[int]
    GRAPHS_FIELD_NUMBER: ClassVar[int]
    DOC_STRING_FIELD_NUMBER: ClassVar[int]
    TP_FIELD_NUMBER: ClassVar[int]
    TYPE_PROTOS_FIELD_NUMBER: ClassVar[int]
    TYPE_FIELD_NUMBER: ClassVar[int]
    REF_ATTR_NAME_FIELD_NUMBER: ClassVar[int]
    SPARSE_TENSOR_FIELD_NUMBER: ClassVar[int]
    SPARSE_TENSORS_FIELD_NUMBER: ClassVar[int]
    name: str
    """The argument's name."""
    f: float
    """A number."""
    i: int
    """An integer."""
    s: bytes
    """A text, in UTF-8."""
    @property
    def t(self) -> TensorProto:
        """A tensor."""
    @property
    def g(self) -> GraphProto:
        """A graph."""
    @property
    def floats(self) -> RepeatedScalarContainer[float]:
        """Numbers."""
    @property
    def ints(self) -> RepeatedScalarContainer[int]:
        """Integers."""
    @property
    def strings(self) -> RepeatedScalarContainer[bytes]:
        """Texts, in UTF-8."""
    @property
    def tensors(self) -> RepeatedCompositeContainer[TensorProto]:
        """Tensors."""
    @property
    def graphs(self) -> RepeatedCompositeContainer[GraphProto]:
        """Graphs."""
    doc_string: str
    """For people."""
    @property
    def tp(self) -> TypeProto:
        """A type."""
    @property
    def type_protos(self) -> RepeatedCompositeContainer[TypeProto]:
        """Types."""
    type: int
    """Which of the values counts."""
    ref_attr_name: str
    """In a function's body: the function's attribute whose value is to be taken."""
    @property
    def sparse_tensor(self) -> SparseTensorProto:
        """A sparse tensor."""
    @property
    def sparse_tensors(self) -> RepeatedCompositeContainer[SparseTensorProto]:
        """Sparse tensors."""
    def __init__(
        self,
        *,
        name: str | bytes | None = ...,
        f: float | None = ...,
        i: int | None = ...,
        s: bytes | None = ...,
        t: TensorProto | dict[str, Any] | None = ...,
        g: GraphProto | dict[str, Any] | None = ...,
        floats: Iterable[float] | None = ...,
        ints: Iterable[int] | None = ...,
        strings: Iterable[bytes] | None = ...,
        tensors: Iterable[TensorProto | dict[str, Any]] | None = ...,
        graphs: Iterable[GraphProto | dict[str, Any]] | None = ...,
        doc_string: str | bytes | None = ...,
        tp: TypeProto | dict[str, Any] | None = ...,
        type_protos: Iterable[TypeProto | dict[str, Any]] | None = ...,
        type: int | str | None = ...,
        ref_attr_name: str | bytes | None = ...,
        sparse_tensor: SparseTensorProto | dict[str, Any] | None = ...,
        sparse_tensors: Iterable[SparseTensorProto | dict[str, Any]] | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["name", "f", "i", "s", "t", "g", "doc_string", "tp", "type", "ref_attr_name", "sparse_tensor"], /) -> bool: ...
    def ClearField(self, field_name: Literal["name", "f", "i", "s", "t", "g", "floats", "ints", "strings", "tensors", "graphs", "doc_string", "tp", "type_protos", "type", "ref_attr_name", "sparse_tensor", "sparse_tensors"], /) -> None: ...

class NodeProto(_Message):
    INPUT_FIELD_NUMBER: ClassVar[int]
    OUTPUT_FIELD_NUMBER: ClassVar[int]
    NAME_FIELD_NUMBER: ClassVar[int]
    OP_TYPE_FIELD_NUMBER: ClassVar[int]
    ATTRIBUTE_FIELD_NUMBER: ClassVar[int]
    DOC_STRING_FIELD_NUMBER: ClassVar[int]
    DOMAIN_FIELD_NUMBER: ClassVar[int]
    OVERLOAD_FIELD_NUMBER: ClassVar[int]
    METADATA_PROPS_FIELD_NUMBER: ClassVar[int]
    DEVICE_CONFIGURATIONS_FIELD_NUMBER: ClassVar[int]
    @property
    def input(self) -> RepeatedScalarContainer[str]:
        """Names of values; an empty one leaves an optional input out."""
    @property
    def output(self) -> RepeatedScalarContainer[str]:
        """Names of values."""
    name: str
    """The node's own name."""
    op_type: str
    """The operator."""
    @property
    def attribute(self) -> RepeatedCompositeContainer[AttributeProto]:
        """Arguments, each name once."""
    doc_string: str
    """For people."""
    domain: str
    """Whose operator; empty or absent for ONNX's own."""
    overload: str
    """Which function of that domain and name."""
    @property
    def metadata_props(self) -> RepeatedCompositeContainer[StringStringEntryProto]:
        """Named texts."""
    @property
    def device_configurations(self) -> RepeatedCompositeContainer[NodeDeviceConfigurationProto]:
        """How the node is spread over devices."""
    def __init__(
        self,
        *,
        input: Iterable[str | bytes] | None = ...,
        output: Iterable[str | bytes] | None = ...,
        name: str | bytes | None = ...,
        op_type: str | bytes | None = ...,
        attribute: Iterable[AttributeProto | dict[str, Any]] | None = ...,
        doc_string: str | bytes | None = ...,
        domain: str | bytes | None = ...,
        overload: str | bytes | None = ...,
        metadata_props: Iterable[StringStringEntryProto | dict[str, Any]] | None = ...,
        device_configurations: Iterable[NodeDeviceConfigurationProto | dict[str, Any]] | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["name", "op_type", "doc_string", "domain", "overload"], /) -> bool: ...
    def ClearField(self, field_name: Literal["input", "output", "name", "op_type", "attribute", "doc_string", "domain", "overload", "metadata_props", "device_configurations"], /) -> None: ...

class GraphProto(_Message):
    NODE_FIELD_NUMBER: ClassVar[int]
    NAME_FIELD_NUMBER: ClassVar[int]
    INITIALIZER_FIELD_NUMBER: ClassVar[int]
    DOC_STRING_FIELD_NUMBER: ClassVar[int]
    INPUT_FIELD_NUMBER: ClassVar[int]
    OUTPUT_FIELD_NUMBER: ClassVar[int]
    VALUE_INFO_FIELD_NUMBER: ClassVar[int]
    QUANTIZATION_ANNOTATION_FIELD_NUMBER: ClassVar[int]
    SPARSE_INITIALIZER_FIELD_NUMBER: ClassVar[int]
    METADATA_PROPS_FIELD_NUMBER: ClassVar[int]
    @property
    def node(self) -> RepeatedCompositeContainer[NodeProto]:
        """Sorted: a value is made before it is used."""
    name: str
    """The graph's name."""
    @property
    def initializer(self) -> RepeatedCompositeContainer[TensorProto]:
        """Constants, and default values of inputs of the same name."""
    doc_string: str
    """For people."""
    @property
    def input(self) -> RepeatedCompositeContainer[ValueInfoProto]:
        """What the graph is given."""
    @property
    def output(self) -> RepeatedCompositeContainer[ValueInfoProto]:
        """What it gives."""
    @property
    def value_info(self) -> RepeatedCompositeContainer[ValueInfoProto]:
        """What is known about values in between."""
    @property
    def quantization_annotation(self) -> RepeatedCompositeContainer[TensorAnnotation]:
        """How tensors are quantized."""
    @property
    def sparse_initializer(self) -> RepeatedCompositeContainer[SparseTensorProto]:
        """Constants that are sparse."""
    @property
    def metadata_props(self) -> RepeatedCompositeContainer[StringStringEntryProto]:
        """Named texts."""
    def __init__(
        self,
        *,
        node: Iterable[NodeProto | dict[str, Any]] | None = ...,
        name: str | bytes | None = ...,
        initializer: Iterable[TensorProto | dict[str, Any]] | None = ...,
        doc_string: str | bytes | None = ...,
        input: Iterable[ValueInfoProto | dict[str, Any]] | None = ...,
        output: Iterable[ValueInfoProto | dict[str, Any]] | None = ...,
        value_info: Iterable[ValueInfoProto | dict[str, Any]] | None = ...,
        quantization_annotation: Iterable[TensorAnnotation | dict[str, Any]] | None = ...,
        sparse_initializer: Iterable[SparseTensorProto | dict[str, Any]] | None = ...,
        metadata_props: Iterable[StringStringEntryProto | dict[str, Any]] | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["name", "doc_string"], /) -> bool: ...
    def ClearField(self, field_name: Literal["node", "name", "initializer", "doc_string", "input", "output", "value_info", "quantization_annotation", "sparse_initializer", "metadata_props"], /) -> None: ...

class FunctionProto(_Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    INPUT_FIELD_NUMBER: ClassVar[int]
    OUTPUT_FIELD_NUMBER: ClassVar[int]
    ATTRIBUTE_FIELD_NUMBER: ClassVar[int]
    NODE_FIELD_NUMBER: ClassVar[int]
    DOC_STRING_FIELD_NUMBER: ClassVar[int]
    OPSET_IMPORT_FIELD_NUMBER: ClassVar[int]
    DOMAIN_FIELD_NUMBER: ClassVar[int]
    ATTRIBUTE_PROTO_FIELD_NUMBER: ClassVar[int]
    VALUE_INFO_FIELD_NUMBER: ClassVar[int]
    OVERLOAD_FIELD_NUMBER: ClassVar[int]
    METADATA_PROPS_FIELD_NUMBER: ClassVar[int]
    name: str
    """The function's name."""
    @property
    def input(self) -> RepeatedScalarContainer[str]:
        """Names of its formal inputs."""
    @property
    def output(self) -> RepeatedScalarContainer[str]:
        """Names of its formal outputs."""
    @property
    def attribute(self) -> RepeatedScalarContainer[str]:
        """Names of attributes without a default value."""
    @property
    def node(self) -> RepeatedCompositeContainer[NodeProto]:
        """The body, sorted like a graph's."""
    doc_string: str
    """For people."""
    @property
    def opset_import(self) -> RepeatedCompositeContainer[OperatorSetIdProto]:
        """The operator sets the body uses."""
    domain: str
    """Whose function."""
    @property
    def attribute_proto(self) -> RepeatedCompositeContainer[AttributeProto]:
        """Attributes with their default values."""
    @property
    def value_info(self) -> RepeatedCompositeContainer[ValueInfoProto]:
        """What is known about values of the body."""
    overload: str
    """Tells functions of one domain and name apart."""
    @property
    def metadata_props(self) -> RepeatedCompositeContainer[StringStringEntryProto]:
        """Named texts."""
    def __init__(
        self,
        *,
        name: str | bytes | None = ...,
        input: Iterable[str | bytes] | None = ...,
        output: Iterable[str | bytes] | None = ...,
        attribute: Iterable[str | bytes] | None = ...,
        node: Iterable[NodeProto | dict[str, Any]] | None = ...,
        doc_string: str | bytes | None = ...,
        opset_import: Iterable[OperatorSetIdProto | dict[str, Any]] | None = ...,
        domain: str | bytes | None = ...,
        attribute_proto: Iterable[AttributeProto | dict[str, Any]] | None = ...,
        value_info: Iterable[ValueInfoProto | dict[str, Any]] | None = ...,
        overload: str | bytes | None = ...,
        metadata_props: Iterable[StringStringEntryProto | dict[str, Any]] | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["name", "doc_string", "domain", "overload"], /) -> bool: ...
    def ClearField(self, field_name: Literal["name", "input", "output", "attribute", "node", "doc_string", "opset_import", "domain", "attribute_proto", "value_info", "overload", "metadata_props"], /) -> None: ...

class TrainingInfoProto(_Message):
    INITIALIZATION_FIELD_NUMBER: ClassVar[int]
    ALGORITHM_FIELD_NUMBER: ClassVar[int]
    INITIALIZATION_BINDING_FIELD_NUMBER: ClassVar[int]
    UPDATE_BINDING_FIELD_NUMBER: ClassVar[int]
    @property
    def initialization(self) -> GraphProto:
        """Run once: gives first values."""
    @property
    def algorithm(self) -> GraphProto:
        """Run once a step: gives new values."""
    @property
    def initialization_binding(self) -> RepeatedCompositeContainer[StringStringEntryProto]:
        """By constant, the output of `initialization` that sets it."""
    @property
    def update_binding(self) -> RepeatedCompositeContainer[StringStringEntryProto]:
        """By constant, the output of `algorithm` that updates it."""
    def __init__(
        self,
        *,
        initialization: GraphProto | dict[str, Any] | None = ...,
        algorithm: GraphProto | dict[str, Any] | None = ...,
        initialization_binding: Iterable[StringStringEntryProto | dict[str, Any]] | None = ...,
        update_binding: Iterable[StringStringEntryProto | dict[str, Any]] | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["initialization", "algorithm"], /) -> bool: ...
    def ClearField(self, field_name: Literal["initialization", "algorithm", "initialization_binding", "update_binding"], /) -> None: ...

class ModelProto(_Message):
    IR_VERSION_FIELD_NUMBER: ClassVar[int]
    PRODUCER_NAME_FIELD_NUMBER: ClassVar[int]
    PRODUCER_VERSION_FIELD_NUMBER: ClassVar[int]
    DOMAIN_FIELD_NUMBER: ClassVar[int]
    MODEL_VERSION_FIELD_NUMBER: ClassVar[int]
    DOC_STRING_FIELD_NUMBER: ClassVar[int]
    GRAPH_FIELD_NUMBER: ClassVar[int]
    OPSET_IMPORT_FIELD_NUMBER: ClassVar[int]
    METADATA_PROPS_FIELD_NUMBER: ClassVar[int]
    TRAINING_INFO_FIELD_NUMBER: ClassVar[int]
    FUNCTIONS_FIELD_NUMBER: ClassVar[int]
    CONFIGURATION_FIELD_NUMBER: ClassVar[int]
    ir_version: int
    """The version of the format: a Version."""
    producer_name: str
    """The tool that made the model."""
    producer_version: str
    """The tool's version."""
    domain: str
    """The model's name space."""
    model_version: int
    """The model's own version."""
    doc_string: str
    """For people."""
    @property
    def graph(self) -> GraphProto:
        """What to run."""
    @property
    def opset_import(self) -> RepeatedCompositeContainer[OperatorSetIdProto]:
        """The operator sets the graph uses, each domain once."""
    @property
    def metadata_props(self) -> RepeatedCompositeContainer[StringStringEntryProto]:
        """Named texts."""
    @property
    def training_info(self) -> RepeatedCompositeContainer[TrainingInfoProto]:
        """How to train it."""
    @property
    def functions(self) -> RepeatedCompositeContainer[FunctionProto]:
        """The functions its nodes call."""
    @property
    def configuration(self) -> RepeatedCompositeContainer[DeviceConfigurationProto]:
        """The sets of devices it can run on."""
    def __init__(
        self,
        *,
        ir_version: int | None = ...,
        producer_name: str | bytes | None = ...,
        producer_version: str | bytes | None = ...,
        domain: str | bytes | None = ...,
        model_version: int | None = ...,
        doc_string: str | bytes | None = ...,
        graph: GraphProto | dict[str, Any] | None = ...,
        opset_import: Iterable[OperatorSetIdProto | dict[str, Any]] | None = ...,
        metadata_props: Iterable[StringStringEntryProto | dict[str, Any]] | None = ...,
        training_info: Iterable[TrainingInfoProto | dict[str, Any]] | None = ...,
        functions: Iterable[FunctionProto | dict[str, Any]] | None = ...,
        configuration: Iterable[DeviceConfigurationProto | dict[str, Any]] | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["ir_version", "producer_name", "producer_version", "domain", "model_version", "doc_string", "graph"], /) -> bool: ...
    def ClearField(self, field_name: Literal["ir_version", "producer_name", "producer_version", "domain", "model_version", "doc_string", "graph", "opset_import", "metadata_props", "training_info", "functions", "configuration"], /) -> None: ...
    def release_weights(self) -> int: ...

class SequenceProto(_Message):
    class DataType(metaclass=_Enum):
        ValueType: TypeAlias = int
    UNDEFINED: ClassVar[int]
    TENSOR: ClassVar[int]
    SPARSE_TENSOR: ClassVar[int]
    SEQUENCE: ClassVar[int]
    MAP: ClassVar[int]
    OPTIONAL: ClassVar[int]
    NAME_FIELD_NUMBER: ClassVar[int]
    ELEM_TYPE_FIELD_NUMBER: ClassVar[int]
    TENSOR_VALUES_FIELD_NUMBER: ClassVar[int]
    SPARSE_TENSOR_VALUES_FIELD_NUMBER: ClassVar[int]
    SEQUENCE_VALUES_FIELD_NUMBER: ClassVar[int]
    MAP_VALUES_FIELD_NUMBER: ClassVar[int]
    OPTIONAL_VALUES_FIELD_NUMBER: ClassVar[int]
    name: str
    """The sequence's name."""
    elem_type: int
    """A SequenceProto.DataType: which of the lists counts."""
    @property
    def tensor_values(self) -> RepeatedCompositeContainer[TensorProto]:
        """Tensors."""
    @property
    def sparse_tensor_values(self) -> RepeatedCompositeContainer[SparseTensorProto]:
        """Sparse tensors."""
    @property
    def sequence_values(self) -> RepeatedCompositeContainer[SequenceProto]:
        """Sequences."""
    @property
    def map_values(self) -> RepeatedCompositeContainer[MapProto]:
        """Maps."""
    @property
    def optional_values(self) -> RepeatedCompositeContainer[OptionalProto]:
        """Optionals."""
    def __init__(
        self,
        *,
        name: str | bytes | None = ...,
        elem_type: int | None = ...,
        tensor_values: Iterable[TensorProto | dict[str, Any]] | None = ...,
        sparse_tensor_values: Iterable[SparseTensorProto | dict[str, Any]] | None = ...,
        sequence_values: Iterable[SequenceProto | dict[str, Any]] | None = ...,
        map_values: Iterable[MapProto | dict[str, Any]] | None = ...,
        optional_values: Iterable[OptionalProto | dict[str, Any]] | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["name", "elem_type"], /) -> bool: ...
    def ClearField(self, field_name: Literal["name", "elem_type", "tensor_values", "sparse_tensor_values", "sequence_values", "map_values", "optional_values"], /) -> None: ...

class MapProto(_Message):
    NAME_FIELD_NUMBER: ClassVar[int]
    KEY_TYPE_FIELD_NUMBER: ClassVar[int]
    KEYS_FIELD_NUMBER: ClassVar[int]
    STRING_KEYS_FIELD_NUMBER: ClassVar[int]
    VALUES_FIELD_NUMBER: ClassVar[int]
    name: str
    """The map's name."""
    key_type: int
    """A TensorProto.DataType: an integer type or STRING."""
    @property
    def keys(self) -> RepeatedScalarContainer[int]:
        """The keys, if they are integers."""
    @property
    def string_keys(self) -> RepeatedScalarContainer[bytes]:
        """The keys, if they are texts."""
    @property
    def values(self) -> SequenceProto:
        """The values."""
    def __init__(
        self,
        *,
        name: str | bytes | None = ...,
        key_type: int | None = ...,
        keys: Iterable[int] | None = ...,
        string_keys: Iterable[bytes] | None = ...,
        values: SequenceProto | dict[str, Any] | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["name", "key_type", "values"], /) -> bool: ...
    def ClearField(self, field_name: Literal["name", "key_type", "keys", "string_keys", "values"], /) -> None: ...

class OptionalProto(_Message):
    class DataType(metaclass=_Enum):
        ValueType: TypeAlias = int
    UNDEFINED: ClassVar[int]
    TENSOR: ClassVar[int]
    SPARSE_TENSOR: ClassVar[int]
    SEQUENCE: ClassVar[int]
    MAP: ClassVar[int]
    OPTIONAL: ClassVar[int]
    NAME_FIELD_NUMBER: ClassVar[int]
    ELEM_TYPE_FIELD_NUMBER: ClassVar[int]
    TENSOR_VALUE_FIELD_NUMBER: ClassVar[int]
    SPARSE_TENSOR_VALUE_FIELD_NUMBER: ClassVar[int]
    SEQUENCE_VALUE_FIELD_NUMBER: ClassVar[int]
    MAP_VALUE_FIELD_NUMBER: ClassVar[int]
    OPTIONAL_VALUE_FIELD_NUMBER: ClassVar[int]
    name: str
    """The value's name."""
    elem_type: int
    """An OptionalProto.DataType."""
    @property
    def tensor_value(self) -> TensorProto:
        """A tensor."""
    @property
    def sparse_tensor_value(self) -> SparseTensorProto:
        """A sparse tensor."""
    @property
    def sequence_value(self) -> SequenceProto:
        """A sequence."""
    @property
    def map_value(self) -> MapProto:
        """A map."""
    @property
    def optional_value(self) -> OptionalProto:
        """An optional."""
    def __init__(
        self,
        *,
        name: str | bytes | None = ...,
        elem_type: int | None = ...,
        tensor_value: TensorProto | dict[str, Any] | None = ...,
        sparse_tensor_value: SparseTensorProto | dict[str, Any] | None = ...,
        sequence_value: SequenceProto | dict[str, Any] | None = ...,
        map_value: MapProto | dict[str, Any] | None = ...,
        optional_value: OptionalProto | dict[str, Any] | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["name", "elem_type", "tensor_value", "sparse_tensor_value", "sequence_value", "map_value", "optional_value"], /) -> bool: ...
    def ClearField(self, field_name: Literal["name", "elem_type", "tensor_value", "sparse_tensor_value", "sequence_value", "map_value", "optional_value"], /) -> None: ...

class OperatorProto(_Message):
    OP_TYPE_FIELD_NUMBER: ClassVar[int]
    SINCE_VERSION_FIELD_NUMBER: ClassVar[int]
    STATUS_FIELD_NUMBER: ClassVar[int]
    DOC_STRING_FIELD_NUMBER: ClassVar[int]
    op_type: str
    """The operator's name."""
    since_version: int
    """The version of the set that brought it in this form."""
    status: int
    """Whether it may still change."""
    doc_string: str
    """For people."""
    def __init__(
        self,
        *,
        op_type: str | bytes | None = ...,
        since_version: int | None = ...,
        status: int | str | None = ...,
        doc_string: str | bytes | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["op_type", "since_version", "status", "doc_string"], /) -> bool: ...
    def ClearField(self, field_name: Literal["op_type", "since_version", "status", "doc_string"], /) -> None: ...

class OperatorSetProto(_Message):
    MAGIC_FIELD_NUMBER: ClassVar[int]
    IR_VERSION_FIELD_NUMBER: ClassVar[int]
    IR_VERSION_PRERELEASE_FIELD_NUMBER: ClassVar[int]
    DOMAIN_FIELD_NUMBER: ClassVar[int]
    OPSET_VERSION_FIELD_NUMBER: ClassVar[int]
    DOC_STRING_FIELD_NUMBER: ClassVar[int]
    IR_BUILD_METADATA_FIELD_NUMBER: ClassVar[int]
    OPERATOR_FIELD_NUMBER: ClassVar[int]
    FUNCTIONS_FIELD_NUMBER: ClassVar[int]
    magic: str
    """The text ONNXOPSET."""
    ir_version: int
    """The version of the format."""
    ir_version_prerelease: str
    """The pre-release part of that version."""
    domain: str
    """Whose operators."""
    opset_version: int
    """The version of the set."""
    doc_string: str
    """For people."""
    ir_build_metadata: str
    """The build part of that version."""
    @property
    def operator(self) -> RepeatedCompositeContainer[OperatorProto]:
        """The operators."""
    @property
    def functions(self) -> RepeatedCompositeContainer[FunctionProto]:
        """The functions."""
    def __init__(
        self,
        *,
        magic: str | bytes | None = ...,
        ir_version: int | None = ...,
        ir_version_prerelease: str | bytes | None = ...,
        domain: str | bytes | None = ...,
        opset_version: int | None = ...,
        doc_string: str | bytes | None = ...,
        ir_build_metadata: str | bytes | None = ...,
        operator: Iterable[OperatorProto | dict[str, Any]] | None = ...,
        functions: Iterable[FunctionProto | dict[str, Any]] | None = ...,
    ) -> None: ...
    def WhichOneof(self, oneof_group: str, /) -> str | None: ...
    def HasField(self, field_name: Literal["magic", "ir_version", "ir_version_prerelease", "domain", "opset_version", "doc_string", "ir_build_metadata"], /) -> bool: ...
    def ClearField(self, field_name: Literal["magic", "ir_version", "ir_version_prerelease", "domain", "opset_version", "doc_string", "ir_build_metadata", "operator", "functions"], /) -> None: ...
