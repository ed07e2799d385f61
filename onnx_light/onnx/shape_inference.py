"""Infers types and shapes of the values of a model."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from onnx_light.onnx._needs_schemas import needs_schemas
from onnx_light.onnx.onnx_cpp2py_export import shape_inference as C
from onnx_light.onnx.onnx_cpp2py_export.shape_inference import GraphInferencer, InferenceContext, InferenceError
from onnx_light.onnx_py._onnxpy import (
    AttributeProto,
    FunctionProto,
    ModelProto,
    NodeProto,
    OperatorSetIdProto,
    SparseTensorProto,
    TensorProto,
    TypeProto,
)

if TYPE_CHECKING:
    from onnx_light.onnx.defs import OpSchema

__all__ = [
    "C",
    "GraphInferencer",
    "InferenceContext",
    "InferenceError",
    "infer_function_output_types",
    "infer_node_outputs",
    "infer_shapes",
    "infer_shapes_path",
]

IR_VERSION = 14


@needs_schemas
def infer_shapes(model: ModelProto | bytes, check_type: bool = False, strict_mode: bool = False, data_prop: bool = False) -> ModelProto:
    """A model with the types of its values, as far as they can be inferred.

    Args:
        model: the model; it is not changed.
        check_type: inputs of nodes have to be of types that their operators take.
        strict_mode: what cannot be inferred is an error.
        data_prop: follow the values of shapes that are computed.
    """
    raise AssertionError


@needs_schemas
def infer_shapes_path(
    model_path: str | os.PathLike[str],
    output_path: str | os.PathLike[str] = "",
    check_type: bool = False,
    strict_mode: bool = False,
    data_prop: bool = False,
) -> None:
    """The same from file to file; without output_path the model's file is replaced."""


@needs_schemas
def infer_node_outputs(
    schema: OpSchema,
    node: NodeProto,
    input_types: dict[str, TypeProto],
    input_data: dict[str, TensorProto] | None = None,
    input_sparse_data: dict[str, SparseTensorProto] | None = None,
    opset_imports: list[OperatorSetIdProto] | None = None,
    ir_version: int = IR_VERSION,
) -> dict[str, TypeProto]:
    """The types of the outputs of one node, by name."""
    raise AssertionError


@needs_schemas
def infer_function_output_types(
    function: FunctionProto, input_types: Sequence[TypeProto], attributes: Sequence[AttributeProto]
) -> list[TypeProto]:
    """The types of the outputs of a function, given those of its inputs and its attributes."""
    raise AssertionError
