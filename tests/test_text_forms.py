"""protobuf's text format and JSON in C++ against protobuf's Python: the same characters out, the same messages in.

Asks `text_tool`, which tests/text_tool builds: the one that ONNX_LIGHT_TEXT_TOOL names, else the newest one built below build/. Random
messages come from the generator in tests/oracle.
"""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import onnx
import pytest
from google.protobuf import json_format, text_format
from google.protobuf.message import Message

TESTS = Path(__file__).resolve().parent
sys.path.insert(0, str(TESTS / "oracle"))
from oracle_client import corpus, message_class, rounds, table, unhex  # type: ignore[import-not-found]  # noqa: E402

Question = tuple[str, str, str, bytes]  # verb, full name of the message, options, data
Answer = bytes | str  # the bytes, or the text of the error


def tool() -> Path:
    named = os.environ.get("ONNX_LIGHT_TEXT_TOOL")
    if named:
        return Path(named)
    built = sorted((TESTS.parent / "build").glob("**/text_tool"), key=lambda path: path.stat().st_mtime)
    built = [path for path in built if path.is_file()]
    if not built:
        pytest.skip("text_tool is not built")
    return built[-1]


def ask(questions: list[Question]) -> list[Answer]:
    asked = bytearray()
    for verb, name, options, data in questions:
        for field in (verb.encode(), name.encode(), options.encode(), data):
            asked += struct.pack("<I", len(field)) + field
    done = subprocess.run([tool()], input=asked, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    fields, at = [], 0
    while at < len(done.stdout):
        (length,) = struct.unpack_from("<I", done.stdout, at)
        fields.append(done.stdout[at + 4 : at + 4 + length])
        at += 4 + length
    assert len(fields) == 2 * len(questions)
    return [answer if verdict == b"ok" else answer.decode() for verdict, answer in zip(*[iter(fields)] * 2, strict=True)]


def ask_one(verb: str, name: str, options: str, data: bytes | str) -> Answer:
    return ask([(verb, "onnx." + name, options, data if isinstance(data, bytes) else data.encode())])[0]


def parsed(name: str, data: bytes) -> Message:
    message = message_class(name)()
    message.ParseFromString(data)
    return message


def without_unknown(name: str, data: bytes) -> Message:
    message = parsed(name, data)
    message.DiscardUnknownFields()
    return message


def same(name: str, answer: Answer, expected: bytes) -> bool:
    """Whether both are the same bytes; NaNs lose their payload in text, and are compared as what is printed."""
    assert isinstance(answer, bytes), answer
    return answer == expected or str(parsed(name, answer)) == str(parsed(name, expected))


# Options as text_tool and as Python take them.
TEXT_OPTIONS: list[tuple[str, dict[str, object]]] = [
    ("python", {}),
    ("python as_one_line", {"as_one_line": True}),
    ("python use_short_repeated_primitives", {"use_short_repeated_primitives": True}),
    ("python as_utf8=False as_one_line use_short_repeated_primitives",
     {"as_utf8": False, "as_one_line": True, "use_short_repeated_primitives": True}),
]  # fmt: skip
JSON_OPTIONS: list[tuple[str, dict[str, object]]] = [
    ("", {}),
    ("preserving_proto_field_name", {"preserving_proto_field_name": True}),
    ("indent=None sort_keys", {"indent": None, "sort_keys": True}),
    ("indent=0 ensure_ascii=False", {"indent": 0, "ensure_ascii": False}),
    ("indent=5 use_integers_for_enums", {"indent": 5, "use_integers_for_enums": True}),
    ("indent=-1 preserving_proto_field_name sort_keys", {"indent": -1, "preserving_proto_field_name": True, "sort_keys": True}),
    ("float_precision=3", {"float_precision": 3}),
    ("sort_keys always_print_fields_with_no_presence", {"sort_keys": True, "always_print_fields_with_no_presence": True}),
]
# What Python makes of a number that rounding with float_precision takes beyond the range. It is no JSON; we leave such a number as it is.
BARE_INFINITY = re.compile(r'[^"-]Infinity|[^"]-Infinity')


def is_utf8(name: str, data: bytes) -> bool:
    """Whether every string of the message is: protobuf's Python shows the others as bytes."""

    def strings(message: Message) -> bool:
        for field, value in message.ListFields():
            for one in value if isinstance(value, (list, tuple)) or hasattr(value, "extend") else [value]:
                if isinstance(one, Message) and not strings(one):
                    return False
                if field.type == field.TYPE_STRING and not isinstance(one, str):
                    return False
        return True

    return strings(parsed(name, data))


def check_printing(samples: list[tuple[str, bytes]]) -> None:
    questions: list[Question] = []
    expected: list[str] = []
    for name, data in samples:
        message = parsed(name, data)
        questions.append(("to_text", name, "", data))
        expected.append(str(message))
        if not is_utf8(name, data):
            continue
        for words, arguments in TEXT_OPTIONS:
            questions.append(("to_text", name, words, data))
            expected.append(text_format.MessageToString(message, **arguments))
        for words, arguments in JSON_OPTIONS:
            text = json_format.MessageToJson(message, **arguments)
            if BARE_INFINITY.search(text):
                continue
            questions.append(("to_json", name, words, data))
            expected.append(text)
    for question, answer, text in zip(questions, ask(questions), expected, strict=True):
        assert answer == text.encode("utf-8"), question[:3]


def check_reading(samples: list[tuple[str, bytes]]) -> None:
    """What protobuf prints, we read as the message that was printed."""
    questions: list[Question] = []
    expected: list[bytes] = []
    for name, data in samples:
        message = without_unknown(name, data)
        texts = [("from_text", str(message))]
        if is_utf8(name, data):
            texts += [("from_text", text_format.MessageToString(message, **arguments)) for _, arguments in TEXT_OPTIONS]
            texts.append(("from_text", text_format.MessageToString(message, pointy_brackets=True, force_colon=True)))
            for words, arguments in JSON_OPTIONS:
                if "float_precision" not in words:
                    texts.append(("from_json", json_format.MessageToJson(message, **arguments)))
        for verb, text in texts:
            questions.append((verb, name, "", text.encode("utf-8")))
            expected.append(message.SerializeToString())
    for question, answer, data in zip(questions, ask(questions), expected, strict=True):
        assert same(question[1], answer, data), question


def samples() -> list[tuple[str, bytes]]:
    rows = [("onnx." + row[0], unhex(row[1])) for row in table("text_cases.txt")]
    return rows + [(sample.type, sample.valid) for sample in corpus(6, rounds(600))]


def floats() -> list[tuple[str, bytes]]:
    """Numbers whose digits are hard: powers of two, the smallest and largest, and bits in a row."""
    singles = [sign << 31 | exponent << 23 | mantissa for sign in (0, 1) for exponent in range(255) for mantissa in (0, 1, 0x7FFFFF)]
    singles += [index * 0x9E3779B1 & 0xFFFFFFFF for index in range(rounds(3000))]
    doubles = [exponent << 52 | mantissa for exponent in range(0, 2047, 3) for mantissa in (0, 1, (1 << 52) - 1)]
    doubles += [index * 0x9E3779B97F4A7C15 & (1 << 64) - 1 for index in range(rounds(2000))]
    one = onnx.TensorProto(float_data=struct.unpack(f"<{len(singles)}f", struct.pack(f"<{len(singles)}I", *singles)))
    two = onnx.TensorProto(double_data=struct.unpack(f"<{len(doubles)}d", struct.pack(f"<{len(doubles)}Q", *doubles)))
    small = onnx.TensorProto(float_data=[number / 1000 for number in range(-2000, 2000, 7)], double_data=[10.0**e for e in range(-8, 20)])
    return [("onnx.TensorProto", message.SerializeToString()) for message in (one, two, small)]


def test_random_messages_print_as_protobuf_prints_them() -> None:
    check_printing(samples())


def test_random_messages_are_read_as_protobuf_printed_them() -> None:
    check_reading(samples())


def test_every_kind_of_number_prints_as_protobuf_prints_it() -> None:
    check_printing(floats())


def test_every_kind_of_number_is_read_as_protobuf_printed_it() -> None:
    check_reading(floats())


def test_models_of_the_collection_print_as_protobuf_prints_them_and_are_read_again(binary_file) -> None:
    name, data = "onnx." + binary_file.message, binary_file.path.read_bytes()
    message = without_unknown(name, data)
    data = message.SerializeToString()
    text, as_saved = str(message).encode(), text_format.MessageToString(message).encode()
    as_json = json_format.MessageToJson(message, preserving_proto_field_name=True).encode()
    printed = ask([("to_text", name, "", data), ("to_text", name, "python", data), ("to_json", name, "preserving_proto_field_name", data)])
    assert printed == [text, as_saved, as_json]
    read = ask([("from_text", name, "", text), ("from_text", name, "", as_saved), ("from_json", name, "", as_json)])
    assert read == [data, data, data]


def test_text_models_of_the_collection_are_read_as_protobuf_reads_them(text_file: Any) -> None:
    text = text_file.path.read_text(encoding="utf-8")
    expected = text_format.Parse(text, onnx.ModelProto()).SerializeToString()
    assert ask_one("from_text", "ModelProto", "", text) == expected


TEXTS = table("text_inputs.txt")
JSONS = table("json_inputs.txt")


def check_verdict(verdict: str, ours: Answer, theirs: bytes | None) -> None:
    """The last column of the tables: what is ours beside what is protobuf's (None: refused)."""
    if verdict == "same":
        assert ours == theirs if theirs is not None else isinstance(ours, str) and "ParseError: line " in ours, (ours, theirs)
    elif verdict == "refused":
        assert isinstance(ours, str), "we take it"
        assert theirs is not None, "protobuf refuses it as well: no difference"
    else:
        assert ours == unhex(verdict)
        assert theirs != ours, "protobuf takes it in the same way: no difference"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # protobuf leaves escapes to Python, which warns of some
@pytest.mark.parametrize(("name", "text", "verdict"), TEXTS, ids=[row[1] for row in TEXTS])
def test_text_is_taken_or_refused_as_by_protobuf(name: str, text: str, verdict: str) -> None:
    text = "" if text == "-" else text.encode("latin-1").decode("unicode_escape").encode("latin-1").decode("utf-8")
    try:
        theirs = text_format.Parse(text, message_class("onnx." + name)()).SerializeToString()
    except text_format.ParseError:
        theirs = None
    check_verdict(verdict, ask_one("from_text", name, "", text), theirs)


@pytest.mark.parametrize(("name", "text", "verdict"), JSONS, ids=[row[1] for row in JSONS])
def test_json_is_taken_or_refused_as_by_protobuf(name: str, text: str, verdict: str) -> None:
    text = "" if text == "-" else text
    try:
        theirs = json_format.Parse(text, message_class("onnx." + name)()).SerializeToString()
    except json_format.ParseError:
        theirs = None
    check_verdict(verdict, ask_one("from_json", name, "", text), theirs)


def test_unknown_names_are_skipped_when_asked_for() -> None:
    text = 'x: 1 name: "a" y { z < > w: ["a" \'b\', 3] } u: [1, 2], v: -inf; op_type: "b"'
    expected = text_format.Parse(text, onnx.NodeProto(), allow_unknown_field=True).SerializeToString()
    assert ask_one("from_text", "NodeProto", "allow_unknown_field", text) == expected
    assert 'NodeProto has no field "x"' in str(ask_one("from_text", "NodeProto", "", text))
    document = json.dumps({"a": {"b": [1, {"c": None}], "": True}, "opType": "x", "z": [[[]]], "attribute": [{"type": "WHAT", "i": "1"}]})
    expected = json_format.Parse(document, onnx.NodeProto(), ignore_unknown_fields=True).SerializeToString()
    assert ask_one("from_json", "NodeProto", "ignore_unknown_fields", document) == expected
    assert "has no field" in str(ask_one("from_json", "NodeProto", "", document))


def test_nesting_without_end_is_an_error_and_no_crash() -> None:
    for options in ("", "allow_unknown_field"):
        for piece in ("sequence_type { elem_type {", "x {", "x [<", "x: {"):
            assert "TextParseError" in str(ask_one("from_text", "TypeProto", options, piece * 100_000))
    for options in ("", "ignore_unknown_fields"):
        for piece in ('{"sequenceType": {"elemType": ', '{"x": ', '{"x": [', "["):
            assert "JsonParseError" in str(ask_one("from_json", "TypeProto", options, piece * 100_000))
    deep = "sequence_type { elem_type { " * 200 + "}} " * 200
    assert isinstance(ask_one("from_text", "TypeProto", "", deep), bytes)
    assert "nested deeper than 400" in str(ask_one("from_text", "TypeProto", "", "sequence_type { elem_type { " + deep + "}}"))
