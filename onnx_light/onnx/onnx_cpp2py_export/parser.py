"""The C++ side of onnx.parser: (success, what is wrong, the message's bytes) for a text in the ONNX syntax."""

from __future__ import annotations

from typing import Any

from onnx_light.onnx import parser


def _outcome(name: str, text: str) -> tuple[bool, bytes, bytes]:
    parse: Any = getattr(parser, name)
    try:
        message = parse(text)
    except parser.ParseError as error:
        return False, str(error).encode(), b""
    return True, b"", message.SerializeToString()


def parse_model(model: str) -> tuple[bool, bytes, bytes]:
    """The outcome for the text of a model."""
    return _outcome("parse_model", model)


def parse_graph(graph: str) -> tuple[bool, bytes, bytes]:
    """The outcome for the text of a graph."""
    return _outcome("parse_graph", graph)


def parse_function(function: str) -> tuple[bool, bytes, bytes]:
    """The outcome for the text of a function."""
    return _outcome("parse_function", function)


def parse_node(node: str) -> tuple[bool, bytes, bytes]:
    """The outcome for the text of a node."""
    return _outcome("parse_node", node)
