"""The ONNX syntax against onnx: what it reads we read as the same message, and what we print gives back every field of every message."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import onnx
import pytest
from google.protobuf import text_format

import onnx_light.onnx as onnxl
from onnx_light.onnx_py import _onnxpy

TESTS = Path(__file__).resolve().parent
sys.path.insert(0, str(TESTS / "oracle"))
from oracle_client import corpus, rounds, table  # type: ignore[import-not-found]  # noqa: E402

WITH_SYNTAX = [
    "ModelProto", "GraphProto", "FunctionProto", "NodeProto", "AttributeProto", "TypeProto", "TensorProto", "ValueInfoProto",
]  # fmt: skip
# What onnx reads, by the name in the table.
KINDS: dict[str, tuple[type[Any], Callable[[str], Any]]] = {
    "model": (onnxl.ModelProto, onnx.parser.parse_model),
    "graph": (onnxl.GraphProto, onnx.parser.parse_graph),
    "function": (onnxl.FunctionProto, onnx.parser.parse_function),
    "node": (onnxl.NodeProto, onnx.parser.parse_node),
}
INPUTS = table("syntax_inputs.txt")


def unescaped(text: str) -> str:
    return "" if text == "-" else text.encode("latin-1", "backslashreplace").decode("unicode_escape")


def read(text: str, message: Any) -> Any:
    return _onnxpy.text.from_syntax(text, message)


def check_round_trip(message: Any) -> str:
    """Prints the message, reads it again, and gives the text."""
    message.DiscardUnknownFields()
    text = _onnxpy.text.to_syntax(message)
    again = read(text, type(message)())
    assert again.SerializeToString() == message.SerializeToString(), text
    return text


@pytest.mark.parametrize(("kind", "text", "verdict"), INPUTS, ids=[f"{row[0]} {row[1]}" for row in INPUTS])
def test_text_is_taken_or_refused_as_by_onnx(kind: str, text: str, verdict: str) -> None:
    ours_type, parse = KINDS[kind]
    text = unescaped(text)
    try:
        theirs = parse(text).SerializeToString()
    except Exception:  # onnx raises what its number readers raise, besides ParseError
        theirs = None
    try:
        ours = read(text, ours_type()).SerializeToString()
    except onnxl.DecodeError:
        ours = None
    if verdict == "same":
        assert ours == theirs
    elif verdict == "refused":
        assert ours is None
        assert theirs is not None, "onnx refuses it as well: no difference"
    else:
        assert ours is not None
        assert ours != theirs, "onnx takes it in the same way: no difference"


@pytest.mark.parametrize(("kind", "text", "verdict"), INPUTS, ids=[f"{row[0]} {row[1]}" for row in INPUTS])
def test_what_has_been_read_makes_a_round_trip(kind: str, text: str, verdict: str) -> None:
    try:
        message = read(unescaped(text), KINDS[kind][0]())
    except onnxl.DecodeError:
        return
    check_round_trip(message)


def test_random_messages_make_a_round_trip() -> None:
    count = 0
    for sample in corpus(8, rounds(1500)):
        name = sample.type.removeprefix("onnx.")
        if name in WITH_SYNTAX:
            check_round_trip(getattr(onnxl, name).FromString(sample.valid))
            count += 1
    assert count > 100


def test_models_of_the_collection_make_a_round_trip(binary_file) -> None:
    if binary_file.message not in WITH_SYNTAX or binary_file.path.stat().st_size > 50_000_000:
        pytest.skip("no message with a syntax, or a large one")
    check_round_trip(getattr(onnxl, binary_file.message).FromString(binary_file.path.read_bytes()))


def attributes(model: Any) -> Iterator[Any]:
    """Every attribute of the graph's nodes, those of subgraphs included."""
    nodes = list(model.graph.node)
    while nodes:
        for attribute in nodes.pop().attribute:
            yield attribute
            nodes.extend(attribute.g.node)


