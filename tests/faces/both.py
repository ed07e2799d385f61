"""Message classes of this package and of the installed `onnx`, side by side, and random contents for them."""

from __future__ import annotations

import math
import random
import struct
from typing import Any

import onnx
import onnx.onnx_data_pb
import onnx.onnx_operators_pb

import onnx_light.onnx as onnxl


def _their_class(full_name: str) -> Any:
    found: Any = onnx
    for part in full_name.split(".")[1:]:
        found = getattr(found, part)
    return found


OURS: dict[str, Any] = dict(onnxl._messages.classes)
THEIRS: dict[str, Any] = {name: _their_class(name) for name in OURS}
NAMES = sorted(OURS)

INTEGERS = (0, 1, -1, 2, 7, 127, 128, 300, -(2**31), 2**31 - 1, 2**40, -(2**63), 2**63 - 1)
FLOATS = (0.0, -0.0, 1.0, -1.5, 0.1, 3.4e38, 1e-45, float("inf"), -float("inf"), 123456.789, 1e16)
TEXTS = ("", "a", "axis", "Conv", "ai.onnx.ml", "é", "\u0000", "日本", "\U0001f600", "a\nb\"'\\", "x" * 70, "name" * 40)
BYTES = (b"", b"a", b"\xff\xfe", b"\x00\x01", b"abc" * 30, "é".encode())


def value_for(field: Any, rng: random.Random) -> Any:
    """A value that a singular field, or an element of a list of values, takes."""
    kind = field.type
    if kind == field.TYPE_ENUM:
        return rng.choice(field.enum_type.values).number
    if kind in (field.TYPE_FLOAT, field.TYPE_DOUBLE):
        value = rng.choice(FLOATS) if rng.random() < 0.5 else rng.uniform(-100, 100)
        return struct.unpack("f", struct.pack("f", value))[0] if kind == field.TYPE_FLOAT else value
    if kind == field.TYPE_STRING:
        return rng.choice(TEXTS)
    if kind == field.TYPE_BYTES:
        return rng.choice(BYTES)
    value = rng.choice(INTEGERS) if rng.random() < 0.6 else rng.randrange(1000)
    if kind == field.TYPE_UINT64:
        return abs(value)
    if kind == field.TYPE_INT32:
        return (value + 2**31) % 2**32 - 2**31
    return value


def recipe_for(descriptor: Any, rng: random.Random, depth: int = 0) -> dict[str, Any]:
    """Keywords for the constructor of a message: random fields, messages as dicts."""
    recipe: dict[str, Any] = {}
    fields = list(descriptor.fields)
    share = 0.5 if depth == 0 else 0.3 if depth < 4 else 0.0
    for field in fields:
        if rng.random() >= share or (depth > 1 and field.message_type is not None and rng.random() < 0.5):
            continue
        count = rng.choice((0, 1, 1, 2, 3, 9)) if field.is_repeated else 1
        if field.message_type is not None:
            values: list[Any] = [recipe_for(field.message_type, rng, depth + 1) for _ in range(min(count, 3))]
        else:
            values = [value_for(field, rng) for _ in range(count)]
        recipe[field.name] = values if field.is_repeated else values[0]
    return recipe


def built(cls: Any, recipe: dict[str, Any]) -> Any:
    return cls(**recipe)


def varint(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def unknown_field(rng: random.Random, numbers: tuple[int, ...] = (1, 2, 3, 5, 20, 30, 31, 100, 2000)) -> bytes:
    """A field that no message of ONNX has, or one of a known number with a wire type that is mostly not its own (or breaks the parse)."""
    number = rng.choice(numbers)
    wire = rng.choice((0, 1, 2, 5))
    content = {0: varint(rng.randrange(2**40)), 1: b"12345678", 2: b"\x03abc", 5: b"1234"}[wire]
    return varint(number << 3 | wire) + content


def plain(value: Any) -> Any:
    """What can be compared across the two packages."""
    if hasattr(value, "SerializeToString"):
        return type(value).__qualname__, value.SerializeToString()
    if isinstance(value, float) and math.isnan(value):
        return "nan"
    if isinstance(value, (str, bytes, int, float, type(None))):
        return repr(value)
    if isinstance(value, (tuple, list)) or hasattr(value, "MergeFrom"):
        return [plain(item) for item in value]
    if hasattr(value, "cpp_type"):
        return value.full_name
    return repr(value)


def outcome(act: Any, *arguments: Any) -> Any:
    """What a call gives, or the name of what it raises."""
    try:
        return plain(act(*arguments))
    except Exception as error:
        return f"raises {type(error).__name__}"
