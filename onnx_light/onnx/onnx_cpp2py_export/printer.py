"""The C++ side of onnx.printer, on serialised messages."""

from __future__ import annotations

from onnx_light.onnx import printer
from onnx_light.onnx_py._onnxpy import FunctionProto, GraphProto, ModelProto, NodeProto


def _text(message: ModelProto | GraphProto | FunctionProto | NodeProto) -> str:
    return printer.to_text(message)


def model_to_text(serialized_model_proto: bytes) -> str:
    """A model in the ONNX syntax."""
    return _text(ModelProto.FromString(serialized_model_proto))


def graph_to_text(serialized_graph_proto: bytes) -> str:
    """A graph in the ONNX syntax."""
    return _text(GraphProto.FromString(serialized_graph_proto))


def function_to_text(serialized_function_proto: bytes) -> str:
    """A function in the ONNX syntax."""
    return _text(FunctionProto.FromString(serialized_function_proto))


def node_to_text(serialized_node_proto: bytes) -> str:
    """A node in the ONNX syntax."""
    return _text(NodeProto.FromString(serialized_node_proto))
