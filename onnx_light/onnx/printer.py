"""The ONNX syntax, printed: a text that people read, and that `parser` turns into the same message again.

from onnx_light.onnx import printer

print(printer.to_text(model))
"""

from __future__ import annotations

from onnx_light.onnx_py._onnxpy import (
    AttributeProto,
    FunctionProto,
    GraphProto,
    ModelProto,
    NodeProto,
    TensorProto,
    TypeProto,
    ValueInfoProto,
    text,
)

__all__ = ["to_text"]


def to_text(
    proto: ModelProto | FunctionProto | GraphProto | NodeProto | AttributeProto | TensorProto | TypeProto | ValueInfoProto,
    *,
    elide_after: int | None = None,
) -> str:
    """The message in the ONNX syntax.

    Args:
        proto: the message; `onnx` prints models, functions, graphs and nodes, we also their parts.
        elide_after: lists with more elements show so many and `...`; such a text is for people, and is not read again. None: all.

    Returns:
        The text. Nothing is lost but unknown fields.

    Raises:
        TypeError: this message has no ONNX syntax.
        RecursionError: the message is nested deeper than 400 messages.
    """
    return text.to_syntax(proto, elide_after)
