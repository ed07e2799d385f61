"""The wire and text rules against protobuf's Python (upb), which `onnx` uses and which decides where implementations differ."""

from __future__ import annotations

import random
import struct
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

sys.path.insert(0, str(Path(__file__).resolve().parent / "oracle"))
from oracle_client import Reading, Sample, corpus, message_class, ours, ours_equal, ours_merged, rounds, table, unhex, upb  # type: ignore[import-not-found]

ALL_TYPES = sorted({row[0] for row in table("onnx_fields.txt")})


def assert_read_alike(questions: list[tuple[str, bytes]]) -> int:
    """Ours and upb refuse the same bytes, and write, measure and print the others alike. Returns how many were read."""
    differences = []
    accepted = 0
    for (name, data), our_reading in zip(questions, ours(questions), strict=True):
        expected = upb(name, data)
        accepted += expected.written is not None
        if our_reading != expected:
            differences.append((name, data.hex(), described(our_reading), described(expected)))
    shown = sorted(differences, key=lambda difference: len(difference[1]))[:10]
    assert not differences, f"{len(differences)} of {len(questions)} differ; the shortest:\n" + "\n".join(
        f"{name} {data}\n  ours: {our}\n  upb:  {their}" for name, data, our, their in shown
    )
    return accepted


def described(reading: Reading) -> str:
    return "refused" if reading.written is None else f"{reading.written.hex()} ({reading.size} bytes) {reading.text!r}"


@pytest.mark.parametrize(("name", "data", "written", "label"), table("wire_cases.txt"))
def test_recorded_wire_case_is_what_upb_does(name: str, data: str, written: str, label: str) -> None:
    expected = None if written == "error" else unhex(written)
    assert upb(f"onnx.{name}", unhex(data)).written == expected, label


@pytest.mark.parametrize(("name", "one", "other", "verdict", "label"), table("equal_cases.txt"))
def test_recorded_equality_is_what_upb_finds(name: str, one: str, other: str, verdict: str, label: str) -> None:
    message = message_class(f"onnx.{name}")
    assert (message.FromString(unhex(one)) == message.FromString(unhex(other))) == (verdict == "equal"), label


@pytest.mark.parametrize(("name", "data", "text"), table("text_cases.txt"))
def test_recorded_text_case_is_what_upb_prints(name: str, data: str, text: str) -> None:
    printed = upb(f"onnx.{name}", unhex(data)).text
    assert (printed.replace("\\", "\\\\").replace("\n", "\\n") or "-") == text


SMALL_MESSAGES = [(f"onnx.{name}", unhex(data)) for name, data, _ in table("small_messages.txt")]


def test_every_truncation_is_read_as_upb_reads_it() -> None:
    assert_read_alike([(name, data[:length]) for name, data in SMALL_MESSAGES for length in range(len(data) + 1)])


def test_every_changed_byte_is_read_as_upb_reads_it() -> None:
    assert len(SMALL_MESSAGES) >= 20
    questions = []
    for name, data in SMALL_MESSAGES:
        for at in range(len(data)):
            questions += [(name, data[:at] + bytes([byte]) + data[at + 1 :]) for byte in range(256) if byte != data[at]]
    assert 0.2 < assert_read_alike(questions) / len(questions) < 0.9


def test_edited_messages_are_read_as_upb_reads_them() -> None:
    samples = corpus(seed=1, count=33 * rounds(400))
    assert {sample.type for sample in samples} == set(ALL_TYPES)
    assert 0.4 < assert_read_alike([(sample.type, sample.edited) for sample in samples]) / len(samples) < 0.95


def readable_pairs(seed: int, count: int) -> list[Sample]:
    """Samples of which upb reads both forms."""
    return [sample for sample in corpus(seed, count) if upb(sample.type, sample.edited).written is not None]


def test_merging_gives_what_upb_gives() -> None:
    pairs = readable_pairs(seed=10_000_000, count=33 * rounds(60))
    for pair, merged in zip(pairs, ours_merged(pairs), strict=True):
        target = message_class(pair.type).FromString(pair.valid)
        target.MergeFrom(message_class(pair.type).FromString(pair.edited))
        assert merged.hex() == target.SerializeToString().hex(), pair


def varint(data: bytes, at: int) -> tuple[int, int]:
    """The varint at `at` and the place behind it."""
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 0x80:
            return value, at


def encoded(value: int) -> bytes:
    digits = bytearray()
    while value >= 0x80:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*digits, value])