def test_models_of_the_collection_mean_the_same_to_onnx_as_far_as_it_can_say(binary_file) -> None:
    """onnx reads what we print, notes and all; in its own words it gives the graph that it gives for its own text."""
    if binary_file.message != "ModelProto" or binary_file.path.stat().st_size > 1_000_000:
        pytest.skip("no model, or a large one")
    model = onnx.ModelProto.FromString(binary_file.path.read_bytes())
    try:
        theirs = onnx.parser.parse_model(onnx.printer.to_text(model))
    except Exception:
        pytest.skip("onnx cannot print it, or not read what it prints")
    has_lists = any(attribute.tensors or attribute.graphs or attribute.type_protos for attribute in attributes(model))
    if has_lists or model.graph.sparse_initializer:
        pytest.skip("onnx loses it")
    assert read(onnx.printer.to_text(model), onnxl.ModelProto()).SerializeToString() == theirs.SerializeToString()
    text = _onnxpy.text.to_syntax(onnxl.ModelProto.FromString(model.SerializeToString()))
    ours = onnx.parser.parse_model(text)
    assert [node.SerializeToString() for node in ours.graph.node] == [node.SerializeToString() for node in theirs.graph.node]
    assert ours.graph.input == theirs.graph.input
    assert ours.graph.output == theirs.graph.output


PRINTED = [
    """<
   ir_version: 8,
   opset_import: ["" : 17, "my" : 1],
   producer_name: "p",
   metadata_props: ["a": "b"]
>
g (float x,  y, seq(float[2]) z) => (float w)@
   <float[2] c =  {1,2.5}, float[1] e = ["location": "f"], string[2] s = {"a", "b\\""}, float t>
{
   [n] y = If (b) <a: int = 1, then_branch: graph = g () => (float y) {
      y = Neg (x)
   }, b: int = 1>
   q = If (b) <else_branch: graph = h (float q) => (float y)@
      <float[1] c =  {1}, float t>
{
      z = If (a) <q: graph = zz () => () {
         a = b ()
      }>
   }>
   a, d = my.sub.Foo:o <x: tensor = float[2] {1,2}, y: float = 2, z: ints = [1, 2]> ("", q)
}
<
  domain: "my",
  overload: "o",
  opset_import: ["" : 1]
>
f <q,r>(x, y) => (z)
{
   z = Neg (x)
}
<
  domain: "my",
  opset_import: ["" : 7]
>
k () => ()
{
}""".replace("@", " "),  # onnx leaves a blank at the end of such a line
]  # fmt: skip


@pytest.mark.parametrize("text", PRINTED)
def test_where_onnx_has_words_we_print_what_it_prints(text: str) -> None:
    model = onnx.parser.parse_model(text)
    assert onnx.printer.to_text(model) == text
    assert _onnxpy.text.to_syntax(onnxl.ModelProto.FromString(model.SerializeToString())) == text


FLOATS = [0x7FC00000, 0xFFC00000, 0x7F800001, 0xFF812345, 0x7F800000, 0xFF800000, 0x80000000, 1, 0x80000001, 0x7F7FFFFF, 0x3DCCCCCD]


def test_every_bit_of_a_float_survives_wherever_it_stands() -> None:
    singles = struct.pack(f"<{len(FLOATS)}I", *FLOATS)
    doubles = b"".join(struct.pack("<Q", bits << 32 | 5) for bits in FLOATS)
    values = struct.unpack(f"<{len(FLOATS)}f", singles)
    wire = lambda number, payload: bytes([number << 3 | 2]) + bytes([len(payload)]) + payload  # noqa: E731
    for data_type, field, payload in ((1, 4, singles), (11, 10, doubles), (14, 4, singles), (15, 10, doubles)):
        for number in (field, 9):
            tensor = onnxl.TensorProto.FromString(wire(number, payload))
            tensor.data_type = data_type
            tensor.name = "w"
            check_round_trip(tensor)
    misplaced = onnxl.TensorProto.FromString(wire(4, singles))
    misplaced.data_type = onnxl.TensorProto.INT8
    check_round_trip(misplaced)
    assert len(values) == len(FLOATS)
    for bits in FLOATS:
        single = struct.pack("<I", bits)
        check_round_trip(onnxl.AttributeProto.FromString(b"\x0a\x01a\x15" + single + b"\xa0\x01\x01"))
        check_round_trip(onnxl.AttributeProto.FromString(b"\x0a\x01a\x3d" + single + b"\xa0\x01\x06"))


