"""Entries of repeated fields by name, and what they say in a line. Nothing makes names unique: equal ones are told apart by their order."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

import onnx_light.onnx as onnxl
from onnx_light.tools import walk

Key = tuple[Any, int]  # a name, and how many of that name came before
_Item = TypeVar("_Item")


def by_name(items: Iterable[_Item], name: Callable[[_Item], Hashable]) -> dict[Key, tuple[int, _Item]]:
    """The items with their positions."""
    found: dict[Key, tuple[int, _Item]] = {}
    met: dict[Hashable, int] = {}
    for i, item in enumerate(items):
        key = name(item)
        nth = met[key] = met.get(key, -1) + 1
        found[key, nth] = (i, item)
    return found


def of_either(a: Iterable[Key], b: Iterable[Key]) -> list[Key]:
    """The keys of a, then those that only b has."""
    return list(dict.fromkeys([*a, *b]))


def key_text(key: Key) -> str:
    """The name; of a second entry of that name: "name #2"."""
    return walk.text(key[0]) if key[1] == 0 else f"{walk.text(key[0])} #{key[1] + 1}"


def metadata(message: Any) -> dict[Key, str]:
    """The entries of a message's metadata_props."""
    return strings(message.metadata_props)


def strings(entries: Iterable[onnxl.StringStringEntryProto]) -> dict[Key, str]:
    return {key: walk.text(entry.value) for key, (_, entry) in by_name(entries, lambda entry: walk.text(entry.key)).items()}


def opsets(message: onnxl.ModelProto | onnxl.FunctionProto) -> dict[Key, int]:
    """The versions that a message imports; both names of the default domain are one."""
    found = by_name(message.opset_import, lambda entry: walk.text(entry.domain) or "ai.onnx")
    return {key: entry.version for key, (_, entry) in found.items()}


def node_text(node: onnxl.NodeProto) -> str:
    """Conv "conv1", or by its first output: Conv -> y."""
    operator = walk.operator_name(node)
    return f'{operator} "{walk.text(node.name)}"' if node.name else f"{operator} -> {walk.text(node.output[0]) if node.output else '()'}"


def tensor_text(tensor: onnxl.TensorProto) -> str:
    """FLOAT[3, 4]."""
    return walk.type_name(tensor.data_type) + walk.shape_text(tensor.dims)


def sparse_text(sparse: onnxl.SparseTensorProto) -> str:
    """sparse FLOAT[3, 4], 5 elements."""
    count = walk.element_count(sparse.values)
    return f"sparse {walk.type_name(sparse.values.data_type)}{walk.shape_text(sparse.dims)}, {count} elements"


def value_of(attribute: onnxl.AttributeProto) -> onnxl.AttributeProto:
    """The attribute without what it says to people."""
    copy = onnxl.AttributeProto()
    copy.CopyFrom(attribute)
    copy.ClearField("doc_string")
    return copy


def attribute_text(attribute: onnxl.AttributeProto) -> str:
    """The value of an attribute in one short line."""
    kinds = onnxl.AttributeProto
    if attribute.ref_attr_name:
        return f"@{walk.text(attribute.ref_attr_name)}"
    if attribute.type == kinds.TENSOR:
        return tensor_text(attribute.t)
    if attribute.type == kinds.SPARSE_TENSOR:
        return sparse_text(attribute.sparse_tensor)
    if attribute.type in (kinds.GRAPH, kinds.GRAPHS):
        return "graph"
    single = {kinds.FLOAT: "f", kinds.INT: "i", kinds.STRING: "s", kinds.TYPE_PROTO: "tp"}
    several = {
        kinds.FLOATS: ("floats", _short),
        kinds.INTS: ("ints", _short),
        kinds.STRINGS: ("strings", _short),
        kinds.TENSORS: ("tensors", tensor_text),
        kinds.SPARSE_TENSORS: ("sparse_tensors", sparse_text),
        kinds.TYPE_PROTOS: ("type_protos", walk.type_text),
    }
    if attribute.type in single:
        value = getattr(attribute, single[attribute.type])
        return walk.type_text(value) if attribute.type == kinds.TYPE_PROTO else _short(value)
    if attribute.type in several:
        field, show = several[attribute.type]
        values = list(getattr(attribute, field))
        text = ", ".join(show(value) for value in values[:16])  # type: ignore[operator]
        return f"[{text}, … {len(values)} in all]" if len(values) > 16 else f"[{text}]"
    return str(kinds.AttributeType.Name(attribute.type)).lower()


def _float_text(value: float) -> str:
    """As few digits as tell it from other numbers of 32 bits."""
    for digits in (6, 7, 8, 9):
        text = f"{value:.{digits}g}"
        if not math.isfinite(value) or struct.pack("f", float(text)) == struct.pack("f", value):
            break
    return text


def _short(value: Any) -> str:
    if isinstance(value, bytes):
        value = value.decode("utf-8", "backslashreplace")
    text = _float_text(value) if isinstance(value, float) else str(value)
    return text if len(text) <= 60 else text[:57] + "…"
