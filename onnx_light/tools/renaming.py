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
    graphs = [body.graph for body in walk.bodies(model) if body.graph is not None and not body.place.startswith("functions")]
    present = {name for graph in graphs for name in _values(graph)}
    node_names = {node.name for graph in graphs for node in graph.node if node.name} if nodes else set()
    unknown = [old for old in names if old not in present and old not in node_names]
    if unknown:
        raise ValueError(f"no value or node is called {unknown[0]!r}")

    def new(old: str) -> str:
        return names.get(old, prefix + old) if old else old

    for taken in (present, node_names):
        seen: dict[str, str] = {}
        for old in sorted(taken):
            if (other := seen.setdefault(new(old), old)) != old:
                raise ValueError(f"{old!r} and {other!r} would both be called {new(old)!r}")
    for graph in graphs:
        _rename_graph(graph, new, nodes)
    return sum(new(old) != old for old in present) + sum(new(old) != old for old in node_names)


def _values(graph: onnxl.GraphProto) -> Iterable[str]:
    for value in (*graph.input, *graph.output, *graph.value_info):
        yield value.name
    for tensor in graph.initializer:
        yield tensor.name
    for sparse in graph.sparse_initializer:
        yield sparse.values.name
    for node in graph.node:
        yield from (name for name in (*node.input, *node.output) if name)


def _rename_graph(graph: onnxl.GraphProto, new, nodes: bool) -> None:  # type: ignore[no-untyped-def]
    for value in (*graph.input, *graph.output, *graph.value_info):
        value.name = new(value.name)
    for tensor in graph.initializer:
        tensor.name = new(tensor.name)
    for sparse in graph.sparse_initializer:
        for part in (sparse.values, sparse.indices):
            if part.name:
                part.name = new(part.name)
    for annotation in graph.quantization_annotation:
        annotation.tensor_name = new(annotation.tensor_name)
        for entry in annotation.quant_parameter_tensor_names:
            entry.value = new(entry.value)
    for node in graph.node:
        for side in (node.input, node.output):
            for i, name in enumerate(side):
                if name:
                    side[i] = new(name)
        if nodes and node.name:
            node.name = new(node.name)
