"""Names that want to hurt: NUL, line breaks, terminal escapes, marks that turn text around, bytes that are no UTF-8. Through every form,
into every file name that is made of them, and through every verb of the command line."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import onnx
import pytest

import onnx_light.onnx as onnxl
from onnx_light.onnx import compose
from onnx_light.onnx_py import _onnxpy

QUICK: dict[str, Any] = {"kdf_iterations": 1000}
TEXTS = {
    "NUL": "a\0b",
    "line breaks": "a\nb\r\nc\x0b\x0c\x85\u2028\u2029d",
    "escape": "\x1b[2J\x1b]0;title\x07\x1b[31mred",
    "C1": "\x9b2J\x9d0;title\x9c",
    "delete": "gone\x7f\x08\x08\x08",
    "right to left": "\u202egnp.\u2066exe\u2069\u200f\u061c",
    "invisible": "\ufeffa\u200bb\u200d\u2060",
    "plane 14": "a\U000e0041\U000e007f",
    "combining": "e" + "\u0301" * 50,
    "quotes": "\"'`\\$(reboot)%s{0}",
    "path": "../../etc/passwd",
    "json": '","evil":"',
    "markup": "[bold red]x[/] [link=file:///x]y[/link]",
    "long": "n" * 70_000,
}
BYTES = {
    "no UTF-8": b"\xff\xfe\x1b[2J",
    "cut": b"abc\xe2\x80",
    "surrogate": b"\xed\xa0\x80",
    "overlong": b"\xc0\x80",
    "all": bytes(range(256)),
}
ALL = {name: text.encode() for name, text in TEXTS.items()} | BYTES


def model_with(name: bytes, package: Any = onnxl) -> Any:
    """A whole model, in which everything that has a name has this one, whatever bytes they are."""
    place = b"@" * len(name)  # what cannot be set as text is put in by its bytes

    def called(suffix: str) -> str:
        return place.decode() + suffix

    model = package.ModelProto(ir_version=10, producer_name=called(""), domain=called(""), doc_string=called(""))
    model.opset_import.add(domain="", version=21)
    model.opset_import.add(domain=called(""), version=1)
    model.metadata_props.add(key=called("k"), value=called("v"))
    graph = model.graph
    graph.name = called("")
    value = graph.input.add(name=called("x"), doc_string=called(""))
    value.type.tensor_type.elem_type = 1
    value.type.tensor_type.shape.dim.add(dim_param=called(""))
    graph.output.add().CopyFrom(value)
    graph.output[0].name = called("y")
    graph.initializer.add(name=called("w"), data_type=1, dims=[4], raw_data=bytes(16), doc_string=called(""))
    node = graph.node.add(op_type=called(""), domain=called(""), name=called("n"), doc_string=called(""))
    node.input.extend([called("x"), called("w")])
    node.output.append(called("y"))
    node.attribute.add(name=called("a"), type=3, s=place)
    node.metadata_props.add(key=called("k"), value=called("v"))
    model.functions.add(name=called("f"), domain=called(""), input=[called("x")], output=[called("x")], overload=called(""))
    return package.ModelProto.FromString(model.SerializeToString().replace(place, name))


@pytest.mark.parametrize("name", ALL)
def test_a_hostile_name_comes_back_from_every_form(tmp_path: Path, name: str) -> None:
    model = model_with(ALL[name])
    assert onnxl.load_from_string(model.SerializeToString()) == model
    if name != "all":
        assert model.SerializeToString() == model_with(ALL[name], onnx).SerializeToString()
    for extension in ("onnx", "textproto", "onnxtxt", "json"):
        path = tmp_path / f"m.{extension}"
        if extension == "json" and name in BYTES:
            with pytest.raises(onnxl.EncodeError, match="UTF-8"):
                onnxl.save(model, path)
            continue
        onnxl.save(model, path)
        assert onnxl.load(path) == model, extension
    blob = onnxl.save_encrypted_string(model, key="k", encryption="AES-256-GCM", **QUICK)
    assert onnxl.load_encrypted_string(blob, key="k") == model


@pytest.mark.parametrize("name", ALL)
def test_a_hostile_name_makes_a_file_in_its_folder_or_none(tmp_path: Path, name: str) -> None:
    model = model_with(ALL[name])
    (tmp_path / "d").mkdir()
    onnxl.save(model, tmp_path / "d" / "m.onnx", save_as_external_data=True, all_tensors_to_one_file=False, size_threshold=0)
    assert [path.name for path in tmp_path.iterdir()] == ["d"]
    (weights,) = {path.name for path in (tmp_path / "d").iterdir()} - {"m.onnx"}
    assert len(os.fsencode(weights)) <= 255
    assert not set(weights) & set('<>:"|?*\\\0\n\r\x1b\x7f')
    again = onnxl.load(tmp_path / "d" / "m.onnx")
    assert again.graph.initializer[0].raw_data == bytes(16)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("what", ["location", "offset", "name"])
def test_an_error_about_a_hostile_reference_is_of_its_type_and_shows_no_control_characters(tmp_path: Path, name: str, what: str) -> None:
    place = b"@" * len(ALL[name])
    tensor = onnxl.TensorProto(name="w", data_type=1, dims=[4], data_location=1)
    for key, value in {"location": "none", "offset": "0", "length": "16"}.items():
        tensor.external_data.add(key=key, value=value)
    if what == "name":
        tensor.name = place.decode()
    else:
        tensor.external_data[0 if what == "location" else 1].value = place.decode()
    data = onnxl.ModelProto(ir_version=10, graph={"initializer": [tensor]}).SerializeToString().replace(place, ALL[name])
    (tmp_path / "m.onnx").write_bytes(data)
    with pytest.raises(onnxl.ExternalDataError) as caught:
        onnxl.load(tmp_path / "m.onnx")
    assert steering(str(caught.value).replace(str(tmp_path), "")) == set()


@pytest.mark.parametrize("name", ALL)
def test_an_error_about_a_hostile_name_is_of_its_type_and_shows_no_control_characters(name: str) -> None:
    model = model_with(ALL[name])
    other = model_with(ALL[name])
    with pytest.raises(ValueError) as caught:
        compose.merge_models(model, other, io_map=[])
    assert not isinstance(caught.value, UnicodeError)
    assert steering(str(caught.value)) == set()
    words = ALL[name].translate(None, b"#;,")
    with pytest.raises(_onnxpy.TextParseError) as text_error:
        _onnxpy.text.from_text_format(b'name: "a" ' + words + b" : 1", onnxl.NodeProto())
    assert steering(str(text_error.value)) == set()
    for text in (b"{" + ALL[name], b'{"' + ALL[name] + b'": 1}', b'{"name": "' + ALL[name], b'{"opType": ' + ALL[name] + b"}"):
        with pytest.raises(_onnxpy.JsonParseError) as json_error:
            _onnxpy.text.from_json(text, onnxl.NodeProto())
        assert steering(str(json_error.value)) == set()
    for text in (b"= " + ALL[name], b"y = A <" + ALL[name] + b" = > ()", b'y = "' + ALL[name]):
        with pytest.raises(_onnxpy.SyntaxParseError) as syntax_error:
            _onnxpy.text.from_syntax(text, onnxl.NodeProto())
        assert steering(str(syntax_error.value)) == set()


# ---- the command line


def steering(text: str) -> set[str]:
    """What of a text would steer a terminal or turn its line around."""
    return {c for c in text if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs")}


VERBS: dict[str, list[str]] = {
    "inspect": ["inspect", "m.onnx"],
    "ls": ["ls", "m.onnx"],
    "ls --nodes": ["ls", "--nodes", "m.onnx"],
    "show": ["show", "m.onnx"],
    "show textproto": ["show", "m.onnx", "--as", "textproto"],
    "show json": ["show", "m.onnx", "--as", "json"],
    "diff": ["diff", "m.onnx", "other.onnx"],
    "convert": ["convert", "m.onnx", "c.onnx", "--external", "--each", "--threshold", "0"],
    "extract": ["extract", "m.onnx", "--inputs", "none", "--outputs", "none", "-o", "e.onnx"],
    "merge": ["merge", "m.onnx", "other.onnx", "--connect", "none=none", "-o", "e.onnx"],
    "rename": ["rename", "m.onnx", "--prefix", "p_", "-o", "r.onnx"],
    "set": ["set", "m.onnx", "--producer", "p", "-o", "s.onnx"],
    "strip": ["strip", "m.onnx", "--docs", "--weights", "constant", "--threshold", "0", "-o", "t.onnx"],
    "hash": ["hash", "m.onnx"],
    "verify": ["verify", "m.onnx", "broken.onnx"],
}

# The heads of tables, which no name can be: an escape in one is shown escaped.
BOLD = re.compile("\x1b\\[[01]m")

# What runs all verbs in one process, so that importing is paid for once: the exit codes go to a file.
RUNNER = """
import io, json, sys
from onnx_light.cli.main import main
codes = {}
for name, words in json.loads(sys.argv[1]).items():
    print("== " + name, flush=True)
    try:
        codes[name] = main(words)
    except BaseException as error:
        codes[name] = repr(error)
    sys.stderr.flush()
