"""The C++ side of onnx.checker: contexts, the exception, and checks of serialised messages."""

from __future__ import annotations

from onnx_light.onnx._needs_schemas import needs_schemas
from onnx_light.onnx_py import _onnxpy
from onnx_light.onnx_py._onnxpy import AttributeProto, SparseTensorProto, TensorProto, ValueInfoProto
from onnx_light.onnx_py._onnxpy import ValidationError as ValidationError


class CheckerContext:
    """What a check is made against: an IR version and the imported operator sets."""

    def __init__(self) -> None:
        self.ir_version = -1
        self.opset_imports: dict[str, int] = {}


class LexicalScopeContext:
    """The names that are visible where a check starts; as in `onnx`, it only exists to be handed over."""


@needs_schemas
def check_node(bytes: bytes, checker_context: CheckerContext, lexical_scope_context: LexicalScopeContext) -> None:
    """Checks a serialised NodeProto."""


@needs_schemas
def check_function(bytes: bytes, checker_context: CheckerContext, lexical_scope_context: LexicalScopeContext) -> None:
    """Checks a serialised FunctionProto."""


@needs_schemas
def check_graph(bytes: bytes, checker_context: CheckerContext, lexical_scope_context: LexicalScopeContext) -> None:
    """Checks a serialised GraphProto."""


@needs_schemas
def check_model(bytes: bytes, full_check: bool, skip_opset_compatibility_check: bool, check_custom_domain: bool) -> None:
    """Checks a serialised ModelProto."""


@needs_schemas
def check_model_path(path: str, full_check: bool, skip_opset_compatibility_check: bool, check_custom_domain: bool) -> None:
    """Checks the model in a file, whatever its size."""


def check_value_info(bytes: bytes, checker_context: CheckerContext) -> None:
    """Checks a serialised ValueInfoProto."""
    _onnxpy.graph.verify_value_info(ValueInfoProto.FromString(bytes), checker_context.ir_version)


def check_tensor(bytes: bytes, checker_context: CheckerContext) -> None:
    """Checks a serialised TensorProto."""
    _onnxpy.graph.verify_tensor(TensorProto.FromString(bytes), checker_context.ir_version)


def check_sparse_tensor(bytes: bytes, checker_context: CheckerContext) -> None:
    """Checks a serialised SparseTensorProto."""
    _onnxpy.graph.verify_sparse_tensor(SparseTensorProto.FromString(bytes), checker_context.ir_version)


def check_attribute(bytes: bytes, checker_context: CheckerContext, lexical_scope_context: LexicalScopeContext) -> None:
    """Checks a serialised AttributeProto."""
    _onnxpy.graph.verify_attribute(AttributeProto.FromString(bytes), checker_context.ir_version)
