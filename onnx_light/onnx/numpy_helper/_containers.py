"""Sequences, maps and optionals as lists, dicts, and values or None."""

from __future__ import annotations

from typing import Any

import numpy as np

from onnx_light.onnx import _mapping
from onnx_light.onnx.helper import make_map, np_dtype_to_tensor_dtype
from onnx_light.onnx.numpy_helper._tensors import from_array, text_or_bytes, to_array
from onnx_light.onnx_py._onnxpy import MapProto, OptionalProto, SequenceProto, TensorProto


def to_list(sequence: SequenceProto) -> list[Any]:
    """The values of a sequence: arrays, lists or dicts.

    Raises:
        TypeError: the sequence has no element type, or one that has no form in Python.
    """
    elem_type = sequence.elem_type
    if elem_type == SequenceProto.TENSOR:
        return [to_array(value) for value in sequence.tensor_values]
    if elem_type == SequenceProto.SEQUENCE:
        return [to_list(value) for value in sequence.sequence_values]
    if elem_type == SequenceProto.MAP:
        return [to_dict(value) for value in sequence.map_values]
    raise TypeError(f"sequence {sequence.name!r}: values of element type {elem_type} have no form in Python")


def _elem_type(values: list[Any], dtype: int | None) -> int:
    if dtype:
        return dtype
    if len(values) == 0:  # it may be an array
        return int(SequenceProto.TENSOR)
    if isinstance(values[0], dict):
        return int(SequenceProto.MAP)
    return int(SequenceProto.SEQUENCE if isinstance(values[0], list) else SequenceProto.TENSOR)


def from_list(lst: list[Any], name: str | None = None, dtype: int | None = None) -> SequenceProto:
    """A sequence of values.

    Args:
        lst: arrays (or what numpy makes arrays of), lists or dicts; all of one class.
        name: the sequence's name; left out if empty.
        dtype: its SequenceProto.DataType; told by the first value if it is not given, TENSOR for an empty list.

    Raises:
        TypeError: the values are of several classes, or of none that a sequence holds.
    """
    sequence = SequenceProto()
    if name:
        sequence.name = name
    elem_type = _elem_type(lst, dtype)
    sequence.elem_type = elem_type
    if any(not isinstance(value, type(lst[0])) for value in lst):
        classes = sorted({type(value).__name__ for value in lst})
        raise TypeError(f"the values of a sequence are all of one class; these are {', '.join(classes)}")
    if elem_type == SequenceProto.TENSOR:
        sequence.tensor_values.extend([from_array(np.asarray(value)) for value in lst])
    elif elem_type == SequenceProto.SEQUENCE:
        if len(lst) and isinstance(lst[0], dict):
            raise TypeError("a sequence of sequences is made of lists, not of dicts")
        sequence.sequence_values.extend([from_list(list(value)) for value in lst])
    elif elem_type == SequenceProto.MAP:
        sequence.map_values.extend([from_dict(value) for value in lst])
    else:
        raise TypeError(f"a sequence can be made of arrays, lists and dicts, not of element type {elem_type}")
    return sequence


def to_dict(map_proto: MapProto) -> dict[Any, Any]:
    """The keys and values of a map; keys are int, or str (bytes where they are no UTF-8).

    Raises:
        IndexError: there are more keys than values, or the reverse.
        TypeError: the values have no form in Python.
    """
    if map_proto.key_type == TensorProto.STRING:
        keys: list[Any] = [text_or_bytes(key) for key in map_proto.string_keys]
    else:
        keys = list(map_proto.keys)
    values = to_list(map_proto.values)
    if len(keys) != len(values):
        raise IndexError(f"map {map_proto.name!r}: the numbers of keys and values, {len(keys)} and {len(values)}, are not the same")
    return dict(zip(keys, values, strict=True))


def _kind(value: Any) -> str:
    """What the values of a map have to have in common."""
    return type(value).__name__ if isinstance(value, (list, dict)) else str(np.asarray(value).dtype)


def from_dict(dict_: dict[Any, Any], name: str | None = None) -> MapProto:
    """A map of keys and values.

    Args:
        dict_: keys are integers, or text; values are arrays, lists or dicts, all of one class.
        name: the map's name; left out if empty.

    Raises:
        ValueError: the dict is empty, so that it has no types.
        TypeError: keys or values are of several classes, or of one that a map does not have.
    """
    if not dict_:
        raise ValueError("an empty dict has no key type and no value type, so it cannot become a MapProto")
    keys = list(dict_)
    values = list(dict_.values())
    if any(not isinstance(key, type(keys[0])) for key in keys):
        raise TypeError(f"the keys of a map are all of one class; these are {sorted({type(key).__name__ for key in keys})}")
    if len(kinds := {_kind(value) for value in values}) > 1:
        raise TypeError(f"the values of a map are all of one kind; these are {sorted(kinds)}")
    if isinstance(keys[0], (str, bytes)):
        key_type = int(TensorProto.STRING)
        keys = [key.encode() if isinstance(key, str) else key for key in keys]
    else:
        key_type = np_dtype_to_tensor_dtype(np.asarray(keys[0]).dtype)
        if key_type not in _mapping.INTEGER_TYPES:
            raise TypeError(f"Unsupported map key type: {type(keys[0]).__name__}; keys are integers or text")
    map_proto = make_map("", key_type, keys, from_list(values))
    if name:
        map_proto.name = name
    else:
        map_proto.ClearField("name")
    return map_proto


def to_optional(optional: OptionalProto) -> Any:
    """The value of an optional: an array, list, dict, or None if it has none.

    Raises:
        TypeError: it has a value that has no form in Python.
    """
    elem_type = optional.elem_type
    if elem_type == OptionalProto.UNDEFINED:
        return None
    if elem_type == OptionalProto.TENSOR:
        return to_array(optional.tensor_value)
    if elem_type == OptionalProto.SEQUENCE:
        return to_list(optional.sequence_value)
    if elem_type == OptionalProto.MAP:
        return to_dict(optional.map_value)
    if elem_type == OptionalProto.OPTIONAL:
        return to_optional(optional.optional_value)
    raise TypeError(f"optional {optional.name!r}: a value of element type {elem_type} has no form in Python")


def from_optional(opt: Any, name: str | None = None, dtype: int | None = None) -> OptionalProto:
    """A value, or its absence.

    Args:
        opt: an array, list, dict, or None.
        name: the optional's name; left out if empty.
        dtype: its OptionalProto.DataType; told by the value if it is not given.

    Raises:
        TypeError: there is no such dtype.
    """
    if dtype is not None and dtype not in OptionalProto.DataType.values():
        raise TypeError(f"{dtype} is no OptionalProto.DataType")
    optional = OptionalProto()
    if name:
        optional.name = name
    if opt is None:
        optional.elem_type = dtype or OptionalProto.UNDEFINED
        return optional
    if dtype is None:
        told = OptionalProto.SEQUENCE if isinstance(opt, list) else OptionalProto.TENSOR
        dtype = OptionalProto.MAP if isinstance(opt, dict) else told
    optional.elem_type = dtype
    if dtype == OptionalProto.TENSOR:
        optional.tensor_value.CopyFrom(from_array(opt))
    elif dtype == OptionalProto.SEQUENCE:
        optional.sequence_value.CopyFrom(from_list(opt))
    elif dtype == OptionalProto.MAP:
        optional.map_value.CopyFrom(from_dict(opt))
    else:
        raise TypeError(f"an optional can be made of an array, list or dict, not as {OptionalProto.DataType.Name(dtype)}")
    return optional
