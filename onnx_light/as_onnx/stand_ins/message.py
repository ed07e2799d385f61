"""Stands in for google.protobuf.message: the class that all messages are instances of, and the errors between messages and bytes."""

from __future__ import annotations

import abc

from onnx_light.onnx import _messages
from onnx_light.onnx_py._onnxpy import DecodeError, EncodeError, Error

__all__ = ["DecodeError", "EncodeError", "Error", "Message"]


class Message(abc.ABC):  # noqa: B024  nothing is abstract: it exists for isinstance
    """What every message of ONNX is an instance of. Nothing can be made of it."""

    def __new__(cls, *_: object, **__: object) -> Message:
        raise TypeError("google.protobuf.message.Message has no instances of its own")


for _message_class in _messages.classes.values():
    Message.register(_message_class)
