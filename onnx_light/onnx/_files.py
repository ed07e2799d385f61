"""Messages from files and back: paths, path-likes, open files, bytes."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable
from typing import IO, Any, NamedTuple

from onnx_light.onnx import _foreign, serialization
from onnx_light.onnx_py._onnxpy import (
    DecodeError,
    FileLoadMode,
    GraphProto,
    ModelProto,
    ParseOptions,
    SerializeOptions,
    TensorProto,
    files,
)

Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]
Source = IO[bytes] | Path


def _load(
    cls: Any,
    f: Any,
    format: str | None,
    options: ParseOptions | None = None,
    progress: Callable[[int], object] | None = None,
) -> Any:
    if (serializer := serialization.other_than_protobuf(format, f)) is not None:
        return serialization.load_with(serializer, f, cls(), progress)
    if _foreign.is_bytes(f):
        return cls.FromString(f, options)
    if hasattr(f, "read"):
        return cls.FromString(f.read(), options)
    message = cls()
    message.ParseFromFile(f, options)
    return message


def _save(
    data: Any,
    f: Any,
    format: str | None,
    options: SerializeOptions | None = None,
    progress: Callable[[int], object] | None = None,
) -> None:
    if (serializer := serialization.other_than_protobuf(format, f)) is not None:
        serialization.save_with(serializer, data, f, progress)
        return
    if not isinstance(data, bytes) and not hasattr(data, "SerializeToFile"):  # a message of another package, or none
        data = serialization.serializer_of("protobuf").serialize_proto(data)
    if not isinstance(data, bytes) and not hasattr(f, "write") and progress is None:
        data.SerializeToFile(f, options)
    else:
        to = serialization.write_to if hasattr(f, "write") else files.write_bytes
        to(f, data if isinstance(data, bytes) else data.SerializeToString(options=options), progress)


def _file_path(f: Any) -> str | bytes | None:
    """Where a path or an open file lies, or None."""
    if _foreign.is_bytes(f):
        return None
    if not hasattr(f, "read") and not hasattr(f, "write"):
        path: str | bytes = os.fspath(f)
        return path
    name = getattr(f, "name", None)
    return os.fspath(name) if isinstance(name, (str, bytes, os.PathLike)) else None


def _str_of_path(f: Any) -> Any:
    """Where something is saved, and what is no path as it is. Only of what is loaded bytes are a message."""
    return os.fsdecode(f) if isinstance(f, bytes) else f


def load_model(
    f: Source | bytes | bytearray | memoryview,
    format: str | None = None,
    load_external_data: bool = True,
    *,
    location: Path | None = None,
    num_threads: int = -1,
    no_copy: bool = False,
    file_load_mode: FileLoadMode = FileLoadMode.AUTO,
    raw_data_callback: Callable[[TensorProto, GraphProto | None], Callable[[], object] | None] | None = None,
    verify_checksums: bool = False,
    progress: Callable[[int], object] | None = None,
) -> ModelProto:
    """The model in a file.

    Args:
        f: a path, an object with `read`, or the model's bytes.
        format: "protobuf", "textproto", "json", "onnxtxt"; None picks it by the file's extension.
        load_external_data: tensors whose bytes lie in other files are read from there: files in the folder of `f`, or below it. Without a
            folder (bytes, an object without a name) they stay references, which `load_external_data_for_model` reads later.
        location: where the weights are, instead of where the model says: any path; a relative one is looked up beside the model, then in
            the current folder. Of a split, the first file: the others (".1", ".2", …) are looked up beside it.
        num_threads: how many threads read the payloads of a large file; below 1: as many as pay.
        no_copy: payloads of bytes-like objects are not copied: the model holds the object, which cannot be resized meanwhile, and what is
            written into it shows in the model. Payloads in other files are slices of one shared mapping a file, which they keep. Payloads
            of the model's own file are copied all the same, but with `file_load_mode=FileLoadMode.MMAP`.
        file_load_mode: how a file is read. With MMAP and `no_copy` the payloads are slices of a shared mapping of the file, which is read
            when they are looked at. Nothing of this package writes into or shortens a file that exists; if somebody else shortens it,
            reading views of its payloads ends the process.
        raw_data_callback: see `ParseOptions.raw_data_callback`. It sees payloads of other files as well.
        verify_checksums: the SHA-1 of each file that a tensor gives a checksum for has to be that.
        progress: of a text (textproto, JSON, ONNX syntax), called as `save` does it with the bytes that have been read; what it raises ends
            the load. Of protobuf's own format nothing is told.

    Returns:
        The model.

    Raises:
        DecodeError: the bytes are not a model in that format, or hold neither a graph nor functions.
        OSError: the file cannot be read.
        ExternalDataError: weights that are not what their tensor says, or lie where they may not lie (a ValueError and a ValidationError),
            or are not there (a FileNotFoundError, too).
        ValueError: the format is not known.
    """
    options = ParseOptions()
    options.num_threads = num_threads
    options.no_copy = bool(no_copy)
    options.file_load_mode = file_load_mode
    load_external_data, verify_checksums = bool(load_external_data), bool(verify_checksums)  # numpy's truth values are none of Python's
    path = _file_path(f)
    is_ours = serialization.other_than_protobuf(format, f) is None
    by_path = is_ours and path is not None and not hasattr(f, "read")
    outside = not by_path and load_external_data and (path is not None or location is not None)
    options.raw_data_callback = None if outside else raw_data_callback
    model: ModelProto
    try:
        if by_path:
            assert path is not None
            model = files.load_model(path, options, load_external_data, location, verify_checksums)
        else:
            model = _load(ModelProto, f, format, options, progress)
    except DecodeError as error:
        if not is_ours:
            raise
        raise _foreign.explained(error, f) from None
    _foreign.check_is_model(model, f)
    if outside:
        files.load_external_data(model, path or "m", options, location=location, verify_checksums=verify_checksums, is_model_path=True)
        if raw_data_callback is not None:
            files.call_for_payloads(model, raw_data_callback)
    return model


def load_external_data_for_model(
    model: ModelProto,
    base_dir: Path,
    *,
    names: Iterable[str] | None = None,
    location: Path | None = None,
    num_threads: int = -1,
    no_copy: bool = False,
    verify_checksums: bool = False,
) -> None:
    """Reads the payloads of tensors that refer to other files, wherever in the model they are. All or nothing.

    Args:
        model: the model, or any other message.
        base_dir: the folder that the references are relative to.
        names: of tensors: those alone are read. None: all.
        location, num_threads, no_copy, verify_checksums: as for `load`.

    Raises:
        OSError: the folder or a file cannot be read.
        ExternalDataError: as for `load`; also a name that no tensor has.
    """
    options = ParseOptions()
    options.num_threads = num_threads
    options.no_copy = bool(no_copy)
    chosen = [] if names is None else list(names)
    if names is not None and not chosen:
        return
    files.load_external_data(model, base_dir, options, chosen, location, bool(verify_checksums))


class ExternalDataRange(NamedTuple):
    """A payload that lies in another file."""

    tensor: TensorProto
    place: str
    """Where the tensor is: "graph.initializer[3]"."""
    location: str
    """The file, relative to the model's folder."""
    offset: int
    size: int
    checksum: str | None
    """The SHA-1 of the whole file, if the model has it."""


