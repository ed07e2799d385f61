"""Replaces large constants by nodes that make something of the same shape: a small model with the structure of a large one, for tests."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from onnx_light.onnx import helper, numpy_helper
from onnx_light.onnx._foreign import class_name
from onnx_light.onnx_py._onnxpy import AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, TensorProto

__all__ = ["replace_initializer_by_constant_of_shape"]


class _Replacer:
    """Replaces in one graph or function, and in the graphs of its nodes."""

    def __init__(self, owner: Any, threshold: int, use_range: bool, value: float) -> None:
        self.threshold = threshold
        self.use_range = use_range
        self.value = value
        self.names: set[str] = set()
        _collect_names(owner, self.names)
        self.range_bounds: tuple[str, str] | None = None

    def fresh(self, name: str) -> str:
        """A name that nothing has yet."""
        candidate, number = name, 0
        while candidate in self.names:
            number += 1
            candidate = f"{name}_{number}"
        self.names.add(candidate)
        return candidate

    def is_large(self, tensor: TensorProto) -> bool:
        return tensor.data_type not in (TensorProto.STRING, TensorProto.UNDEFINED) and math.prod(tensor.dims) > self.threshold

    def filled(self, data_type: int, name: str = "") -> TensorProto:
        """One element of a type, as ConstantOfShape takes it."""
        dtype = helper.tensor_dtype_to_np_dtype(data_type)
        array = np.array([self.value], np.float64)
        with np.errstate(all="ignore"):
            cast = array.astype(np.int64).astype(dtype) if dtype.kind in "iu" else array.astype(dtype)
        return numpy_helper.from_array(cast, name)

    def made(self, shape: str, data_type: int, output: str) -> list[NodeProto]:
        """Nodes that make a value of a shape: all elements alike, or with use_range rising from 0 to 1."""
        if not self.use_range:
            return [helper.make_node("ConstantOfShape", [shape], [output], value=self.filled(data_type))]
        nodes = []
        if self.range_bounds is None:
            self.range_bounds = (self.fresh("zero"), self.fresh("one"))
            for number, name in enumerate(self.range_bounds):
                nodes.append(helper.make_node("Constant", [], [name], value_int=number))
        zero, one = self.range_bounds
        count, numbers, floats, total, flat = (self.fresh(f"{shape}_{end}") for end in ("N", "RANGE", "RANGEf", "Nf", "FLAT"))
        return [
            *nodes,
            helper.make_node("ReduceProd", [shape], [count], keepdims=0),
            helper.make_node("Range", [zero, count, one], [numbers]),
            helper.make_node("Cast", [numbers], [floats], to=TensorProto.FLOAT),
            helper.make_node("Cast", [count], [total], to=TensorProto.FLOAT),
            helper.make_node("Div", [floats, total], [flat]),
            *self.cast_and_reshaped(flat, shape, data_type, output),
        ]

    def cast_and_reshaped(self, flat: str, shape: str, data_type: int, output: str) -> list[NodeProto]:
        if data_type == TensorProto.FLOAT:
            return [helper.make_node("Reshape", [flat, shape], [output])]
        cast = self.fresh(f"{flat}_CAST")
        return [helper.make_node("Cast", [flat], [cast], to=data_type), helper.make_node("Reshape", [cast, shape], [output])]

    def initializers(self, graph: GraphProto) -> list[NodeProto]:
        """Large initializers leave the graph; what makes their values, from an initializer with the shape, goes before the nodes."""
        nodes = []
        inputs = {value.name for value in graph.input}
        kept = []
        for tensor in graph.initializer:
            if not self.is_large(tensor) or tensor.name in inputs:  # a default value of an input stays
                kept.append(tensor)
                continue
            shape = self.fresh(f"{tensor.name}__SHAPE")
            kept.append(numpy_helper.from_array(np.array(tensor.dims, np.int64), shape))
            nodes += self.made(shape, tensor.data_type, tensor.name)
        del graph.initializer[:]
        graph.initializer.extend(kept)
        return nodes

    def node(self, node: NodeProto) -> list[NodeProto]:
        """What stands for a node: itself, with its graphs replaced, or nodes that make its constant."""
        if node.op_type == "Constant" and node.domain in ("", "ai.onnx"):
            tensor = next((attribute.t for attribute in node.attribute if attribute.name == "value" and attribute.HasField("t")), None)
            if tensor is not None and self.is_large(tensor):
                shape = self.fresh(f"{node.output[0]}__SHAPE")
                dims = numpy_helper.from_array(np.array(tensor.dims, np.int64), shape)
                return [helper.make_node("Constant", [], [shape], value=dims), *self.made(shape, tensor.data_type, node.output[0])]
        elif node.op_type == "ConstantOfShape" and node.domain in ("", "ai.onnx"):
            return self.constant_of_shape(node)
        for attribute in node.attribute:
            if attribute.type == AttributeProto.GRAPH:
                self.graph(attribute.g)
            for graph in attribute.graphs:
                self.graph(graph)
        return [node]

    def constant_of_shape(self, node: NodeProto) -> list[NodeProto]:
        """A ConstantOfShape that is there already makes the same as the new ones."""
        attribute = next((attribute for attribute in node.attribute if attribute.name == "value"), None)
        data_type = attribute.t.data_type if attribute is not None else TensorProto.FLOAT
        if self.use_range:
            return self.made(node.input[0], data_type, node.output[0])
        value = self.filled(data_type, attribute.t.name if attribute is not None else "")
        if attribute is None:
            node.attribute.append(helper.make_attribute("value", value))
        else:
            attribute.t.CopyFrom(value)
        return [node]

    def graph(self, graph: GraphProto) -> None:
        bounds, self.range_bounds = self.range_bounds, None
        self.nodes(graph, self.initializers(graph))
        self.range_bounds = bounds

    def nodes(self, owner: Any, first: list[NodeProto]) -> None:
        replaced = [*first, *(new for node in owner.node for new in self.node(node))]
        copies = [type(node).FromString(node.SerializeToString()) for node in replaced]
        del owner.node[:]
        owner.node.extend(copies)


def _collect_names(owner: Any, names: set[str]) -> None:
    """All names of values, at any depth."""
    waiting = [owner]
    while waiting:
        current = waiting.pop()
        if isinstance(current, GraphProto):
            names.update(value.name for value in (*current.input, *current.output, *current.initializer))
        else:
            names.update(current.input)
        for node in current.node:
            names.update(node.input)
            names.update(node.output)
            for attribute in node.attribute:
                if attribute.type == AttributeProto.GRAPH:
                    waiting.append(attribute.g)
                waiting.extend(attribute.graphs)


def replace_initializer_by_constant_of_shape(
    onx: FunctionProto | GraphProto | ModelProto,
    threshold: int = 128,
    ir_version: int | None = None,
    use_range: bool = False,
    value_constant_of_shape: float = 0.5,
) -> Any:
    """A copy whose large constants (initializers, Constant nodes, at any depth) are made by nodes instead.

    Args:
        onx: a model, graph or function; it is not changed.
        threshold: constants with more elements than this are replaced. Strings never are.
        ir_version: the IR version of the result, for a model; by default its own.
        use_range: make elements that rise from 0 to 1 instead of all alike.
        value_constant_of_shape: what all elements are without use_range.

    Raises:
        TypeError: onx is something else.
    """
    if type(onx) not in (FunctionProto, GraphProto, ModelProto):
        raise TypeError(f"constants can be replaced in a model, graph or function, not in {class_name(onx)}")
    result: Any = type(onx)()
    result.CopyFrom(onx)
    owners = [result.graph, *result.functions] if isinstance(result, ModelProto) else [result]
    for owner in owners:
        replacer = _Replacer(owner, threshold, use_range, value_constant_of_shape)
        if isinstance(owner, GraphProto):
            replacer.graph(owner)
        else:
            replacer.nodes(owner, [])
    if isinstance(result, ModelProto) and ir_version is not None:
        result.ir_version = ir_version
    return result
