"""Attributes: from Python values, and back to them."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np

from onnx_light.onnx_py import _onnxpy
from onnx_light.onnx_py._onnxpy import AttributeProto, GraphProto, NodeProto, SparseTensorProto, TensorProto, TypeProto

_fill_attribute = _onnxpy.build.fill_attribute
_UNDEFINED = AttributeProto.UNDEFINED
# Where values of an attribute type lie.
_FIELDS: dict[int, str] = {
    AttributeProto.FLOAT: "f",
    AttributeProto.INT: "i",
    AttributeProto.STRING: "s",
    AttributeProto.TENSOR: "t",
    AttributeProto.GRAPH: "g",
    AttributeProto.SPARSE_TENSOR: "sparse_tensor",
    AttributeProto.TYPE_PROTO: "tp",
    AttributeProto.FLOATS: "floats",
    AttributeProto.INTS: "ints",
    AttributeProto.STRINGS: "strings",
    AttributeProto.TENSORS: "tensors",
    AttributeProto.GRAPHS: "graphs",
    AttributeProto.SPARSE_TENSORS: "sparse_tensors",
    AttributeProto.TYPE_PROTOS: "type_protos",
}
_LIST_OF: dict[int, int] = {
    AttributeProto.FLOAT: AttributeProto.FLOATS,
    AttributeProto.INT: AttributeProto.INTS,
    AttributeProto.STRING: AttributeProto.STRINGS,
    AttributeProto.TENSOR: AttributeProto.TENSORS,
    AttributeProto.GRAPH: AttributeProto.GRAPHS,
    AttributeProto.SPARSE_TENSOR: AttributeProto.SPARSE_TENSORS,
    AttributeProto.TYPE_PROTO: AttributeProto.TYPE_PROTOS,
}
_LISTS = frozenset(_LIST_OF.values())
# The kind of value by its exact class; what is not here is looked at more closely.
_KIND_OF_CLASS: dict[type, int] = {
    int: AttributeProto.INT,
    bool: AttributeProto.INT,
    float: AttributeProto.FLOAT,
    str: AttributeProto.STRING,
    bytes: AttributeProto.STRING,
    TensorProto: AttributeProto.TENSOR,
    GraphProto: AttributeProto.GRAPH,
    SparseTensorProto: AttributeProto.SPARSE_TENSOR,
    TypeProto: AttributeProto.TYPE_PROTO,
}
_INT = AttributeProto.INT
_FLOAT = AttributeProto.FLOAT
_STRING = AttributeProto.STRING
_INTS = AttributeProto.INTS
_FLOATS = AttributeProto.FLOATS
_STRINGS = AttributeProto.STRINGS


def _attr_type_to_str(attr_type: int) -> str:
    """The name of an attribute type; UNDEFINED for what is none."""
    try:
        return str(AttributeProto.AttributeType.Name(attr_type))
    except ValueError:
        return "UNDEFINED"


def _kind(value: Any) -> int:
    """The attribute type of one value, UNDEFINED for what is none."""
    kind = _KIND_OF_CLASS.get(type(value))
    if kind is not None:
        return kind
    if isinstance(value, (numbers.Integral, np.bool_)):
        return int(_INT)
    if isinstance(value, numbers.Real) or (isinstance(value, np.generic) and value.dtype.kind == "V" and value.dtype.names is None):
        return int(_FLOAT)  # the second: small floats of ml_dtypes
    if isinstance(value, (str, bytes)):
        return int(_STRING)
    return int(_UNDEFINED)


def _bytes(value: str | bytes) -> bytes:
    return value.encode() if isinstance(value, str) else value


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:97]}..."


def _list_type(key: str, values: list[Any]) -> int:
    """The type of a list of values: INTS if all are integers, FLOATS if all are numbers, else what they all are."""
    kinds = {_kind(value) for value in values}
    if len(kinds) == 1 and _UNDEFINED not in kinds:
        return _LIST_OF[kinds.pop()]
    if kinds == {_INT, _FLOAT}:
        return int(_FLOATS)
    classes = sorted({type(value).__name__ for value in values})
    raise ValueError(f"attribute {key!r}: a list is of numbers, or of text, or of messages of one kind; this one has {', '.join(classes)}")


def _fill_list(attribute: AttributeProto, key: str, value: Any, attr_type: int | None) -> None:
    values = value.tolist() if isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "biuf" else list(value)
    if attr_type is None:
        if not values:
            raise ValueError(f"attribute {key!r}: the type of an empty list has to be said with attr_type")
        attr_type = _list_type(key, values)
    if attr_type == _INTS:
        attribute.ints.extend([int(value) if isinstance(value, np.bool_) else value for value in values])
    elif attr_type == _FLOATS:
        attribute.floats.extend(values)
    elif attr_type == _STRINGS:
        attribute.strings.extend([_bytes(text) for text in values])
    elif attr_type in _LISTS:
        getattr(attribute, _FIELDS[attr_type]).extend(values)
    else:
        raise TypeError(f"attribute {key!r}: a list of {len(values)} values is no {_attr_type_to_str(attr_type)} ({attr_type})")
    attribute.type = attr_type


def fill_other_value(attribute: AttributeProto, key: str, value: Any, attr_type: int | None = None) -> None:
    """Makes an empty attribute what make_attribute makes of the other arguments. Plain numbers, text and lists of these come quicker by the
    extension's fill_attribute and make_node, which leave everything else to this."""
    attribute.name = key
    kind = _KIND_OF_CLASS.get(type(value)) or _kind(value)
    if kind == _INT:
        attribute.i = value if type(value) is int else int(value)
    elif kind == _FLOAT:
        attribute.f = value if type(value) is float else float(value)
    elif kind == _STRING:
        attribute.s = _bytes(value)
    elif kind != _UNDEFINED:
        getattr(attribute, _FIELDS[kind]).CopyFrom(value)
    elif isinstance(value, Iterable):
        _fill_list(attribute, key, value, attr_type)
        return
    else:
        raise TypeError(f"attribute {key!r}: {_shown(value)} cannot be the value of an attribute")
    if attr_type is not None and attr_type != kind:
        raise TypeError(
            f"attribute {key!r}: Inferred attribute type '{_attr_type_to_str(kind)}' ({kind}) "
            f"is not the specified '{_attr_type_to_str(attr_type)}' ({attr_type})"
        )
    attribute.type = kind


