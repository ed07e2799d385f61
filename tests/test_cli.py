"""The command onnx-light in processes of its own: real models, exit codes, pipes, and nothing overwritten."""

import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import onnx_light.onnx as onnxl
from onnx_light.cli.main import VERBS
from onnx_light.onnx import helper, numpy_helper


def run(*words, cwd=None, code=0, stdin=None, **environment):
    done = subprocess.run(
        [sys.executable, "-m", "onnx_light", *map(os.fspath, words)],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
    )
    assert done.returncode == code, done.stderr.decode()
    return done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def model(tmp_path):
    weights = numpy_helper.from_array(np.arange(1000, dtype=np.float32), "w")
    graph = helper.make_graph(
        [helper.make_node("Add", ["x", "w"], ["sum"], name="add"), helper.make_node("Relu", ["sum"], ["y"], name="relu")],
        "little",
        [helper.make_tensor_value_info("x", onnxl.TensorProto.FLOAT, [1000])],
        [helper.make_tensor_value_info("y", onnxl.TensorProto.FLOAT, [1000])],
        [weights],
    )
    path = tmp_path / "m.onnx"
    onnxl.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10), path)
    return path


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_explains_itself_with_an_example(verb):
    out, _ = run(verb, "--help")
    assert "example:" in out
    assert f"onnx-light {verb}" in out


def test_help_tells_of_every_verb_and_of_exit_codes():
    out, _ = run("--help")
    assert all(f"    {verb}" in out for verb in VERBS)
    assert "exit codes" in out


def test_a_wrong_command_line_and_a_missing_file_are_exit_code_2(tmp_path):
    run(code=2)
    run("dance", code=2)
    _, error = run("inspect", "nowhere.onnx", code=2, cwd=tmp_path)
    assert error == "onnx-light inspect: nowhere.onnx: no such file\n"
    (tmp_path / "not.onnx").write_bytes(b"\x7fELF is no model")
    _, error = run("inspect", "not.onnx", code=2, cwd=tmp_path)
    assert error.startswith("onnx-light inspect: not.onnx: no ONNX model, it starts with b'\\x7fELF")
    assert error.count("\n") == 1
    out, _ = run("inspect", "not.onnx", "--json", code=2, cwd=tmp_path)
    assert "error" in json.loads(out)


def test_inspect_shows_and_tells_machines_the_same(model):
    out, _ = run("inspect", model)
    assert "Add" in out
    assert "w: FLOAT[1000]" in out
    found = json.loads(run("inspect", model, "--json")[0])
    assert (found["parameters"], found["operators"], found["file_bytes"]) == (1000, {"Add": 1, "Relu": 1}, model.stat().st_size)
    assert json.loads(run("inspect", "-", "--json", stdin=model.read_bytes())[0])["parameters"] == 1000


def test_inspect_works_for_every_binary_model_of_the_collection(binary_file):
    if not binary_file.path.name.endswith(".onnx"):
        pytest.skip("no model, but a tensor")
    found = json.loads(run("inspect", binary_file.path, "--json")[0])
    expected = onnxl.load(binary_file.path, load_external_data=False)
    assert found["ir_version"] == expected.ir_version
    assert found["nodes"] >= len(expected.graph.node)


def test_ls_gives_plain_columns_to_a_pipe(model):
    assert run("ls", model)[0] == "w\tFLOAT\t[1000]\t3.9 KiB\traw\tgraph.initializer[0]\n"
    assert run("ls", model, "--nodes")[0].splitlines()[1] == "Relu\trelu\tsum\ty\tgraph.node[1]"
    assert json.loads(run("ls", model, "--json")[0])[0]["bytes"] == 4000


def test_show_prints_text_forms_that_can_be_read_again(model, tmp_path):
    for form in ("onnxtxt", "textproto", "json"):
        out, error = run("show", model, "--as", form, "--all")
        assert error == ""
        (tmp_path / f"again.{form}").write_text(out)
        assert run("diff", model, tmp_path / f"again.{form}")[0] == ""
    out, error = run("show", model)
    assert "1 weights of 1024 bytes" in error
    assert len(out) < 1000


