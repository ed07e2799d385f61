"""The tables of element types under the names of earlier releases of `onnx`; deprecated, still read by converters.

The functions of helper say the same: `tensor_dtype_to_np_dtype`, `np_dtype_to_tensor_dtype`, `tensor_dtype_to_storage_tensor_dtype` and
`tensor_dtype_to_field`.
"""

from __future__ import annotations

import warnings

from onnx_light.onnx import _mapping
from onnx_light.onnx_py._onnxpy import OptionalProto, SequenceProto, TensorProto

warnings.warn(
    "onnx.mapping is deprecated: use the functions of onnx.helper that convert between element types", DeprecationWarning, stacklevel=2
)

TENSOR_TYPE_MAP = _mapping.TENSOR_TYPE_MAP
TENSOR_TYPE_TO_NP_TYPE = {number: entry.np_dtype for number, entry in TENSOR_TYPE_MAP.items()}
NP_TYPE_TO_TENSOR_TYPE = dict(_mapping.NP_TYPE_TO_TENSOR_TYPE)
TENSOR_TYPE_TO_STORAGE_TENSOR_TYPE = {number: entry.storage_dtype for number, entry in TENSOR_TYPE_MAP.items()}
# Keyed by types of typed storage, which 16-bit floats and complex numbers were once counted among.
STORAGE_TENSOR_TYPE_TO_FIELD = {
    **_mapping.STORAGE_FIELD,
    TensorProto.UINT16: "int32_data",
    TensorProto.UINT32: "uint64_data",
    TensorProto.BOOL: "int32_data",
    TensorProto.COMPLEX64: "float_data",
    TensorProto.COMPLEX128: "double_data",
}
STORAGE_ELEMENT_TYPE_TO_FIELD = {
    SequenceProto.TENSOR: "tensor_values",
    SequenceProto.SPARSE_TENSOR: "sparse_tensor_values",
    SequenceProto.SEQUENCE: "sequence_values",
    SequenceProto.MAP: "map_values",
    OptionalProto.OPTIONAL: "optional_value",
}
OPTIONAL_ELEMENT_TYPE_TO_FIELD = {
    OptionalProto.TENSOR: "tensor_value",
    OptionalProto.SPARSE_TENSOR: "sparse_tensor_value",
    OptionalProto.SEQUENCE: "sequence_value",
    OptionalProto.MAP: "map_value",
    OptionalProto.OPTIONAL: "optional_value",
}