@pytest.mark.parametrize("data_type", sorted(set(onnxl.TensorProto.DataType.values()) | {99, -1}))
def test_tensors_of_every_type_and_storage_make_a_round_trip(data_type: int) -> None:
    data: list[dict[str, Any]] = [
        {}, {"float_data": [1.5]}, {"int32_data": [1, -2]}, {"int64_data": [-(2**63)]}, {"uint64_data": [2**64 - 1]},
        {"double_data": [0.1]}, {"string_data": [b"a\xff\n\"\\", b""]}, {"raw_data": b""}, {"raw_data": bytes(range(1, 17))},
        {"raw_data": b"123"}, {"int32_data": [1], "raw_data": b"1"}, {"int32_data": [1], "float_data": [1]},
    ]  # fmt: skip
    for fields in data:
        for more in ({}, {"name": ""}, {"name": "a b", "doc_string": "d\n", "data_location": 0}, {"data_location": 1}):
            tensor = onnxl.TensorProto(data_type=data_type, dims=[2, 0, -1], **fields, **more)
            check_round_trip(tensor)
            check_round_trip(onnxl.GraphProto(name="g", initializer=[tensor, tensor]))
            check_round_trip(onnxl.AttributeProto(name="a", type=4, t=tensor))
            check_round_trip(onnxl.AttributeProto(name="a", type=9, tensors=[tensor, tensor]))