def test_diff_answers_with_its_exit_code(model, tmp_path):
    other = tmp_path / "other.onnx"
    run("set", model, "--opset", "ai.onnx=22", "--metadata", "a=b", "-o", other)
    assert run("diff", model, model)[0] == ""
    out, _ = run("diff", model, other, code=1)
    assert "opset ai.onnx" in out
    assert out.endswith("1 opset, 1 metadata\n")
    assert json.loads(run("diff", model, other, "--json", code=1)[0])["counts"] == {"opset": 1, "metadata": 1}
    run("diff", model, other, "--ignore", "opset", "--ignore", "metadata")
    run("diff", model, tmp_path / "missing.onnx", code=2)


def test_nothing_is_overwritten_that_is_read_unless_it_is_said(model):
    before = model.read_bytes()
    _, error = run("set", model, "--name", "new", "-o", model, code=2)
    assert "--inplace" in error
    _, error = run("set", model, "--name", "new", code=2)
    assert "-o FILE" in error
    assert model.read_bytes() == before
    run("set", model, "--name", "new", "--inplace")
    assert onnxl.load(model).graph.name == "new"


def test_no_weights_of_another_model_are_overwritten(model, tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    run("convert", model, here / "e.onnx", "--external", "--location", "w.bin")
    _, error = run("convert", here / "e.onnx", here / "f.onnx", "--external", "--location", "w.bin", "--align", "4096", code=2)
    assert "exists and is not of" in error
    (there / "w.bin").write_bytes(b"precious")
    (there / "f.onnx.data").write_bytes(b"precious too")
    run("set", here / "e.onnx", "--producer", "me", "-o", there / "e.onnx")
    assert (there / "w.bin").read_bytes() == b"precious"
    assert run("verify", there / "e.onnx")[0].endswith(": whole\n")
    run("set", here / "e.onnx", "--producer", "me", "-o", there / "f.onnx", code=2)
    with pytest.raises(ValueError, match="choose a location"):
        onnxl.save(onnxl.load(here / "e.onnx", load_external_data=False), there / "g.onnx", base_dir=here)
    assert sorted(path.name for path in there.iterdir()) == ["e.onnx", "e.onnx.data", "f.onnx.data", "w.bin"]
    assert run("diff", model, here / "e.onnx")[0] == ""


def test_a_key_is_never_read_from_a_pipe(model, tmp_path):
    _, error = run("encrypt", model, "-o", tmp_path / "m.onnxc", stdin=b"secret\n", code=2)
    assert error.startswith("onnx-light encrypt: no key: say --key-file")


def test_a_cut_download_is_not_whole_and_the_others_are_looked_at_too(model, tmp_path):
    (tmp_path / "cut.onnx").write_bytes(model.read_bytes()[:1000])
    out, _ = run("verify", tmp_path / "cut.onnx", model, code=1)
    assert "needs" in out.splitlines()[0]
    assert out.endswith(": whole\n")


def test_convert_splits_joins_and_hash_stays(model, tmp_path):
    run("convert", model, tmp_path / "e.onnx", "--external", "--align", "4KiB", "--checksums")
    run("convert", tmp_path / "e.onnx", tmp_path / "single.onnx", "--internal")
    assert run("diff", model, tmp_path / "single.onnx")[0] == ""
    lines = run("hash", model, tmp_path / "e.onnx", tmp_path / "single.onnx")[0].splitlines()
    assert len({line.rsplit("\t", 1)[0] for line in lines}) == 1
    out = subprocess.run([sys.executable, "-m", "onnx_light", "convert", str(model), "-"], capture_output=True, check=True).stdout
    assert out == model.read_bytes()


def test_verify_says_whole_or_what_is_missing(model, tmp_path):
    run("convert", model, tmp_path / "e.onnx", "--external")
    assert run("verify", model, tmp_path / "e.onnx")[0].count(": whole") == 2
    (tmp_path / "e.onnx.data").unlink()
    out, _ = run("verify", tmp_path / "e.onnx", code=1)
    assert "the file is missing" in out
    run("verify", model, tmp_path / "none.onnx", code=2)


def test_extract_merge_rename_and_strip_make_models(model, tmp_path):
    run("extract", model, "--inputs", "sum", "--outputs", "y", "-o", tmp_path / "tail.onnx")
    tail = onnxl.load(tmp_path / "tail.onnx")
    assert [node.op_type for node in tail.graph.node] == ["Relu"]
    run("extract", model, "--inputs", "x", "--outputs", "sum", "-o", tmp_path / "head.onnx")
    run("merge", tmp_path / "head.onnx", tmp_path / "tail.onnx", "--connect", "sum=sum", "--prefix2", "t/", "-o", tmp_path / "whole.onnx")
    assert len(onnxl.load(tmp_path / "whole.onnx").graph.node) == 2
    run("rename", model, "x=image", "-o", tmp_path / "named.onnx")
    assert onnxl.load(tmp_path / "named.onnx").graph.input[0].name == "image"
    run("strip", model, "--weights", "constant", "--docs", "-o", tmp_path / "bare.onnx")
    assert (tmp_path / "bare.onnx").stat().st_size < 600


def test_encrypt_and_decrypt_take_the_key_from_a_file_or_the_environment(model, tmp_path):
    (tmp_path / "key").write_text("secret\n")
    for encryption in ("AES-256-CBC", "AES-256-GCM", "ChaCha20-Poly1305"):
        run("encrypt", model, "-o", tmp_path / "m.onnxc", "--key-file", tmp_path / "key", "--encryption", encryption)
        run("decrypt", tmp_path / "m.onnxc", "-o", tmp_path / "again.onnx", ONNX_LIGHT_KEY="secret")
        assert (tmp_path / "again.onnx").read_bytes() == model.read_bytes()
        _, error = run("decrypt", tmp_path / "m.onnxc", "-o", tmp_path / "no.onnx", code=2, ONNX_LIGHT_KEY="wrong")
        assert "key is wrong" in error
    assert not (tmp_path / "no.onnx").exists()


def test_models_pass_through_pipes_plain_encrypted_and_as_text(model):
    def piped(*words, stdin):
        command = [sys.executable, "-m", "onnx_light", *words]
        return subprocess.run(command, input=stdin, capture_output=True, check=True, env={**os.environ, "ONNX_LIGHT_KEY": "k"}).stdout

    sealed = piped("encrypt", "-", "-o", "-", stdin=model.read_bytes())
    assert sealed.startswith(b"ONNXCRY1")
    assert piped("decrypt", "-", "-o", "-", stdin=sealed) == model.read_bytes()
    text = piped("convert", "-", "-", "--to", "textproto", stdin=model.read_bytes())
    assert text.startswith(b"ir_version: 10\n")
    assert piped("convert", "-", "-", "--from", "textproto", stdin=text) == model.read_bytes()
    named = piped("set", "-", "--format", "textproto", "--name", "piped", "-o", "-", stdin=text)
    assert onnxl.load_from_string(named).graph.name == "piped"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_know_the_verbs(shell):
    out, _ = run("completion", shell)
    assert all(verb in out for verb in VERBS)


def test_bash_accepts_the_completion_and_completes(tmp_path):
    script = 'eval "$(%s -m onnx_light completion bash)"; COMP_WORDS=(onnx-light in); COMP_CWORD=1; _onnx_light; echo "${COMPREPLY[@]}"'
    out = subprocess.run(["bash", "-c", script % sys.executable], capture_output=True, text=True, check=True).stdout
    assert out.split() == ["inspect"]


def test_names_from_files_do_not_steer_the_terminal(model, tmp_path):
    evil = onnxl.load(model)
    evil.graph.node[0].name = "\x1b[2Jgone\nline"
    onnxl.save(evil, tmp_path / "evil.onnx")
    out, _ = run("ls", tmp_path / "evil.onnx", "--nodes")
    assert "\x1b" not in out
    assert len(out.splitlines()) == 2


def test_a_reader_that_has_seen_enough_is_told_by_the_exit_code_alone(model):
    reading, writing = os.pipe()
    os.close(reading)
    for words in (
        ["ls", model],
        ["show", model, "--all"],
        ["convert", model, "-"],
        ["--help"],
        ["ls", "--help"],
        ["inspect", model, "--json"],
    ):
        done = subprocess.run([sys.executable, "-m", "onnx_light", *words], stdout=writing, stderr=subprocess.PIPE, check=False)
        assert (done.returncode, done.stderr) == (141, b""), words
    os.close(writing)


def test_output_that_cannot_be_written_is_one_line(model):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([sys.executable, "-m", "onnx_light", "ls", model], stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (2, b"onnx-light ls: No space left on device\n")


def test_without_a_standard_output_there_is_still_an_answer(model, tmp_path):
    def quiet(words):
        script = f"exec >&-; exec {sys.executable} -m onnx_light {words}"
        return subprocess.run(["bash", "-c", script], stderr=subprocess.PIPE, check=False, text=True)

    assert quiet(f"verify {model}").returncode == 0
    done = quiet(f"convert {model} -")
    assert (done.returncode, done.stderr) == (2, "onnx-light convert: standard output is closed\n")


def test_a_wrong_argument_is_one_line_that_says_where_help_is(model):
    for words, said in (
        (["ls", model, "--bogus"], "onnx-light ls: unrecognized arguments: --bogus; see `onnx-light ls --help`\n"),
        (["convert", model], "onnx-light convert: the following arguments are required: TARGET; see `onnx-light convert --help`\n"),
        (["inspekt", model], "onnx-light: no verb 'inspekt': did you mean 'inspect'?; see `onnx-light --help`\n"),
        ([], "onnx-light: the following arguments are required: VERB; see `onnx-light --help`\n"),
    ):
        assert run(*words, code=2)[1] == said


def test_options_about_external_weights_need_external_weights(model, tmp_path):
    for option in (["--split", "1KB"], ["--align", "64"], ["--threshold", "1"], ["--each"], ["--checksums"], ["--location", "w"]):
        _, error = run("convert", model, tmp_path / "c.onnx", *option, code=2)
        assert error.endswith("ask for external ones (--external)\n")
    assert not (tmp_path / "c.onnx").exists()


def test_what_is_no_file_is_one_line_that_names_it(model, tmp_path):
    (tmp_path / "folder").mkdir()
    for words in (
        ["inspect", "folder"],
        ["ls", "folder"],
        ["diff", "m.onnx", "folder"],
        ["convert", "folder", "x.onnx"],
        ["verify", "folder"],
    ):
        out, error = run(*words, code=2, cwd=tmp_path)
        assert "folder: " in out + error, words
        assert (out + error).count("\n") == 1
    for words in (["convert", "m.onnx", "folder"], ["set", "m.onnx", "--name", "n", "-o", "folder"], ["convert", "m.onnx", "no/x.onnx"]):
        _, error = run(*words, code=2, cwd=tmp_path)
        assert words[-1] in error
        assert error.count("\n") == 1


def test_an_error_about_a_model_names_its_file_once_and_hints_at_formats_where_it_is_text(model, tmp_path):
    (tmp_path / "text.onnx").write_text("ir_version: 10")
    (tmp_path / "cut.onnx").write_bytes(model.read_bytes()[:1000])
    (tmp_path / "empty.onnx").touch()
    for name in ("text.onnx", "cut.onnx", "empty.onnx"):
        for words in (["inspect"], ["hash"], ["bench"]):
            _, error = run(*words, name, code=2, cwd=tmp_path)
            assert error.startswith(f"onnx-light {words[0]}: {name}: ")
            assert error.count(name) == 1
            assert ("--format" in error) == (name == "text.onnx")
        assert run("verify", name, code=1, cwd=tmp_path)[0].count(name) == 1
    assert run("inspect", model, "--format", "json", code=2)[1].startswith(f"onnx-light inspect: {model}: line 1, column 1")
    assert "--inplace" not in run("decrypt", "cut.onnx", "-o", "cut.onnx", code=2, cwd=tmp_path)[1]


def test_help_is_a_word_too():
    assert run("help", "ls")[0] == run("ls", "--help")[0]
    assert run("help")[0] == run("--help")[0]


def test_a_terminal_is_shown_text_that_does_not_steer_it_and_a_pipe_the_very_bytes(model, tmp_path):
    evil = onnxl.load(model)
    evil.graph.node[0].name = "\x1b[2Jgone\u202e\x9b"
    onnxl.save(evil, tmp_path / "evil.onnx")
    for form in ("onnxtxt", "textproto"):
        ours, theirs = os.openpty()
        words = [sys.executable, "-m", "onnx_light", "show", tmp_path / "evil.onnx", "--as", form]
        process = subprocess.Popen(words, stdout=theirs, stderr=subprocess.DEVNULL, env={**os.environ, "TERM": "xterm"})
        os.close(theirs)
        shown = b""
        while piece := _read_terminal(ours):
            shown += piece
        os.close(ours)
        assert process.wait() == 0
        assert b"\\u202e\\x9b" in shown
        assert b"\x1b" not in shown
        assert shown.decode().replace("\r\n", "").isprintable()
    out, _ = run("show", tmp_path / "evil.onnx", "--all")
    (tmp_path / "again.onnxtxt").write_text(out)
    assert run("diff", tmp_path / "evil.onnx", tmp_path / "again.onnxtxt")[0] == ""


def _read_terminal(descriptor):
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:  # how a terminal ends
        return b""


def test_standard_input_is_read_once_and_verified_where_it_holds_everything(model, tmp_path):
    assert run("verify", "-", stdin=model.read_bytes())[0] == "-: whole\n"
    assert "standard input (-) can be read once" in run("diff", "-", "-", code=2, stdin=model.read_bytes())[1]
    run("convert", model, tmp_path / "e.onnx", "--external")
    assert "no folder" in run("verify", "-", code=2, stdin=(tmp_path / "e.onnx").read_bytes())[1]


@pytest.mark.parametrize("command", [("convert",), ("encrypt", "-o"), ("encrypt", "--encryption=AES-256-GCM", "-o")])
def test_a_command_that_waits_for_a_pipe_can_be_interrupted(model, tmp_path, command):
    big = onnxl.load(model)
    big.graph.initializer[0].raw_data = bytes(1 << 20)
    big.graph.initializer[0].dims[0] = 1 << 18
    onnxl.save(big, model)
    pipe = tmp_path / "pipe.onnx"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)  # which reads nothing
    verb, *option = command
    process = subprocess.Popen(
        [sys.executable, "-m", "onnx_light", verb, model, *option, pipe],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"ONNX_LIGHT_KEY": "k"},
    )
    assert select.select([reader], [], [], 30)[0]  # it has begun
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    try:
        assert process.communicate(timeout=30)[1] == f"onnx-light {verb}: interrupted\n"
    finally:
        os.close(reader)
        process.kill()
        process.communicate()
    assert process.returncode == 130
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.onnx", "pipe.onnx"]


