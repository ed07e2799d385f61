"""Asks the C++ messages through `oracle_tool`, the program that tests/oracle builds, and reads the tables in tests/data.

The tool is the one that ONNX_LIGHT_ORACLE_TOOL names, else the newest one built below build/. Where there is none, tests that need it
are skipped.
"""

from __future__ import annotations

import os
import struct
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import onnx
import pytest
from google.protobuf.message import DecodeError, Message
from onnx import onnx_data_pb, onnx_operators_pb

TESTS = Path(__file__).resolve().parent.parent


class Reading(NamedTuple):
    """What a reader made of some bytes: the bytes it writes and the text it prints, or neither when it refused them."""

    written: bytes | None
    text: str = ""
    size: int = 0


class Sample(NamedTuple):
    """One record of the generator: a message's full name, the bytes of a valid one, and those bytes after some edits."""

    type: str
    valid: bytes
    edited: bytes


def table(name: str) -> list[list[str]]:
    """The rows of tests/data/`name`: lines split at tabs, without blank ones and comments."""
    lines = (TESTS / "data" / name).read_text(encoding="utf-8").split("\n")
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def unhex(field: str) -> bytes:
    return b"" if field == "-" else bytes.fromhex(field)


def message_class(full_name: str) -> type[Message]:
    """The class in `onnx` of a message such as "onnx.TypeProto.Tensor"."""
    found: object = onnx
    for part in full_name.split(".")[1:]:
        found = getattr(found, part, None) or getattr(onnx_data_pb, part, None) or getattr(onnx_operators_pb, part)
    return found  # type: ignore[return-value]


def upb(full_name: str, data: bytes) -> Reading:
    """What protobuf's Python makes of `data`."""
    message = message_class(full_name)()
    try:
        message.ParseFromString(data)
    except DecodeError:
        return Reading(None)
    return Reading(message.SerializeToString(), str(message), message.ByteSize())


def rounds(count: int) -> int:
    """`count` times ONNX_LIGHT_ORACLE_ROUNDS: how often a random test tries."""
    return count * int(os.environ.get("ONNX_LIGHT_ORACLE_ROUNDS", "1"))


def tool() -> Path:
    named = os.environ.get("ONNX_LIGHT_ORACLE_TOOL")
    if named:
        return Path(named)
    built = sorted((TESTS.parent / "build").glob("**/oracle_tool"), key=lambda path: path.stat().st_mtime)
    if not built:
        pytest.skip("oracle_tool is not built (it needs libprotobuf, protoc and the onnx wheel)")
    return built[-1]


def _records(data: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        (length,) = struct.unpack_from("<I", data, at)
        yield data[at + 4 : at + 4 + length]
        at += 4 + length


def _ask(verb: str, questions: Iterable[tuple[str, bytes, bytes]]) -> Iterator[bytes]:
    asked = bytearray()
    for name, one, other in questions:
        for field in (verb.encode(), name.encode(), one, other):
            asked += struct.pack("<I", len(field)) + field
    answer = subprocess.run([tool(), "serve"], input=asked, capture_output=True, check=False)
    assert answer.returncode == 0, answer.stderr.decode()
    return _records(answer.stdout)


def ours(questions: list[tuple[str, bytes]]) -> list[Reading]:
    """What our messages make of each (full name, bytes)."""
    answers = list(_ask("read", ((name, data, b"") for name, data in questions)))
    assert len(answers) == 4 * len(questions)
    readings = []
    for verdict, written, text, size in zip(*[iter(answers)] * 4, strict=True):
        readings.append(Reading(written, text.decode(), int(size)) if verdict == b"ok" else Reading(None))
    return readings


def ours_merged(pairs: list[tuple[str, bytes, bytes]]) -> list[bytes]:
    """The bytes of one.MergeFrom(other), for messages that can be read."""
    return list(_ask("merge", pairs))[1::2]


def ours_equal(pairs: list[tuple[str, bytes, bytes]]) -> list[bool]:
    """Whether one == other, for messages that can be read."""
    return [answer == b"1" for answer in list(_ask("equal", pairs))[1::2]]


def corpus(seed: int, count: int) -> list[Sample]:
    """Samples over all message types in turn, the same for the same seed."""
    made = subprocess.run([tool(), "corpus", str(seed), str(count)], capture_output=True, check=True)
    return [Sample(name.decode(), valid, edited) for name, valid, edited in zip(*[_records(made.stdout)] * 3, strict=True)]
