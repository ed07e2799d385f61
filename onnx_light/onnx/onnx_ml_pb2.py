"""The messages and enums of onnx.proto, under the name of the module that protoc would write."""

from __future__ import annotations

from onnx_light.onnx import _messages
from onnx_light.onnx_py._onnxpy import (
    AttributeProto,
    DeviceConfigurationProto,
    FunctionProto,
    GraphProto,
    IntIntListEntryProto,
    ModelProto,
    NodeDeviceConfigurationProto,
    NodeProto,
    OperatorSetIdProto,
    ShardedDimProto,
    ShardingSpecProto,
    SimpleShardedDimProto,
    SparseTensorProto,
    StringStringEntryProto,
    TensorAnnotation,
    TensorProto,
    TensorShapeProto,
    TrainingInfoProto,
    TypeProto,
    ValueInfoProto,
)

DESCRIPTOR = _messages.classes["onnx.ModelProto"].DESCRIPTOR.file
Version = _messages.enums["Version"]
OperatorStatus = _messages.enums["OperatorStatus"]
IR_VERSION_2017_10_10 = 1
IR_VERSION_2017_10_30 = 2
IR_VERSION_2017_11_3 = 3
IR_VERSION_2019_1_22 = 4
IR_VERSION_2019_3_18 = 5
IR_VERSION_2019_9_19 = 6
IR_VERSION_2020_5_8 = 7
IR_VERSION_2021_7_30 = 8
IR_VERSION_2023_5_5 = 9
IR_VERSION_2024_3_25 = 10
IR_VERSION_2025_05_12 = 11
IR_VERSION_2025_08_26 = 12
IR_VERSION_2025_11_06 = 13
IR_VERSION = 14
EXPERIMENTAL = 0
STABLE = 1

__all__ = [
    "DESCRIPTOR",
    "EXPERIMENTAL",
    "IR_VERSION",
    "IR_VERSION_2017_10_10",
    "IR_VERSION_2017_10_30",
    "IR_VERSION_2017_11_3",
    "IR_VERSION_2019_1_22",
    "IR_VERSION_2019_3_18",
    "IR_VERSION_2019_9_19",
    "IR_VERSION_2020_5_8",
    "IR_VERSION_2021_7_30",
    "IR_VERSION_2023_5_5",
    "IR_VERSION_2024_3_25",
    "IR_VERSION_2025_05_12",
    "IR_VERSION_2025_08_26",
    "IR_VERSION_2025_11_06",
    "STABLE",
    "AttributeProto",
    "DeviceConfigurationProto",
    "FunctionProto",
    "GraphProto",
    "IntIntListEntryProto",
    "ModelProto",
    "NodeDeviceConfigurationProto",
    "NodeProto",
    "OperatorSetIdProto",
    "OperatorStatus",
    "ShardedDimProto",
    "ShardingSpecProto",
    "SimpleShardedDimProto",
    "SparseTensorProto",
    "StringStringEntryProto",
    "TensorAnnotation",
    "TensorProto",
    "TensorShapeProto",
    "TrainingInfoProto",
    "TypeProto",
    "ValueInfoProto",
    "Version",
]