BARS = {
    "convert": ("convert", "big.onnx", "pipe.onnx"),
    "convert to text": ("convert", "big.onnx", "pipe.json"),
    "set": ("set", "big.onnx", "--name", "n", "-o", "pipe.onnx"),
    "rename": ("rename", "big.onnx", "x=image", "-o", "pipe.onnx"),
    "strip": ("strip", "big.onnx", "--docs", "-o", "pipe.onnx"),
    "extract": ("extract", "big.onnx", "--inputs", "x", "--outputs", "y", "-o", "pipe.onnx"),
    "merge": ("merge", "big.onnx", "m.onnx", "--connect", "y=x", "--prefix2", "b/", "-o", "pipe.onnx"),
    "encrypt": ("encrypt", "big.onnx", "-o", "pipe.onnxc"),
    "decrypt": ("decrypt", "big.onnxc", "-o", "pipe.onnx"),
    "show": ("show", "big.onnx", "--all", "--as", "json"),
    "to standard output": ("convert", "big.onnx", "-"),
    "encrypt to standard output": ("encrypt", "big.onnx", "-o", "-"),
}


@pytest.mark.parametrize("verb", BARS)
def test_a_command_that_takes_longer_than_a_second_shows_how_many_bytes_it_has_moved(verb, model, tmp_path):
    big = onnxl.load(model)
    big.graph.initializer.append(numpy_helper.from_array(np.zeros(8 << 20, np.float32), "large"))
    big.graph.node.insert(1, helper.make_node("Gather", ["large", "sum"], ["unused"]))
    big.graph.node[2].input.append("large")
    onnxl.save(big, tmp_path / "big.onnx")
    if verb == "decrypt":
        onnxl.save_encrypted(big, tmp_path / "big.onnxc", "key")
    words = BARS[verb]
    pipe = next((word for word in words if word.startswith("pipe")), None)
    ours, theirs = os.openpty()
    environment = {**os.environ, "ONNX_LIGHT_KEY": "key", "TERM": "xterm"}
    if pipe is None:
        reader, writer = os.pipe()
    else:
        os.mkfifo(tmp_path / pipe)
        reader, writer = os.open(tmp_path / pipe, os.O_RDONLY | os.O_NONBLOCK), subprocess.DEVNULL
    process = subprocess.Popen(
        [sys.executable, "-m", "onnx_light", *words], cwd=tmp_path, stdout=writer, stderr=theirs, env=environment, close_fds=True
    )
    os.close(theirs)
    if pipe is None:
        os.close(writer)
    os.set_blocking(reader, True)
    try:
        assert select.select([reader], [], [], 30)[0]
        left = 20 << 20
        while left:
            piece = os.read(reader, min(left, 1 << 16))
            assert piece, os.read(ours, 1 << 16)
            left -= len(piece)
        assert select.select([ours], [], [], 30)[0]  # while nobody reads any more
        shown = os.read(ours, 1 << 16).decode()
        assert re.search(r"^\r\x1b\[K[a-z]+ (\[#+ +\] +[1-9][0-9]?% of|[1-9][0-9.]+) .*, .*B/s$", shown), shown
        while os.read(reader, 1 << 16):
            pass
        assert process.wait(30) == 0
        *_, last = _rest_of(ours)
        assert last.endswith("\r\x1b[K")  # nothing stays
    finally:
        process.kill()
        process.communicate()
        os.close(reader)
        os.close(ours)


