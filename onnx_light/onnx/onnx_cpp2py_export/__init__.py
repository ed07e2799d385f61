"""The names under which `onnx` has its C++ side; programs take exception classes and a few functions from here."""

from onnx_light.onnx.onnx_cpp2py_export import checker, defs, inliner, parser, printer, shape_inference, version_converter

ONNX_ML = True

__all__ = ["ONNX_ML", "checker", "defs", "inliner", "parser", "printer", "shape_inference", "version_converter"]
