"""What is not ours: messages of other packages, and files that are no models.

Archives, web pages, pointers to large files, lone tensors and empty files end up under a model's name. Protobuf reads many of these as a
message without any known field, so "no error" does not mean "a model".
"""

from __future__ import annotations

import os
from typing import Any

from onnx_light.onnx_py import _onnxpy
from onnx_light.onnx_py._onnxpy import DecodeError, ModelProto

_SHOWN = 32
# The bytes that a model's file may begin with: the tags of its fields.
_TAGS = frozenset(b"\x08\x12\x1a\x22\x28\x32\x3a\x42\x72\xa2\xca\xd2")


def class_name(value: object) -> str:
    """The name of a value's class, with its module unless that is builtins: packages call their messages alike."""
    cls = type(value)
    return cls.__qualname__ if cls.__module__ == "builtins" else f"{cls.__module__}.{cls.__qualname__}"


def need(value: object, cls: type, what: str) -> None:
    """Raises TypeError for an argument, called `what`, that is no message of this very class."""
    if type(value) is not cls:
        raise TypeError(f"{what} has to be a {cls.__name__}, not {class_name(value)}")


def is_bytes(f: Any) -> bool:
    """Whether it holds a message's bytes itself: whatever has a buffer, and is neither a path nor read as a file."""
    if isinstance(f, (str, os.PathLike)) or hasattr(f, "read"):
        return False
    try:
        memoryview(f).release()
    except TypeError:
        return False
    return True


def _start(f: Any) -> bytes | None:
    """The first bytes of what was to be a model; None if it cannot be looked at again."""
    if is_bytes(f):
        with memoryview(f) as view:
            return bytes(view.cast("B")[:_SHOWN]) if view.nbytes else b""
    if hasattr(f, "read"):
        return None
    with open(f, "rb") as file:
        return file.read(_SHOWN)


def _place(f: Any) -> str:
    return "the bytes" if is_bytes(f) or hasattr(f, "read") else repr(os.fspath(f))


def explained(error: DecodeError, f: Any) -> DecodeError:
    """The error of a failed parse; it says that this is no model, and how it starts, where the first byte tells."""
    start = _start(f)
    if start is None or (start and start[0] in _TAGS):
        return error
    if _onnxpy.crypt.begins_encrypted(start):
        return type(error)(f"{_place(f)}: an encrypted model needs a key: load_encrypted(path, key=...)")
    return type(error)(f"{_place(f)}: no ONNX model, it starts with {start!r}: {error}")


def check_is_model(model: ModelProto, f: Any) -> None:
    """Raises DecodeError for a message that was read and has neither a graph nor functions."""
    if model.HasField("graph") or model.functions:
        return
    start = _start(f)
    shown = f"; it starts with {start!r}" if start else ""
    what = "it is empty (0 bytes)" if start == b"" else f"it has no graph{shown}"
    raise _onnxpy.error_class("DecodeError")(f"{_place(f)}: no ONNX model: {what}")