def test_show_tells_a_terminal_how_far_it_is_unless_the_text_goes_there_too(model, tmp_path):
    big = onnxl.load(model)
    big.graph.initializer.append(numpy_helper.from_array(np.zeros(1 << 18, np.float32), "large"))
    onnxl.save(big, tmp_path / "big.onnx")
    words = [sys.executable, "-m", "onnx_light", "show", tmp_path / "big.onnx", "--all", "--as", "json"]

    def show(stdout, stderr):
        process = subprocess.Popen(words, stdout=stdout, stderr=stderr, env={**os.environ, "TERM": "xterm"})
        for descriptor in {stdout, stderr}:
            os.close(descriptor)
        return process

    text, texts_end = os.openpty()
    bar, bars_end = os.openpty()
    process = show(texts_end, bars_end)
    try:
        assert select.select([bar], [], [], 30)[0]
        assert re.match(r"\r\x1b\[Kwriting [0-9.]+ [KM]?i?B, ", os.read(bar, 1 << 16).decode())
        alone = "".join(_rest_of(text))
        *_, last = _rest_of(bar)
        assert last.endswith("\r\x1b[K")
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()
        os.close(text)
        os.close(bar)
    both, boths_end = os.openpty()
    process = show(boths_end, boths_end)
    try:
        assert select.select([both], [], [], 30)[0]  # nothing is held back until all is printed
        time.sleep(1.3)
        assert "".join(_rest_of(both)) == alone
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()
        os.close(both)