def list_external_data(f: Source | bytes | bytearray | memoryview | ModelProto, format: str | None = None) -> list[ExternalDataRange]:
    """Every file and range that a model needs beside its own file. Reads no weights, nor looks whether they are there.

    Args:
        f: a message, or what `load` takes.
        format: as for `load`.

    Raises:
        ExternalDataError: a reference that cannot be one: it leaves the folder, or contradicts its tensor's shape and type.
    """
    message: Any = f
    if not hasattr(f, "SerializeToString"):
        options = ParseOptions()
        options.skip_raw_data = True
        options.raw_data_threshold = 0
        message = _load(ModelProto, f, format, options)
    return [
        ExternalDataRange(tensor, place, location, offset, size, checksum.decode(errors="replace") or None)
        for tensor, place, location, offset, size, checksum in files.list_external_data(message)
    ]


def load_model_from_string(s: bytes | str, format: str = "protobuf") -> ModelProto:
    """The model that the bytes, or the text, hold. Raises DecodeError."""
    model: ModelProto = _from_string(ModelProto, s, format)
    return model


def _from_string(cls: Any, s: Any, format: str) -> Any:
    serializer = serialization.other_than_protobuf(format)
    return cls.FromString(s) if serializer is None else serializer.deserialize_proto(s, cls())


def load_tensor(f: Source | bytes | bytearray | memoryview, format: str | None = None) -> TensorProto:
    """The tensor in a file (a path, an object with `read`, or bytes). Raises DecodeError, OSError."""
    tensor: TensorProto = _load(TensorProto, f, format)
    return tensor


def load_tensor_from_string(s: bytes | str, format: str = "protobuf") -> TensorProto:
    """The tensor that the bytes, or the text, hold. Raises DecodeError."""
    tensor: TensorProto = _from_string(TensorProto, s, format)
    return tensor


