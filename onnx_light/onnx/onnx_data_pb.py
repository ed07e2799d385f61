"""The messages of onnx-data.proto."""

from onnx_light.onnx.onnx_data_pb2 import *  # noqa: F403
from onnx_light.onnx.onnx_data_pb2 import __all__ as __all__