def test_convert_says_which_weights_stay_wide(model, tmp_path):
    wide = onnxl.load(model)
    for i in range(4):
        wide.graph.initializer.append(numpy_helper.from_array(np.full(300, 1e30, np.float32), f"large{i}"))
    onnxl.save(wide, model)
    out, error = run("convert", model, tmp_path / "half.onnx", "--weights", "float16", "--json")
    assert json.loads(out)["wide"] == ["large0", "large1", "large2", "large3"]
    assert error == "onnx-light convert: 4 tensors stay FLOAT: large0, large1, large2 and 1 more\n"
    assert run("convert", model, tmp_path / "half.onnx", "--weights", "bfloat16") == ("", "")


@pytest.mark.parametrize("words", [("inspect", "-"), ("verify", "-"), ("convert", "-", "again.onnx")])
def test_a_slow_standard_input_shows_how_much_of_it_has_come(words, model, tmp_path):
    big = onnxl.load(model)
    big.graph.initializer.append(numpy_helper.from_array(np.zeros(1 << 20, np.float32), "large"))
    data = big.SerializeToString()
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "onnx_light", *words],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
    )
    os.close(theirs)
    assert process.stdin is not None
    try:
        process.stdin.write(data[: 3 << 20])
        process.stdin.flush()
        assert select.select([ours], [], [], 30)[0]
        assert re.search(r"(reading|converting) [1-3]\.0 MiB, .*B/s", os.read(ours, 1 << 16).decode())
        process.stdin.write(data[3 << 20 :])
        process.stdin.close()
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def _rest_of(descriptor):
    while piece := _read_terminal(descriptor):
        yield piece.decode()