open("codes.json", "w").write(json.dumps(codes))
"""


def on_terminal(folder: Path, verbs: dict[str, list[str]], **environment: str) -> bytes:
    """What a terminal is sent when these verbs are run."""
    import json

    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", RUNNER, json.dumps(verbs)]
    child = subprocess.Popen(
        command, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ, "NO_COLOR": "1", "TERM": "xterm", **environment}
    )
    os.close(theirs)
    out = b""
    while True:
        if not select.select([ours], [], [], 60)[0]:
            child.kill()
            raise AssertionError("nothing came for a minute")
        try:
            piece = os.read(ours, 1 << 16)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        out += piece
    os.close(ours)
    assert child.wait() == 0, out
    return out


def piped(folder: Path, verbs: dict[str, list[str]], **environment: str) -> tuple[bytes, bytes]:
    import json

    command = [sys.executable, "-c", RUNNER, json.dumps(verbs)]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=True, env={**os.environ, **environment})
    return done.stdout, done.stderr


def put_models(folder: Path, name: bytes) -> None:
    model = model_with(name)
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    model.graph.initializer[0].raw_data = bytes(12)
    (folder / "broken.onnx").write_bytes(model.SerializeToString())
    other = model_with(name + b"2")
    other.graph.node[0].attribute[0].s = b"other"
    (folder / "other.onnx").write_bytes(other.SerializeToString())


def exit_codes(folder: Path) -> Iterator[tuple[str, Any]]:
    import json

    yield from json.loads((folder / "codes.json").read_text()).items()


@pytest.mark.parametrize("name", [name for name in ALL if name != "long"])
def test_no_verb_fails_over_a_hostile_name_or_lets_it_steer_the_terminal(tmp_path: Path, name: str) -> None:
    put_models(tmp_path, ALL[name])
    verbs = VERBS | {f"{verb} --json": [*words, "--json"] for verb, words in VERBS.items() if not verb.startswith("show")}
    shown = BOLD.sub("", on_terminal(tmp_path, verbs).decode())  # what is no UTF-8 would fail here
    assert steering(shown.replace("\r\n", "\n")) == set()
    for verb, code in exit_codes(tmp_path):
        no_json = verb == "show json" and name in BYTES
        expected = {"diff": 1, "extract": 2, "verify": 1}.get(verb.split()[0], 2 if no_json else 0)
        # Names that are no UTF-8 can be read and copied, but not set: where a new name is made of one, that is an error.
        unset = verb.startswith(("rename", "strip")) and name in BYTES
        assert code in ((0, 2) if unset or verb.startswith("merge") else (expected,)), (verb, shown)


@pytest.mark.parametrize("name", ["escape", "right to left", "no UTF-8"])
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_verbs_give_programs_names_they_can_read_whatever_the_encoding(tmp_path: Path, name: str, encoding: str) -> None:
    put_models(tmp_path, ALL[name])
    verbs = {verb: words for verb, words in VERBS.items() if verb in ("inspect", "ls", "ls --nodes", "diff", "verify", "hash")}
    verbs |= {f"{verb} --json": [*words, "--json"] for verb, words in verbs.items()}
    out, err = piped(tmp_path, verbs, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert steering(out.decode(encoding)) == set() == steering(err.decode(encoding))
    assert all(code in (0, 1) for _, code in exit_codes(tmp_path))


def test_a_path_does_not_steer_the_terminal_either(tmp_path: Path) -> None:
    path = "\x1b[2J\u202e.onnx"
    (tmp_path / path).write_bytes(b"none")
    shown = on_terminal(
        tmp_path, {verb: [verb, path] for verb in ("inspect", "ls", "show", "hash", "verify")} | {"no": ["ls", "no" + path]}
    ).decode()
    assert steering(BOLD.sub("", shown).replace("\r\n", "\n")) == set()
    assert all(code in (1, 2) for _, code in exit_codes(tmp_path))
