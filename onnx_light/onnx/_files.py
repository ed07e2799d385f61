"""Messages from files and back: paths, path-likes, open files, bytes."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import IO, Any

from onnx_light.onnx import _foreign, serialization
from onnx_light.onnx_py._onnxpy import (
    DecodeError,
    FileLoadMode,
    GraphProto,
    ModelProto,
    ParseOptions,
    SerializeOptions,
    TensorProto,
)

Source = IO[bytes] | str | os.PathLike[str]


def _load(cls: Any, f: Any, format: str | None, options: ParseOptions | None = None) -> Any:
    if (serializer := serialization.other_than_protobuf(format, f)) is not None:
        return serialization.load_with(serializer, f, cls())
    if isinstance(f, (bytes, bytearray, memoryview)):
        return cls.FromString(f, options)
    if hasattr(f, "read"):
        return cls.FromString(f.read(), options)
    message = cls()
    message.ParseFromFile(f, options)
    return message


def _save(data: Any, f: Any, format: str | None, options: SerializeOptions | None = None) -> None:
    if (serializer := serialization.other_than_protobuf(format, f)) is not None:
        serialization.save_with(serializer, data, f)
    elif hasattr(f, "write"):
        f.write(data if isinstance(data, bytes) else data.SerializeToString(options=options))
    elif isinstance(data, bytes):
        with open(f, "wb") as file:
            file.write(data)
    else:
        data.SerializeToFile(f, options)


def load_model(
    f: Source | bytes | bytearray | memoryview,
    format: str | None = None,
    load_external_data: bool = True,
    *,
    num_threads: int = -1,
    no_copy: bool = False,
    file_load_mode: FileLoadMode = FileLoadMode.AUTO,
    raw_data_callback: Callable[[TensorProto, GraphProto | None], Callable[[], object] | None] | None = None,
) -> ModelProto:
    """The model in a file.

    Args:
        f: a path, an object with `read`, or the model's bytes.
        format: "protobuf", "textproto", "json", "onnxtxt"; None picks it by the file's extension.
        load_external_data: tensors whose bytes lie in other files are to be read from there.
        num_threads: how many threads read the payloads of a large file; below 1: as many as pay.
        no_copy: payloads of bytes-like objects are not copied: the model holds the object, which cannot be resized meanwhile, and what is
            written into it shows in the model. Payloads of a file are copied all the same, but with `file_load_mode=FileLoadMode.MMAP`.
        file_load_mode: how a file is read. With MMAP and `no_copy` the payloads are slices of a shared mapping of the file, which is read
            when they are looked at. Nothing of this package writes into or shortens a file that exists; if somebody else shortens it,
            reading views of its payloads ends the process.
        raw_data_callback: see `ParseOptions.raw_data_callback`. This and the three before are about "protobuf" alone.

    Returns:
        The model.

    Raises:
        DecodeError: the bytes are not a model in that format, or hold neither a graph nor functions.
        OSError: the file cannot be read.
        ValueError: the format is not known, or other files would have to be read.
    """
    options = ParseOptions()
    options.num_threads = num_threads
    options.no_copy = no_copy
    options.file_load_mode = file_load_mode
    options.raw_data_callback = raw_data_callback
    try:
        model: ModelProto = _load(ModelProto, f, format, options)
    except DecodeError as error:
        if serialization.other_than_protobuf(format, f) is not None:
            raise
        raise _foreign.explained(error, f) from None
    _foreign.check_is_model(model, f)
    if load_external_data and (name := _first_external(model)) is not None:
        raise ValueError(
            f"tensor {name!r} has its bytes in another file, which is not read here: load_external_data=False leaves them there"
        )
    return model


def _first_external(model: ModelProto) -> str | None:
    """The name of a tensor of the main graph whose bytes lie elsewhere, or None."""
    for tensor in model.graph.initializer:
        if tensor.data_location == TensorProto.EXTERNAL:
            return tensor.name
    return None


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


def save_model(proto: ModelProto | bytes, f: Source, format: str | None = None, *, num_threads: int = -1) -> None:
    """Writes a model, or the bytes of one, to a file: a path or an object with `write`.

    Args:
        proto: the model, which stays as it is.
        f: where it goes. A file appears whole or not at all.
        format: "protobuf"; None picks it by the file's extension.
        num_threads: how many threads write; below 1: as many as pay. They share out files: one file is written by one.

    Raises:
        EncodeError: the model is nested too deep.
        OSError: the file cannot be written; a file that was there before is as it was.
    """
    options = SerializeOptions()
    options.num_threads = num_threads
    _save(proto, f, format, options)


def save_tensor(proto: TensorProto, f: Source, format: str | None = None) -> None:
    """Writes a tensor to a file: a path or an object with `write`. Raises OSError."""
    _save(proto, f, format)


load = load_model
load_from_string = load_model_from_string
save = save_model
