"""The C++ side of onnx.version_converter, on serialised models."""

from __future__ import annotations

from onnx_light.onnx._needs_schemas import needs_schemas


class ConvertError(Exception):
    """A model that cannot be converted to another version of the operators."""


@needs_schemas
def convert_version(bytes: bytes, target: int) -> bytes:
    """A model in another version of the operators."""
    raise AssertionError
