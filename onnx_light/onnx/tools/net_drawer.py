"""Graphs as pydot graphs, under the names of earlier releases of `onnx`; deprecated. Needs pydot, which is not among our requirements.

graph = GetPydotGraph(model.graph, name=model.graph.name, rankdir="TB", node_producer=GetOpNodeProducer())
graph.write_svg("model.svg")
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable
from typing import Any

from onnx_light.onnx_py._onnxpy import GraphProto, NodeProto

__all__ = ["BLOB_STYLE", "OP_STYLE", "GetOpNodeProducer", "GetPydotGraph"]

OP_STYLE = {"shape": "box", "color": "#0F9D58", "style": "filled", "fontcolor": "#FFFFFF"}
BLOB_STYLE = {"shape": "octagon"}

warnings.warn(
    "onnx.tools.net_drawer is deprecated and gone from onnx: viewers such as netron show models", DeprecationWarning, stacklevel=2
)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def GetOpNodeProducer(embed_docstring: bool = False, **kwargs: Any) -> Callable[[NodeProto, int], Any]:
    """A function that makes the pydot node of a node of a graph and its number.

    Args:
        embed_docstring: show the node's documentation as a tooltip.
        kwargs: style of the node, as pydot.Node takes it.
    """
    pydot: Any = importlib.import_module("pydot")

    def produce(op: NodeProto, op_id: int) -> Any:
        name = f"{op.name}/{op.op_type} (op#{op_id})" if op.name else f"{op.op_type} (op#{op_id})"
        lines = [
            name,
            *(f"input{at} {text}" for at, text in enumerate(op.input)),
            *(f"output{at} {text}" for at, text in enumerate(op.output)),
        ]
        node = pydot.Node(_quoted("\n".join(lines)), **kwargs)
        if embed_docstring:
            node.set_tooltip(_quoted(op.doc_string))
        return node

    return produce


def GetPydotGraph(
    graph: GraphProto,
    name: str | None = None,
    rankdir: str = "LR",
    node_producer: Callable[[NodeProto, int], Any] | None = None,
    embed_docstring: bool = False,
) -> Any:
    """A pydot graph of the nodes of a graph and the values between them.

    Args:
        graph: the graph; graphs inside of nodes are not shown.
        name: the name of the drawing.
        rankdir: its direction: "LR", "TB", …
        node_producer: makes the nodes; see GetOpNodeProducer.
        embed_docstring: show documentation of nodes as tooltips.
    """
    pydot: Any = importlib.import_module("pydot")
    produce = node_producer or GetOpNodeProducer(embed_docstring, **OP_STYLE)
    drawing = pydot.Dot(name or "", rankdir=rankdir)
    values: dict[str, Any] = {}

    def value(text: str, at: int) -> Any:
        # A value that is written again is drawn again, so that the drawing has no cycles.
        node = pydot.Node(_quoted(f"{text}\\n{at}"), label=_quoted(text), **BLOB_STYLE)
        drawing.add_node(node)
        values[text] = node
        return node

    count = 0
    for op_id, op in enumerate(graph.node):
        op_node = produce(op, op_id)
        drawing.add_node(op_node)
        for text in op.input:
            count += text not in values
            drawing.add_edge(pydot.Edge(values[text] if text in values else value(text, count), op_node))
        for text in op.output:
            count += 1
            drawing.add_edge(pydot.Edge(op_node, value(text, count)))
    return drawing
