"""ONNX's cases for runtimes. Names and signatures are here; the cases are not yet."""

from onnx_light.onnx.backend.test import case, loader, runner
from onnx_light.onnx.backend.test.runner import Runner as BackendTest

__all__ = ["BackendTest", "case", "loader", "runner"]
