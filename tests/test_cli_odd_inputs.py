"""The command onnx-light where something is in the way: targets that are read, closed descriptors, command lines and models that make no
sense. What it says is one line, or one JSON object; what was there stays."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "tools"))

from tool_models import small

import onnx_light.onnx as onnxl
from onnx_light.cli.main import main

Command = Callable[..., tuple[str, str]]


@pytest.fixture
def command(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs a command in a folder of its own, where small.onnx and with w.data beside it e.onnx lie; gives what it prints."""
    monkeypatch.chdir(tmp_path)
    onnxl.save(small(), "small.onnx")
    onnxl.save(small(), "e.onnx", location="w.data")

    def run(*words: str, code: int = 0) -> tuple[str, str]:
        capfd.readouterr()
        found = main(words)
        out, error = capfd.readouterr()
        assert found == code, error
        return out, error

    return run


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(
    "words",
    [
        "convert e.onnx w.data --internal",
        "convert e.onnx w.data --internal --inplace",
        "convert e.onnx linked --internal",
        "set e.onnx --name n -o w.data",
        "strip e.onnx --docs -o w.data",
        "rename e.onnx x=image -o w.data",
        "extract e.onnx --inputs x --outputs y -o w.data",
        "merge small.onnx e.onnx --connect y=x --prefix2 p/ -o w.data",
        "encrypt e.onnx -o w.data --key-file key",
        "encrypt small.onnx -o key --key-file key",
        "decrypt sealed.onnxc -o key --key-file key",
        "rename small.onnx --map names.json -o names.json",
    ],
)
def test_no_file_that_is_read_is_overwritten_whatever_it_is_read_for(words: str, command: Command, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("open sesame\n")
    (tmp_path / "names.json").write_text('{"x": "image"}')
    (tmp_path / "linked").symlink_to("w.data")
    command("encrypt", "small.onnx", "-o", "sealed.onnxc", "--key-file", "key", "--encryption", "AES-256-GCM")
    before = contents(tmp_path)
    error = command(*words.split(), code=2)[1]
    assert "choose another" in error
    assert contents(tmp_path) == before


def test_weights_of_a_model_that_has_nothing_to_do_with_it_are_not_overwritten_either(command: Command, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    command("convert", "small.onnx", "sub/other.onnx", "--external")
    before = contents(tmp_path / "sub")
    for words in ("convert small.onnx", "convert e.onnx --internal", "set small.onnx --name n -o", "encrypt small.onnx --key-file key -o"):
        assert "has weights of 'other.onnx'" in command(*words.split(), "sub/other.onnx.data", code=2)[1]
    assert contents(tmp_path / "sub") == before
    command("convert", "small.onnx", "sub/other.onnx")  # a model may be replaced
    command("convert", "small.onnx", "sub/other.onnx.data")  # which nobody reads now


def test_a_pipe_that_is_read_is_read_once(command: Command, tmp_path: Path) -> None:
    script = f"{sys.executable} -m onnx_light convert <(cat small.onnx) e.onnx --from protobuf"
    subprocess.run(["bash", "-c", script], check=True, cwd=tmp_path)
    assert (tmp_path / "e.onnx").read_bytes() == (tmp_path / "small.onnx").read_bytes()


def test_a_file_for_each_weight_takes_the_place_of_no_other_file(command: Command, tmp_path: Path) -> None:
    (tmp_path / "b").write_text("mine")  # called like a tensor
    (tmp_path / "c.onnx.data").write_text("mine too")  # which has nothing to do with it
    before = contents(tmp_path)
    words = ("convert", "small.onnx", "c.onnx", "--external", "--each")
    assert "exists and is not" in command(*words, code=2)[1]
    assert contents(tmp_path) == before
    (tmp_path / "b").unlink()
    command(*words)
    command(*words)
    assert (tmp_path / "c.onnx.data").read_text() == "mine too"
    for option in ("--location=w", "--split=1MB"):
        assert "a file for each weight" in command(*words, option, code=2)[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("ls small.onnx --bogus", "unrecognized arguments: --bogus"),
        ("inspect", "required: MODEL"),
        ("inspekt small.onnx", "no verb 'inspekt'"),
        ("convert small.onnx c.onnx --align x", "'x' is no size"),
        ("convert small.onnx c.onnx --external --internal", "not allowed with"),
        ("inspect none.onnx", "none.onnx: no such file"),
        ("encrypt small.onnx -o -", "no key"),
        (f"set small.onnx --ir {2**63} -o c.onnx", f"argument --ir: '{2**63}' is no number of 64 bits"),
        (f"set small.onnx --dims x={2**63} -o c.onnx", f"'x': size {2**63} has more than 63 bits"),
        (f"set small.onnx --opset a.b={2**63} -o c.onnx", f"opset {2**63} of 'a.b': versions start at 1"),
    ],
)
def test_with_json_every_error_is_an_object_with_its_text(words: str, said: str, command: Command) -> None:
    out, error = command(*words.split(), "--json", code=2)
    assert said in json.loads(out)["error"]
    assert error == f"onnx-light{f' {words.split()[0]}' if 'no verb' not in said else ''}: {json.loads(out)['error']}\n"
    assert command(*words.split(), code=2) == ("", error)


def test_a_closed_standard_input_is_said(command: Command, tmp_path: Path) -> None:
    for words, said in (("inspect -", "standard input is closed"), ("encrypt small.onnx -o c.onnxc", "no key: say --key-file")):
        script = f"exec <&-; exec {sys.executable} -m onnx_light {words}"
        done = subprocess.run(["bash", "-c", script], check=False, capture_output=True, text=True, cwd=tmp_path)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert said in done.stderr


def test_an_error_that_nobody_hears_keeps_its_exit_code(command: Command, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with Path("/dev/full").open("wb") as full:
        for stream in (writing, full):
            for words, code in (("inspect none.onnx", 2), ("inspect --bogus", 2), ("hash small.onnx none.onnx", 2)):
                command_line = [sys.executable, "-m", "onnx_light", *words.split()]
                done = subprocess.run(command_line, check=False, stdout=subprocess.PIPE, stderr=stream, cwd=tmp_path)
                assert done.returncode == code, (words, stream)
    os.close(writing)


def test_a_constant_that_nothing_takes_stays_what_it_is(command: Command, tmp_path: Path) -> None:
    model = small()
    node = model.graph.node.add(op_type="Constant")
    node.attribute.add(name="value", type=onnxl.AttributeProto.TENSOR, t=model.graph.initializer[0])
    onnxl.save(model, tmp_path / "odd.onnx")
    command("strip", "odd.onnx", "--weights", "constant", "-o", "stripped.onnx")
    _, error = command("convert", "odd.onnx", "half.onnx", "--weights", "float16")
    for name in ("stripped.onnx", "half.onnx"):
        (kept,) = (each for each in onnxl.load(tmp_path / name).graph.node if each.op_type == "Constant" and not each.output)
        assert kept == node
    assert "1 tensors stay FLOAT: w\n" in error


def test_a_reference_that_makes_no_sense_is_told_by_inspect_beside_the_rest(command: Command, tmp_path: Path) -> None:
    model = onnxl.load("e.onnx", load_external_data=False)
    (entry,) = (each for each in model.graph.initializer[0].external_data if each.key == "location")
    entry.value = "../outside"
    (tmp_path / "odd.onnx").write_bytes(model.SerializeToString())
    out, _ = command("inspect", "odd.onnx")
    assert "\nproblems    graph.initializer[0] 'w': " in out
    assert "\nexternal    w.data: 1 tensors, " in out
    assert out.count("outside") == 1
    (problem,) = json.loads(command("inspect", "odd.onnx", "--json")[0])["problems"]
    assert command("verify", "odd.onnx", code=1)[0] == f"odd.onnx: {problem}\n"


def test_verify_takes_a_format_as_the_others_do(command: Command, tmp_path: Path) -> None:
    onnxl.save(small(), tmp_path / "m.txt", format="textproto")
    assert command("verify", "m.txt", "--format", "textproto")[0] == "m.txt: whole\n"
    command("verify", "m.txt", code=1)


def test_an_encrypted_file_is_not_read_to_say_that_it_needs_a_key(command: Command, tmp_path: Path) -> None:
    with (tmp_path / "large.onnxc").open("wb") as file:
        file.truncate(1 << 30)

    def bytes_read() -> int:
        return int(Path("/proc/self/io").read_text().split()[1])

    before = bytes_read()
    assert "needs a key" in command("inspect", "large.onnxc", code=2)[1]
    assert bytes_read() - before < 10_000_000


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_bench_that_is_ended_leaves_no_process_and_no_folder_behind(command: Command, tmp_path: Path, number: int) -> None:
    folder = tmp_path / "temporary"
    folder.mkdir()
    words = [sys.executable, "-m", "onnx_light", "bench", "small.onnx", "--rounds", "1000000"]
    process = subprocess.Popen(
        words, cwd=tmp_path, env={**os.environ, "TMPDIR": str(folder)}, stderr=subprocess.PIPE, start_new_session=True
    )
    try:
        deadline = time.monotonic() + 30
        while not list(folder.glob("*/saved.onnx")):
            assert time.monotonic() < deadline
        process.send_signal(number)
        assert process.wait(30) == 128 + number
        assert list(folder.iterdir()) == []
        with pytest.raises(ProcessLookupError):
            os.killpg(process.pid, 0)
    finally:
        process.kill()
        process.communicate()


def test_an_encrypted_model_is_known_by_its_bytes_too(command: Command, tmp_path: Path) -> None:
    for encryption in ("AES-256-CBC", "AES-256-GCM", "ChaCha20-Poly1305"):
        onnxl.save_encrypted(small(), tmp_path / "sealed.onnx", key="k", encryption=encryption)
        _, error = command("inspect", "sealed.onnx", code=2)
        assert error.startswith("onnx-light inspect: sealed.onnx: an encrypted model needs a key: see onnx-light encrypt --help")
        with pytest.raises(onnxl.DecodeError, match=r"needs a key: load_encrypted\("):
            onnxl.load(tmp_path / "sealed.onnx")


@pytest.mark.parametrize("name", ["two  blanks.onnx", "line\nbreak.onnx", " at the ends "])
def test_a_name_with_blanks_is_told_as_it_is_and_once(name: str, command: Command, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(Path("small.onnx").read_bytes()[:-1])
    shown = name.replace("\n", "\\n")
    for verb in ("inspect", "hash", "bench"):
        error = command(verb, name, code=2)[1]
        assert error.startswith(f"onnx-light {verb}: {shown}: ")
        assert error.count("blanks") + error.count("break") + error.count("at the ends") == 1
