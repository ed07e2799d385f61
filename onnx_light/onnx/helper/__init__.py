"""Makes messages from Python values, takes them apart again, and knows the tables of types and versions.

from onnx_light.onnx import TensorProto, helper

x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 3])
y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["N", 3])
graph = helper.make_graph([helper.make_node("LeakyRelu", ["x"], ["y"], alpha=0.1)], "net", [x], [y])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)])
"""

from __future__ import annotations

from typing import Any

from onnx_light.onnx.helper._attributes import (
    _attr_type_to_str,
    get_attribute_value,
    get_node_attr_value,
    make_attribute,
    make_attribute_ref,
)
from onnx_light.onnx.helper._dtypes import (
    get_all_tensor_dtypes,
    np_dtype_to_tensor_dtype,
    tensor_dtype_to_field,
    tensor_dtype_to_np_dtype,
    tensor_dtype_to_storage_tensor_dtype,
    tensor_dtype_to_string,
)
from onnx_light.onnx.helper._nodes import (
    AssignmentBindingType,
    make_function,
    make_graph,
    make_model,
    make_model_gen_version,
    make_node,
    make_operatorsetid,
    make_opsetid,
    make_training_info,
    set_metadata_props,
    set_model_props,
    strip_doc_string,
)
from onnx_light.onnx.helper._old import (
    float32_to_bfloat16,
    float32_to_float8e4m3,
    float32_to_float8e5m2,
    make_sequence_value_info,
    split_complex_to_pairs,
)
from onnx_light.onnx.helper._printable import (
    printable_attribute,
    printable_dim,
    printable_graph,
    printable_node,
    printable_tensor_proto,
    printable_type,
    printable_value_info,
)
from onnx_light.onnx.helper._tensors import make_map, make_optional, make_sequence, make_sparse_tensor, make_tensor
from onnx_light.onnx.helper._types import (
    make_empty_tensor_value_info,
    make_map_type_proto,
    make_optional_type_proto,
    make_sequence_type_proto,
    make_sparse_tensor_type_proto,
    make_sparse_tensor_value_info,
    make_tensor_sequence_value_info,
    make_tensor_type_proto,
    make_tensor_value_info,
    make_value_info,
)
from onnx_light.onnx.helper._versions import (
    OP_SET_ID_VERSION_MAP,
    VERSION_TABLE,
    VersionMapType,
    VersionRowType,
    VersionTableType,
    find_min_ir_version_for,
)
from onnx_light.onnx_py._onnxpy import (
    AttributeProto,
    FunctionProto,
    GraphProto,
    MapProto,
    ModelProto,
    NodeProto,
    OperatorSetIdProto,
    OptionalProto,
    SequenceProto,
    TensorProto,
    TensorShapeProto,
    TrainingInfoProto,
    TypeProto,
    ValueInfoProto,
)

__all__ = [
    "OP_SET_ID_VERSION_MAP",
    "VERSION_TABLE",
    "AssignmentBindingType",
    "AttributeProto",
    "FunctionProto",
    "GraphProto",
    "MapProto",
    "ModelProto",
    "NodeProto",
    "OperatorSetIdProto",
    "OptionalProto",
    "SequenceProto",
    "TensorProto",
    "TensorShapeProto",
    "TrainingInfoProto",
    "TypeProto",
    "ValueInfoProto",
    "VersionMapType",
    "VersionRowType",
    "VersionTableType",
    "_attr_type_to_str",
    "find_min_ir_version_for",
    "float32_to_bfloat16",
    "float32_to_float8e4m3",
    "float32_to_float8e5m2",
    "get_all_tensor_dtypes",
    "get_attribute_value",
    "get_node_attr_value",
    "make_attribute",
    "make_attribute_ref",
    "make_empty_tensor_value_info",
    "make_function",
    "make_graph",
    "make_map",
    "make_map_type_proto",
    "make_model",
    "make_model_gen_version",
    "make_node",
    "make_operatorsetid",
    "make_opsetid",
    "make_optional",
    "make_optional_type_proto",
    "make_sequence",
    "make_sequence_type_proto",
    "make_sequence_value_info",
    "make_sparse_tensor",
    "make_sparse_tensor_type_proto",
    "make_sparse_tensor_value_info",
    "make_tensor",
    "make_tensor_sequence_value_info",
    "make_tensor_type_proto",
    "make_tensor_value_info",
    "make_training_info",
    "make_value_info",
    "np_dtype_to_tensor_dtype",
    "printable_attribute",
    "printable_dim",
    "printable_graph",
    "printable_node",
    "printable_tensor_proto",
    "printable_type",
    "printable_value_info",
    "set_metadata_props",
    "set_model_props",
    "split_complex_to_pairs",
    "strip_doc_string",
    "tensor_dtype_to_field",
    "tensor_dtype_to_np_dtype",
    "tensor_dtype_to_storage_tensor_dtype",
    "tensor_dtype_to_string",
]

# Functions say that they are of this module, whatever file they stand in: pickles and error texts name them so.
for _name in __all__:
    _object: Any = globals()[_name]
    if getattr(_object, "__module__", "").startswith(f"{__name__}."):
        _object.__module__ = __name__
