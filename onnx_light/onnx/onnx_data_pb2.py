"""The messages of onnx-data.proto, under the name of the module that protoc would write."""

from onnx_light.onnx import _messages
from onnx_light.onnx_py._onnxpy import MapProto, OptionalProto, SequenceProto

DESCRIPTOR = _messages.classes["onnx.SequenceProto"].DESCRIPTOR.file

__all__ = ["DESCRIPTOR", "MapProto", "OptionalProto", "SequenceProto"]