def test_inspect_imports_no_numpy(model):
    code = "import sys; from onnx_light.cli import main; main(['inspect', sys.argv[1]]); print('numpy' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code, str(model)], capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1] == "False"


def test_a_sparse_model_of_ten_gigabytes_is_inspected_and_verified_without_reading_it(tmp_path):
    big = onnxl.ModelProto(ir_version=10)
    size = 100 << 20
    for i in range(100):
        tensor = big.graph.initializer.add(name=f"w{i}", data_type=onnxl.TensorProto.FLOAT, dims=[size // 4])
        tensor.data_location = onnxl.TensorProto.EXTERNAL
        for key, value in (("location", "w.bin"), ("offset", str(i * size)), ("length", str(size))):
            tensor.external_data.add(key=key, value=value)
    (tmp_path / "big.onnx").write_bytes(big.SerializeToString())
    with (tmp_path / "w.bin").open("wb") as file:
        file.truncate(100 * size)
    for verb in ("inspect", "verify"):
        code = (
            f"from onnx_light.cli import main; main([{verb!r}, 'big.onnx'])\n"
            "print(dict(line.split(': ') for line in open('/proc/self/io').read().splitlines())['rchar'])"
        )
        begin = time.monotonic()
        out = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        assert time.monotonic() - begin < 30  # the promise is a second; a machine may be busy
        assert int(out.splitlines()[-1]) < 10_000_000
