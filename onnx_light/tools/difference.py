"""What differs between two models: nodes, attributes, shapes, weights with their largest differences, versions, metadata."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import onnx_light.onnx as onnxl
from onnx_light.tools import walk
from onnx_light.tools.matching import Matching, match_nodes
from onnx_light.tools.weights import WeightChange, compare_tensors

KINDS = ("model", "opset", "metadata", "function", "input", "output", "value", "node", "attribute", "name", "doc", "weight")


@dataclass(slots=True)  # there may be as many as nodes
class Change:
    """One difference. `a` and `b` are what the models say there, None where one says nothing."""

    kind: str  # one of KINDS
    place: str  # in the first model, or in the second for what only that has
    what: str
    a: str | None
    b: str | None
    largest: WeightChange | None = None  # of a weight


@dataclass
class Difference:
    """All changes, in the order of the model."""

    changes: list[Change] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.changes)

    def counts(self) -> dict[str, int]:
        found = Counter(change.kind for change in self.changes)
        return {kind: found[kind] for kind in KINDS if found[kind]}


def compare(
    a: onnxl.ModelProto,
    b: onnxl.ModelProto,
    *,
    ignore: Iterable[str] = (),
    weights: bool = True,
    absolute: float = 0.0,
    relative: float = 0.0,
    progress: Callable[[int], object] | None = None,
) -> Difference:
    """Compares two models.

    Args:
        a: the first.
        b: the second.
        ignore: kinds that do not count, of `KINDS`.
        weights: whether the elements of weights are compared, which have to be at hand then; else only type and shape.
        absolute: elements may differ by so much, or
        relative: by so much of the larger one of the two. Bits count where both are 0.
        progress: called with the number of bytes after each piece of the first model's weights.

    Returns:
        The changes from a to b. Nodes are matched by their outputs, then by structure; values that are called differently count once, as a
        change of name.

    Raises:
        ValueError: a kind that does not exist, or elements that are not there.
    """
    ignored = set(ignore)
    if unknown := ignored - set(KINDS):
        raise ValueError(f"ignore {sorted(unknown)[0]!r}: one of {', '.join(KINDS)}")
    changes = _Comparison(weights, absolute, relative, progress).models(a, b)
    return Difference([change for change in changes if change.kind not in ignored])


class _Comparison:
    def __init__(self, weights: bool, absolute: float, relative: float, progress: Callable[[int], object] | None) -> None:
        self.weights, self.absolute, self.relative, self.progress = weights, absolute, relative, progress

    def models(self, a: onnxl.ModelProto, b: onnxl.ModelProto) -> Iterator[Change]:
        for name in ("ir_version", "producer_name", "producer_version", "domain", "model_version"):
            yield from _scalar("model", "", name, a, b)
        yield from _scalar("doc", "", "doc_string", a, b)
        opsets = [{walk.text(entry.domain) or "ai.onnx": str(entry.version) for entry in model.opset_import} for model in (a, b)]
        yield from _entries("opset", "opset_import", *opsets)
        yield from _entries("metadata", "metadata_props", *(_metadata(model) for model in (a, b)))
        functions = [{(f.domain, f.name, f.overload): (i, f) for i, f in enumerate(model.functions)} for model in (a, b)]
        for key in [*functions[0], *(key for key in functions[1] if key not in functions[0])]:
            one, other = functions[0].get(key), functions[1].get(key)
            if one is None or other is None:
                position, function = one or other  # type: ignore[misc]
                place, name = f"functions[{position}]", walk.function_name(function)
                yield Change("function", place, name, None if one is None else name, None if other is None else name)
                continue
            yield from self.bodies(walk.Body(f"functions[{one[0]}]", one[1]), walk.Body(f"functions[{other[0]}]", other[1]))
        yield from self.bodies(walk.Body("graph", a.graph), walk.Body("graph", b.graph))
        if len(a.training_info) != len(b.training_info):
            yield Change("model", "training_info", "number of entries", str(len(a.training_info)), str(len(b.training_info)))
        for i, (one_info, other_info) in enumerate(zip(a.training_info, b.training_info, strict=False)):
            for name in ("initialization", "algorithm"):
                place = f"training_info[{i}].{name}"
                yield from self.bodies(walk.Body(place, getattr(one_info, name)), walk.Body(place, getattr(other_info, name)))

    def bodies(self, a: walk.Body, b: walk.Body) -> Iterator[Change]:
        """Two bodies and what is nested in them."""
        waiting: list[tuple[walk.Body, walk.Body, dict[str, str]]] = [(a, b, {})]
        while waiting:
            a, b, names = waiting.pop()
            matching = match_nodes(a, b, names)
            yield from self.one_body(a, b, matching)
            for i, j in matching.differing:
                inner = _inner(f"{a.place}.node[{i}]", a.nodes[i])
                if inner:
                    pairs = zip(inner, _inner(f"{b.place}.node[{j}]", b.nodes[j]), strict=False)
                    waiting.extend((x, y, matching.names) for x, y in pairs)

    def one_body(self, a: walk.Body, b: walk.Body, matching: Matching) -> Iterator[Change]:
        yield from _scalar("name", a.place, "name", a.holder, b.holder)
        yield from _scalar("doc", a.place, "doc_string", a.holder, b.holder)
        yield from _entries("metadata", f"{a.place}.metadata_props", _metadata(a.holder), _metadata(b.holder))
        graph, other = a.graph, b.graph
        if graph is not None and other is not None:
            renamed_inputs = _by_position(graph.input, other.input)
            matching.names.update(renamed_inputs)
            yield from self.initializers(a, b, matching)
            for kind, field_name in (("input", "input"), ("output", "output"), ("value", "value_info")):
                yield from _values(kind, f"{a.place}.{field_name}", getattr(graph, field_name), getattr(other, field_name), matching.names)
        else:
            for kind in ("input", "output", "attribute"):
                sides = [_joined(getattr(body.holder, kind)) for body in (a, b)]
                if sides[0] != sides[1]:
                    yield Change(kind, f"{a.place}.{kind}", f"{kind}s", sides[0], sides[1])
        nodes_a, nodes_b = a.nodes, b.nodes
        for i, j in matching.differing:
            yield from self.nodes(f"{a.place}.node[{i}]", nodes_a[i], nodes_b[j], matching.names)
        for i in matching.only_a:
            yield Change("node", f"{a.place}.node[{i}]", node_text(nodes_a[i]), node_text(nodes_a[i]), None)
        for j in matching.only_b:
            yield Change("node", f"{b.place}.node[{j}]", node_text(nodes_b[j]), None, node_text(nodes_b[j]))

    def nodes(self, place: str, a: onnxl.NodeProto, b: onnxl.NodeProto, names: dict[str, str]) -> Iterator[Change]:
        what = node_text(a)
        if a.op_type != b.op_type or a.domain != b.domain or a.overload != b.overload:
            operators = walk.operator_name(a), walk.operator_name(b)
            if operators[0] != operators[1]:
                yield Change("node", place, f"{what}: operator", *operators)
        inputs = list(a.input), list(b.input)
        if inputs[0] != inputs[1] and inputs[0] != [names.get(name, name) for name in inputs[1]]:
            yield Change("node", place, f"{what}: inputs", _joined(inputs[0]), _joined(inputs[1]))
        outputs = list(a.output), list(b.output)
        if outputs[0] != outputs[1]:
            yield Change("name", place, f"{what}: outputs", _joined(outputs[0]), _joined(outputs[1]))
        if a.name != b.name:
            yield from _scalar("name", place, "name", a, b, f"{what}: ")
        if a.doc_string != b.doc_string:
            yield from _scalar("doc", place, "doc_string", a, b, f"{what}: ")
        if a.metadata_props or b.metadata_props:
            yield from _entries("metadata", place, _metadata(a), _metadata(b))
        if a.attribute == b.attribute:
            return
        one = {walk.text(attribute.name): attribute for attribute in a.attribute}
        other = {walk.text(attribute.name): attribute for attribute in b.attribute}
        for name in [*one, *(name for name in other if name not in one)]:
            x, y = one.get(name), other.get(name)
            if x is None or y is None:
                sides = [None if side is None else attribute_text(side) for side in (x, y)]
                yield Change("attribute", place, f"{what}: {name}", sides[0], sides[1])
            elif x != y and not (x.type == y.type and x.type in (onnxl.AttributeProto.GRAPH, onnxl.AttributeProto.GRAPHS)):
                if x.type == y.type == onnxl.AttributeProto.TENSOR:
                    yield from self.tensors("attribute", place, f"{what}: {name}", x.t, y.t)
                else:
                    yield Change("attribute", place, f"{what}: {name}", attribute_text(x), attribute_text(y))
            elif x.type == onnxl.AttributeProto.GRAPHS and len(x.graphs) != len(y.graphs):
                yield Change("attribute", place, f"{what}: {name}", f"{len(x.graphs)} graphs", f"{len(y.graphs)} graphs")

    def initializers(self, a_body: walk.Body, b_body: walk.Body, matching: Matching) -> Iterator[Change]:
        a, b, place = a_body.holder, b_body.holder, a_body.place
        assert isinstance(a, onnxl.GraphProto) and isinstance(b, onnxl.GraphProto)
        one = {tensor.name: (i, tensor) for i, tensor in enumerate(a.initializer)}
        other = {tensor.name: (j, tensor) for j, tensor in enumerate(b.initializer)}
        if one.keys() != other.keys():
            for i, j in matching.differing:  # a weight that is called differently, but feeds the same node
                for x, y in zip(a_body.nodes[i].input, b_body.nodes[j].input, strict=False):
                    if x in one and y in other and x not in other and y not in one:
                        matching.names[y] = x
        back = {old: new for new, old in matching.names.items()}
        found = set()
        for name, (i, tensor) in one.items():
            partner = name if name in other else back.get(name, "")
            where = f"{place}.initializer[{i}]"
            if partner not in other:
                yield Change("weight", where, walk.text(name), tensor_text(tensor), None)
                continue
            found.add(partner)
            if partner != name:
                yield Change("name", where, "weight", walk.text(name), walk.text(partner))
            yield from self.tensors("weight", where, walk.text(name), tensor, other[partner][1])
        for name, (j, tensor) in other.items():
            if name not in found:
                yield Change("weight", f"{place}.initializer[{j}]", walk.text(name), None, tensor_text(tensor))
        for k, (sparse, its_partner) in enumerate(zip(a.sparse_initializer, b.sparse_initializer, strict=False)):
            if sparse != its_partner:
                texts = tensor_text(sparse.values), tensor_text(its_partner.values)
                yield Change("weight", f"{place}.sparse_initializer[{k}]", walk.text(sparse.values.name), *texts)
        if len(a.sparse_initializer) != len(b.sparse_initializer):
            sizes = str(len(a.sparse_initializer)), str(len(b.sparse_initializer))
            yield Change("weight", f"{place}.sparse_initializer", "number of sparse weights", *sizes)

    def tensors(self, kind: str, place: str, what: str, a: onnxl.TensorProto, b: onnxl.TensorProto) -> Iterator[Change]:
        texts = tensor_text(a), tensor_text(b)
        if texts[0] != texts[1]:
            yield Change(kind, place, f"{what}: type or shape", *texts)
        elif (
            self.weights and (largest := compare_tensors(a, b, self.absolute, self.relative, f"{place} {what}", self.progress)) is not None
        ):
            yield Change(kind, place, what, *texts, largest)


def _inner(place: str, node: onnxl.NodeProto) -> list[walk.Body]:
    found: list[walk.Body] = []
    kinds = onnxl.AttributeProto.GRAPH, onnxl.AttributeProto.GRAPHS
    with_graphs = [attribute for attribute in node.attribute if attribute.type in kinds]
    for attribute in sorted(with_graphs, key=lambda each: walk.text(each.name)):
        graphs = [attribute.g] if attribute.type == onnxl.AttributeProto.GRAPH else list(attribute.graphs)
        found += [walk.Body(f"{place}.{walk.text(attribute.name)}", graph) for graph in graphs]
    return found


def _joined(names: Iterable[str | bytes]) -> str:
    return ", ".join(walk.text(name) for name in names)


def _shown(value: Any) -> str:
    return walk.text(value) if isinstance(value, bytes) else str(value)


def _metadata(message: Any) -> dict[str, str]:
    return {walk.text(entry.key): walk.text(entry.value) for entry in message.metadata_props}


def _scalar(kind: str, place: str, field_name: str, a: Any, b: Any, what: str = "") -> Iterator[Change]:
    sides = [_shown(getattr(message, field_name)) if message.HasField(field_name) else None for message in (a, b)]
    if (sides[0] or "") != (sides[1] or ""):
        yield Change(kind, place, what + field_name, sides[0], sides[1])


def _entries(kind: str, place: str, a: dict[str, str], b: dict[str, str]) -> Iterator[Change]:
    for key in [*a, *(key for key in b if key not in a)]:
        if a.get(key) != b.get(key):
            yield Change(kind, place, key, a.get(key), b.get(key))


def _by_position(a: Any, b: Any) -> dict[str, str]:
    """Inputs that are called differently, where no name of the one list is in the other: from b's name to a's."""
    names_a, names_b = {value.name for value in a}, {value.name for value in b}
    return {y.name: x.name for x, y in zip(a, b, strict=False) if x.name not in names_b and y.name not in names_a}


def _values(kind: str, place: str, a: Any, b: Any, names: dict[str, str]) -> Iterator[Change]:
    one = {value.name: (i, value) for i, value in enumerate(a)}
    other = {value.name if value.name in one else names.get(value.name, value.name): (j, value) for j, value in enumerate(b)}
    for name in [*one, *(name for name in other if name not in one)]:
        x, y = one.get(name), other.get(name)
        types = [None if side is None else walk.type_text(side[1].type) for side in (x, y)]
        where = f"{place}[{(x or y)[0]}]"  # type: ignore[index]
        if types[0] != types[1]:
            yield Change(kind, where, walk.text(name), types[0], types[1])
        elif x and y and x[1].name != y[1].name:
            yield Change("name", where, kind, walk.text(x[1].name), walk.text(y[1].name))
    if kind != "value" and set(one) == set(other) and list(one) != list(other):
        yield Change(kind, place, "order", _joined(one), _joined(other))


def node_text(node: onnxl.NodeProto) -> str:
    """Conv "conv1", or by its first output: Conv -> y."""
    operator = walk.operator_name(node)
    return f'{operator} "{walk.text(node.name)}"' if node.name else f"{operator} -> {walk.text(node.output[0]) if node.output else '()'}"


def tensor_text(tensor: onnxl.TensorProto) -> str:
    return walk.type_name(tensor.data_type) + walk.shape_text(tensor.dims)


def attribute_text(attribute: onnxl.AttributeProto) -> str:
    """The value of an attribute in one short line."""
    kinds = onnxl.AttributeProto
    if attribute.ref_attr_name:
        return f"@{walk.text(attribute.ref_attr_name)}"
    if attribute.type == kinds.TENSOR:
        return tensor_text(attribute.t)
    if attribute.type in (kinds.GRAPH, kinds.GRAPHS):
        return "graph"
    single = {kinds.FLOAT: "f", kinds.INT: "i", kinds.STRING: "s", kinds.TYPE_PROTO: "tp"}
    several = {kinds.FLOATS: "floats", kinds.INTS: "ints", kinds.STRINGS: "strings"}
    if attribute.type in single:
        value = getattr(attribute, single[attribute.type])
        return walk.type_text(value) if attribute.type == kinds.TYPE_PROTO else _short(value)
    if attribute.type in several:
        values = list(getattr(attribute, several[attribute.type]))
        text = ", ".join(_short(value) for value in values[:16])
        return f"[{text}, … {len(values)} in all]" if len(values) > 16 else f"[{text}]"
    return str(kinds.AttributeType.Name(attribute.type)).lower()


def _short(value: Any) -> str:
    if isinstance(value, bytes):
        value = value.decode("utf-8", "backslashreplace")
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text if len(text) <= 60 else text[:57] + "…"
