"""Checks whether messages keep the rules of ONNX."""

from __future__ import annotations

import os

from onnx_light.onnx import _foreign
from onnx_light.onnx._needs_schemas import needs_schemas
from onnx_light.onnx.onnx_cpp2py_export import checker as C
from onnx_light.onnx.onnx_cpp2py_export.checker import ValidationError
from onnx_light.onnx_py import _onnxpy
from onnx_light.onnx_py._onnxpy import (
    AttributeProto,
    FunctionProto,
    GraphProto,
    ModelProto,
    NodeProto,
    SparseTensorProto,
    TensorProto,
    ValueInfoProto,
)

__all__ = [
    "DEFAULT_CONTEXT",
    "LEXICAL_SCOPE_CONTEXT",
    "MAXIMUM_PROTOBUF",
    "C",
    "ValidationError",
    "check_attribute",
    "check_function",
    "check_graph",
    "check_model",
    "check_node",
    "check_sparse_tensor",
    "check_tensor",
    "check_value_info",
]

MAXIMUM_PROTOBUF = 2147483647
"""The most bytes that protobuf reads. This library has no such limit."""

DEFAULT_CONTEXT = C.CheckerContext()
DEFAULT_CONTEXT.ir_version = 14
DEFAULT_CONTEXT.opset_imports = {"": 28}

LEXICAL_SCOPE_CONTEXT = C.LexicalScopeContext()


def _need(message: object, cls: type) -> None:
    if type(message) is not cls:
        raise TypeError(f"a {cls.__name__} is needed, not {_foreign.class_name(message)}")


def check_value_info(value_info: ValueInfoProto, ctx: C.CheckerContext = DEFAULT_CONTEXT) -> None:
    """Raises ValidationError if a value info breaks a rule, TypeError if it is none."""
    _need(value_info, ValueInfoProto)
    _onnxpy.graph.verify_value_info(value_info, ctx.ir_version)


def check_tensor(tensor: TensorProto, ctx: C.CheckerContext = DEFAULT_CONTEXT) -> None:
    """Raises ValidationError if a tensor breaks a rule, TypeError if it is none."""
    _need(tensor, TensorProto)
    _onnxpy.graph.verify_tensor(tensor, ctx.ir_version)


def check_attribute(
    attr: AttributeProto, ctx: C.CheckerContext = DEFAULT_CONTEXT, lexical_scope_ctx: C.LexicalScopeContext = LEXICAL_SCOPE_CONTEXT
) -> None:
    """Raises ValidationError if an attribute breaks a rule, TypeError if it is none."""
    _need(attr, AttributeProto)
    _onnxpy.graph.verify_attribute(attr, ctx.ir_version)


@needs_schemas
def check_node(
    node: NodeProto, ctx: C.CheckerContext = DEFAULT_CONTEXT, lexical_scope_ctx: C.LexicalScopeContext = LEXICAL_SCOPE_CONTEXT
) -> None:
    """Raises ValidationError if a node breaks a rule, TypeError if it is none."""


@needs_schemas
def check_function(
    function: FunctionProto,
    ctx: C.CheckerContext | None = None,
    lexical_scope_ctx: C.LexicalScopeContext = LEXICAL_SCOPE_CONTEXT,
) -> None:
    """Raises ValidationError if a function breaks a rule, TypeError if it is none."""


@needs_schemas
def check_graph(
    graph: GraphProto, ctx: C.CheckerContext = DEFAULT_CONTEXT, lexical_scope_ctx: C.LexicalScopeContext = LEXICAL_SCOPE_CONTEXT
) -> None:
    """Raises ValidationError if a graph breaks a rule, TypeError if it is none."""


def check_sparse_tensor(sparse: SparseTensorProto, ctx: C.CheckerContext = DEFAULT_CONTEXT) -> None:
    """Raises ValidationError if a sparse tensor breaks a rule, TypeError if it is none."""
    _need(sparse, SparseTensorProto)
    _onnxpy.graph.verify_sparse_tensor(sparse, ctx.ir_version)


@needs_schemas
def check_model(
    model: ModelProto | str | bytes | os.PathLike[str],
    full_check: bool = False,
    skip_opset_compatibility_check: bool = False,
    check_custom_domain: bool = False,
) -> None:
    """Raises ValidationError if a model breaks a rule.

    Args:
        model: the model, its bytes, or a path.
        full_check: types and shapes have to fit as well.
        skip_opset_compatibility_check: leave out the rules that depend on versions of imports.
        check_custom_domain: operators of unknown domains are errors.
    """
