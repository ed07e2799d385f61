"""Which node of one graph is which of another: by what they make, and then by how they are built.

Names of outputs are what people keep when they edit a model, so they come first. Exporters number their values anew, so what is left is
matched by structure: operator, attributes, and the same of all that leads to it, down to inputs and weights.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import onnx_light.onnx as onnxl
from onnx_light.tools import walk
from onnx_light.tools.entries import by_name

_LONG = 256  # bytes of an attribute; of longer ones a digest is kept


@dataclass
class Matching:
    """Pairs of positions, in the order of the first graph, and what has no partner."""

    pairs: list[tuple[int, int]] = field(default_factory=list)
    only_a: list[int] = field(default_factory=list)
    only_b: list[int] = field(default_factory=list)
    differing: list[tuple[int, int]] = field(default_factory=list)  # of the pairs: those whose nodes are not equal, bit for bit
    names: dict[str, str] = field(default_factory=dict)  # of values, from the second graph's to the first's, where they differ


def match_nodes(a: walk.Body, b: walk.Body, names: dict[str, str] | None = None) -> Matching:
    """Matches the nodes of two bodies. `names` are values of outer graphs that are called differently in b. Linear in time."""
    first, second = a.nodes, b.nodes
    result = Matching(names=dict(names or {}))
    by_output = by_name(first, _first_output)
    partner: dict[int, int] = {}
    taken: set[int] = set()
    equal: set[int] = set()
    for key, (j, node) in by_name(second, _first_output).items():
        if not key[0] or key not in by_output:
            continue
        i, its_partner = by_output[key]
        if its_partner == node:
            equal.add(j)
        elif its_partner.op_type != node.op_type:
            continue
        partner[j] = i
        taken.add(i)
    by_structure: dict[int, list[int]] = defaultdict(list)
    left_b = [j for j in range(len(second)) if j not in partner]
    left_a = [i for i in range(len(first)) if i not in taken]
    if left_a and left_b:
        known: dict[object, int] = {}
        keys_a, keys_b = structure_keys(a, first, known), structure_keys(b, second, known)
        for i in reversed(left_a):
            by_structure[keys_a[i]].append(i)
        for j in left_b:
            if by_structure[keys_b[j]]:
                partner[j] = i = by_structure[keys_b[j]].pop()
                taken.add(i)
    # What is left may have changed itself: the same operator, made from the same values (in a's names).
    _learn_names(result, first, second, {j: i for j, i in partner.items() if j not in equal})
    by_inputs: dict[tuple[str, tuple[str, ...]], list[int]] = defaultdict(list)
    for i in reversed(left_a):
        if i not in taken:
            by_inputs[walk.operator_name(first[i]), tuple(first[i].input)].append(i)
    for j in left_b:
        if j not in partner:
            made = (walk.operator_name(second[j]), tuple(result.names.get(name, name) for name in second[j].input))
            if by_inputs[made]:
                partner[j] = i = by_inputs[made].pop()
                taken.add(i)
                _learn_names(result, first, second, {j: i})
    result.pairs = sorted((i, j) for j, i in partner.items())
    result.differing = [(i, j) for i, j in result.pairs if j not in equal]
    result.only_a = [i for i in left_a if i not in taken]
    result.only_b = [j for j in left_b if j not in partner]
    return result


def _first_output(node: onnxl.NodeProto) -> str:
    outputs = node.output
    return outputs[0] if outputs else ""


def _learn_names(result: Matching, first: Sequence[onnxl.NodeProto], second: Sequence[onnxl.NodeProto], partner: dict[int, int]) -> None:
    for j, i in partner.items():
        for old, new in zip(first[i].output, second[j].output, strict=False):
            if old and new and old != new:
                result.names[new] = old


def structure_keys(body: walk.Body, nodes: Sequence[onnxl.NodeProto], known: dict[object, int]) -> list[int]:
    """For each node a number that stands for its operator, its attributes, and the same of what it is made from.

    `known` has the number of everything met so far: bodies that share it have the same numbers for the same structure.
    """
    values = {name: known.setdefault(what, len(known) + 1) for name, what in _sources(body)}
    keys = []
    for node in nodes:
        attributes = [attribute.SerializeToString() for attribute in node.attribute]
        if attributes:
            attributes = sorted(data if len(data) <= _LONG else _digest(data) for data in attributes)
        sources = [values.get(name) or f"outer {name}" if name else "" for name in node.input]
        key = known.setdefault((walk.operator_name(node), *attributes, *sources), len(known) + 1)
        keys.append(key)
        outputs = node.output
        if len(outputs) == 1:
            values[outputs[0]] = key
        else:
            for k, name in enumerate(outputs):
                values[name] = known.setdefault((key, k), len(known) + 1)
    return keys


def _digest(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=32).digest()


def _sources(body: walk.Body) -> Iterable[tuple[str, bytes]]:
    """What nodes begin with: inputs by position, weights by type and shape (their names and values may differ)."""
    graph = body.graph
    if graph is None:
        for k, name in enumerate(body.holder.input):
            yield str(name), b"input %d" % k
        return
    for tensor in graph.initializer:
        yield tensor.name, f"weight {tensor.data_type} {list(tensor.dims)}".encode()
    for sparse in graph.sparse_initializer:
        yield sparse.values.name, f"sparse {sparse.values.data_type} {list(sparse.dims)}".encode()
    weights = {tensor.name for tensor in graph.initializer}
    inputs = [value.name for value in graph.input if value.name not in weights]
    for k, name in enumerate(inputs):
        yield name, b"input %d" % k
