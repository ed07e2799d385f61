"""The table of element types: for each TensorProto.DataType the numpy type, the type it is stored as in typed fields, and its name.

The one place where element types are listed for Python; helper, numpy_helper and the tables of earlier releases read it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from onnx_light.onnx_py._onnxpy import TensorProto


class TensorDtypeMap(NamedTuple):
    """One element type: its numpy type, the DataType of its typed storage, and "TensorProto.<NAME>"."""

    np_dtype: np.dtype[Any]
    storage_dtype: int
    name: str


# name, numpy type, the type whose field stores it, bits of one element; in the order in which `onnx` lists them
_TYPES: tuple[tuple[str, Any, str, int], ...] = (
    ("FLOAT", np.float32, "FLOAT", 32),
    ("UINT8", np.uint8, "INT32", 8),
    ("INT8", np.int8, "INT32", 8),
    ("UINT16", np.uint16, "INT32", 16),
    ("INT16", np.int16, "INT32", 16),
    ("INT32", np.int32, "INT32", 32),
    ("INT64", np.int64, "INT64", 64),
    ("BOOL", np.bool_, "INT32", 8),
    ("FLOAT16", np.float16, "INT32", 16),
    ("BFLOAT16", ml_dtypes.bfloat16, "INT32", 16),
    ("DOUBLE", np.float64, "DOUBLE", 64),
    ("COMPLEX64", np.complex64, "FLOAT", 64),
    ("COMPLEX128", np.complex128, "DOUBLE", 128),
    ("UINT32", np.uint32, "UINT64", 32),
    ("UINT64", np.uint64, "UINT64", 64),
    ("STRING", np.object_, "STRING", 0),
    ("FLOAT8E4M3FN", ml_dtypes.float8_e4m3fn, "INT32", 8),
    ("FLOAT8E4M3FNUZ", ml_dtypes.float8_e4m3fnuz, "INT32", 8),
    ("FLOAT8E5M2", ml_dtypes.float8_e5m2, "INT32", 8),
    ("FLOAT8E5M2FNUZ", ml_dtypes.float8_e5m2fnuz, "INT32", 8),
    ("UINT4", ml_dtypes.uint4, "INT32", 4),
    ("INT4", ml_dtypes.int4, "INT32", 4),
    ("FLOAT4E2M1", ml_dtypes.float4_e2m1fn, "INT32", 4),
    ("FLOAT8E8M0", ml_dtypes.float8_e8m0fnu, "INT32", 8),
    ("UINT2", ml_dtypes.uint2, "INT32", 2),
    ("INT2", ml_dtypes.int2, "INT32", 2),
    ("FLOAT6E2M3", ml_dtypes.float6_e2m3fn, "INT32", 6),
    ("FLOAT6E3M2", ml_dtypes.float6_e3m2fn, "INT32", 6),
)

TENSOR_TYPE_MAP: dict[int, TensorDtypeMap] = {
    TensorProto.DataType.Value(name): TensorDtypeMap(np.dtype(dtype), TensorProto.DataType.Value(storage), f"TensorProto.{name}")
    for name, dtype, storage, _ in _TYPES
}

# Whole numbers that numpy itself knows: keys of maps, and the only lists of bytes that are no strings.
INTEGER_TYPES: frozenset[int] = frozenset(number for number, entry in TENSOR_TYPE_MAP.items() if entry.np_dtype.kind in "iu")

# Bits that one element takes in raw_data; strings have no raw form.
BITS: dict[int, int] = {TensorProto.DataType.Value(name): bits for name, _, _, bits in _TYPES if bits}

# Which field of a TensorProto holds values that are stored as this type.
STORAGE_FIELD: dict[int, str] = {
    TensorProto.FLOAT: "float_data",
    TensorProto.INT32: "int32_data",
    TensorProto.INT64: "int64_data",
    TensorProto.DOUBLE: "double_data",
    TensorProto.UINT64: "uint64_data",
    TensorProto.STRING: "string_data",
}

NP_TYPE_TO_TENSOR_TYPE: dict[np.dtype[Any], int] = {entry.np_dtype: number for number, entry in TENSOR_TYPE_MAP.items()}
