"""New names for values, in every place that says them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import onnx_light.onnx as onnxl
from onnx_light.tools import walk


def rename(model: onnxl.ModelProto, names: Mapping[str, str] | None = None, *, prefix: str = "", nodes: bool = True) -> int:
    """Renames values (inputs, outputs, weights, everything in between) of the main graph and of the graphs in it, in place.

    Functions have names of their own and stay as they are.

    Args:
        model: changed.
        names: from old to new names.
        prefix: put before every name that `names` does not say.
        nodes: whether nodes get the new names and the prefix as well.

    Returns:
        How many names there were to change.

    Raises:
        ValueError: a name that no value has, or two values would have the same one; then nothing has been changed.
    """
    names = names or {}
    graphs = [body.graph for body in walk.bodies(model) if body.graph is not None and body.function is None]
    present = {name for graph in graphs for name in _values(graph)}
    node_names = {node.name for graph in graphs for node in graph.node if node.name} if nodes else set()
    unknown = [old for old in names if old not in present and old not in node_names]
    if unknown:
        raise ValueError(f"no value or node is called {unknown[0]!r}")

    def new(old: str | bytes) -> str | bytes:
        if isinstance(old, bytes):  # messages take text only, so it can stay what it is and nothing else
            if prefix:
                raise ValueError(f"the name {old!r} is no UTF-8, and cannot have a prefix")
            return old
        return names.get(old, prefix + old) if old else old

    for taken in (present, node_names):
        seen: dict[str | bytes, str | bytes] = {}
        for old in sorted(taken, key=walk.text):
            if (other := seen.setdefault(new(old), old)) != old:
                raise ValueError(f"{old!r} and {other!r} would both be called {new(old)!r}")
    for graph in graphs:
        _rename_graph(graph, new, nodes)
    return sum(new(old) != old for old in present) + sum(new(old) != old for old in node_names)


def _values(graph: onnxl.GraphProto) -> Iterable[str | bytes]:
    for value in (*graph.input, *graph.output, *graph.value_info):
        yield value.name
    for tensor in graph.initializer:
        yield tensor.name
    for sparse in graph.sparse_initializer:
        yield sparse.values.name
    for node in graph.node:
        yield from (name for name in (*node.input, *node.output) if name)


def _rename_graph(graph: onnxl.GraphProto, new, nodes: bool) -> None:  # type: ignore[no-untyped-def]
    def change(message, field: str = "name") -> None:  # type: ignore[no-untyped-def]
        old = getattr(message, field)
        if (name := new(old)) != old:
            setattr(message, field, name)

    for value in (*graph.input, *graph.output, *graph.value_info, *graph.initializer):
        change(value)
    for sparse in graph.sparse_initializer:
        change(sparse.values)
        change(sparse.indices)
    for annotation in graph.quantization_annotation:
        change(annotation, "tensor_name")
        for entry in annotation.quant_parameter_tensor_names:
            change(entry, "value")
    for node in graph.node:
        for side in (node.input, node.output):
            for i, old in enumerate(side):
                if (name := new(old)) != old:
                    side[i] = name
        if nodes:
            change(node)
