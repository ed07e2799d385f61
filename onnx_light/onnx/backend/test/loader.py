"""Finds cases."""

from __future__ import annotations

import os

from onnx_light.onnx._needs_schemas import needs_schemas
from onnx_light.onnx.backend.test.case.test_case import TestCase

DATA_DIR = os.path.join(os.path.dirname(os.path.realpath(os.path.dirname(__file__))), "test", "data")


@needs_schemas
def load_model_tests(data_dir: str = DATA_DIR, kind: str | None = None) -> list[TestCase]:
    """The cases of a kind below a folder."""
    raise AssertionError
