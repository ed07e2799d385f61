"""Messages from files and back: paths, path-likes, open files, bytes."""

from __future__ import annotations

import os
from typing import IO, Any

from onnx_light.onnx_py._onnxpy import ModelProto, TensorProto

Source = IO[bytes] | str | os.PathLike[str]

# The formats that are picked by a file's extension; any other extension means protobuf.
_FORMATS = {
    **dict.fromkeys((".txtpb", ".textproto", ".prototxt", ".pbtxt"), "textproto"),
    **dict.fromkeys((".json", ".onnxjson"), "json"),
    **dict.fromkeys((".onnxtxt", ".onnxtext"), "onnxtxt"),
}


def _require_protobuf(format: str | None, f: Any = None) -> None:
    if format is None:
        name = f if isinstance(f, (str, os.PathLike)) else getattr(f, "name", "")
        suffix = os.path.splitext(os.fspath(name))[1] if isinstance(name, (str, os.PathLike)) else ""
        format = _FORMATS.get(suffix, "protobuf")
    if format != "protobuf":
        raise ValueError(f"format {format!r}: only 'protobuf' can be read and written")


def _load(cls: Any, f: Any, format: str | None) -> Any:
    _require_protobuf(format, f)
    if isinstance(f, (bytes, bytearray, memoryview)):
        return cls.FromString(f)
    if hasattr(f, "read"):
        return cls.FromString(f.read())
    message = cls()
    message.ParseFromFile(f)
    return message


def _save(data: Any, f: Any, format: str | None) -> None:
    _require_protobuf(format, f)
    if hasattr(f, "write"):
        f.write(data if isinstance(data, bytes) else data.SerializeToString())
    elif isinstance(data, bytes):
        with open(f, "wb") as file:
            file.write(data)
    else:
        data.SerializeToFile(f)


def load_model(f: Source | bytes | bytearray | memoryview, format: str | None = None, load_external_data: bool = True) -> ModelProto:
    """The model in a file.

    Args:
        f: a path, an object with `read`, or the model's bytes.
        format: "protobuf"; None picks it by the file's extension.
        load_external_data: tensors whose bytes lie in other files are to be read from there.

    Returns:
        The model.

    Raises:
        DecodeError: the bytes are not a model.
        OSError: the file cannot be read.
        ValueError: the format is not known, or other files would have to be read.
    """
    model: ModelProto = _load(ModelProto, f, format)
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


def load_model_from_string(s: bytes, format: str = "protobuf") -> ModelProto:
    """The model that the bytes hold. Raises DecodeError."""
    _require_protobuf(format)
    return ModelProto.FromString(s)


def load_tensor(f: Source | bytes | bytearray | memoryview, format: str | None = None) -> TensorProto:
    """The tensor in a file (a path, an object with `read`, or bytes). Raises DecodeError, OSError."""
    tensor: TensorProto = _load(TensorProto, f, format)
    return tensor


def load_tensor_from_string(s: bytes, format: str = "protobuf") -> TensorProto:
    """The tensor that the bytes hold. Raises DecodeError."""
    _require_protobuf(format)
    return TensorProto.FromString(s)


def save_model(proto: ModelProto | bytes, f: Source, format: str | None = None) -> None:
    """Writes a model, or the bytes of one, to a file: a path or an object with `write`.

    Raises:
        EncodeError: the model is nested too deep.
        OSError: the file cannot be written; a file that was there before is as it was.
    """
    _save(proto, f, format)


def save_tensor(proto: TensorProto, f: Source, format: str | None = None) -> None:
    """Writes a tensor to a file: a path or an object with `write`. Raises OSError."""
    _save(proto, f, format)


load = load_model
load_from_string = load_model_from_string
save = save_model
