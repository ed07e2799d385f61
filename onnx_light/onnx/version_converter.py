"""Converts models between versions of the operators."""

from __future__ import annotations

from onnx_light.onnx._needs_schemas import needs_schemas
from onnx_light.onnx.onnx_cpp2py_export import version_converter as C
from onnx_light.onnx.onnx_cpp2py_export.version_converter import ConvertError
from onnx_light.onnx_py._onnxpy import ModelProto

__all__ = ["C", "ConvertError", "convert_version"]


@needs_schemas
def convert_version(model: ModelProto, target_version: int) -> ModelProto:
    """A model in another version of the operators of ai.onnx.

    Args:
        model: the model; it is not changed.
        target_version: the version its result imports.
    """
    raise AssertionError
