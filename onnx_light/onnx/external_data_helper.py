"""Weights in files beside the model: references to them, reading, and writing one tensor at a time.

`load` and `save` do all of this for whole models, at once or not at all; these are the steps by themselves, as `onnx` has them.
"""

from __future__ import annotations

import os
import re
import stat
import uuid
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

from onnx_light.onnx._files import Path, load_external_data_for_model
from onnx_light.onnx.onnx_cpp2py_export.checker import ValidationError
from onnx_light.onnx_py import _onnxpy
from onnx_light.onnx_py._onnxpy import FunctionProto, GraphProto, ModelProto, ParseOptions, TensorProto

__all__ = [
    "ExternalDataInfo",
    "convert_model_from_external_data",
    "convert_model_to_external_data",
    "load_external_data_for_model",
    "load_external_data_for_tensor",
    "remove_external_data_field",
    "save_external_data",
    "set_external_data",
    "uses_external_data",
    "write_external_data_tensors",
]

_ALLOWED_EXTERNAL_DATA_KEYS = frozenset({"location", "offset", "length", "checksum", "basepath"})
_SORTED_ALLOWED_KEYS = sorted(_ALLOWED_EXTERNAL_DATA_KEYS)
_MAX_UNKNOWN_KEYS_IN_WARNING = 10
_MAX_KEY_DISPLAY_LENGTH = 100
# How far behind the end of its file a tensor may be written: enough for any alignment, too little to fill a disk with zeros.
_MAX_EXTERNAL_DATA_PADDING = 1 << 16


class ExternalDataInfo:
    """What a tensor says about the file with its elements.

    Attributes:
        location: the file, relative to the model's folder.
        offset, length: which of its bytes; None where nothing is said.
        checksum, basepath: as they stand; "" where nothing is said.

    Raises:
        ValueError: offset or length is no non-negative integer.
    """

    def __init__(self, tensor: TensorProto) -> None:
        self.location = ""
        self.offset: int | None = None
        self.length: int | None = None
        self.checksum: str | None = None
        self.basepath = ""
        unknown = []
        for entry in tensor.external_data:
            if entry.key in ("offset", "length"):
                setattr(self, entry.key, _count(tensor, entry.key, entry.value))
            elif entry.key in _ALLOWED_EXTERNAL_DATA_KEYS:
                setattr(self, entry.key, entry.value)
            else:
                unknown.append(entry.key)
        if unknown:
            shown = ", ".join(repr(key[:_MAX_KEY_DISPLAY_LENGTH]) for key in unknown[:_MAX_UNKNOWN_KEYS_IN_WARNING])
            more = f" and {len(unknown) - _MAX_UNKNOWN_KEYS_IN_WARNING} more" if len(unknown) > _MAX_UNKNOWN_KEYS_IN_WARNING else ""
            warnings.warn(f"tensor {tensor.name!r}: ignoring unknown external data key(s) {shown}{more}", stacklevel=2)


def _count(tensor: TensorProto, key: str, text: str) -> int:
    if not re.fullmatch(r"\+?[0-9]{1,20}", text):
        raise ValueError(f"tensor {tensor.name!r}: {key} of its external data has to be a non-negative integer, not {text[:100]!r}")
    return int(text)


# ---- references


def uses_external_data(tensor: TensorProto) -> bool:
    """Whether the elements of a tensor lie in another file."""
    return bool(tensor.data_location == TensorProto.EXTERNAL)


def set_external_data(
    tensor: TensorProto,
    location: Path,
    offset: int | None = None,
    length: int | None = None,
    checksum: str | None = None,
    basepath: Path | None = None,
) -> None:
    """Makes a tensor refer to a file. Its raw_data stays until it is written there.

    Args:
        tensor: a tensor with raw_data.
        location: the file, relative to the model's folder.
        offset, length, checksum, basepath: left out if None.

    Raises:
        ValueError: the tensor has no raw_data.
    """
    if not tensor.HasField("raw_data"):
        raise ValueError(f"tensor {tensor.name!r} has no raw_data, so there is nothing that could lie in a file")
    entries = {
        "location": os.fsdecode(location),
        "offset": None if offset is None else int(offset),  # 4096.0 is no number of bytes that anybody reads
        "length": None if length is None else int(length),
        "checksum": checksum,
        "basepath": None if basepath is None else os.fsdecode(basepath),
    }
    _refer(tensor, entries)


def _refer(tensor: TensorProto, entries: dict[str, Any]) -> None:
    del tensor.external_data[:]
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in entries.items():
        if value is not None:
            tensor.external_data.add(key=key, value=str(value))


