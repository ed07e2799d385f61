"""Two models, one weights file: what a save, a conversion in place or a removal may do to it, from Python and from the command line."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import onnx_light.onnx as onnxl
from onnx_light import tools
from onnx_light.onnx import helper, numpy_helper
from onnx_light.tools.leftovers import settle, weights_files


def model_of(seed: int = 0) -> onnxl.ModelProto:
    weights = [numpy_helper.from_array(np.arange(1000, dtype=np.float32) + i + seed, f"w{i}") for i in range(3)]
    nodes = [helper.make_node("Add", [name, f"w{i}"], [f"y{i}"]) for i, name in enumerate(["x", "y0", "y1"])]
    values = [helper.make_tensor_value_info(name, onnxl.TensorProto.FLOAT, [1000]) for name in ("x", "y2")]
    return helper.make_model(helper.make_graph(nodes, "g", values[:1], values[1:], weights), ir_version=10)


def run(*words: object, code: int = 0) -> tuple[str, str]:
    done = subprocess.run([sys.executable, "-m", "onnx_light", *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout, done.stderr


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """a.onnx with its weights beside it, and b.onnx, made from it by a verb that only changes metadata."""
    a, b = tmp_path / "a.onnx", tmp_path / "b.onnx"
    onnxl.save(model_of(), a, save_as_external_data=True)
    run("set", a, "--producer", "me", "-o", b)
    assert {entry.location for entry in onnxl.list_external_data(b)} == {"a.onnx.data"}
    return a, b


def weights_of(path: Path) -> list[bytes]:
    return [tensor.raw_data for tensor in onnxl.load(path).graph.initializer]


@pytest.mark.parametrize("verb", [("rename", "x=image"), ("strip", "--docs"), ("set", "--name", "n")])
def test_verbs_that_leave_the_weights_share_them_and_each_model_stays_whole(pair: tuple[Path, Path], verb: tuple[str, ...]) -> None:
    a, b = pair
    for target in (("-o", a.with_name("c.onnx")), ("--inplace",)):
        run(verb[0], b, *verb[1:], *target)
    for path in (a, b, a.with_name("c.onnx")):
        assert weights_of(path) == [tensor.raw_data for tensor in model_of().graph.initializer]
    assert sorted(path.name for path in a.parent.iterdir()) == ["a.onnx", "a.onnx.data", "b.onnx", "c.onnx"]


def test_a_conversion_in_place_does_not_spoil_the_other_model(pair: tuple[Path, Path]) -> None:
    a, b = pair
    before = weights_of(b)
    _, error = run("convert", a, a, "--inplace", "--external", "--align", "4096", code=2)
    assert 'a.onnx.data" has weights of "b.onnx" too' in error
    assert "choose another location" in error
    run("convert", a, a, "--inplace", "--external", "--align", "4096", "--location", "a2.data")
    run("convert", b, b, "--inplace", "--external", "--align", "64", "--threshold", "0")
    assert weights_of(a) == weights_of(b) == before
    # b was the last that read it, and its weights have gone with b.
    assert sorted(path.name for path in a.parent.iterdir()) == ["a.onnx", "a2.data", "b.onnx", "b.onnx.data"]


@pytest.mark.parametrize("name", ["a.onnx", "b.onnx", "c.onnx", "c.textproto"])
def test_a_save_does_not_replace_weights_that_another_model_reads(pair: tuple[Path, Path], name: str) -> None:
    a, b = pair
    files = {path.name: path.read_bytes() for path in a.parent.iterdir()}
    with pytest.raises(onnxl.ExternalDataError, match="choose another location"):
        onnxl.save(model_of(7), a.with_name(name), location="a.onnx.data")
    assert {path.name: path.read_bytes() for path in a.parent.iterdir()} == files
    onnxl.save(model_of(7), a.with_name(name), location="other.data")
    assert [weights_of(path) == weights_of(a.with_name(name)) for path in (a, b)] == [path.name == name for path in (a, b)]


def test_a_text_model_is_another_model_too(pair: tuple[Path, Path]) -> None:
    a, b = pair
    b.unlink()
    for name in ("b.textproto", "b.json", "b.onnxtxt"):
        run("set", a, "--producer", "me", "-o", a.with_name(name))
        with pytest.raises(onnxl.ExternalDataError, match=name):
            onnxl.save(model_of(7), a, location="a.onnx.data")
        a.with_name(name).unlink()
    onnxl.save(model_of(7), a, location="a.onnx.data")


def test_weights_that_come_inside_leave_nothing_stale_and_take_nothing_from_others(pair: tuple[Path, Path]) -> None:
    a, b = pair
    before = weights_of(a)
    _, told = run("convert", a, a, "--internal", "--inplace")
    assert told == "onnx-light convert: a.onnx.data is left: b.onnx reads it\n"
    assert weights_of(b) == before
    _, told = run("convert", b, b, "--internal", "--inplace")
    assert told == "onnx-light convert: a.onnx.data is removed: nothing reads it any more\n"
    assert weights_of(a) == weights_of(b) == before
    assert sorted(path.name for path in a.parent.iterdir()) == ["a.onnx", "b.onnx"]


def test_a_file_with_more_than_the_weights_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a.onnx"
    onnxl.save(model_of(), path, save_as_external_data=True, alignment=4096)
    with (tmp_path / "a.onnx.data").open("ab") as file:
        file.write(b"more")
    leftovers = tools.convert(path, path, external=False, inplace=True)
    assert (leftovers.removed, leftovers.left) == ([], {"a.onnx.data": "no model here reads it now"})
    onnxl.save(model_of(), path, save_as_external_data=True, alignment=4096)
    assert tools.convert(path, path, external=False, inplace=True).removed == ["a.onnx.data"]  # zeros between them do not count


def test_a_file_that_stays_in_any_case_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.onnx"
    onnxl.save(model_of(), path, save_as_external_data=True)
    before = weights_files(path)
    onnxl.save(model_of(), path)
    reads: list[str] = []
    monkeypatch.setattr("onnx_light.tools.leftovers._is_all", lambda path, ranges: reads.append(path))
    assert settle(path, before, remove=False).left == {"a.onnx.data": "no model here reads it now"}
    assert reads == []
    settle(path, before, remove=True)
    assert reads == [str(tmp_path / "a.onnx.data")]


def test_a_conversion_to_another_path_removes_nothing(pair: tuple[Path, Path], tmp_path: Path) -> None:
    a, _ = pair
    assert not tools.convert(a, tmp_path / "c.onnx", external=False)
    assert not tools.convert(a, tmp_path / "c.onnx", external=False, inplace=True)
    assert (tmp_path / "a.onnx.data").exists()


@pytest.mark.parametrize("words", [("strip", "--weights", "drop"), ("extract", "--inputs", "x", "--outputs", "y0")])
def test_weights_that_a_verb_took_out_of_a_model_are_left_and_named(tmp_path: Path, words: tuple[str, ...]) -> None:
    path = tmp_path / "a.onnx"
    onnxl.save(model_of(), path, save_as_external_data=True)
    _, told = run(words[0], path, *words[1:], "--inplace")
    assert "a.onnx.data is left: no model here reads it now" in told
    assert (tmp_path / "a.onnx.data").stat().st_size == 12000


def test_files_of_a_split_that_are_nobodys_are_not_taken(tmp_path: Path) -> None:
    onnxl.save(model_of(), tmp_path / "a.onnx")
    (tmp_path / "b.onnx.data.1").write_bytes(b"precious")
    _, error = run("convert", tmp_path / "a.onnx", tmp_path / "b.onnx", "--external", "--split", "4KB", code=2)
    assert "b.onnx.data.1' exists and is not of 'b.onnx'" in error
    assert (tmp_path / "b.onnx.data.1").read_bytes() == b"precious"


def test_a_copied_folder_is_a_folder_of_its_own(pair: tuple[Path, Path], tmp_path: Path) -> None:
    a, _ = pair
    shutil.copytree(a.parent, tmp_path / "copy", ignore=shutil.ignore_patterns("b.onnx", "copy"))
    onnxl.save(model_of(7), tmp_path / "copy" / "a.onnx", save_as_external_data=True)
    assert weights_of(a) != weights_of(tmp_path / "copy" / "a.onnx")
