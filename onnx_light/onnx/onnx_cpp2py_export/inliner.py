"""The C++ side of onnx.inliner, on serialised models."""

from __future__ import annotations

from onnx_light.onnx._needs_schemas import needs_schemas


@needs_schemas
def inline_local_functions(model: bytes, convert_version: bool) -> bytes:
    """A model without the calls of its functions."""
    raise AssertionError


@needs_schemas
def inline_selected_functions(model: bytes, function_ids: list[tuple[str, str]], exclude: bool) -> bytes:
    """A model without the calls of some of its functions."""
    raise AssertionError


@needs_schemas
def inline_selected_functions2(model: bytes, function_ids: list[tuple[str, str]], exclude: bool) -> bytes:
    """A model without the calls of some of its functions and of operators that have a function body."""
    raise AssertionError
