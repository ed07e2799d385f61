"""Types and value infos."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from onnx_light.onnx_py._onnxpy import TypeProto, ValueInfoProto

_Shape = Sequence[str | int | None] | None


def _fill_shape(shape_proto: Any, shape: Sequence[str | int | None], denotations: Sequence[str] | None) -> None:
    if denotations and len(denotations) != len(shape):
        raise ValueError(f"shape_denotation has {len(denotations)} entries for a shape of {len(shape)} dimensions")
    add = shape_proto.dim.add
    for at, size in enumerate(shape):
        dim = add()
        if isinstance(size, int):
            dim.dim_value = size
        elif isinstance(size, str):
            dim.dim_param = size
        elif size is not None:
            raise ValueError(f"dimension {at} of a shape is an int, a str or None, not {size!r} ({type(size).__name__})")
        if denotations:
            dim.denotation = denotations[at]


def _fill_tensor_type(tensor_type: Any, elem_type: int, shape: _Shape, denotations: Sequence[str] | None) -> None:
    tensor_type.elem_type = elem_type
    if shape is not None:
        tensor_type.shape.SetInParent()  # a scalar has a shape without dimensions
        _fill_shape(tensor_type.shape, list(shape), denotations)


def make_tensor_type_proto(elem_type: int, shape: _Shape, shape_denotation: list[str] | None = None) -> TypeProto:
    """The type of tensors of an element type and a shape.

    Args:
        elem_type: a TensorProto.DataType.
        shape: a size, a name or None for each dimension; () for a scalar, None for a tensor of unknown rank.
        shape_denotation: what each dimension means, one entry a dimension.

    Raises:
        ValueError: a dimension is none of the three, or shape_denotation has another length.
    """
    type_proto = TypeProto()
    _fill_tensor_type(type_proto.tensor_type, elem_type, shape, shape_denotation)
    return type_proto


def make_sparse_tensor_type_proto(elem_type: int, shape: _Shape, shape_denotation: list[str] | None = None) -> TypeProto:
    """The type of sparse tensors; the arguments are those of make_tensor_type_proto."""
    type_proto = TypeProto()
    _fill_tensor_type(type_proto.sparse_tensor_type, elem_type, shape, shape_denotation)
    return type_proto


def make_sequence_type_proto(inner_type_proto: TypeProto) -> TypeProto:
    """The type of sequences of values of a type."""
    type_proto = TypeProto()
    type_proto.sequence_type.elem_type.CopyFrom(inner_type_proto)
    return type_proto


def make_optional_type_proto(inner_type_proto: TypeProto) -> TypeProto:
    """The type of values that are of a type or absent."""
    type_proto = TypeProto()
    type_proto.optional_type.elem_type.CopyFrom(inner_type_proto)
    return type_proto


def make_map_type_proto(key_type: int, value_type: TypeProto) -> TypeProto:
    """The type of maps from keys of a TensorProto.DataType (an integer type or STRING) to values of a type."""
    type_proto = TypeProto()
    type_proto.map_type.key_type = key_type
    type_proto.map_type.value_type.CopyFrom(value_type)
    return type_proto


def _named(name: str, doc_string: str) -> ValueInfoProto:
    value_info = ValueInfoProto()
    value_info.name = name
    if doc_string:
        value_info.doc_string = doc_string
    return value_info


def make_value_info(name: str, type_proto: TypeProto, doc_string: str = "") -> ValueInfoProto:
    """A value with a name and a type. An empty doc_string is left out."""
    value_info = _named(name, doc_string)
    value_info.type.CopyFrom(type_proto)
    return value_info


def make_empty_tensor_value_info(name: str) -> ValueInfoProto:
    """A value with a name and no type."""
    return _named(name, "")


def make_tensor_value_info(
    name: str, elem_type: int, shape: _Shape, doc_string: str = "", shape_denotation: list[str] | None = None
) -> ValueInfoProto:
    """A value that is a tensor; the arguments are those of make_tensor_type_proto and make_value_info."""
    value_info = _named(name, doc_string)
    _fill_tensor_type(value_info.type.tensor_type, elem_type, shape, shape_denotation)
    return value_info


def make_sparse_tensor_value_info(
    name: str, elem_type: int, shape: _Shape, doc_string: str = "", shape_denotation: list[str] | None = None
) -> ValueInfoProto:
    """A value that is a sparse tensor; the arguments are those of make_tensor_type_proto and make_value_info."""
    value_info = _named(name, doc_string)
    _fill_tensor_type(value_info.type.sparse_tensor_type, elem_type, shape, shape_denotation)
    return value_info


def make_tensor_sequence_value_info(
    name: str, elem_type: int, shape: _Shape, doc_string: str = "", elem_shape_denotation: list[str] | None = None
) -> ValueInfoProto:
    """A value that is a sequence of tensors; the arguments are those of make_tensor_type_proto and make_value_info."""
    tensor_type = make_tensor_type_proto(elem_type, shape, elem_shape_denotation)
    return make_value_info(name, make_sequence_type_proto(tensor_type), doc_string)
