"""Weights in half the bytes: stored as FLOAT16 or BFLOAT16, and cast back where they are used."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import onnx_light.onnx as onnxl
from onnx_light.tools import walk
from onnx_light.tools.constants import (
    constant_value,
    free_name,
    initializers,
    inputs_by_name,
    names_in,
    require_opset,
    weights,
)

_TYPES = {"float16": onnxl.TensorProto.FLOAT16, "bfloat16": onnxl.TensorProto.BFLOAT16}
_FIRST_OPSET = {"float16": 6, "bfloat16": 13}  # whose Cast takes the type, and says what it gives in a number


@dataclass
class Narrowing:
    """What became of the FLOAT tensors of a model."""

    narrowed: int = 0
    wide: list[str] = field(default_factory=list)
    """The names of those that are large enough and stayed, or where they are: tensors with a number that would become infinite,
    initializers that are defaults of inputs (their type is the caller's), and what is neither an initializer nor in a Constant node."""


def store_weights_as(model: onnxl.ModelProto, type: str, *, threshold: int = 1024) -> Narrowing:
    """Stores FLOAT initializers and Constant nodes, those of functions too, in a narrower type, in place. A Cast node gives back FLOAT
    under the old name: the model stays valid and computes as before, but for the rounding of the weights.

    Args:
        model: changed; its weights have to be at hand.
        type: "float16" or "bfloat16". Values are rounded to nearest, ties to even; NaN and infinities stay what they are.
        threshold: tensors below so many bytes stay as they are.

    Returns:
        How many tensors were changed, and which ones stayed.

    Raises:
        ValueError: another type, elements that are not there, or a weight in a model or function whose opset has no such Cast.
    """
    if type not in _TYPES:
        raise ValueError(f"weights as {type!r}: one of {', '.join(_TYPES)}")
    bodies = [*walk.bodies(model)][::-1]  # inner ones first: the nodes of a body are replaced, with what is in them
    for body in bodies:
        if any(_is_wide(tensor, threshold) for tensor in weights(model, body)):
            require_opset(model, body, _FIRST_OPSET[type], f"a Cast from {type}")
    taken = names_in(bodies)
    done = Narrowing(sum(_narrow(model, body, type, threshold, taken) for body in bodies))
    done.wide = [walk.text(tensor.name) or place for place, tensor, _ in walk.places(model) if _is_wide(tensor, threshold)]
    return done


def _is_wide(tensor: onnxl.TensorProto, threshold: int) -> bool:
    return tensor.data_type == onnxl.TensorProto.FLOAT and (walk.size_by_shape(tensor) or 0) >= max(threshold, 1)


def _dtype(type: str) -> Any:
    import numpy as np

    if type == "float16":
        return np.dtype(np.float16)
    import ml_dtypes

    return np.dtype(ml_dtypes.bfloat16)


def _narrow(model: onnxl.ModelProto, body: walk.Body, type: str, threshold: int, taken: set[str]) -> int:
    import numpy as np

    dtype = _dtype(type)
    inputs = {} if body.graph is None else inputs_by_name(body.graph)

    def narrowed(tensor: onnxl.TensorProto) -> bool:
        if not _is_wide(tensor, threshold):
            return False
        view = walk.bytes_of(tensor)
        if view is None:
            raise ValueError(f"the elements of {tensor.name!r} are not there")
        exact = np.frombuffer(view, dtype="<f4")
        with np.errstate(all="ignore"):
            values = exact.astype(dtype)
        if np.count_nonzero(np.isinf(values)) > np.count_nonzero(np.isinf(exact)):
            return False
        for storage in ("float_data", "external_data", "data_location"):
            tensor.ClearField(storage)
        tensor.raw_data = values.tobytes()
        tensor.data_type = _TYPES[type]
        return True

    def cast_back(value: str) -> onnxl.NodeProto:
        """A node that gives FLOAT under the value's name, from a new name."""
        cast = onnxl.NodeProto(op_type="Cast", name=free_name(f"{value}_to_float", taken))
        cast.input.append(free_name(f"{value}_{type}", taken))
        cast.output.append(value)
        cast.attribute.add(name="to", type=onnxl.AttributeProto.INT, i=onnxl.TensorProto.FLOAT)
        return cast

    nodes: list[onnxl.NodeProto] = []
    changed = 0
    for tensor in initializers(model, body):
        if narrowed(tensor):
            nodes.append(cast_back(tensor.name))
            value_info = inputs.get(tensor.name)
            tensor.name = nodes[-1].input[0]
            if value_info is not None:
                value_info.name = tensor.name
                value_info.type.tensor_type.elem_type = tensor.data_type
            changed += 1
    for node in body.holder.node:
        nodes.append(node)
        value = constant_value(node)
        if value is not None and narrowed(value):
            nodes.append(cast_back(node.output[0]))
            node.output[0] = nodes[-1].input[0]
            changed += 1
    if changed:
        body.holder.ClearField("node")
        body.holder.node.extend(nodes)
    return changed
