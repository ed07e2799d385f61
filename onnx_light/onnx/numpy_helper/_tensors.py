"""Tensors and arrays."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from onnx_light.onnx import _arrays, _mapping
from onnx_light.onnx.helper import np_dtype_to_tensor_dtype
from onnx_light.onnx_py._onnxpy import TensorProto

_STRING = TensorProto.STRING
_EXTERNAL = TensorProto.EXTERNAL


def _count(tensor: TensorProto, dims: list[int]) -> int:
    count = 1
    for size in dims:
        if size < 0:
            raise ValueError(f"tensor {tensor.name!r}: the shape {dims} has a negative dimension")
        count *= size
    return count


def _strings(tensor: TensorProto, count: int) -> np.ndarray[Any, Any]:
    values = list(tensor.string_data)
    if len(values) != count:
        raise ValueError(f"it has {len(values)} strings")
    array = np.empty(count, object)
    for at, value in enumerate(values):
        array[at] = text_or_bytes(value)
    return array


def text_or_bytes(value: bytes) -> str | bytes:
    """Text, if the bytes are UTF-8; the bytes themselves otherwise."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


def to_array(tensor: TensorProto, base_dir: str | os.PathLike[str] = "") -> np.ndarray[Any, Any]:
    """The elements of a tensor as an array of its shape and type. The tensor is not changed.

    Elements in raw_data are not copied where their layout is that of numpy: the array is then a read-only view, which stays valid when the
    tensor goes. Strings become an array of str objects; what is no UTF-8 stays bytes.

    Args:
        tensor: the tensor.
        base_dir: the folder of the model, for elements that lie in another file.

    Raises:
        TypeError: the tensor has no element type.
        KeyError: its element type is unknown.
        ValueError: its shape does not fit the number of its elements, or it is a segment of a larger tensor.
        ValidationError, OSError: the file with its elements cannot be read.
    """
    if tensor.HasField("segment"):
        raise ValueError(f"tensor {tensor.name!r}: segments of larger tensors are not supported")
    data_type = tensor.data_type
    if data_type == 0:
        raise TypeError(f"tensor {tensor.name!r}: its element type is UNDEFINED")
    dtype = _mapping.TENSOR_TYPE_MAP[data_type].np_dtype
    dims = list(tensor.dims)
    count = _count(tensor, dims)
    try:
        if data_type == _STRING:
            return _strings(tensor, count).reshape(dims)
        if tensor.data_location == _EXTERNAL:
            from onnx_light.onnx.external_data_helper import _read_external_data_bytes  # here, as it imports this module

            data = _read_external_data_bytes(tensor, os.fspath(base_dir))
            return _arrays.array_from_raw(data, dtype, count).reshape(dims)
        if tensor.HasField("raw_data"):
            return _arrays.array_from_raw(_arrays.payload(tensor), dtype, count).reshape(dims)
        return _arrays.array_from_typed_field(tensor, dtype, count).reshape(dims)
    except ValueError as error:
        if type(error) is not ValueError:
            raise
        raise ValueError(f"tensor {tensor.name!r} of shape {dims}: {error}") from None


def from_array(array: np.ndarray[Any, Any], /, name: str | None = None, *, copy: bool | None = None) -> TensorProto:
    """A tensor with the elements, shape and type of an array.

    Numbers go into raw_data, text (of fixed width or as objects, str or bytes) into string_data.

    Args:
        array: an array or numpy scalar, of any layout.
        name: the tensor's name; left out if empty.
        copy: whether the array's memory is copied. If not, what is written into the array later shows in the tensor. None: unless the
            array, and what it is a view of, are read-only.

    Raises:
        ValueError: ONNX has no such element type.
        NotImplementedError: an array of objects holds something else than text.
    """
    tensor = TensorProto()
    tensor.dims.extend(array.shape)
    if name:
        tensor.name = name
    dtype = array.dtype
    if dtype.kind in "OUS":
        tensor.data_type = _STRING
        tensor.string_data.extend([_text_bytes(item) for item in np.asarray(array).reshape(-1).tolist()])
        return tensor
    if dtype.byteorder == ">":
        dtype = dtype.newbyteorder("=")
    tensor.data_type = np_dtype_to_tensor_dtype(dtype)
    _arrays.set_payload(tensor, np.asarray(array), copy)
    return tensor


def _text_bytes(item: Any) -> bytes:
    if isinstance(item, str):
        return item.encode()
    if isinstance(item, bytes):
        return item
    if isinstance(item, np.ndarray) and item.dtype.kind in "SU":
        return item.tobytes() if item.dtype.kind == "S" else str(item).encode()
    raise NotImplementedError(f"an array of objects becomes a tensor if it holds str or bytes; this one holds {type(item).__name__}")