NAMES = [
    "x", "", "x.1", "1", "a b", "if", "float", "seq", "nan", "inf", "b", 'a"b', "a\\b", "a\nb", "\0", "漢", "@a", "#@{", "a.b.c",
    ".a", "a.", "a..b",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_any_name_makes_a_round_trip_in_any_place(name: str) -> None:
    type_ = onnxl.TypeProto(
        tensor_type={"elem_type": 1, "shape": {"dim": [{"dim_param": name}, {"dim_value": -1}, {"denotation": name}, {}]}}
    )
    value = onnxl.ValueInfoProto(name=name, type=type_, doc_string=name)
    graph = onnxl.GraphProto(name=name, input=[value, {"name": name}], output=[{"name": name, "type": {}}], value_info=[value, {}])
    attributes = [
        onnxl.AttributeProto(name=name, type=3, s=name.encode()),
        onnxl.AttributeProto(name=name, type=5, g=graph),
        onnxl.AttributeProto(name=name, type=1, ref_attr_name=name),
        onnxl.AttributeProto(name=name, ref_attr_name=name, doc_string=name),
        onnxl.AttributeProto(name=name, type=13, tp={"opaque_type": {"domain": name, "name": name}, "denotation": name}),
    ]
    node = onnxl.NodeProto(input=[name, name], output=[name], name=name, op_type=name, domain=name, overload=name, attribute=attributes)
    function = onnxl.FunctionProto(name=name, domain=name, overload=name, input=[name], output=[name], attribute=[name], node=[node])
    function.attribute_proto.extend([*attributes, onnxl.AttributeProto(name=name, type=2)])
    function.opset_import.add(domain=name, version=-1)
    model = onnxl.ModelProto(graph=graph, functions=[function], metadata_props=[{"key": name, "value": name}, {"key": name}], domain=name)
    model.graph.node.append(node)
    check_round_trip(node)
    check_round_trip(graph)
    check_round_trip(function)
    check_round_trip(model)


def test_presence_is_kept_of_every_field_that_the_syntax_sets_by_itself() -> None:
    for text in (
        "", "graph {}", "graph { name: '' }", "ir_version: 0", "opset_import {}", "opset_import { version: 1 }",
        "opset_import { domain: '' }",
        "graph { node {} node { op_type: '' } node { op_type: 'A' } node { op_type: 'A' domain: '' } node { overload: '' name: '' } }",
        "graph { node { op_type: 'A' domain: '' } node { op_type: 'A' } }", "training_info { algorithm { name: 'a' } }",
        "functions {}", "functions { name: 'f' node { op_type: 'A' } }", "graph { initializer {} input {} value_info {} output {} }",
        "graph { sparse_initializer { values { name: 's' } dims: 3 } quantization_annotation {} doc_string: '' }",
        "configuration { name: 'c' device: 'd' } graph { node { device_configurations { sharding_spec { device: 1 } } } }",
    ):  # fmt: skip
        model = text_format.Parse(text, onnx.ModelProto())
        check_round_trip(onnxl.ModelProto.FromString(model.SerializeToString()))


def test_values_are_left_out_only_when_asked_for_and_then_not_read() -> None:
    tensor = onnxl.TensorProto(name="w", data_type=1, dims=[1000], float_data=range(1000))
    assert "999" in _onnxpy.text.to_syntax(tensor)
    short = _onnxpy.text.to_syntax(tensor, elide_after=3)
    assert short == "float[1000] w {0,1,2,...}"
    with pytest.raises(_onnxpy.SyntaxParseError, match="left out"):
        read(short, onnxl.TensorProto())
    node = onnxl.NodeProto(op_type="A", attribute=[{"name": "a", "type": 7, "ints": range(9)}])
    assert "[0, ...]" in _onnxpy.text.to_syntax(node, elide_after=1)


def test_nesting_without_end_is_an_error_and_no_crash() -> None:
    for kind, start, piece in (
        (onnxl.TypeProto, "", "seq("), (onnxl.TypeProto, "", "map(int64, "), (onnxl.GraphProto, "", "g () => () { y = A <b = "),
        (onnxl.NodeProto, "", "y = If <a = g () => () { "), (onnxl.NodeProto, "y = A () @{", "attribute { g { node { "),
    ):  # fmt: skip
        with pytest.raises(_onnxpy.SyntaxParseError, match="nested deeper than"):
            read(start + piece * 50_000, kind())
    deep = "seq(" * 199 + "float" + ")" * 199
    check_round_trip(read(deep, onnxl.TypeProto()))
    with pytest.raises(_onnxpy.SyntaxParseError, match="nested deeper than 400"):
        read("seq(" * 200 + "float" + ")" * 200, onnxl.TypeProto())


def test_a_message_without_syntax_is_a_type_error() -> None:
    with pytest.raises(TypeError):
        _onnxpy.text.to_syntax(onnxl.OperatorProto())
    with pytest.raises(TypeError):
        read("", onnxl.SparseTensorProto())


def test_what_onnx_refuses_to_print_is_printed_and_read_again() -> None:
    for tensor in (
        onnxl.TensorProto(name="w", data_type=onnxl.TensorProto.FLOAT, dims=[2], raw_data=b"1234"),
        onnxl.TensorProto(name="w", data_type=onnxl.TensorProto.FLOAT16, dims=[1], raw_data=b"123"),
        onnxl.TensorProto(name="w", data_type=onnxl.TensorProto.INT4, dims=[4], raw_data=b"\x21\x43"),
        onnxl.TensorProto(name="w", data_type=onnxl.TensorProto.BFLOAT16, dims=[1], raw_data=b"\x80\x3f"),
    ):
        graph = onnxl.GraphProto(name="g", initializer=[tensor])
        assert onnxl.parser.parse_graph(onnxl.printer.to_text(graph)) == graph
    assert "a" in onnxl.printer.to_text(onnxl.AttributeProto(name="a", i=1, type=onnxl.AttributeProto.INT))
