"""Gives other dimensions to the inputs and outputs of a model."""

from __future__ import annotations

from typing import Any

from onnx_light.onnx_py import _onnxpy
from onnx_light.onnx_py._onnxpy import ModelProto, ValueInfoProto

__all__ = ["update_inputs_outputs_dims"]


def _update(value: ValueInfoProto, dims: list[Any], taken: set[str]) -> None:
    name = value.name
    shape = value.type.tensor_type.shape
    for axis, size in enumerate(dims):
        while len(shape.dim) <= axis:  # a rank that was not known yet
            shape.dim.add()
        dim = shape.dim[axis]
        if isinstance(size, str):
            dim.dim_param = size
        elif not isinstance(size, int):
            raise TypeError(f"axis {axis} of {name!r}: a dimension is an int or a str, not {type(size).__name__}")
        elif size < 0:
            own = f"{name}_{axis}"
            if own in taken and dim.dim_param != own:
                raise ValueError(
                    f"axis {axis} of {name!r}: the name {own!r} for a free dimension is taken by another dimension of the model"
                )
            dim.dim_param = own
        elif dim.HasField("dim_value") and dim.dim_value != size:
            raise ValueError(f"axis {axis} of {name!r}: {size} contradicts the dimension {dim.dim_value} that it has")
        else:
            dim.dim_value = size


def update_inputs_outputs_dims(model: ModelProto, input_dims: dict[str, list[Any]], output_dims: dict[str, list[Any]]) -> ModelProto:
    """Sets the dimensions of all inputs and outputs.

    Args:
        model: the model; it is changed and returned.
        input_dims, output_dims: for the name of each input and output its dimensions: a size, a name, or a negative number for a free
            dimension, which gets a name of its own ("x_2").

    Raises:
        KeyError: an input or output is missing.
        ValueError: a size contradicts the one that is there, or the name of a free dimension is taken.
        TypeError: a dimension is neither int nor str.
        ValidationError: the result breaks a rule of ONNX.
    """
    taken = {
        dim.dim_param
        for value in (*model.graph.input, *model.graph.output)
        for dim in value.type.tensor_type.shape.dim
        if dim.HasField("dim_param")
    }
    changed = ModelProto()
    changed.CopyFrom(model)
    for value in changed.graph.input:
        _update(value, input_dims[value.name], taken)
    for value in changed.graph.output:
        _update(value, output_dims[value.name], taken)
    _onnxpy.graph.verify_model(changed)
    # All went well: the model is changed as a whole, or not at all.
    for mine, new in ((model.graph.input, changed.graph.input), (model.graph.output, changed.graph.output)):
        for value, updated in zip(mine, new, strict=True):
            value.CopyFrom(updated)
    return model
