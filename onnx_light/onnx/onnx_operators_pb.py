"""The messages of onnx-operators.proto."""

from onnx_light.onnx.onnx_operators_ml_pb2 import *  # noqa: F403
from onnx_light.onnx.onnx_operators_ml_pb2 import __all__ as __all__
