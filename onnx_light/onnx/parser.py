"""The ONNX syntax, read: text that people write becomes a model, graph, function or node.

from onnx_light.onnx import parser

node = parser.parse_node("y = Celu <alpha: float = 0.5> (x)")
"""

from __future__ import annotations

from onnx_light.onnx_py._onnxpy import FunctionProto, GraphProto, ModelProto, NodeProto, text
from onnx_light.onnx_py._onnxpy import SyntaxParseError as ParseError

__all__ = ["ParseError", "parse_function", "parse_graph", "parse_model", "parse_node"]


def parse_model(model_text: str) -> ModelProto:
    """The model that a text describes.

    Args:
        model_text: all of the text; what follows the model is an error.

    Returns:
        The model.

    Raises:
        ParseError: the text is no model; it says line, column and what was expected, and has `line` and `column` as attributes.
    """
    return text.from_syntax(model_text, ModelProto())


def parse_graph(graph_text: str) -> GraphProto:
    """The graph that a text describes. Raises ParseError."""
    return text.from_syntax(graph_text, GraphProto())


def parse_function(function_text: str) -> FunctionProto:
    """The function that a text describes. Raises ParseError."""
    return text.from_syntax(function_text, FunctionProto())


def parse_node(node_text: str) -> NodeProto:
    """The node that a text describes. Raises ParseError."""
    return text.from_syntax(node_text, NodeProto())
