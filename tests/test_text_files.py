"""Models as text files: every format by its name and by its extensions, as onnx has them; the parser and the printer of the ONNX syntax."""

from __future__ import annotations

import inspect
import io
import os
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from typing import Any

import onnx
import pytest
from google.protobuf import json_format, text_format

import onnx_light.onnx as onnxl
from onnx_light.onnx import parser, printer, serialization

EXTENSIONS = {
    ".onnx": "protobuf", ".pb": "protobuf", ".weights": "protobuf", "": "protobuf",
    ".textproto": "textproto", ".txtpb": "textproto", ".prototxt": "textproto", ".pbtxt": "textproto",
    ".json": "json", ".onnxjson": "json", ".onnxtxt": "onnxtxt", ".onnxtext": "onnxtxt",
}  # fmt: skip
FORMATS = ["protobuf", "textproto", "json", "onnxtxt"]

TEXT = """<ir_version: 10, opset_import: ["" : 21], doc_string: "é">
agraph (float[N] x) => (float[N] y) <float[2] w = {1, -0.0}> { y = Celu <alpha = 0.1> (x) }"""


def model() -> onnxl.ModelProto:
    return parser.parse_model(TEXT)


def theirs(message: Any) -> Any:
    return getattr(onnx, type(message).__name__).FromString(message.SerializeToString())


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_a_files_extension_chooses_its_format(tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"model{extension}"
    onnxl.save(model(), path)
    assert onnxl.load(path) == model()
    assert onnxl.load(str(path), format=EXTENSIONS[extension]) == model()
    assert onnxl.load_from_string(path.read_bytes(), format=EXTENSIONS[extension]) == model()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # onnx calls its syntax experimental
        assert onnx.load(path).SerializeToString() == model().SerializeToString()


@pytest.mark.parametrize("format", ["textproto", "json"])
def test_files_are_those_that_onnx_writes(tmp_path: Path, format: str) -> None:
    onnxl.save(model(), tmp_path / "ours", format=format)
    onnx.save(theirs(model()), tmp_path / "theirs", format=format)
    assert (tmp_path / "ours").read_bytes() == (tmp_path / "theirs").read_bytes()


@pytest.mark.parametrize("format", FORMATS)
def test_open_files_and_bytes_take_part(format: str) -> None:
    file = io.BytesIO()
    onnxl.save(model(), file, format=format)
    assert onnxl.load(io.BytesIO(file.getvalue()), format=format) == model()
    again = io.BytesIO()
    onnxl.save(model().SerializeToString(), again, format=format)
    assert again.getvalue() == file.getvalue()
    if format != "protobuf":
        assert onnxl.load(io.StringIO(file.getvalue().decode()), format=format) == model()  # type: ignore[arg-type]
        assert onnxl.load_from_string(file.getvalue().decode(), format=format) == model()


@pytest.mark.parametrize("format", FORMATS)
def test_tensors_take_part(tmp_path: Path, format: str) -> None:
    tensor = onnxl.TensorProto(name="t", data_type=1, dims=[2], raw_data=bytes(8))
    onnxl.save_tensor(tensor, tmp_path / "t", format=format)
    assert onnxl.load_tensor(tmp_path / "t", format=format) == tensor
    assert onnxl.load_tensor_from_string((tmp_path / "t").read_bytes(), format=format) == tensor


def test_a_failed_save_leaves_the_file_that_was_there(tmp_path: Path) -> None:
    deep = onnxl.ModelProto()
    graph = deep.graph
    for _ in range(140):
        graph = graph.node.add(op_type="If").attribute.add(name="a", type=5).g
    for extension in (".textproto", ".json", ".onnxtxt"):
        path = tmp_path / f"model{extension}"
        onnxl.save(model(), path)
        before = path.read_bytes()
        with pytest.raises(RecursionError):
            onnxl.save(deep, path)
        assert path.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == ["model.json", "model.onnxtxt", "model.textproto"]


def test_a_name_of_an_open_file_chooses_the_format(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    with path.open("wb") as file:
        onnxl.save(model(), file)
    with path.open("rb") as file:
        assert onnxl.load(file) == model()
    assert path.read_bytes().startswith(b"{")


def test_an_unknown_format_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="these are: protobuf, textproto, json, onnxtxt"):
        onnxl.load(io.BytesIO(), format="xml")
    with pytest.raises(ValueError, match="xml"):
        onnxl.save(model(), io.BytesIO(), format="xml")


@pytest.mark.parametrize(
    ("format", "kind"), [("textproto", text_format.ParseError), ("json", json_format.ParseError), ("onnxtxt", parser.ParseError)]
)
def test_a_file_that_is_not_of_its_format_is_an_error_of_that_format(format: str, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        onnxl.load(io.BytesIO(b"<<"), format=format)
    with pytest.raises(onnxl.DecodeError):
        onnxl.load(io.BytesIO(b"\xff\xfe"), format=format)
    with pytest.raises(TypeError):
        onnxl.load_from_string(7, format=format)  # type: ignore[arg-type]


def test_a_registered_format_is_used_by_name_and_by_extension(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Backwards(serialization.ProtoSerializer):
        supported_format = "backwards"
        file_extensions = (".xnno",)

        def serialize_proto(self, proto: Any) -> bytes:
            return bytes(reversed(proto.SerializeToString()))

        def deserialize_proto(self, serialized: Any, proto: Any) -> Any:
            proto.ParseFromString(bytes(reversed(serialized)))
            return proto

    monkeypatch.setattr(serialization.registry, "_serializers", dict(serialization.registry._serializers))
    monkeypatch.setattr(serialization.registry, "_formats", dict(serialization.registry._formats))
    serialization.registry.register(Backwards())
    onnxl.save(model(), tmp_path / "m.xnno")
    assert (tmp_path / "m.xnno").read_bytes() == model().SerializeToString()[::-1]
    assert onnxl.load(tmp_path / "m.xnno") == onnxl.load(tmp_path / "m.xnno", format="backwards") == model()


def test_the_registry_knows_what_onnx_knows() -> None:
    for extension in [*EXTENSIONS, ".JSON", "json"]:
        ours = serialization.registry.get_format_from_file_extension(extension)
        assert ours == onnx.serialization.registry.get_format_from_file_extension(extension)
    for format in FORMATS:
        serializer, peer = serialization.registry.get(format), onnx.serialization.registry.get(format)
        assert serializer.supported_format == peer.supported_format
        assert serializer.file_extensions == peer.file_extensions


def test_reading_the_onnx_syntax_warns_of_nothing(tmp_path: Path) -> None:
    onnxl.save(model(), tmp_path / "model.onnxtxt")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        onnxl.load(tmp_path / "model.onnxtxt")


def test_parser_and_printer_have_the_names_and_arguments_of_onnx() -> None:
    for name in ("parse_model", "parse_graph", "parse_function", "parse_node"):
        ours, peer = inspect.signature(getattr(parser, name)), inspect.signature(getattr(onnx.parser, name))
        assert list(ours.parameters) == list(peer.parameters)
    assert next(iter(inspect.signature(printer.to_text).parameters)) == next(iter(inspect.signature(onnx.printer.to_text).parameters))
    assert onnxl.parser is parser
    assert onnxl.printer is printer
    assert onnxl.serialization is serialization
    assert parser.ParseError.__module__ == "onnx_light.onnx.parser"


def test_each_kind_is_parsed_and_printed() -> None:
    assert printer.to_text(model()) == onnx.printer.to_text(theirs(model()))
    for parse, text in (
        (parser.parse_graph, "g (float x) => (float y) {\n   y = Neg (x)\n}"),
        (parser.parse_node, "   y = Neg (x)\n"),
        (parser.parse_function, '<\n  domain: "d",\n  opset_import: ["" : 1]\n>\nf (a) => (b)\n{\n   b = Neg (a)\n}'),
    ):
        assert printer.to_text(parse(text)) == text
    with pytest.raises(parser.ParseError, match=r"line 1, column 5: expected '\(', found the end of the text"):
        parser.parse_node("y=Op")
    with pytest.raises(TypeError):
        printer.to_text(onnxl.OperatorSetIdProto())  # type: ignore[arg-type]


def test_text_models_of_the_collection_load_as_with_onnx(text_file: Any) -> None:
    path = text_file.path
    assert onnxl.load(path, format="textproto").SerializeToString() == onnx.load(path, format="textproto").SerializeToString()


def test_models_of_the_collection_make_a_round_trip_through_every_text_form(binary_file: Any) -> None:
    if binary_file.message != "ModelProto" or binary_file.path.stat().st_size > 20_000_000:
        pytest.skip("no model, or a large one")
    loaded = onnxl.load(binary_file.path, load_external_data=False)
    loaded.DiscardUnknownFields()
    for format in FORMATS[1:]:
        file = io.BytesIO()
        onnxl.save(loaded, file, format=format)
        again = onnxl.load_from_string(file.getvalue(), format=format)
        assert again.SerializeToString() == loaded.SerializeToString(), format


def test_what_is_saved_by_python_code_replaces_files_as_all_else_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Constant(serialization.ProtoSerializer):
        supported_format = "constant"
        file_extensions = ()

        def serialize_proto(self, proto: Any) -> Any:
            return data

        def deserialize_proto(self, serialized: Any, proto: Any) -> Any:
            return proto

    monkeypatch.setattr(serialization.registry, "_serializers", dict(serialization.registry._serializers))
    serialization.registry.register(Constant())
    data: Any = onnxl.TensorProto(name="t").SerializeToString()
    saves = {
        "a serializer that was registered": lambda path: onnxl.save(model(), path, format="constant"),
        "bytes": lambda path: onnxl.save_tensor(data, path),
    }
    for at, (what, save) in enumerate(saves.items()):
        folder = tmp_path / str(at)
        folder.mkdir()
        old, new, link, pipe = (folder / name for name in ("old", "new", "link", "pipe"))
        old.write_bytes(b"old")
        old.chmod(0o604)
        os.link(old, folder / "its other name")
        link.symlink_to("its other name")
        os.mkfifo(pipe)
        received: list[bytes] = []
        reader = threading.Thread(target=lambda to=received, pipe=pipe: to.append(pipe.read_bytes()))
        reader.start()
        for path in (old, os.fsencode(new), str(link), pipe):
            save(path)
        reader.join()
        assert received == [data], what
        assert [path.read_bytes() for path in (old, new, link)] == [data] * 3, what
        assert (folder / "its other name").read_bytes() == b"old", what  # nothing is written into a file that exists
        assert old.stat().st_mode & 0o777 == 0o604, what
        assert not link.is_symlink(), what
        assert pipe.is_fifo(), what
        with pytest.raises(IsADirectoryError):
            save(folder)
        assert len(list(folder.iterdir())) == 5, what
    data = "no bytes"
    with pytest.raises(TypeError):
        onnxl.save(model(), tmp_path / "0" / "old", format="constant")
    assert (tmp_path / "0" / "old").read_bytes() != b""


@pytest.mark.parametrize("name", ["/proc/self/fd/1", "/dev/fd/1", "link"])
def test_the_name_of_an_open_descriptor_is_written_through_and_stays(tmp_path: Path, name: str) -> None:
    (tmp_path / "link").symlink_to("/proc/self/fd/1")
    (tmp_path / "astray").symlink_to("/proc/self/root" + str(tmp_path / "other"))
    (tmp_path / "other").write_bytes(b"somebody's")
    (tmp_path / "out").write_bytes(b"longer than the model that comes" * 10)
    code = f"import onnx_light.onnx as o; m = o.ModelProto(ir_version=10); o.save(m, {name!r}); o.save(m, 'astray')"
    with (tmp_path / "out").open("r+b") as out:
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path, stdout=out, check=True)
    assert (tmp_path / "out").read_bytes() == onnxl.ModelProto(ir_version=10).SerializeToString()
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "other").read_bytes() == b"somebody's" and not (tmp_path / "astray").is_symlink()
