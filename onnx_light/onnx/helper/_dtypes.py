"""Between the element types of ONNX and of numpy."""

from __future__ import annotations

from collections.abc import KeysView
from typing import Any

import numpy as np

from onnx_light.onnx import _mapping
from onnx_light.onnx_py._onnxpy import TensorProto

_MAP = _mapping.TENSOR_TYPE_MAP


def tensor_dtype_to_np_dtype(tensor_dtype: int) -> np.dtype[Any]:
    """The numpy type of elements of a TensorProto.DataType; those that numpy lacks come from ml_dtypes.

    Raises:
        KeyError: there is no such element type, or it is UNDEFINED.
    """
    return _MAP[tensor_dtype].np_dtype


def tensor_dtype_to_storage_tensor_dtype(tensor_dtype: int) -> int:
    """The DataType as which typed fields store elements of a DataType: INT32 for BOOL, because BOOL lies in int32_data. Raises KeyError."""
    return _MAP[tensor_dtype].storage_dtype


def tensor_dtype_to_string(tensor_dtype: int) -> str:
    """The name of a DataType as code has it: "TensorProto.FLOAT". Raises KeyError."""
    return _MAP[tensor_dtype].name


def tensor_dtype_to_field(tensor_dtype: int) -> str:
    """The name of the TensorProto field that holds elements of a DataType when they are not in raw_data. Raises KeyError."""
    return _mapping.STORAGE_FIELD[_MAP[tensor_dtype].storage_dtype]


def np_dtype_to_tensor_dtype(np_dtype: Any) -> int:
    """The TensorProto.DataType of a numpy type; text and objects are STRING.

    Raises:
        ValueError: ONNX has no such type.
    """
    found = _mapping.NP_TYPE_TO_TENSOR_TYPE.get(np_dtype) if isinstance(np_dtype, np.dtype) else None
    if found is not None:
        return found
    if isinstance(np_dtype, np.dtype) and np_dtype.kind in "USO":
        return int(TensorProto.STRING)
    raise ValueError(f"{np_dtype!r} is no element type of ONNX")


def get_all_tensor_dtypes() -> KeysView[int]:
    """All element types as numbers of TensorProto.DataType, without UNDEFINED."""
    return _MAP.keys()
