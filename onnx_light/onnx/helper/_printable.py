"""Short texts for people: the forms that `printable_graph` prints a graph with. onnx.printer prints models that can be read back."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from typing import Any

from onnx_light.onnx.helper._dtypes import tensor_dtype_to_field
from onnx_light.onnx_py._onnxpy import AttributeProto, GraphProto, NodeProto, TensorProto, TensorShapeProto, TypeProto, ValueInfoProto

_LONGEST_TEXT = 64


def _text(value: str | bytes) -> str:
    text = value if isinstance(value, str) else value.decode("utf-8", errors="ignore")
    text = text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]}...<+len={len(text) - _LONGEST_TEXT}>"
    return repr(text)


def _scalar(tensor: TensorProto) -> str:
    if tensor.dims:
        return "<Tensor>"
    if tensor.HasField("raw_data") and tensor.data_type != TensorProto.STRING:
        from onnx_light.onnx import numpy_helper

        return f"<Scalar Tensor {numpy_helper.to_array(tensor)!s}>"
    return f"<Scalar Tensor {getattr(tensor, tensor_dtype_to_field(tensor.data_type))!s}>"


def _type(type_proto: TypeProto) -> str:
    return f"<Type Proto {type_proto}>"


def _number(value: float) -> str:
    return f"{value:.15g}"


def _each(texts: Iterable[str]) -> str:
    return f"[{', '.join(texts)}]"


def _value(attr: AttributeProto) -> str:
    """The value that is there, whatever type the attribute says."""
    if attr.HasField("f"):
        return _number(attr.f)
    if attr.HasField("i"):
        return str(attr.i)
    if attr.HasField("s"):
        return _text(attr.s)
    if attr.HasField("t"):
        return _scalar(attr.t)
    if attr.HasField("g"):
        return f"<graph {attr.g.name}>"
    if attr.HasField("tp"):
        return _type(attr.tp)
    if attr.HasField("sparse_tensor"):
        return "<Sparse Tensor>"
    if attr.floats:
        return _each(map(_number, attr.floats))
    if attr.ints:
        return _each(map(str, attr.ints))
    if attr.strings:
        return _each(map(_text, attr.strings))
    if attr.tensors:
        return "[<Tensor>, ...]"
    if attr.type_protos:
        return f"[ {', '.join(map(_type, attr.type_protos))} ]"
    if attr.graphs:
        return f"[ {', '.join(f'<graph {graph.name}>' for graph in attr.graphs)} ]"
    if attr.sparse_tensors:
        return "[<Sparse Tensor>, ...]"
    return "<Unknown>"


def printable_attribute(attr: AttributeProto, subgraphs: bool = False) -> Any:
    """An attribute as "name = value". With subgraphs, that and the list of its graphs."""
    text = f"{attr.name} = {_value(attr)}"
    if not subgraphs:
        return text
    return text, [attr.g] if attr.HasField("g") else list(attr.graphs)


def printable_dim(dim: TensorShapeProto.Dimension) -> str:
    """A dimension: its size, its name, or "?"."""
    which = dim.WhichOneof("value")
    return "?" if which is None else str(getattr(dim, which))


def printable_type(t: TypeProto) -> str:
    """A type of tensors as "FLOAT, 1xN"; of others it is said what they are."""
    which = t.WhichOneof("value")
    if which != "tensor_type":
        return "" if which is None else f"Unknown type {which}"
    text = str(TensorProto.DataType.Name(t.tensor_type.elem_type))
    if not t.tensor_type.HasField("shape"):
        return text
    dims = t.tensor_type.shape.dim
    return f"{text}, {'x'.join(map(printable_dim, dims)) if dims else 'scalar'}"


def printable_value_info(v: ValueInfoProto) -> str:
    """A value as "%name[type]"."""
    return f"%{v.name}[{printable_type(v.type) if v.HasField('type') else ''}]"


def printable_tensor_proto(t: TensorProto) -> str:
    """A tensor as "%name[FLOAT, 2x3]", without its elements."""
    return f"%{t.name}[{TensorProto.DataType.Name(t.data_type)}, {'x'.join(map(str, t.dims)) if t.dims else 'scalar'}]"


def printable_node(node: NodeProto, prefix: str = "", subgraphs: bool = False) -> Any:
    """A node as "%y = Op[attributes](%x)" behind a prefix. With subgraphs, that and the list of graphs in its attributes."""
    graphs: list[GraphProto] = []
    attributes = []
    for attr in node.attribute:
        text, below = printable_attribute(attr, subgraphs=True)
        attributes.append(text)
        graphs += below
    outputs = ", ".join(f"%{name}" for name in node.output)
    inputs = ", ".join(f"%{name}" for name in node.input)
    text = f"{prefix}{outputs + ' = ' if outputs else ''}{node.op_type}{_each(attributes) if attributes else ''}({inputs})"
    return (text, graphs) if subgraphs else text


def _graph_lines(graph: GraphProto, prefix: str) -> tuple[list[str], list[GraphProto]]:
    initialized = {tensor.name for tensor in graph.initializer}
    plain = [value for value in graph.input if value.name not in initialized]
    with_default = [value for value in graph.input if value.name in initialized]
    inputs = {value.name for value in graph.input}
    constants = [tensor for tensor in graph.initializer if tensor.name not in inputs]
    head = f"{prefix}graph {graph.name}"
    lines = []
    indent = f"{prefix}  "
    if graph.input:
        sections = (
            (" (", [printable_value_info(value) for value in plain]),
            (" optional inputs with matching initializers (", [printable_value_info(value) for value in with_default]),
            (" initializers (", [printable_tensor_proto(tensor) for tensor in constants]),
        )
        for at, (opening, entries) in enumerate(sections):
            if not entries:
                head += " ( )" if at == 0 else ""
                continue
            lines.append(head + opening)
            lines += [indent + entry for entry in entries]
            head = f"{prefix})"
    lines.append(f"{head} {{")
    below: list[GraphProto] = []
    for node in graph.node:
        text, graphs = printable_node(node, indent, subgraphs=True)
        lines.append(text)
        below += graphs
    outputs = ", ".join(f"%{value.name}" for value in graph.output)
    lines.append(f"{indent}return {outputs}" if outputs else f"{indent}return")
    lines.append(f"{prefix}}}")
    return lines, below


def printable_graph(graph: GraphProto, prefix: str = "") -> str:
    """A graph, and after it the graphs in attributes of its nodes, in a form for people only. Deprecated: see onnx.printer.to_text."""
    warnings.warn(
        "printable_graph is deprecated since onnx 1.19: onnx.printer.to_text prints what can be read back", DeprecationWarning, stacklevel=2
    )
    texts = []
    waiting = [(graph, prefix)]
    while waiting:
        current, current_prefix = waiting.pop()
        lines, below = _graph_lines(current, current_prefix)
        texts.append("\n".join(lines))
        waiting += [(inner, "") for inner in reversed(below)]
    return "\n\n".join(re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE) if text else text for text in texts)
