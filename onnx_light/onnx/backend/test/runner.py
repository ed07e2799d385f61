"""Runs the cases against a runtime, as unittest cases."""

from __future__ import annotations

import unittest
from collections.abc import Sequence
from typing import Any

from onnx_light.onnx._needs_schemas import needs_schemas
from onnx_light.onnx.backend.base import Backend


class BackendIsNotSupposedToImplementIt(unittest.SkipTest):
    """Raised by a runtime that leaves something out on purpose."""


class Runner:
    """The cases for a runtime."""

    @needs_schemas
    def __init__(self, backend: type[Backend], parent_module: str | None = None, test_kwargs: dict[str, Any] | None = None) -> None:
        pass

    @classmethod
    @needs_schemas
    def assert_similar_outputs(
        cls, ref_outputs: Sequence[Any], outputs: Sequence[Any], rtol: float, atol: float, model_dir: str | None = None
    ) -> None:
        """Raises AssertionError if outputs are not the expected ones, up to rtol and atol."""
