"""Evaluates models with numpy, to say what operators mean. Names and signatures are here; the operators are not yet."""

from onnx_light.onnx.reference import op_run
from onnx_light.onnx.reference.reference_evaluator import ReferenceEvaluator

__all__ = ["ReferenceEvaluator", "op_run"]
