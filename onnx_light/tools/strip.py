"""Models without what only people read, or without their weights."""

from __future__ import annotations

from typing import Any

import onnx_light.onnx as onnxl
from onnx_light.tools import walk
from onnx_light.tools.hashing import forget_elements


def strip_docs(model: onnxl.ModelProto) -> int:
    """Removes the doc strings of a model and of everything in it, in place. Returns how many there were."""
    removed = 0
    waiting: list[Any] = [model]
    while waiting:
        message = waiting.pop()
        for field, value in message.ListFields():
            if field.name == "doc_string":
                message.ClearField("doc_string")
                removed += 1
            elif field.message_type is not None:
                waiting.extend(value if field.is_repeated else [value])
    return removed


def strip_weights(model: onnxl.ModelProto, *, threshold: int = 1024, constant: bool = False) -> int:
    """Takes the elements out of a model, in place: what is left shows, runs (with `constant`) and weighs little.

    Args:
        model: changed. Its weights need not be at hand.
        threshold: tensors below so many bytes keep their elements; shapes and axes are such tensors.
        constant: an initializer of a graph becomes a ConstantOfShape node that makes zeros of its type and shape, so that the model stays
            whole. Otherwise the initializers stay, with name, type and shape, but no elements; no runtime takes such a model.

    Returns:
        How many tensors lost their elements.

    Raises:
        ValueError: with `constant`, a weight of a type that no ConstantOfShape makes; nothing has been changed then.
    """
    chosen = [(place, tensor) for place, tensor, initializer in walk.places(model) if initializer and _size(tensor) >= threshold]
    if not constant:
        for _, tensor in chosen:
            forget_elements(tensor)
        return len(chosen)
    for place, tensor in chosen:
        if tensor.data_type in (onnxl.TensorProto.STRING, onnxl.TensorProto.COMPLEX64, onnxl.TensorProto.COMPLEX128):
            raise ValueError(f"{place}: ConstantOfShape makes no {walk.type_name(tensor.data_type)}, the type of {tensor.name!r}")
    count = 0
    for body in walk.bodies(model):
        if body.graph is not None:
            count += _make_constants(body.graph, threshold)
    return count


def _size(tensor: onnxl.TensorProto) -> int:
    return walk.size_by_shape(tensor) or sum(len(text) for text in tensor.string_data)


def _make_constants(graph: onnxl.GraphProto, threshold: int) -> int:
    inputs = {value.name for value in graph.input}
    taken = {tensor.name for tensor in graph.initializer} | {name for node in graph.node for name in (*node.output, *node.input)}
    kept: list[onnxl.TensorProto] = []
    made: list[onnxl.NodeProto] = []
    for tensor in graph.initializer:
        if _size(tensor) < threshold or tensor.name in inputs:  # a default for an input cannot come from a node
            kept.append(tensor)
            continue
        name = _free_name(f"{tensor.name}_shape", taken)
        shape = onnxl.TensorProto(name=name, data_type=onnxl.TensorProto.INT64, dims=[len(tensor.dims)])
        shape.raw_data = b"".join(int(dim).to_bytes(8, "little", signed=True) for dim in tensor.dims)
        kept.append(shape)
        zero = onnxl.TensorProto(data_type=tensor.data_type, dims=[1])
        zero.raw_data = bytes(walk.size_by_shape(zero) or 0)
        node = onnxl.NodeProto(op_type="ConstantOfShape", name=_free_name(f"{tensor.name}_zeros", taken))
        node.input.append(name)
        node.output.append(tensor.name)
        node.attribute.add(name="value", type=onnxl.AttributeProto.TENSOR, t=zero)
        made.append(node)
    if made:
        nodes = list(graph.node)
        graph.ClearField("initializer")
        graph.initializer.extend(kept)
        graph.ClearField("node")
        graph.node.extend([*made, *nodes])
    return len(made)


def _free_name(wanted: str, taken: set[str]) -> str:
    name, number = wanted, 1
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    taken.add(name)
    return name
