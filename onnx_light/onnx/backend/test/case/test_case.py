"""One case: a model, and inputs with the outputs they give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from onnx_light.onnx_py._onnxpy import ModelProto


@dataclass
class TestCase:
    """A model to run and what comes out; rtol and atol say how far numbers may be off."""

    name: str
    model_name: str
    url: str | None
    model_dir: str | None
    model: ModelProto | None
    data_sets: Sequence[tuple[Sequence[Any], Sequence[Any]]] | None
    kind: str
    rtol: float
    atol: float
    __test__: bool = False  # pytest is not to collect it
