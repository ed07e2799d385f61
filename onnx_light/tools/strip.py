"""Models without what only people read, or without their weights."""

from __future__ import annotations

from typing import Any

import onnx_light.onnx as onnxl
from onnx_light.tools import walk
from onnx_light.tools.constants import (
    constant_value,
    free_name,
    initializers,
    names_in,
    require_opset,
    size_of,
    weights,
)
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
        constant: an initializer that is no default of an input, or a Constant node, also of a function, becomes a ConstantOfShape node
            that makes zeros of its type and shape, so that the model stays whole. Otherwise tensors stay, with name, type and shape, but
            no elements; no runtime takes such a model.

    Returns:
        How many tensors lost their elements.

    Raises:
        ValueError: with `constant`, a weight of a type that no ConstantOfShape makes, or only that of a later opset than its model or
            function has; nothing has been changed then.
    """
    if not constant:
        chosen = [tensor for _, tensor, _ in walk.places(model) if size_of(tensor) >= threshold]
        for tensor in chosen:
            forget_elements(tensor)
        return len(chosen)
    bodies = [*walk.bodies(model)][::-1]  # inner ones first: the nodes of a body are replaced, with what is in them
    for body in bodies:
        for tensor in weights(model, body):
            if size_of(tensor) >= threshold:
                kind = walk.type_name(tensor.data_type)
                if kind in _NO_ZEROS:
                    raise ValueError(f"ConstantOfShape makes no {kind}, the type of {tensor.name!r}")
                require_opset(model, body, _FIRST_OPSET.get(kind, 9), f"a ConstantOfShape of {kind}, the type of {tensor.name!r},")
    taken = names_in(bodies)
    return sum(_make_zeros(model, body, threshold, taken) for body in bodies)


_NO_ZEROS = ("STRING", "COMPLEX64", "COMPLEX128")
_FIRST_OPSET = {  # whose ConstantOfShape makes a type, where that is not the first one
    **dict.fromkeys(("BFLOAT16", "FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ"), 20),
    **dict.fromkeys(("INT4", "UINT4"), 21),
    "FLOAT4E2M1": 23,
    "FLOAT8E8M0": 24,
    **dict.fromkeys(("INT2", "UINT2"), 25),
}


def _make_zeros(model: onnxl.ModelProto, body: walk.Body, threshold: int, taken: set[str]) -> int:
    nodes: list[onnxl.NodeProto] = []
    gone = set()
    for tensor in initializers(model, body):
        if size_of(tensor) >= threshold:
            node = onnxl.NodeProto(name=free_name(f"{tensor.name}_zeros", taken))
            node.output.append(tensor.name)
            nodes += [_zeros(node, tensor, taken), node]
            gone.add(tensor.name)
    changed = len(gone)
    for node in body.holder.node:
        value = constant_value(node)
        if value is not None and size_of(value) >= threshold:
            nodes.append(_zeros(node, value, taken))
            changed += 1
        nodes.append(node)
    if changed:
        body.holder.ClearField("node")
        body.holder.node.extend(nodes)
    if gone and body.graph is not None:
        for name in ("initializer", "input"):  # as both where the main graph is an old one
            entries = list(getattr(body.graph, name))
            body.graph.ClearField(name)
            getattr(body.graph, name).extend(each for each in entries if each.name not in gone)
    return changed


def _zeros(node: onnxl.NodeProto, tensor: onnxl.TensorProto, taken: set[str]) -> onnxl.NodeProto:
    """Makes the node give zeros like the tensor; the result gives it the shape. That is a Constant node: functions have no initializers,
    and those of old models have to be inputs, which are not for this to add."""
    constant = onnxl.NodeProto(op_type="Constant", output=[free_name(f"{node.output[0]}_shape", taken)])
    shape = onnxl.TensorProto(data_type=onnxl.TensorProto.INT64, dims=[len(tensor.dims)])
    shape.raw_data = b"".join(int(dim).to_bytes(8, "little", signed=True) for dim in tensor.dims)
    constant.attribute.add(name="value", type=onnxl.AttributeProto.TENSOR, t=shape)
    zero = onnxl.TensorProto(data_type=tensor.data_type, dims=[1])
    zero.raw_data = bytes(walk.size_by_shape(zero) or 0)
    node.op_type = "ConstantOfShape"
    node.ClearField("attribute")
    node.input.append(constant.output[0])
    node.attribute.add(name="value", type=onnxl.AttributeProto.TENSOR, t=zero)
    return constant
