"""Operator schemas: which operators there are, in which versions, and what each takes and gives.

Versions and domains are here; the schemas themselves are not yet.
"""

from __future__ import annotations

from onnx_light.onnx._needs_schemas import needs_schemas
from onnx_light.onnx.onnx_cpp2py_export import defs as C
from onnx_light.onnx.onnx_cpp2py_export.defs import (
    OpSchema,
    SchemaError,
    deregister_schema,
    get_all_schemas,
    get_all_schemas_with_history,
    get_schema,
    register_schema,
)

__all__ = [
    "AI_ONNX_PREVIEW_DOMAIN",
    "AI_ONNX_PREVIEW_TRAINING_DOMAIN",
    "ONNX_DOMAIN",
    "ONNX_ML_DOMAIN",
    "C",
    "OpSchema",
    "SchemaError",
    "deregister_schema",
    "get_all_schemas",
    "get_all_schemas_with_history",
    "get_function_ops",
    "get_schema",
    "has",
    "onnx_ml_opset_version",
    "onnx_opset_version",
    "register_schema",
]

ONNX_DOMAIN = ""
ONNX_ML_DOMAIN = "ai.onnx.ml"
AI_ONNX_PREVIEW_DOMAIN = "ai.onnx.preview"
AI_ONNX_PREVIEW_TRAINING_DOMAIN = "ai.onnx.preview.training"

has = C.has_schema


def onnx_opset_version() -> int:
    """The newest version of the operators of ai.onnx."""
    return C.schema_version_map()[ONNX_DOMAIN][1]


def onnx_ml_opset_version() -> int:
    """The newest version of the operators of ai.onnx.ml."""
    return C.schema_version_map()[ONNX_ML_DOMAIN][1]


@needs_schemas
def get_function_ops() -> list[OpSchema]:
    """The newest schema of every operator that has a function body."""
    raise AssertionError
