"""Tensors and nodes of a model as rows: filtered, sorted, without reading weights."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase

import onnx_light.onnx as onnxl
from onnx_light.tools import walk


@dataclass
class TensorRow:
    """A tensor, wherever it is."""

    name: str
    type: str
    shape: list[int]
    bytes: int
    storage: str  # "raw", "typed", "external: w.data@4096", "empty"
    place: str


@dataclass
class NodeRow:
    """A node of any graph or function."""

    name: str
    op: str
    inputs: list[str]
    outputs: list[str]
    attributes: list[str]
    place: str


def list_tensors(model: onnxl.ModelProto, pattern: str = "*", *, type: str | None = None, sort: str = "place") -> list[TensorRow]:
    """The tensors whose name fits a shell pattern.

    Args:
        model: as `onnx_light.tools.read` gives it.
        pattern: `*`, `?` and `[…]` as in a shell, of the whole name, case counts.
        type: only of this data type, as "FLOAT".
        sort: "place" (the order of the file), "name", "bytes" (largest first), "type".

    Raises ValueError for an order or a type there is not.
    """
    types: list[str] = onnxl.TensorProto.DataType.keys()
    if type is not None and type.upper() not in types:
        raise ValueError(f"type {type!r} does not exist: one of {', '.join(types)}")
    rows = []
    for place, tensor, _ in walk.places(model):
        kind, name = walk.type_name(tensor.data_type), walk.text(tensor.name)
        if not fnmatchcase(name, pattern) or (type is not None and kind != type.upper()):
            continue
        size = walk.size_by_shape(tensor)
        rows.append(
            TensorRow(
                name,
                kind,
                list(tensor.dims),
                sum(len(text) for text in tensor.string_data) if size is None else size,
                storage_of(tensor),
                place,
            )
        )
    orders: dict[str, Callable[[TensorRow], object]] = {
        "name": lambda row: row.name,
        "bytes": lambda row: -row.bytes,
        "type": lambda row: row.type,
    }
    return _sorted(rows, sort, orders)


def list_nodes(model: onnxl.ModelProto, pattern: str = "*", *, op: str | None = None, sort: str = "place") -> list[NodeRow]:
    """The nodes of all graphs and functions whose name, or one of whose outputs, fits a shell pattern.

    Args:
        model: as `onnx_light.tools.read` gives it.
        pattern: as for `list_tensors`.
        op: only of operators whose name (with its domain, if that is not the default one) fits this pattern.
        sort: "place" (the order of the file), "name", "op".

    Raises ValueError for an order there is not.
    """
    rows = []
    for body in walk.bodies(model):
        for i, node in enumerate(body.holder.node):
            operator = walk.operator_name(node)
            if op is not None and not fnmatchcase(operator, op):
                continue
            name, inputs, outputs = walk.text(node.name), [*map(walk.text, node.input)], [*map(walk.text, node.output)]
            if not any(fnmatchcase(each, pattern) for each in (name, *outputs)):
                continue
            attributes = [walk.text(attribute.name) for attribute in node.attribute]
            rows.append(NodeRow(name, operator, inputs, outputs, attributes, f"{body.place}.node[{i}]"))
    orders: dict[str, Callable[[NodeRow], object]] = {"name": lambda row: row.name, "op": lambda row: row.op}
    return _sorted(rows, sort, orders)


def _sorted(rows: list, sort: str, orders: dict) -> list:  # type: ignore[type-arg]
    if sort == "place":
        return rows
    if sort not in orders:
        raise ValueError(f"sort {sort!r}: one of place, {', '.join(orders)}")
    return sorted(rows, key=orders[sort])


def storage_of(tensor: onnxl.TensorProto) -> str:
    """How a tensor keeps its elements."""
    if walk.is_external(tensor):
        keys = {entry.key: walk.text(entry.value) for entry in tensor.external_data}
        return f"external: {keys.get('location', '?')}@{keys.get('offset', '0')}"
    if tensor.HasField("raw_data"):
        return "raw"
    return "typed" if walk.has_elements(tensor) else "empty"
