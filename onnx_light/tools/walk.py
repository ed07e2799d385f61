"""Where things are in a model: the bodies that hold nodes, the tensors, and the sizes of what tensors hold. Nothing recurses."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import onnx_light.onnx as onnxl
from onnx_light.onnx_py._onnxpy import tensors as _tensors

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Body:
    """Something with nodes: a graph at any depth, or a function."""

    place: str  # "graph", "graph.node[3].attribute[0].g", "functions[1]"
    holder: onnxl.GraphProto | onnxl.FunctionProto
    function: onnxl.FunctionProto | None = None  # that it is, or lies in

    @cached_property
    def nodes(self) -> list[onnxl.NodeProto]:
        return list(self.holder.node)

    @property
    def graph(self) -> onnxl.GraphProto | None:
        return self.holder if isinstance(self.holder, onnxl.GraphProto) else None


def bodies(model: onnxl.ModelProto) -> Iterator[Body]:
    """The main graph, what is nested in it, training graphs, and functions, outer ones before inner ones."""
    waiting = [Body("graph", model.graph)] if model.HasField("graph") else []
    for i, training in enumerate(model.training_info):
        waiting += [
            Body(f"training_info[{i}].{name}", getattr(training, name))
            for name in ("initialization", "algorithm")
            if training.HasField(name)
        ]
    waiting += [Body(f"functions[{i}]", function, function) for i, function in enumerate(model.functions)]
    waiting.reverse()
    while waiting:
        body = waiting.pop()
        yield body
        waiting.extend(reversed(list(inner_bodies(body))))


def inner_bodies(body: Body) -> Iterator[Body]:
    """The graphs in the attributes of a body's nodes, and in the defaults of a function's."""
    of_nodes = ((f"node[{i}].attribute", node.attribute) for i, node in enumerate(body.holder.node) if node.attribute)
    defaults = [("attribute_proto", body.holder.attribute_proto)] if isinstance(body.holder, onnxl.FunctionProto) else []
    for place, attributes in chain(of_nodes, defaults):
        for j, attribute in enumerate(attributes):
            if attribute.type == onnxl.AttributeProto.GRAPH:
                yield Body(f"{body.place}.{place}[{j}].g", attribute.g, body.function)
            elif attribute.type == onnxl.AttributeProto.GRAPHS:
                for k, graph in enumerate(attribute.graphs):
                    yield Body(f"{body.place}.{place}[{j}].graphs[{k}]", graph, body.function)


def places(message: Any) -> Sequence[tuple[str, onnxl.TensorProto, bool]]:
    """Every tensor of a message with its place, and whether it is in a list of (sparse) initializers."""
    found: Sequence[tuple[str, onnxl.TensorProto, bool]] = _tensors.places(message)
    return found


def size_by_shape(tensor: onnxl.TensorProto) -> int | None:
    """Bytes that the elements take by shape and type; None for strings, unknown types, and shapes without a count."""
    size: int | None = _tensors.payload_size(tensor)
    return size


def element_count(tensor: onnxl.TensorProto) -> int:
    """The product of the dimensions; 0 where that is no number."""
    return _tensors.element_count(tensor) or 0


def bytes_of(tensor: onnxl.TensorProto) -> memoryview | None:
    """The elements as `raw_data` has them, without a copy where that is possible. None where the tensor has no elements that agree with its
    shape and type, and for strings."""
    view = _tensors.raw_bytes(tensor)
    return None if view is None else memoryview(view)


def has_elements(tensor: onnxl.TensorProto) -> bool:
    """Whether a tensor has elements of its own, in any field."""
    return bool(_tensors.has_elements(tensor))


def external_file_size(path: str | os.PathLike[str], location: str) -> int:
    """The size of a file that a model refers to, opened as a load would open it. Raises OSError, and ValueError where it is refused."""
    return int(_tensors.external_file_size(os.fspath(path), location))


def text(name: str | bytes) -> str:
    """A name as text, also one that is no UTF-8, which messages give as bytes: in the way of `os.fsdecode`, so that no two become one."""
    return name if isinstance(name, str) else name.decode("utf-8", "surrogateescape")


def is_external(tensor: onnxl.TensorProto) -> bool:
    return tensor.HasField("data_location") and tensor.data_location == onnxl.TensorProto.EXTERNAL


def type_name(data_type: int) -> str:
    """FLOAT, or the number where it has no name."""
    try:
        return str(onnxl.TensorProto.DataType.Name(data_type))
    except ValueError:
        return str(data_type)


def shape_text(dims: Sequence[Any]) -> str:
    return "[" + ", ".join(str(dim) for dim in dims) + "]"


def type_text(kind: onnxl.TypeProto) -> str:
    """A type as people write it: FLOAT[N, 3, 224, 224]."""
    value = kind.WhichOneof("value")
    if value == "optional_type":
        return f"optional({type_text(kind.optional_type.elem_type)})"
    if value == "sequence_type":
        return f"sequence({type_text(kind.sequence_type.elem_type)})"
    if value == "map_type":
        return f"map({type_name(kind.map_type.key_type)}, {type_text(kind.map_type.value_type)})"
    if value not in ("tensor_type", "sparse_tensor_type"):
        return value or "unknown"
    tensor = getattr(kind, value)
    name = ("sparse " if value == "sparse_tensor_type" else "") + type_name(tensor.elem_type)
    if not tensor.HasField("shape"):
        return f"{name}[…]"
    return name + shape_text([str(dim.dim_value) if dim.HasField("dim_value") else text(dim.dim_param) or "?" for dim in tensor.shape.dim])


def operator_name(node: onnxl.NodeProto) -> str:
    """Relu, com.microsoft.Gelu, or with an overload: f:1."""
    name = text(node.op_type)
    if node.domain not in ("", "ai.onnx"):
        name = f"{text(node.domain)}.{name}"
    return f"{name}:{text(node.overload)}" if node.overload else name


def function_name(function: onnxl.FunctionProto) -> str:
    """domain.name, or with an overload: domain.name:1."""
    name = f"{text(function.domain)}.{text(function.name)}"
    return f"{name}:{text(function.overload)}" if function.overload else name
