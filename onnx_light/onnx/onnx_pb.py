"""The messages of onnx.proto."""

from onnx_light.onnx.onnx_ml_pb2 import *  # noqa: F403
from onnx_light.onnx.onnx_ml_pb2 import __all__ as __all__
