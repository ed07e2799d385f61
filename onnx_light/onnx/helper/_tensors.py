"""Tensors from values, and the containers of tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from onnx_light.onnx import _arrays, _mapping
from onnx_light.onnx_py._onnxpy import MapProto, OptionalProto, SequenceProto, SparseTensorProto, TensorProto

_SEQUENCE_FIELDS: dict[int, str] = {
    SequenceProto.TENSOR: "tensor_values",
    SequenceProto.SPARSE_TENSOR: "sparse_tensor_values",
    SequenceProto.SEQUENCE: "sequence_values",
    SequenceProto.MAP: "map_values",
    SequenceProto.OPTIONAL: "optional_values",
}
_OPTIONAL_FIELDS: dict[int, str] = {
    OptionalProto.TENSOR: "tensor_value",
    OptionalProto.SPARSE_TENSOR: "sparse_tensor_value",
    OptionalProto.SEQUENCE: "sequence_value",
    OptionalProto.MAP: "map_value",
    OptionalProto.OPTIONAL: "optional_value",
}


def _raw_bytes(name: str, data_type: int, vals: Any, count: int) -> bytes:
    if data_type == TensorProto.STRING:
        raise TypeError(f"tensor {name!r}: strings cannot be raw data")
    bits = _mapping.BITS[data_type]
    if isinstance(vals, np.ndarray):
        # Elements of less than a byte are often at hand as bytes, one each.
        is_codes = bits < 8 and vals.itemsize == 1 and vals.size == count
        data = _arrays.pack(vals, bits).tobytes() if is_codes else _arrays.raw_bytes_of(vals)
    elif isinstance(vals, bytes):
        data = vals
    else:
        raise TypeError(f"tensor {name!r}: raw data is bytes or an array, not {type(vals).__name__}")
    needed = (count * bits + 7) // 8
    if len(data) != needed:
        type_name = TensorProto.DataType.Name(data_type)
        raise ValueError(f"tensor {name!r}: {count} elements of {type_name} need {needed} bytes of raw data, {len(data)} are given")
    return data


def make_tensor(name: str, data_type: int, dims: Sequence[int], vals: Any, raw: bool = False) -> TensorProto:
    """A tensor from values.

    Args:
        name: its name.
        data_type: a TensorProto.DataType.
        dims: its shape.
        vals: its elements in row-major order, of any shape: numbers, or text for STRING. Numbers that small floats cannot hold become the
            nearest that they can. With raw, bytes in the layout of raw_data, or an array whose bytes are taken;
            where several elements share a byte, they are packed, also those of an array of bytes.
        raw: store the elements in raw_data instead of the typed field.

    Raises:
        KeyError: there is no such data_type.
        ValueError: the number of elements or bytes does not fit dims.
        TypeError: vals are of a kind that data_type cannot be made of.
        OverflowError: an integer does not fit data_type.
    """
    tensor = TensorProto()
    tensor.data_type = data_type
    tensor.name = name
    dtype = _mapping.TENSOR_TYPE_MAP[data_type].np_dtype
    count = math.prod(dims)
    tensor.dims.extend(dims)
    if raw:
        tensor.raw_data = _raw_bytes(name, data_type, vals, count)
        return tensor
    if data_type == TensorProto.STRING:
        values = np.array(vals, dtype=object).flatten().tolist()
        texts = [value.encode() if isinstance(value, str) else value for value in values]
        _check_count(name, len(texts), count)
        tensor.string_data.extend(texts)
        return tensor
    array = _arrays.array_of_values(vals, dtype)
    _check_count(name, array.size, count)
    _arrays.fill_typed_field(tensor, array)
    return tensor


def _check_count(name: str, given: int, needed: int) -> None:
    if given != needed:
        raise ValueError(f"tensor {name!r}: Number of values ({given}) does not match tensor dimensions, which need {needed}")


def make_sparse_tensor(values: TensorProto, indices: TensorProto, dims: Sequence[int]) -> SparseTensorProto:
    """A sparse tensor of shape `dims` with `values` at `indices`; see SparseTensorProto for the two layouts of indices."""
    sparse = SparseTensorProto()
    sparse.values.CopyFrom(values)
    sparse.indices.CopyFrom(indices)
    sparse.dims.extend(dims)
    return sparse


def make_sequence(name: str, elem_type: int, values: Sequence[Any]) -> SequenceProto:
    """A sequence of messages.

    Args:
        name: its name.
        elem_type: a SequenceProto.DataType; with UNDEFINED the values are left out.
        values: messages of the class that elem_type says.

    Raises:
        TypeError: there is no such elem_type, or a value is of another class.
    """
    sequence = SequenceProto()
    sequence.name = name
    field = _SEQUENCE_FIELDS.get(elem_type)
    if field is None and elem_type != SequenceProto.UNDEFINED:
        raise TypeError(f"sequence {name!r}: {elem_type!r} is no SequenceProto.DataType")
    sequence.elem_type = elem_type
    if field is not None:
        getattr(sequence, field).extend(values)
    return sequence


def make_map(name: str, key_type: int, keys: list[Any], values: SequenceProto) -> MapProto:
    """A map from keys to the values of a sequence, in the same order.

    Args:
        name: its name.
        key_type: a TensorProto.DataType: an integer type, or STRING with bytes as keys. Keys of other types are left out.
        keys: the keys.
        values: as many values as keys.

    Raises:
        TypeError: a key is not of the type.
    """
    map_proto = MapProto()
    map_proto.name = name
    map_proto.key_type = key_type
    if key_type == TensorProto.STRING:
        map_proto.string_keys.extend(keys)
    elif key_type in _mapping.INTEGER_TYPES:
        map_proto.keys.extend(keys)
    map_proto.values.CopyFrom(values)
    return map_proto


def make_optional(name: str, elem_type: int, value: Any) -> OptionalProto:
    """A value that may be absent.

    Args:
        name: its name.
        elem_type: an OptionalProto.DataType; with UNDEFINED there is no value.
        value: a message of the class that elem_type says.

    Raises:
        TypeError: there is no such elem_type, or the value is of another class, or None.
    """
    optional = OptionalProto()
    optional.name = name
    field = _OPTIONAL_FIELDS.get(elem_type)
    if field is None and elem_type != OptionalProto.UNDEFINED:
        raise TypeError(f"optional {name!r}: {elem_type!r} is no OptionalProto.DataType")
    optional.elem_type = elem_type
    if field is not None:
        getattr(optional, field).CopyFrom(value)
    return optional
