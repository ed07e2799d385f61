"""Other Python threads go on while files are read and written, and may do with the model what they like meanwhile."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import onnx_light.onnx as onnxl
from onnx_light.onnx.external_data_helper import load_external_data_for_tensor
from onnx_light.onnx_py._onnxpy import crypt, text

SIZE = 24 << 20
KEY = "key"


def make_model(fill: bytes = b"w", count: int = 3) -> onnxl.ModelProto:
    model = onnxl.ModelProto(ir_version=10)
    for index in range(count):
        model.graph.initializer.add(name=f"w{index}", data_type=onnxl.TensorProto.UINT8, dims=[SIZE], raw_data=fill * SIZE)
    return model


@pytest.fixture(scope="module")
def model() -> onnxl.ModelProto:
    return make_model()


@pytest.fixture(scope="module")
def folder(model: onnxl.ModelProto, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("gil")
    onnxl.save(model, folder / "whole.onnx")
    onnxl.save(model, folder / "m.onnx", location="w.data")
    if crypt.available():
        onnxl.save_encrypted(model, folder / "m.onnxc", KEY)
    return folder


@pytest.fixture
def progress() -> Iterator[Callable[[], int]]:
    """Counts what another thread does. Nobody takes the GIL from a thread that does not let go of it: there is no progress then, at all."""
    count = 0
    stop = threading.Event()

    def work() -> None:
        nonlocal count
        while not stop.is_set():
            count += 1
            time.sleep(0)  # lets go of the GIL

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    worker = threading.Thread(target=work)
    worker.start()
    try:
        yield lambda: count
    finally:
        stop.set()
        sys.setswitchinterval(interval)
        worker.join()


def small_model() -> onnxl.ModelProto:
    model = onnxl.ModelProto(ir_version=10)
    model.graph.initializer.add(name="w", data_type=onnxl.TensorProto.UINT8, dims=[1 << 20], raw_data=bytes(1 << 20))
    return model


def structure(folder: Path) -> onnxl.ModelProto:
    return onnxl.load(folder / "m.onnx", load_external_data=False)


# What prepares an act, and the act.
ACTS: dict[str, tuple[Callable[[onnxl.ModelProto, Path], Any], Callable[[Any, onnxl.ModelProto, Path], Any]]] = {
    "load": (lambda model, folder: None, lambda _, model, folder: onnxl.load(folder / "whole.onnx")),
    "load with weights beside it": (lambda model, folder: None, lambda _, model, folder: onnxl.load(folder / "m.onnx")),
    "hydrate": (lambda model, folder: structure(folder), lambda bare, model, folder: onnxl.load_external_data_for_model(bare, folder)),
    "hydrate a tensor": (
        lambda model, folder: structure(folder).graph.initializer[0],
        lambda tensor, model, folder: load_external_data_for_tensor(tensor, folder),
    ),
    "parse bytes": (lambda model, folder: model.SerializeToString(), lambda data, model, folder: onnxl.ModelProto.FromString(data)),
    "save": (lambda model, folder: None, lambda _, model, folder: onnxl.save(model, folder / "saved.onnx")),
    "save weights beside it": (
        lambda model, folder: None,
        lambda _, model, folder: onnxl.save(model, folder / "s.onnx", location="s.data"),
    ),
    "SerializeToFile": (lambda model, folder: None, lambda _, model, folder: model.SerializeToFile(folder / "file")),
    "SerializeToString": (lambda model, folder: None, lambda _, model, folder: model.SerializeToString()),
    "save bytes of a tensor": (
        lambda model, folder: model.graph.initializer[0].SerializeToString(),
        lambda data, model, folder: onnxl.save_tensor(data, folder / "tensor"),
    ),
    "raw_data": (lambda model, folder: None, lambda _, model, folder: model.graph.initializer[0].raw_data),
    "raw_data of a mapped file": (
        lambda model, folder: onnxl.load(folder / "m.onnx", no_copy=True),
        lambda mapped, model, folder: mapped.graph.initializer[0].raw_data,
    ),
    "str": (lambda model, folder: small_model(), lambda small, model, folder: str(small)),
    "encrypt": (lambda model, folder: None, lambda _, model, folder: onnxl.save_encrypted(model, folder / "saved.onnxc", KEY)),
    "encrypt in memory": (lambda model, folder: None, lambda _, model, folder: onnxl.save_encrypted_string(model, KEY)),
    "decrypt": (lambda model, folder: None, lambda _, model, folder: onnxl.load_encrypted(folder / "m.onnxc", KEY)),
}


def printing(form: str) -> tuple[Callable[[onnxl.ModelProto, Path], Any], Callable[[Any, onnxl.ModelProto, Path], Any]]:
    return lambda model, folder: small_model(), lambda small, model, folder: text.encode(small, form)


def reading(form: str) -> tuple[Callable[[onnxl.ModelProto, Path], Any], Callable[[Any, onnxl.ModelProto, Path], Any]]:
    return lambda model, folder: text.encode(small_model(), form), lambda data, model, folder: onnxl.load_from_string(data, form)


for form in ("textproto", "json", "onnxtxt"):
    ACTS[f"print {form}"] = printing(form)
    ACTS[f"read {form}"] = reading(form)


@pytest.mark.parametrize("what", ACTS)
def test_another_thread_makes_progress(what: str, model: onnxl.ModelProto, folder: Path, progress: Callable[[], int]) -> None:
    if "crypt" in what and not crypt.available():
        pytest.skip("this build has no OpenSSL")
    prepare, act = ACTS[what]
    for _ in range(20):  # the system need not run the other thread at once
        prepared = prepare(model, folder)
        before = progress()
        kept = act(prepared, model, folder)
        after = progress()
        del kept
        if after > before:
            return
    raise AssertionError("the GIL was never let go of")


def test_the_counter_stands_still_while_the_gil_is_held(model: onnxl.ModelProto, progress: Callable[[], int]) -> None:
    before = progress()
    assert sum(range(200_000)) and bytearray(SIZE).count(1) == 0
    assert progress() == before


def test_a_payload_that_others_replace_is_read_as_one_of_them() -> None:
    tensor = onnxl.TensorProto(raw_data=b"a" * SIZE)
    written = (b"a" * SIZE, b"b" * SIZE)
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            for data in written:
                tensor.raw_data = data
            tensor.ClearField("raw_data")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(30):
            assert tensor.raw_data in (*written, b"")
    finally:
        stop.set()
        writer.join()


def test_a_model_may_be_taken_apart_while_it_is_hydrated(folder: Path) -> None:
    """Tensors that go get their bytes all the same, those that refer to something else by then stay as they are."""
    for _ in range(5):
        model = structure(folder)
        held = list(model.graph.initializer)
        started = threading.Event()

        def edit(model: onnxl.ModelProto = model, held: list[onnxl.TensorProto] = held, started: threading.Event = started) -> None:
            started.wait()
            held[1].data_location = onnxl.TensorProto.DEFAULT
            held[1].raw_data = b"mine"
            del model.graph.initializer[:]
            model.ParseFromString(b"")

        editor = threading.Thread(target=edit)
        editor.start()
        started.set()
        onnxl.load_external_data_for_model(model, folder)
        editor.join()
        assert len(model.graph.initializer) == 0
        assert held[0].raw_data == held[2].raw_data == b"w" * SIZE or not held[0].HasField("raw_data")
        assert held[1].raw_data == b"mine"


@pytest.mark.parametrize("verb", ["save", "save_bytes", "save_text", "save_encrypted"])
def test_a_pipe_that_another_thread_reads_does_not_lock_up(verb: str, model: onnxl.ModelProto, tmp_path: Path) -> None:
    if verb == "save_encrypted" and not crypt.available():
        pytest.skip("this build has no OpenSSL")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()), daemon=True)
    reader.start()
    data = model.SerializeToString()
    if verb == "save":
        onnxl.save(model, pipe)
    elif verb == "save_bytes":
        onnxl.save_tensor(data, pipe)
    elif verb == "save_text":
        model = onnxl.ModelProto(doc_string="\0" * 60_000)
        data = text.encode(model, "json")
        onnxl.save(model, pipe, "json")
    else:
        onnxl.save_encrypted(model, pipe, KEY)
    reader.join()
    assert received[0] == data if verb != "save_encrypted" else onnxl.load_encrypted_string(received[0], KEY) == model


@pytest.mark.parametrize("form", ["textproto", "json", "onnxtxt"])
def test_a_model_that_others_change_is_printed_as_it_was_when_that_began(form: str) -> None:
    names = [f"name {i}" * 4 for i in range(20_000)]
    model = onnxl.ModelProto(ir_version=10)
    for name in names:
        model.graph.node.add(op_type="Relu", input=[name], output=[name])
    expected = text.encode(model, form)
    started = threading.Event()

    def change() -> None:
        started.wait()
        for node in model.graph.node:
            node.input[0] = "other"
        model.Clear()

    changer = threading.Thread(target=change)
    changer.start()
    pieces: list[bytes] = []

    def write(piece: bytes) -> None:
        started.set()
        pieces.append(piece)
        changer.join(1)

    text.write_pieces(model, form, write)
    changer.join()
    assert b"".join(pieces) == expected
    assert len(pieces) > 1
    assert not model.HasField("graph")


def test_a_message_that_others_replace_while_a_text_is_read_becomes_what_the_text_says() -> None:
    outer = onnxl.ModelProto(ir_version=10)
    data = text.encode(small_model().graph, "textproto")
    stop = threading.Event()

    def replace() -> None:
        while not stop.is_set():
            outer.graph.CopyFrom(onnxl.GraphProto(name="other"))
            outer.ClearField("graph")

    worker = threading.Thread(target=replace)
    worker.start()
    try:
        for _ in range(10):
            graph = outer.graph
            assert text.from_text_format(data, graph) is graph
    finally:
        stop.set()
        worker.join()
    text.from_text_format(data, outer.graph)
    assert outer.graph == small_model().graph


class Interrupted(Exception):
    pass


@contextlib.contextmanager
def interrupting() -> Iterator[None]:
    """What is inside is to be ended by a signal; more follow until it is heard, as the first may come before anything waits."""

    def interrupt(*_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise Interrupted

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with pytest.raises(Interrupted):
            signal.setitimer(signal.ITIMER_REAL, 0.05, 0.5)
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_a_signal_ends_the_reading_of_a_text() -> None:
    data = b"graph { initializer { " + b"int64_data: 1000000001\n" * 8_000_000 + b"} }"
    message = onnxl.ModelProto(ir_version=3)
    with interrupting():
        text.from_text_format(data, message)
    assert message == onnxl.ModelProto(ir_version=3)


def load_encrypted(path: Path) -> object:
    return onnxl.load_encrypted(path, KEY)


def save(path: Path) -> None:
    onnxl.save(small_model(), path)


# What waits, and how whoever it waits for has the pipe open.
@pytest.mark.parametrize(
    ("act", "other_end"),
    [
        (onnxl.load, None),
        (onnxl.load, os.O_RDWR),
        pytest.param(load_encrypted, os.O_RDWR, marks=pytest.mark.skipif(not crypt.available(), reason="needs OpenSSL")),
        (save, None),
        (save, os.O_RDONLY),
    ],
)
def test_a_signal_ends_the_wait_for_a_pipe(act: Callable[[Path], object], other_end: int | None, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    ends = [] if other_end is None else [os.open(pipe, other_end | os.O_NONBLOCK)]
    given_up = threading.Event()

    def give_up() -> None:
        given_up.set()
        ends.append(os.open(pipe, os.O_RDWR | os.O_NONBLOCK))
        while ends:
            os.close(ends.pop())

    timer = threading.Timer(10, give_up)
    timer.start()
    try:
        with interrupting():
            act(pipe)
        assert not given_up.is_set()
    finally:
        timer.cancel()
        timer.join()
        for end in ends:
            os.close(end)


def test_a_signal_ends_the_wait_for_another_saver(tmp_path: Path) -> None:
    other = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    given_up = threading.Event()

    def give_up() -> None:
        given_up.set()
        fcntl.flock(other, fcntl.LOCK_UN)

    timer = threading.Timer(10, give_up)
    timer.start()
    try:
        with interrupting():
            save(tmp_path / "m.onnx")
        assert not given_up.is_set()
    finally:
        timer.cancel()
        timer.join()
        os.close(other)
    assert list(tmp_path.iterdir()) == []
    save(tmp_path / "m.onnx")