def in_order(data: bytes, message: Descriptor | None, at: int = 0) -> tuple[bytes, int]:
    """The fields of a well-formed message, or of a group up to its end tag, by ascending tag at every level; and the place behind them."""
    fields = []
    while at < len(data):
        tag, value_at = varint(data, at)
        if tag & 7 == 4:
            at = value_at
            break
        if tag & 7 == 3:
            content, end = in_order(data, None, value_at)
            field = encoded(tag) + content + encoded(tag + 1)
        elif tag & 7 == 2:
            length, start = varint(data, value_at)
            end = start + length
            known = message.fields_by_number.get(tag >> 3) if message is not None else None
            child = known.message_type if known is not None else None
            content = in_order(data[start:end], child)[0] if child is not None else data[start:end]
            field = encoded(tag) + encoded(len(content)) + content
        else:
            end = varint(data, value_at)[1] if tag & 7 == 0 else value_at + (8 if tag & 7 == 1 else 4)
            field = encoded(tag) + data[value_at:end]
        fields.append((tag, field))
        at = end
    return b"".join(field for _, field in sorted(fields, key=lambda pair: pair[0])), at


def test_messages_are_equal_when_upb_finds_them_equal() -> None:
    """The same values in other encodings are equal, and unknown fields of different tags may change places; other edits tell.

    upb 6.31 sorts three unknown fields and more wrongly before it compares them, so it is asked about messages in order.
    """
    pairs = readable_pairs(seed=20_000_000, count=33 * rounds(200))
    wrong, equal = [], 0
    for pair, ours_says in zip(pairs, ours_equal(pairs), strict=True):
        message = message_class(pair.type)
        one, other = (
            message.FromString(in_order(message.FromString(data).SerializeToString(), message.DESCRIPTOR)[0])
            for data in (pair.valid, pair.edited)
        )
        equal += one == other
        if ours_says != (one == other):
            wrong.append((pair, f"upb says {one == other}"))
    assert not wrong, f"{len(wrong)} of {len(pairs)}: {min(wrong, key=lambda case: len(case[0].edited))}"
    assert 0.2 < equal / len(pairs) < 0.8


class Fields:
    """Fills messages through their Python attributes, as users do: every field kind with the values that tell encodings apart."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.messages_left = self.random.choice([0, 1, 3, 8, 40])

    def fill(self, message: Message) -> None:
        for field in message.DESCRIPTOR.fields:
            if self.random.random() < 0.4:
                self.set(message, field)

    def set(self, message: Message, field: FieldDescriptor) -> None:
        if field.message_type is not None:
            if self.messages_left > 0:
                self.messages_left -= 1
                child = getattr(message, field.name)
                self.fill(child.add() if field.is_repeated else child)
                if not field.is_repeated:
                    getattr(message, field.name).SetInParent()
        elif field.is_repeated:
            getattr(message, field.name).extend(self.value(field) for _ in range(self.random.choice([0, 1, 2, 5, 40])))
        else:
            setattr(message, field.name, self.value(field))

    def integer(self, low: int, high: int) -> int:
        near = [0, 1, -1, 127, 128, 16383, 16384, 2**31 - 1, -(2**31), 2**35, low, high, self.random.randint(low, high)]
        return max(low, min(high, self.random.choice(near)))

    def value(self, field: FieldDescriptor) -> object:
        if field.enum_type is not None:
            return self.random.choice(field.enum_type.values).number
        kinds: dict[int, Callable[[], object]] = {
            FieldDescriptor.TYPE_INT32: lambda: self.integer(-(2**31), 2**31 - 1),
            FieldDescriptor.TYPE_INT64: lambda: self.integer(-(2**63), 2**63 - 1),
            FieldDescriptor.TYPE_UINT64: lambda: self.integer(0, 2**64 - 1),
            FieldDescriptor.TYPE_FLOAT: lambda: struct.unpack("<f", self.random.randbytes(4))[0],
            FieldDescriptor.TYPE_DOUBLE: lambda: struct.unpack("<d", self.random.randbytes(8))[0],
            FieldDescriptor.TYPE_BYTES: lambda: self.random.randbytes(self.random.choice([0, 1, 7, 300])),
            FieldDescriptor.TYPE_STRING: lambda: "".join(self.random.choices("ab\0\"'\\\n\x7fé漢𝄞", k=self.random.choice([0, 1, 9]))),
        }
        return kinds[field.type]()


@pytest.mark.parametrize("name", ALL_TYPES)
def test_messages_made_in_python_round_trip(name: str) -> None:
    questions = []
    for seed in range(rounds(60)):
        message = message_class(name)()
        Fields(seed).fill(message)
        questions.append((name, message.SerializeToString()))
    assert assert_read_alike(questions) == len(questions)
    for (_, data), reading in zip(questions, ours(questions), strict=True):
        assert reading.written == data


def test_the_list_of_types_is_complete() -> None:
    def collect(descriptor: Descriptor) -> set[str]:
        return {descriptor.full_name}.union(*(collect(nested) for nested in descriptor.nested_types))

    files = {message_class(name).DESCRIPTOR.file for name in ("onnx.ModelProto", "onnx.MapProto", "onnx.OperatorProto")}
    assert set(ALL_TYPES) == set().union(*(collect(descriptor) for file in files for descriptor in file.message_types_by_name.values()))
