"""Weights in half the bytes: stored as FLOAT16 or BFLOAT16, and cast back where they are used."""

from __future__ import annotations

import onnx_light.onnx as onnxl
from onnx_light.tools import walk
from onnx_light.tools.constants import constant_value, free_name, initializers_are_inputs, inputs_by_name, names_in, require_opset

_TYPES = {"float16": onnxl.TensorProto.FLOAT16, "bfloat16": onnxl.TensorProto.BFLOAT16}
_FIRST_OPSET = {"float16": 6, "bfloat16": 13}  # whose Cast takes the type, and says what it gives in a number


def store_weights_as(model: onnxl.ModelProto, type: str, *, threshold: int = 1024) -> int:
    """Stores FLOAT initializers and Constant nodes in a narrower type, in place. A Cast node gives back FLOAT under the old name: the model
    stays valid and computes as before, but for the rounding of the weights.

    Args:
        model: changed; its weights have to be at hand.
        type: "float16" or "bfloat16". Values are rounded to nearest, ties to even; NaN and infinities stay what they are.
        threshold: tensors below so many bytes stay as they are.

    Returns:
        How many tensors were changed. Initializers that are defaults of inputs stay, as their type is the caller's; tensors with a number
        that would become infinite stay as well.

    Raises:
        ValueError: another type, elements that are not there, or a model whose opset has no such Cast.
    """
    if type not in _TYPES:
        raise ValueError(f"weights as {type!r}: one of {', '.join(_TYPES)}")
    require_opset(model, _FIRST_OPSET[type], f"a Cast from {type}")
    changed = 0
    for body in list(walk.bodies(model)):
        if body.graph is not None:
            changed += _narrow(body.graph, type, threshold, initializers_are_inputs(model))
    return changed


def _narrow(graph: onnxl.GraphProto, type: str, threshold: int, are_inputs: bool) -> int:
    import numpy as np

    if type == "float16":
        narrow = np.dtype(np.float16)
    else:
        import ml_dtypes

        narrow = np.dtype(ml_dtypes.bfloat16)
    inputs = inputs_by_name(graph)
    taken = names_in(graph)

    def narrowed(tensor: onnxl.TensorProto) -> bool:
        size = walk.size_by_shape(tensor)
        if tensor.data_type != onnxl.TensorProto.FLOAT or size is None or size < threshold:
            return False
        view = walk.bytes_of(tensor)
        if view is None:
            raise ValueError(f"the elements of {tensor.name!r} are not there")
        exact = np.frombuffer(view, dtype="<f4")
        with np.errstate(all="ignore"):
            values = exact.astype(narrow)
        if np.count_nonzero(np.isinf(values)) > np.count_nonzero(np.isinf(exact)):
            return False
        for field in ("float_data", "external_data", "data_location"):
            tensor.ClearField(field)
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
    for tensor in graph.initializer:
        value_info = inputs.get(tensor.name)
        if (value_info is None or are_inputs) and narrowed(tensor):
            nodes.append(cast_back(tensor.name))
            tensor.name = nodes[-1].input[0]
            if value_info is not None:
                value_info.name = tensor.name
                value_info.type.tensor_type.elem_type = tensor.data_type
            changed += 1
    for node in graph.node:
        nodes.append(node)
        value = constant_value(node)
        if value is not None and narrowed(value):
            nodes.append(cast_back(node.output[0]))
            node.output[0] = nodes[-1].input[0]
            changed += 1
    if changed:
        graph.ClearField("node")
        graph.node.extend(nodes)
    return changed
