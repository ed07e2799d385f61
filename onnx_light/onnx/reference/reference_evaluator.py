"""The evaluator of models."""

from __future__ import annotations

from typing import Any

from onnx_light.onnx._needs_schemas import needs_schemas
from onnx_light.onnx.reference import op_run
from onnx_light.onnx_py._onnxpy import FunctionProto


class ReferenceEvaluator:
    """Computes the outputs of a model, graph, function or node from its inputs."""

    @needs_schemas
    def __init__(
        self,
        proto: Any,
        opsets: dict[str, int] | None = None,
        functions: list[ReferenceEvaluator | FunctionProto] | None = None,
        verbose: int = 0,
        new_ops: list[type[op_run.OpRun]] | None = None,
        check_shape_annotations: bool = False,
    ) -> None:
        pass

    @needs_schemas
    def run(
        self,
        output_names: list[str] | None,
        feed_inputs: dict[str, Any],
        attributes: dict[str, Any] | None = None,
        intermediate: bool = False,
        check_shape_annotations: bool | None = None,
    ) -> dict[str, Any] | list[Any]:
        """The values of outputs (None: of all), in order; with intermediate, a dict of all values."""
        raise AssertionError
