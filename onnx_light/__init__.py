"""ONNX without protobuf. The package that mirrors `onnx` is `onnx_light.onnx`."""

from onnx_light.onnx_py._onnxpy import __version__ as __version__