def _forget_reference(tensor: TensorProto) -> None:
    tensor.data_location = TensorProto.DEFAULT
    del tensor.external_data[:]


def remove_external_data_field(tensor: TensorProto, field_key: str) -> None:
    """Removes one entry of a tensor's reference; nothing happens if there is none."""
    for at in range(len(tensor.external_data) - 1, -1, -1):
        if tensor.external_data[at].key == field_key:
            del tensor.external_data[at]


def convert_model_to_external_data(
    model: ModelProto,
    all_tensors_to_one_file: bool = True,
    location: Path | None = None,
    size_threshold: int = 1024,
    convert_attribute: bool = False,
) -> None:
    """Makes the tensors of a model refer to files, which saving the model then writes.

    Args:
        model: the model; it is changed.
        all_tensors_to_one_file: one file for all, or one a tensor, named after it.
        location: the one file, relative to the model's folder; by default a name that nothing else has.
        size_threshold: tensors with fewer bytes stay in the model.
        convert_attribute: tensors in attributes of nodes as well, not only initializers.

    Raises:
        ValueError: location is absolute or leads out of the model's folder.
        FileExistsError: there is such a file in the current folder.
    """
    location = os.fsdecode(location) if location else None
    if location and (os.path.isabs(location) or ".." in re.split(r"[/\\]", location)):
        raise ValueError(f"location {location!r}: weights lie in the model's folder, so it is relative and without '..'")
    if location and all_tensors_to_one_file and os.path.exists(location):
        raise FileExistsError(f"there is a file {location!r} already")
    one_file = location or f"{uuid.uuid1()}.data"
    taken: set[str] = set()
    for tensor in _get_all_tensors(model) if convert_attribute else _get_initializer_tensors(model):
        if uses_external_data(tensor) or not _make_raw(tensor, size_threshold):
            continue
        set_external_data(tensor, one_file if all_tensors_to_one_file else _own_file(tensor.name, taken))


def _make_raw(tensor: TensorProto, size_threshold: int) -> bool:
    """Whether a tensor has at least so many bytes of raw_data; elements in typed fields become such."""
    if tensor.HasField("raw_data"):
        return len(tensor.raw_data) >= size_threshold
    if tensor.data_type in (TensorProto.STRING, TensorProto.UNDEFINED):
        return False
    from onnx_light.onnx import _arrays, helper, numpy_helper

    field = getattr(tensor, helper.tensor_dtype_to_field(tensor.data_type))
    if not field:
        return False
    data = _arrays.raw_bytes_of(numpy_helper.to_array(tensor))
    if len(data) < size_threshold:
        return False
    del field[:]
    tensor.raw_data = data
    return True


def _own_file(name: str, taken: set[str]) -> str:
    """A file for one tensor: called like it, if that is a name for a file and no other has it."""
    file = name if _is_valid_filename(name) and len(name.encode()) <= 200 and name.lower() not in taken else str(uuid.uuid1())
    taken.add(file.lower())
    return file


def _is_valid_filename(filename: str) -> bool:
    """Whether a name is one for a file on every system."""
    return re.fullmatch(r"[^<>:;,?\"*|/\\\x00-\x1f]+", filename) is not None and filename.strip(". ") == filename


def convert_model_from_external_data(model: ModelProto) -> None:
    """Makes the tensors of a model hold the elements that have been loaded, instead of referring to files.

    Raises:
        ValueError: a tensor has no raw_data.
    """
    for tensor in _get_all_tensors(model):
        if uses_external_data(tensor):
            if not tensor.HasField("raw_data"):
                raise ValueError(f"tensor {tensor.name!r} has no raw_data: load_external_data_for_model brings it")
            _forget_reference(tensor)


# ---- reading


def load_external_data_for_tensor(tensor: TensorProto, base_dir: Path) -> None:
    """Reads the elements of a tensor from its file; it holds them then, and refers to no file.

    Args:
        tensor: a tensor that refers to a file.
        base_dir: the model's folder, outside of which nothing is read.

    Raises:
        ExternalDataError (a ValueError and ValidationError): the file is not there, may not be read, or does not have these bytes.
    """
    _onnxpy.files.load_external_data(tensor, os.fspath(base_dir) or ".", ParseOptions())


def _read_external_data_bytes(tensor: TensorProto, base_dir: str) -> Any:
    """The bytes of a tensor in another file. The tensor stays as it is."""
    from onnx_light.onnx import _arrays

    loaded = TensorProto()
    loaded.CopyFrom(tensor)
    loaded.ClearField("raw_data")
    load_external_data_for_tensor(loaded, base_dir)
    return _arrays.payload(loaded)


