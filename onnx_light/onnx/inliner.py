"""Replaces calls of functions by the nodes of their bodies."""

from __future__ import annotations

from onnx_light.onnx._needs_schemas import needs_schemas
from onnx_light.onnx.onnx_cpp2py_export import inliner as C
from onnx_light.onnx_py._onnxpy import ModelProto

__all__ = ["C", "inline_local_functions", "inline_selected_functions"]


@needs_schemas
def inline_local_functions(model: ModelProto, convert_version: bool = False) -> ModelProto:
    """A model without the calls of its functions.

    Args:
        model: the model; it is not changed.
        convert_version: convert functions that import other versions of operators than the model, instead of leaving their calls.
    """
    raise AssertionError


@needs_schemas
def inline_selected_functions(
    model: ModelProto, function_ids: list[tuple[str, str]], exclude: bool = False, inline_schema_functions: bool = False
) -> ModelProto:
    """A model without the calls of some of its functions.

    Args:
        model: the model; it is not changed.
        function_ids: (domain, name) of the functions.
        exclude: inline all but these.
        inline_schema_functions: operators that have a function body count as functions.
    """
    raise AssertionError
