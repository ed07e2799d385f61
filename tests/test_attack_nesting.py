"""Nesting without end, in every form and under every verb of Python: a typed error, and no stack that overflows."""

from __future__ import annotations

import copy
import hashlib
import json
import pickle
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import onnx_light.onnx as onnxl
from onnx_light.onnx import compose
from onnx_light.onnx_py import _onnxpy

DEEP = 200_000
TEXT = _onnxpy.text


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def nested(numbers: tuple[int, ...], levels: int) -> bytes:
    """Messages in messages by these field numbers in turn, outermost first. Linear in time: the pieces are joined at the end."""
    pieces: list[bytes] = []
    size = 0
    for level in range(levels):
        head = varint(numbers[(levels - 1 - level) % len(numbers)] << 3 | 2) + varint(size)
        pieces.append(head)
        size += len(head)
    return b"".join(reversed(pieces))


def nested_graphs(levels: int, package: Any = onnxl) -> Any:
    """A model of nodes in graphs in attributes; three messages a level."""
    model = package.ModelProto(ir_version=10)
    model.opset_import.add(domain="", version=21)
    graph = model.graph
    graph.name = "g"
    for level in range(levels):
        node = graph.node.add(op_type="If", name=f"n{level}", input=["c"], output=[f"y{level}"])
        graph = node.attribute.add(name="then_branch", type=5).g
        graph.name = f"g{level}"
    graph.initializer.add(name="w", data_type=1, dims=[400], raw_data=bytes(1600))
    return model