# ---- writing


def _open_beside(base_dir: str | bytes, location: str, tensor_name: str, read_only: bool) -> int:
    """A descriptor of the file at a location in a folder. No link is followed on the way, and the file is a plain one with one name.

    Raises:
        ValidationError: the location leads out of the folder, or to something that is no such file.
    """
    whose = f"tensor {tensor_name!r}, location {location!r}"
    parts = [part for part in location.split("/") if part not in ("", ".")]
    if not parts or os.path.isabs(location) or ".." in parts or "\\" in location or "\0" in location:
        raise ValidationError(f"{whose}: it has to be a relative path that stays in the model's folder")
    flags = os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    folder = os.open(base_dir or ".", os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            below = os.open(part, flags | os.O_RDONLY | getattr(os, "O_DIRECTORY", 0), dir_fd=folder)
            os.close(folder)
            folder = below
        file = os.open(parts[-1], flags | (os.O_RDONLY if read_only else os.O_RDWR | os.O_CREAT), 0o666, dir_fd=folder)
    except OSError as error:
        raise ValidationError(f"{whose} in {base_dir!r}: it cannot be opened: {error.strerror}") from error
    finally:
        os.close(folder)
    facts = os.fstat(file)
    if not stat.S_ISREG(facts.st_mode) or facts.st_nlink != 1:
        os.close(file)
        raise ValidationError(f"{whose} in {base_dir!r}: it is no regular file with one name")
    return file


def save_external_data(tensor: TensorProto, base_path: Path) -> None:
    """Writes the raw_data of a tensor to the end of the file it refers to, and notes offset and length in the reference.

    Args:
        tensor: a tensor with raw_data and a reference; an offset that it states has to be the end of the file or at most 64 KiB behind it.
        base_path: the model's folder, outside of which nothing is written.

    Raises:
        ValidationError: there is no raw_data, the offset is another one, or the location may not be written to.
    """
    info = ExternalDataInfo(tensor)
    if not tensor.HasField("raw_data"):
        raise ValidationError(f"tensor {tensor.name!r} has no raw_data that could be written")
    data = tensor.raw_data
    file = _open_beside(os.fspath(base_path), info.location, tensor.name, read_only=False)
    with os.fdopen(file, "r+b") as stream:
        end = stream.seek(0, os.SEEK_END)
        offset = end if info.offset is None else info.offset
        if not end <= offset <= end + _MAX_EXTERNAL_DATA_PADDING:
            raise ValidationError(
                f"tensor {tensor.name!r}: the offset {offset} of its external data must be between the end of the file, {end}, "
                f"and {end + _MAX_EXTERNAL_DATA_PADDING}"
            )
        stream.write(bytes(offset - end))
        stream.write(data)
    set_external_data(tensor, info.location, offset, len(data), info.checksum, info.basepath or None)


def write_external_data_tensors(model: ModelProto, filepath: Path) -> ModelProto:
    """Writes the raw_data of all tensors that refer to files to these, below a folder; the model no longer has it then.

    Returns:
        The model.

    Raises:
        ValidationError: as save_external_data.
    """
    for tensor in _get_all_tensors(model):
        if uses_external_data(tensor) and tensor.HasField("raw_data"):
            save_external_data(tensor, filepath)
            tensor.ClearField("raw_data")
    return model


# ---- the tensors of a model; private names of `onnx` that programs use nevertheless


def _tensors(owner: Any, initializers: bool, attributes: bool) -> Iterator[TensorProto]:
    yield from _onnxpy.files.tensors(owner, initializers, attributes)


def _get_all_tensors(onnx_model_proto: ModelProto) -> Iterable[TensorProto]:
    """Every tensor of a model, wherever it is."""
    return _tensors(onnx_model_proto, True, True)


def _get_initializer_tensors(onnx_model_proto: ModelProto) -> Iterable[TensorProto]:
    """The initializers of all graphs of a model, sparse ones included."""
    return _tensors(onnx_model_proto, True, False)


def _get_initializer_tensors_from_graph(graph: GraphProto, /) -> Iterable[TensorProto]:
    return _tensors(graph, True, False)


def _get_attribute_tensors(onnx_model_proto: ModelProto) -> Iterable[TensorProto]:
    """The tensors in attributes of a model."""
    return _tensors(onnx_model_proto, False, True)


def _get_attribute_tensors_from_graph(graph_or_function: GraphProto | FunctionProto, /) -> Iterable[TensorProto]:
    return _tensors(graph_or_function, False, True)
