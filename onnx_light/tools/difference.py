"""What differs between two models: nodes, attributes, shapes, weights with their largest differences, versions, metadata."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import onnx_light.onnx as onnxl
from onnx_light.tools import changes, walk
from onnx_light.tools.changes import KINDS, Change
from onnx_light.tools.entries import (
    Key,
    attribute_text,
    by_name,
    key_text,
    metadata,
    node_text,
    of_either,
    opsets,
    sparse_text,
    strings,
    tensor_text,
    value_of,
)
from onnx_light.tools.matching import Matching, match_nodes
from onnx_light.tools.weights import compare_tensors


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
    found = _Comparison(weights, absolute, relative, progress).models(a, b)
    return Difference([change for change in found if change.kind not in ignored])


class _Comparison:
    def __init__(self, weights: bool, absolute: float, relative: float, progress: Callable[[int], object] | None) -> None:
        self.weights, self.absolute, self.relative, self.progress = weights, absolute, relative, progress

    def models(self, a: onnxl.ModelProto, b: onnxl.ModelProto) -> Iterator[Change]:
        for name in ("ir_version", "producer_name", "producer_version", "domain", "model_version"):
            yield from changes.scalar("model", "", name, a, b)
        yield from changes.scalar("doc", "", "doc_string", a, b)
        yield from changes.entries("opset", "opset_import", opsets(a), opsets(b))
        yield from changes.entries("metadata", "metadata_props", metadata(a), metadata(b))
        yield from changes.rest("model", "", a, b, ("configuration",))
        functions = [by_name(model.functions, lambda f: (f.domain, f.name, f.overload)) for model in (a, b)]
        for key in of_either(*functions):
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
            for name in ("initialization_binding", "update_binding"):
                sides = strings(getattr(one_info, name)), strings(getattr(other_info, name))
                yield from changes.entries("model", f"training_info[{i}].{name}", *sides)

    def bodies(self, a: walk.Body, b: walk.Body) -> Iterator[Change]:
        """Two bodies and what is nested in them."""
        waiting: list[tuple[walk.Body, walk.Body, dict[str, str]]] = [(a, b, {})]
        while waiting:
            a, b, names = waiting.pop()
            matching = match_nodes(a, b, names)
            yield from self.one_body(a, b, matching)
            waiting.extend((*pair, matching.names) for pair in _nested(a, b, matching))

    def one_body(self, a: walk.Body, b: walk.Body, matching: Matching) -> Iterator[Change]:
        yield from changes.scalar("name", a.place, "name", a.holder, b.holder)
        yield from changes.scalar("doc", a.place, "doc_string", a.holder, b.holder)
        yield from changes.entries("metadata", f"{a.place}.metadata_props", metadata(a.holder), metadata(b.holder))
        graph, other = a.graph, b.graph
        if graph is not None and other is not None:
            renamed_inputs = changes.by_position(graph.input, other.input)
            matching.names.update(renamed_inputs)
            yield from self.initializers(a, b, matching)
            for kind, field_name in (("input", "input"), ("output", "output"), ("value", "value_info")):
                yield from changes.values(
                    kind, f"{a.place}.{field_name}", getattr(graph, field_name), getattr(other, field_name), matching.names
                )
            yield from changes.quantizations(f"{a.place}.quantization_annotation", graph, other, matching.names)
        elif graph is None and other is None:
            yield from self.functions(a.place, a.holder, b.holder, matching)  # type: ignore[arg-type]
        nodes_a, nodes_b = a.nodes, b.nodes
        for i, j in matching.differing:
            yield from self.nodes(f"{a.place}.node[{i}]", nodes_a[i], nodes_b[j], matching.names)
        for i in matching.only_a:
            yield Change("node", f"{a.place}.node[{i}]", node_text(nodes_a[i]), node_text(nodes_a[i]), None)
        for j in matching.only_b:
            yield Change("node", f"{b.place}.node[{j}]", node_text(nodes_b[j]), None, node_text(nodes_b[j]))

    def functions(self, place: str, a: onnxl.FunctionProto, b: onnxl.FunctionProto, matching: Matching) -> Iterator[Change]:
        """What graphs do not have."""
        for kind in ("input", "output", "attribute"):
            sides = [changes.joined(getattr(function, kind)) for function in (a, b)]
            if sides[0] != sides[1]:
                yield Change(kind, f"{place}.{kind}", f"{kind}s", sides[0], sides[1])
        yield from self.attributes(f"{place}.attribute_proto", "default", a.attribute_proto, b.attribute_proto)
        yield from changes.entries("opset", f"{place}.opset_import", opsets(a), opsets(b))
        yield from changes.values("value", f"{place}.value_info", a.value_info, b.value_info, matching.names)

    def nodes(self, place: str, a: onnxl.NodeProto, b: onnxl.NodeProto, names: dict[str, str]) -> Iterator[Change]:
        what = node_text(a)
        if a.op_type != b.op_type or a.domain != b.domain or a.overload != b.overload:
            operators = walk.operator_name(a), walk.operator_name(b)
            if operators[0] != operators[1]:
                yield Change("node", place, f"{what}: operator", *operators)
        inputs = list(a.input), list(b.input)
        if inputs[0] != inputs[1] and inputs[0] != [names.get(name, name) for name in inputs[1]]:
            yield Change("node", place, f"{what}: inputs", changes.joined(inputs[0]), changes.joined(inputs[1]))
        outputs = list(a.output), list(b.output)
        if outputs[0] != outputs[1]:
            yield Change("name", place, f"{what}: outputs", changes.joined(outputs[0]), changes.joined(outputs[1]))
        if a.name != b.name:
            yield from changes.scalar("name", place, "name", a, b, f"{what}: ")
        if a.doc_string != b.doc_string:
            yield from changes.scalar("doc", place, "doc_string", a, b, f"{what}: ")
        if a.metadata_props or b.metadata_props:
            yield from changes.entries("metadata", place, metadata(a), metadata(b))
        yield from self.attributes(place, what, a.attribute, b.attribute)
        yield from changes.rest("node", place, a, b, ("device_configurations",), f"{what}: ")

    def attributes(self, place: str, what: str, a: Any, b: Any) -> Iterator[Change]:
        if a == b:
            return
        kinds = onnxl.AttributeProto
        one, other = (by_name(attributes, lambda attribute: walk.text(attribute.name)) for attributes in (a, b))
        for key in of_either(one, other):
            x, y = (side[key][1] if key in side else None for side in (one, other))
            name = f"{what}: {key_text(key)}"
            if x is None or y is None or x.type != y.type or x.ref_attr_name != y.ref_attr_name:
                texts = [None if side is None else attribute_text(side) for side in (x, y)]
                yield Change("attribute", place, name, texts[0], texts[1])
                continue
            if x.doc_string != y.doc_string:
                yield from changes.scalar("doc", place, "doc_string", x, y, f"{name}: ")
            if x == y:
                continue
            if x.type == kinds.TENSOR:
                yield from self.tensors("attribute", place, name, x.t, y.t)
            elif x.type == kinds.SPARSE_TENSOR:
                yield from self.sparse_tensors("attribute", place, name, x.sparse_tensor, y.sparse_tensor)
            elif x.type == kinds.TENSORS and len(x.tensors) == len(y.tensors):
                for k, (tensor, partner) in enumerate(zip(x.tensors, y.tensors, strict=True)):
                    yield from self.tensors("attribute", place, f"{name}[{k}]", tensor, partner)
            elif x.type == kinds.GRAPHS and len(x.graphs) != len(y.graphs):
                yield Change("attribute", place, name, f"{len(x.graphs)} graphs", f"{len(y.graphs)} graphs")
            elif x.type not in (kinds.GRAPH, kinds.GRAPHS) and value_of(x) != value_of(y):  # graphs are bodies
                texts = [attribute_text(x), attribute_text(y)]
                if texts[0] == texts[1] and x.type in (kinds.TYPE_PROTO, kinds.TYPE_PROTOS):
                    texts = [changes.one_line(value_of(x)), changes.one_line(value_of(y))]
                yield Change("attribute", place, name, texts[0], texts[1])

    def initializers(self, a_body: walk.Body, b_body: walk.Body, matching: Matching) -> Iterator[Change]:
        a, b, place = a_body.holder, b_body.holder, a_body.place
        assert isinstance(a, onnxl.GraphProto) and isinstance(b, onnxl.GraphProto)
        dense = [by_name(graph.initializer, lambda tensor: tensor.name) for graph in (a, b)]
        sparse = [by_name(graph.sparse_initializer, lambda each: each.values.name) for graph in (a, b)]
        names = [{name for name, _ in (*dense[side], *sparse[side])} for side in (0, 1)]
        if names[0] != names[1]:
            for i, j in matching.differing:  # a weight that is called differently, but feeds the same node
                for x, y in zip(a_body.nodes[i].input, b_body.nodes[j].input, strict=False):
                    if x in names[0] and y in names[1] and x not in names[1] and y not in names[0]:
                        matching.names[y] = x
        back = {old: new for new, old in matching.names.items()}

        def partner_of(key: Key) -> Key:
            return key if key[0] in names[1] else (back.get(key[0], key[0]), key[1])

        yield from self.named_tensors(f"{place}.initializer", dense[0], dense[1], partner_of, tensor_text, self.tensors)
        yield from self.named_tensors(f"{place}.sparse_initializer", sparse[0], sparse[1], partner_of, sparse_text, self.sparse_tensors)

    def named_tensors(
        self,
        place: str,
        one: dict[Key, tuple[int, Any]],
        other: dict[Key, tuple[int, Any]],
        partner_of: Callable[[Key], Key],
        text: Callable[[Any], str],
        compare: Callable[[str, str, str, Any, Any], Iterator[Change]],
    ) -> Iterator[Change]:
        found = set()
        for key, (i, tensor) in one.items():
            partner, where = partner_of(key), f"{place}[{i}]"
            if partner not in other:
                yield Change("weight", where, key_text(key), text(tensor), None)
                continue
            found.add(partner)
            if partner != key:
                yield Change("name", where, "weight", key_text(key), key_text(partner))
            yield from compare("weight", where, key_text(key), tensor, other[partner][1])
        for key, (j, tensor) in other.items():
            if key not in found:
                yield Change("weight", f"{place}[{j}]", key_text(key), None, text(tensor))

    def sparse_tensors(self, kind: str, place: str, what: str, a: onnxl.SparseTensorProto, b: onnxl.SparseTensorProto) -> Iterator[Change]:
        texts = sparse_text(a), sparse_text(b)
        if texts[0] != texts[1]:
            yield Change(kind, place, f"{what}: type or shape", *texts)
            return
        yield from self.tensors(kind, f"{place}.values", what, a.values, b.values)
        yield from self.tensors(kind, f"{place}.indices", what, a.indices, b.indices, exact=True)

    def tensors(
        self, kind: str, place: str, what: str, a: onnxl.TensorProto, b: onnxl.TensorProto, *, exact: bool = False
    ) -> Iterator[Change]:
        if a.doc_string != b.doc_string:
            yield from changes.scalar("doc", place, "doc_string", a, b, f"{what}: ")
        if a.metadata_props or b.metadata_props:
            yield from changes.entries("metadata", place, metadata(a), metadata(b))
        texts = tensor_text(a), tensor_text(b)
        if texts[0] != texts[1]:
            yield Change(kind, place, f"{what}: type or shape", *texts)
        elif self.weights:
            allowed = (0.0, 0.0) if exact else (self.absolute, self.relative)
            largest = compare_tensors(a, b, *allowed, f"{place} {what}", self.progress)
            if largest is not None:
                yield Change(kind, place, what, texts[0], texts[1], largest)


def _nested(a: walk.Body, b: walk.Body, matching: Matching) -> Iterator[tuple[walk.Body, walk.Body]]:
    """The graphs in attributes of nodes that differ, and in defaults of functions, that both bodies have."""
    for i, j in matching.differing:
        yield from _pairs(f"{a.place}.node[{i}]", a.nodes[i].attribute, f"{b.place}.node[{j}]", b.nodes[j].attribute)
    if isinstance(a.holder, onnxl.FunctionProto) and isinstance(b.holder, onnxl.FunctionProto):
        places = f"{a.place}.attribute_proto", f"{b.place}.attribute_proto"
        yield from _pairs(places[0], a.holder.attribute_proto, places[1], b.holder.attribute_proto)


def _pairs(
    a_place: str, a: Iterable[onnxl.AttributeProto], b_place: str, b: Iterable[onnxl.AttributeProto]
) -> Iterator[tuple[walk.Body, walk.Body]]:
    if one := _inner(a_place, a):
        other = _inner(b_place, b)
        yield from ((one[key], other[key]) for key in one if key in other)


def _inner(place: str, attributes: Iterable[onnxl.AttributeProto]) -> dict[tuple[Key, int], walk.Body]:
    """The graphs in attributes, by the attribute and the place in it."""
    found = {}
    kinds = onnxl.AttributeProto.GRAPH, onnxl.AttributeProto.GRAPHS
    with_graphs = by_name((each for each in attributes if each.type in kinds), lambda each: walk.text(each.name))
    for key, (_, attribute) in sorted(with_graphs.items(), key=lambda item: item[0]):
        graphs = [attribute.g] if attribute.type == onnxl.AttributeProto.GRAPH else list(attribute.graphs)
        found.update({(key, k): walk.Body(f"{place}.{key[0]}", graph) for k, graph in enumerate(graphs)})
    return found