WAYS: dict[str, tuple[type, tuple[int, ...]]] = {
    "graphs": (onnxl.AttributeProto, (6, 1, 5)),
    "lists of graphs": (onnxl.AttributeProto, (11, 1, 5)),
    "sequences": (onnxl.TypeProto, (4, 1)),
    "maps": (onnxl.TypeProto, (5, 2)),
    "optionals": (onnxl.TypeProto, (9, 1)),
    "sequences of sequences": (onnxl.SequenceProto, (5,)),
    "values of maps": (onnxl.MapProto, (5, 6)),
    "unknown groups": (onnxl.NodeProto, ()),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("levels", [500, DEEP])
def test_bytes_nested_without_end_are_refused(tmp_path: Path, way: str, levels: int) -> None:
    cls, numbers = WAYS[way]
    data = nested(numbers, levels) if numbers else b"\xa3\x06" * levels + b"\xa4\x06" * levels
    for act in (cls.FromString, cls().ParseFromString, cls().MergeFromString):  # type: ignore[attr-defined]
        with pytest.raises(onnxl.DecodeError, match=r"nest|deep"):
            act(data)
    path = tmp_path / "m"
    path.write_bytes(data)
    with pytest.raises(onnxl.DecodeError):
        cls().ParseFromFile(path)  # type: ignore[attr-defined]
    options = onnxl.ParseOptions()
    options.max_recursion_depth = 10**9
    try:
        cls.FromString(data, options)  # type: ignore[attr-defined]
    except (onnxl.DecodeError, ValueError):
        return
    assert levels <= 2000


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs the openssl command, to encrypt what is no model")
@pytest.mark.parametrize("levels", [500, DEEP])
def test_what_is_encrypted_is_refused_as_if_it_were_not(tmp_path: Path, levels: int) -> None:
    key = hashlib.pbkdf2_hmac("sha256", b"key", bytes(16), 100_000).hex()
    graphs = nested((6, 1, 5), levels)  # of an attribute, in the first node of a model
    for number in (5, 1, 7):
        graphs = varint(number << 3 | 2) + varint(len(graphs)) + graphs
    for plain in (graphs, b"\xa3\x06" * levels + b"\xa4\x06" * levels, b"\x3a\xff\xff\xff\xff\x07" + bytes(levels)):
        command = ["openssl", "enc", "-aes-256-cbc", "-K", key, "-iv", bytes(16).hex()]
        body = subprocess.run(command, input=plain, capture_output=True, check=True).stdout
        container = b"ONNXCRY1" + bytes(32) + body
        (tmp_path / "m.onnxc").write_bytes(container)
        with pytest.raises(RuntimeError, match="no model"):
            onnxl.load_encrypted_string(container, "key")
        with pytest.raises(RuntimeError, match="no model"):
            onnxl.load_encrypted(tmp_path / "m.onnxc", "key")


@pytest.mark.parametrize("levels", [500, DEEP])
def test_text_nested_without_end_is_refused(levels: int) -> None:
    cls: Any
    for piece, end, cls in (
        ("g { node { attribute { ", "} } } ", onnxl.AttributeProto),
        ("g < node < attribute < ", "> > > ", onnxl.AttributeProto),
        ("graphs: [{ node: [{ attribute: [{ ", "}] }] }] ", onnxl.AttributeProto),
        ("sequence_type { elem_type { ", "} } ", onnxl.TypeProto),
    ):
        for text in (piece * levels, piece * levels + end * levels):
            with pytest.raises(_onnxpy.TextParseError):
                TEXT.from_text_format(text, cls())
    for piece, end, cls in (
        ('{"g": {"node": [{"attribute": [', "]}]}}", onnxl.AttributeProto),
        ('{"sequenceType": {"elemType": ', "}}", onnxl.TypeProto),
    ):
        for text in (piece * levels, piece * levels + "{}" + end * levels):
            with pytest.raises(_onnxpy.JsonParseError):
                TEXT.from_json(text, cls())
    for before, piece, end, cls in (
        ("", "seq(", ")", onnxl.TypeProto), ("", "optional(", ")", onnxl.TypeProto), ("", "map(int64, ", ")", onnxl.TypeProto),
        ("", "sparse_tensor(", ")", onnxl.TypeProto), ("", "<", ">", onnxl.ModelProto), ("a = ", "[", "]", onnxl.AttributeProto),
        ("a = ", "{", "}", onnxl.AttributeProto), ("a = ", "g () => () { y = A <b = ", "> () }", onnxl.AttributeProto),
        ("", "g () => () { y = A <b = ", "> () }", onnxl.GraphProto), ("y = A ", "(", ")", onnxl.NodeProto),
        ("", "[", "]", onnxl.NodeProto),
    ):  # fmt: skip
        for text in (before + piece * levels, before + piece * levels + end * levels):
            with pytest.raises(_onnxpy.SyntaxParseError):
                TEXT.from_syntax(text, cls())


ACTS: dict[str, Callable[[Any], Any]] = {
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "str": str,
    "SerializeToString": lambda m: m.SerializeToString(),
    "ByteSize": lambda m: m.ByteSize(),
    "pickle": pickle.dumps,
    "==": lambda m: m == m.__class__.FromString(b""),
    "CopyFrom": lambda m: type(m)().CopyFrom(m),
    "MergeFrom": lambda m: type(m)().MergeFrom(m),
    "text": TEXT.to_text_format,
    "json": TEXT.to_json,
    "syntax": TEXT.to_syntax,
    "DiscardUnknownFields": lambda m: m.DiscardUnknownFields(),
    "ListFields": lambda m: m.ListFields(),
    "repr": repr,
    "FindInitializationErrors": lambda m: m.FindInitializationErrors(),
    "dir": dir,
}


def deep_type(levels: int) -> tuple[Any, Any]:
    outer = onnxl.TypeProto()
    inner = outer
    for _ in range(levels):
        inner = inner.sequence_type.elem_type
    inner.denotation = "deep"
    return outer, inner


@pytest.mark.parametrize("act", ACTS)
def test_what_python_nests_without_end_is_a_typed_error_of_every_verb(act: str) -> None:
    outer, inner = deep_type(DEEP)
    try:
        ACTS[act](outer)
    except (RecursionError, onnxl.EncodeError):
        pass
    else:
        assert act in ("==", "ListFields", "repr", "FindInitializationErrors", "dir", "DiscardUnknownFields")
    assert inner.denotation == "deep"
    outer.Clear()
    assert outer.ByteSize() == 0
    assert inner.denotation == "deep"


def test_equal_giants_are_not_compared_to_their_end() -> None:
    one, other = deep_type(DEEP)[0], deep_type(DEEP)[0]
    with pytest.raises(RecursionError):
        assert one == other


def test_graphs_nested_in_python_without_end_go_without_a_deep_stack() -> None:
    model = nested_graphs(20_000)
    for act in (onnxl.ModelProto.SerializeToString, copy.deepcopy, str, pickle.dumps):
        with pytest.raises((RecursionError, onnxl.EncodeError)):
            act(model)
    del model


# Model, graph, three messages a level, and a tensor: 398; one level more would be 401.
DEEPEST = 132


def test_the_deepest_model_goes_through_everything_there_is(tmp_path: Path) -> None:
    model = nested_graphs(DEEPEST)
    data = model.SerializeToString()
    assert onnxl.load_from_string(data) == copy.deepcopy(model) == pickle.loads(pickle.dumps(model)) == model
    for extension in ("onnx", "textproto", "json", "onnxtxt"):
        onnxl.save(model, tmp_path / f"m.{extension}")
        assert onnxl.load(tmp_path / f"m.{extension}") == model
    onnxl.save(model, tmp_path / "e.onnx", save_as_external_data=True, size_threshold=0)
    assert onnxl.load(tmp_path / "e.onnx").SerializeToString().count(bytes(1600)) == 1
    assert onnxl.list_external_data(tmp_path / "e.onnx")[0].place.count(".g.") == DEEPEST
    blob = onnxl.save_encrypted_string(model, key="k", encryption="AES-256-GCM", kdf_iterations=1000)
    assert onnxl.load_encrypted_string(blob, key="k") == model
    assert json.loads(TEXT.to_json(model))["graph"]["name"] == "g"
    prefixed = compose.add_prefix(model, "p_")
    assert TEXT.to_syntax(prefixed).count("p_y") >= DEEPEST


def test_a_text_is_as_wide_as_its_message_is_deep_but_on_one_line() -> None:
    data = b"\x0a\0" * 10_000  # nodes, in the deepest graph there is
    for number in ([6, 5, 1] * 133)[:-2]:
        data = varint(number << 3 | 2) + varint(len(data)) + data
    attribute = onnxl.AttributeProto.FromString(data)
    assert len(str(attribute)) < 800 * len(data)
    assert len(TEXT.to_json(attribute)) < 700 * len(data)
    assert len(TEXT.to_text_format(attribute, as_one_line=True)) < 5 * len(data)
    assert len(TEXT.to_json(attribute, indent=None)) < 5 * len(data)


VERBS = [
    *(["inspect", "m.onnx"], ["ls", "m.onnx"], ["ls", "--nodes", "m.onnx"], ["show", "m.onnx"], ["show", "m.onnx", "--as", "json"]),
    *(["hash", "m.onnx"], ["verify", "m.onnx"], ["diff", "m.onnx", "o.onnx"], ["convert", "m.onnx", "c.onnx", "--external"]),
    *(["strip", "m.onnx", "--docs", "--weights", "constant", "-o", "s.onnx"], ["rename", "m.onnx", "--prefix", "p", "-o", "r.onnx"]),
    *(["convert", "m.onnx", "h.onnx", "--weights", "float16"], ["set", "m.onnx", "--producer", "p", "-o", "t.onnx"]),
]


def test_every_verb_of_the_command_line_takes_the_deepest_model(tmp_path: Path) -> None:
    onnxl.save(nested_graphs(DEEPEST), tmp_path / "m.onnx")
    other = nested_graphs(DEEPEST)
    other.producer_name = "other"
    onnxl.save(other, tmp_path / "o.onnx")
    program = """
        import json, sys
        from onnx_light.cli.main import main
        for words in json.loads(sys.argv[1]):
            code = main(words)
            if code not in (0, 1):
                sys.exit(f"{words}: {code}")
    """
    command = [sys.executable, "-c", textwrap.dedent(program), json.dumps(VERBS)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
