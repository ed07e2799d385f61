"""What differs between two messages, but for the elements of weights: a `Change` for each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import onnx_light.onnx as onnxl
from onnx_light.tools import walk
from onnx_light.tools.entries import Key, by_name, key_text, metadata, of_either, strings
from onnx_light.tools.weights import WeightChange

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


def joined(names: Iterable[str | bytes]) -> str:
    return ", ".join(walk.text(name) for name in names)


def shown(value: Any) -> str:
    return walk.text(value) if isinstance(value, bytes) else str(value)


def one_line(message: Any) -> str:
    return " ".join(line.strip() for line in str(message).splitlines())


def scalar(kind: str, place: str, field_name: str, a: Any, b: Any, what: str = "") -> Iterator[Change]:
    sides = [shown(getattr(message, field_name)) if message.HasField(field_name) else None for message in (a, b)]
    if (sides[0] or "") != (sides[1] or ""):
        yield Change(kind, place, what + field_name, sides[0], sides[1])


def entries(kind: str, place: str, a: Mapping[Key, str | int], b: Mapping[Key, str | int]) -> Iterator[Change]:
    for key in of_either(a, b):
        if a.get(key) != b.get(key):
            sides = [str(side[key]) if key in side else None for side in (a, b)]
            yield Change(kind, place, key_text(key), sides[0], sides[1])


def rest(kind: str, place: str, a: Any, b: Any, fields: Iterable[str], what: str = "") -> Iterator[Change]:
    """Lists of messages that are compared as they are: what differs is told by where it begins."""
    for name in fields:
        one, other = getattr(a, name), getattr(b, name)
        if one == other:
            continue
        at = next((i for i, (x, y) in enumerate(zip(one, other, strict=False)) if x != y), min(len(one), len(other)))
        sides = [one_line(side[at]) if at < len(side) else None for side in (one, other)]
        yield Change(kind, f"{place}.{name}[{at}]".lstrip("."), what + name, sides[0], sides[1])


def quantizations(place: str, a: onnxl.GraphProto, b: onnxl.GraphProto, names: dict[str, str]) -> Iterator[Change]:
    """Which tensors hold the scales and zero points of which."""
    one = by_name(a.quantization_annotation, lambda each: each.tensor_name)
    known = {name for name, _ in one}
    other = by_name(
        b.quantization_annotation,
        lambda each: each.tensor_name if each.tensor_name in known else names.get(each.tensor_name, each.tensor_name),
    )
    for key in of_either(one, other):
        said = [strings(side[key][1].quant_parameter_tensor_names) if key in side else None for side in (one, other)]
        renamed = said[1] and {entry: names.get(value, value) for entry, value in said[1].items()}
        if said[0] not in (said[1], renamed):
            texts = [None if side is None else ", ".join(f"{key_text(k)}: {value}" for k, value in side.items()) for side in said]
            yield Change("value", f"{place}[{(one.get(key) or other[key])[0]}]", f"{key_text(key)}: quantization", texts[0], texts[1])


def by_position(a: Any, b: Any) -> dict[str, str]:
    """Inputs that are called differently, where no name of the one list is in the other: from b's name to a's."""
    names_a, names_b = {value.name for value in a}, {value.name for value in b}
    return {y.name: x.name for x, y in zip(a, b, strict=False) if x.name not in names_b and y.name not in names_a}


def type_texts(a: onnxl.TypeProto | None, b: onnxl.TypeProto | None) -> list[str | None]:
    """Types as people write them, or with all they say where only that tells them apart: denotations, the name of an opaque type."""
    texts = [None if side is None else walk.type_text(side) for side in (a, b)]
    return texts if texts[0] != texts[1] or a == b else [one_line(a), one_line(b)]


def values(kind: str, place: str, a: Any, b: Any, names: dict[str, str]) -> Iterator[Change]:
    one = by_name(a, lambda value: value.name)
    known = {name for name, _ in one}
    other = by_name(b, lambda value: value.name if value.name in known else names.get(value.name, value.name))
    for key in of_either(one, other):
        x, y = one.get(key), other.get(key)
        types = type_texts(x and x[1].type, y and y[1].type)
        where = f"{place}[{(x or y)[0]}]"  # type: ignore[index]
        if types[0] != types[1]:
            yield Change(kind, where, key_text(key), types[0], types[1])
        elif x and y and x[1].name != y[1].name:
            yield Change("name", where, kind, walk.text(x[1].name), walk.text(y[1].name))
        if x and y and x[1] != y[1]:
            yield from scalar("doc", where, "doc_string", x[1], y[1], f"{kind} {key_text(key)}: ")
            yield from entries("metadata", where, metadata(x[1]), metadata(y[1]))
    if kind != "value" and set(one) == set(other) and list(one) != list(other):
        yield Change(kind, place, "order", ", ".join(map(key_text, one)), ", ".join(map(key_text, other)))