def _whole_bytes(size: float) -> int:
    """The smallest whole number of at least this: programs write 1e6 as well, and infinity for no size at all."""
    return math.ceil(size) if size < _MOST else _MOST


_MOST = (1 << 63) - 1


def save_model(
    proto: ModelProto | bytes,
    f: Source,
    format: str | None = None,
    *,
    save_as_external_data: bool = False,
    all_tensors_to_one_file: bool = True,
    location: Path | None = None,
    size_threshold: float = 1024,
    convert_attribute: bool = False,
    max_external_file_size: int = 0,
    alignment: int = 0,
    num_threads: int = -1,
    durable: bool = False,
    checksum: bool = False,
    base_dir: Path | None = None,
    progress: Callable[[int], object] | None = None,
) -> None:
    """Writes a model, or the bytes of one, to a file, or its weights to others beside it.

    Files appear whole or not at all, the weights together with the model that refers to them: a process that is killed on the way leaves
    the old pair or the new one. A model whose payloads are mapped from the files that are replaced is saved like any other.

    Args:
        proto: the model, which stays as it is. Tensors that refer to other files without having their bytes are saved as references, if
            those hold where the model goes.
        f: where it goes: a path or an object with `write`. Weights lie beside an object with a name, and are in place before it is written.
        format: as for `load`.
        save_as_external_data: tensors go to other files; so they do when there is a `location`.
        all_tensors_to_one_file: to one file, or each to a file named after the tensor, which replaces only what the old model reads.
        location: the one file, relative to the model's folder, or absolute and inside it. None: the model's file name and ".data".
        size_threshold: tensors of at least so many payload bytes go there.
        convert_attribute: attributes of nodes as well, not only initializers.
        max_external_file_size: bytes of one file, as far as no single tensor has more; further files are called `location`.1, .2, ….
            0: no limit.
        alignment: each payload starts at a multiple of this in its file. 4096 suits mapping.
        num_threads: how many threads write; below 1: as many as pay. They share out files: one file is written by one.
        durable: each step is on the disk before the next: not only killed processes but a loss of power leaves one of the pairs. Of what
            goes to an object with `write` the weights are; the rest is that object's.
        checksum: each reference gets the SHA-1 of its whole file.
        base_dir: the folder that references of the model refer to, where that is not the one it is saved in. Their bytes are copied from
            there, without being loaded.
        progress: called with the number of bytes that were written since the call before (which is what `tqdm.update` takes): at once, then
            about ten times a second or after 16 MiB, and at the end; for an object with `write`, after each of its calls, which get at
            most 4 MiB. The sum is the size of all files. Calls may come from other threads, never two at a time. What it raises ends the
            save, with the old files as they were (but for weights beside an object with `write`: see `f`). It may do with the model what it
            likes, which is saved as it was. It may not save into a folder where a save is going on, the one that calls it or another
            (OSError), nor wait for another thread that saves into the folder of this one, which waits for it.

    Raises:
        EncodeError: the model is nested too deep.
        DecodeError: the bytes are not a model.
        OSError: a file cannot be written; what was there before is as it was.
        ExternalDataError: a ValueError: a location outside the model's folder, or references that would not hold.
    """
    f = _str_of_path(f)
    options = SerializeOptions()
    options.num_threads = num_threads
    options.raw_data_threshold = _whole_bytes(size_threshold)
    options.max_external_file_size = max_external_file_size
    options.alignment = alignment
    path = _file_path(f)
    outside = bool(save_as_external_data) or location is not None
    if path is None and (outside or base_dir is not None):
        raise ValueError("weights can lie beside a file only, and what the model is written to has no name")
    model = ModelProto.FromString(proto) if isinstance(proto, bytes) else proto
    if path is None or not isinstance(model, ModelProto):
        _save(model, f, format, options, progress)
        return
    arguments = (
        model, path, options, outside, bool(all_tensors_to_one_file), location, bool(convert_attribute), bool(durable), bool(checksum),
        base_dir, progress,
    )  # fmt: skip
    serializer = serialization.other_than_protobuf(format, f)
    if hasattr(f, "write"):
        _save(files.save_weights(*arguments) or model, f, format, None, progress)
    elif serializer is None:
        files.save_model(*arguments)
    elif not files.save_printed(model, serializer.serialize_proto, *arguments[1:]):
        serialization.save_with(serializer, model, f, progress)


def save_tensor(proto: TensorProto | bytes, f: Source, format: str | None = None) -> None:
    """Writes a tensor, or the bytes of one, to a file: a path or an object with `write`. Raises OSError."""
    _save(proto, _str_of_path(f), format)


load = load_model
load_from_string = load_model_from_string
save = save_model
