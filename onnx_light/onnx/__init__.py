"""ONNX models as Python objects, name by name as the `onnx` package has them.

import onnx_light.onnx as onnxl

model = onnxl.load("model.onnx")
print([node.op_type for node in model.graph.node])
onnxl.save(model, "copy.onnx")
"""

import importlib
from typing import TYPE_CHECKING, Any

from onnx_light.onnx import _identity, onnx_data_pb, onnx_ml_pb2, onnx_operators_pb, onnx_pb, parser, printer, serialization
from onnx_light.onnx._encryption import load_encrypted, load_encrypted_string, save_encrypted, save_encrypted_string
from onnx_light.onnx._files import (
    ExternalDataRange,
    list_external_data,
    load,
    load_external_data_for_model,
    load_from_string,
    load_model,
    load_model_from_string,
    load_tensor,
    load_tensor_from_string,
    save,
    save_model,
    save_tensor,
)
from onnx_light.onnx._options import RawDataCallback
from onnx_light.onnx._payloads import consolidate_tensors_to_buffer
from onnx_light.onnx.onnx_ml_pb2 import (
    EXPERIMENTAL,
    IR_VERSION,
    IR_VERSION_2017_10_10,
    IR_VERSION_2017_10_30,
    IR_VERSION_2017_11_3,
    IR_VERSION_2019_1_22,
    IR_VERSION_2019_3_18,
    IR_VERSION_2019_9_19,
    IR_VERSION_2020_5_8,
    IR_VERSION_2021_7_30,
    IR_VERSION_2023_5_5,
    IR_VERSION_2024_3_25,
    STABLE,
    OperatorStatus,
    Version,
)
from onnx_light.onnx_py._onnxpy import (
    AttributeProto,
    DecodeError,
    DeviceConfigurationProto,
    EncodeError,
    Error,
    ExternalDataError,
    ExternalDataNotFoundError,
    ExternalDataOSError,
    FileLoadMode,
    FunctionProto,
    GraphProto,
    IntIntListEntryProto,
    JsonParseError,
    MapProto,
    ModelProto,
    NodeDeviceConfigurationProto,
    NodeProto,
    OperatorProto,
    OperatorSetIdProto,
    OperatorSetProto,
    OptionalProto,
    ParseOptions,
    RawDataView,
    RepeatedCompositeContainer,
    RepeatedScalarContainer,
    SequenceProto,
    SerializeOptions,
    ShardedDimProto,
    ShardingSpecProto,
    SimpleShardedDimProto,
    SparseTensorProto,
    StringStringEntryProto,
    TensorAnnotation,
    TensorBufferOptions,
    TensorProto,
    TensorShapeProto,
    TextParseError,
    TrainingInfoProto,
    TypeProto,
    ValueInfoProto,
)

if TYPE_CHECKING:
    from onnx_light.onnx import (
        checker,
        compose,
        defs,
        external_data_helper,
        gen_proto,
        helper,
        numpy_helper,
        onnx_cpp2py_export,
        shape_inference,
        utils,
        version_converter,
    )
    from onnx_light.onnx.external_data_helper import convert_model_to_external_data, write_external_data_tensors

__version__ = _identity.version()
_get_serializer = serialization.serializer_of  # a private name of `onnx` that programs use
ONNX_ML = True

__all__ = [
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
    "ONNX_ML",
    "STABLE",
    "AttributeProto",
    "DecodeError",
    "DeviceConfigurationProto",
    "EncodeError",
    "Error",
    "ExternalDataError",
    "ExternalDataNotFoundError",
    "ExternalDataOSError",
    "ExternalDataRange",
    "FileLoadMode",
    "FunctionProto",
    "GraphProto",
    "IntIntListEntryProto",
    "JsonParseError",
    "MapProto",
    "ModelProto",
    "NodeDeviceConfigurationProto",
    "NodeProto",
    "OperatorProto",
    "OperatorSetIdProto",
    "OperatorSetProto",
    "OperatorStatus",
    "OptionalProto",
    "ParseOptions",
    "RawDataCallback",
    "RawDataView",
    "RepeatedCompositeContainer",
    "RepeatedScalarContainer",
    "SequenceProto",
    "SerializeOptions",
    "ShardedDimProto",
    "ShardingSpecProto",
    "SimpleShardedDimProto",
    "SparseTensorProto",
    "StringStringEntryProto",
    "TensorAnnotation",
    "TensorBufferOptions",
    "TensorProto",
    "TensorShapeProto",
    "TextParseError",
    "TrainingInfoProto",
    "TypeProto",
    "ValueInfoProto",
    "Version",
    "__version__",
    "checker",
    "compose",
    "consolidate_tensors_to_buffer",
    "convert_model_to_external_data",
    "defs",
    "external_data_helper",
    "gen_proto",
    "helper",
    "list_external_data",
    "load",
    "load_encrypted",
    "load_encrypted_string",
    "load_external_data_for_model",
    "load_from_string",
    "load_model",
    "load_model_from_string",
    "load_tensor",
    "load_tensor_from_string",
    "numpy_helper",
    "onnx_cpp2py_export",
    "onnx_data_pb",
    "onnx_ml_pb2",
    "onnx_operators_pb",
    "onnx_pb",
    "parser",
    "printer",
    "save",
    "save_encrypted",
    "save_encrypted_string",
    "save_model",
    "save_tensor",
    "serialization",
    "shape_inference",
    "utils",
    "version_converter",
    "write_external_data_tensors",
]

# What is imported when it is first asked for: loading and saving need neither numpy nor these.
_ON_DEMAND = frozenset(
    (
        "checker",
        "compose",
        "defs",
        "external_data_helper",
        "gen_proto",
        "helper",
        "numpy_helper",
        "onnx_cpp2py_export",
        "shape_inference",
        "utils",
        "version_converter",
    )
)

_FUNCTIONS_ON_DEMAND = frozenset(("convert_model_to_external_data", "write_external_data_tensors"))


def __getattr__(name: str) -> Any:
    if name in _ON_DEMAND:
        return importlib.import_module(f"{__name__}.{name}")
    if name in _FUNCTIONS_ON_DEMAND:
        return getattr(importlib.import_module(f"{__name__}.external_data_helper"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_ON_DEMAND, *_FUNCTIONS_ON_DEMAND})