def make_attribute(key: str, value: Any, doc_string: str | None = None, attr_type: int | None = None) -> AttributeProto:
    """An attribute with a value of any kind that attributes have.

    Args:
        key: its name.
        value: a number, text (str or bytes), a tensor, sparse tensor, graph or type, or an iterable of these. Truth values are integers,
            integers among floats make a list of floats; numpy scalars and one-dimensional arrays are taken as numbers.
        doc_string: its documentation; left out if empty.
        attr_type: the type it has to have; needed for an empty list.

    Raises:
        TypeError: the value cannot be one of an attribute, or is of another type than attr_type.
        ValueError: a list has no type in common, or is empty and attr_type is not given; an integer needs more than 64 bits.
    """
    attribute = AttributeProto()
    if attr_type is not None or not _fill_attribute(attribute, key, value):
        fill_other_value(attribute, key, value, attr_type)
    if doc_string:
        attribute.doc_string = doc_string
    return attribute


def make_attribute_ref(name: str, attr_type: int, doc_string: str | None = None, *, ref_attr_name: str | None = None) -> AttributeProto:
    """An attribute of a node in a function body whose value is that of an attribute of the function.

    Args:
        name: the attribute's name.
        attr_type: its AttributeProto.AttributeType.
        doc_string: its documentation; left out if empty.
        ref_attr_name: the function's attribute; by default the one of the same name.

    Raises:
        ValueError: ref_attr_name is empty, or there is no such type.
    """
    if ref_attr_name is None:
        ref_attr_name = name
    if not ref_attr_name:
        raise ValueError(f"attribute {name!r}: ref_attr_name is the name of an attribute of the function and cannot be empty")
    attribute = AttributeProto(name=name, ref_attr_name=ref_attr_name)
    attribute.type = attr_type
    if doc_string:
        attribute.doc_string = doc_string
    return attribute


def get_attribute_value(attr: AttributeProto) -> Any:
    """The value of an attribute as Python has it: a number, bytes, a message, or a list of these; None if it has no type.

    Raises:
        ValueError: the attribute refers to one of a function, so the value stands where the function is called.
    """
    if attr.ref_attr_name:
        raise ValueError(f"attribute {attr.name!r} has no value of its own: it refers to attribute {attr.ref_attr_name!r} of the function")
    kind = attr.type
    field = _FIELDS.get(kind)
    if field is None:
        return None
    value = getattr(attr, field)
    return list(value) if kind in _LISTS else value


def get_node_attr_value(node: NodeProto, attr_name: str) -> Any:
    """The value of the one attribute of a node that has this name. Raises ValueError if there is none, or more than one."""
    found = [attribute for attribute in node.attribute if attribute.name == attr_name]
    if len(found) != 1:
        count = "no attribute" if not found else f"{len(found)} attributes"
        raise ValueError(f"node {node.name!r} ({node.op_type}) has {count} with the name {attr_name!r}")
    return get_attribute_value(found[0])
