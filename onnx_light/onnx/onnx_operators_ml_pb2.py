"""The messages of onnx-operators.proto, under the name of the module that protoc would write."""

from onnx_light.onnx import _messages
from onnx_light.onnx_py._onnxpy import OperatorProto, OperatorSetProto

DESCRIPTOR = _messages.classes["onnx.OperatorSetProto"].DESCRIPTOR.file

__all__ = ["DESCRIPTOR", "OperatorProto", "OperatorSetProto"]
