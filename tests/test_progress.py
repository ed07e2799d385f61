"""`progress=` of saves: every byte is told once, by whichever form, and an exception leaves the old files as they were."""

from __future__ import annotations

import array
import contextlib
import io
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import onnx_light.onnx as onnxl
from onnx_light import tools
from onnx_light.onnx import numpy_helper, serialization
from onnx_light.onnx.serialization import ProtoSerializer
from onnx_light.onnx_py._onnxpy import crypt, files

Progress = Callable[[int], object]


def make(seed: int = 0, count: int = 3, size: int = 6 << 20) -> onnxl.ModelProto:
    model = onnxl.ModelProto(ir_version=10, producer_name="tests")
    rng = np.random.default_rng(seed)
    for i in range(count):
        model.graph.initializer.append(numpy_helper.from_array(rng.integers(0, 256, size, dtype=np.uint8), f"w{i}"))
    return model


def by_keywords(name: str, **keywords: Any) -> Callable[[onnxl.ModelProto, Path, Progress | None], None]:
    return lambda model, folder, progress: onnxl.save(model, folder / name, progress=progress, **keywords)


def encrypt(model: onnxl.ModelProto, folder: Path, progress: Progress | None) -> None:
    if not crypt.available():
        pytest.skip("built without OpenSSL")
    onnxl.save_encrypted(model, folder / "m.onnxc", "key", progress=progress)


WAYS: dict[str, Callable[[onnxl.ModelProto, Path, Progress | None], None]] = {
    "one file": by_keywords("m.onnx"),
    "weights beside": by_keywords("m.onnx", location="w.data"),
    "split": by_keywords("m.onnx", location="w.data", max_external_file_size=7 << 20, alignment=4096, checksum=True),
    "each": by_keywords("m.onnx", save_as_external_data=True, all_tensors_to_one_file=False, durable=True),
    "textproto": by_keywords("m.textproto"),
    "json": by_keywords("m.json"),
    "onnxtxt": by_keywords("m.onnxtxt"),
    "json with weights beside": by_keywords("m.json", location="w.data"),
    "textproto with weights beside": by_keywords("m.textproto", location="w.data"),
    "onnxtxt with weights beside": by_keywords("m.onnxtxt", location="w.data"),
    "bytes": lambda model, folder, progress: onnxl.save(model.SerializeToString(), folder / "m.onnx", progress=progress),
    "encrypted": encrypt,
    "tools.write": lambda model, folder, progress: tools.write(model, folder / "m.onnx", progress=progress),
}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("way", WAYS)
def test_the_sum_of_what_is_told_is_the_size_of_all_files(way: str, tmp_path: Path) -> None:
    told: list[int] = []
    model = make()
    WAYS[way](model, tmp_path, told.append)
    assert sum(told) == sum(path.stat().st_size for path in tmp_path.iterdir())
    assert all(size > 0 for size in told)
    with_hook = contents(tmp_path)
    WAYS[way](model, tmp_path, None)
    if way != "encrypted":  # where each file has a salt of its own
        assert contents(tmp_path) == with_hook


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", [KeyboardInterrupt, LookupError])
def test_what_is_raised_ends_the_save_and_the_old_files_stay(way: str, kind: type[BaseException], tmp_path: Path) -> None:
    WAYS[way](make(1), tmp_path, None)
    before = contents(tmp_path)
    model = make(2)

    def stop(_: int) -> None:
        raise kind("enough")

    with pytest.raises(kind, match="enough"):
        WAYS[way](model, tmp_path, stop)
    assert contents(tmp_path) == before
    assert model == make(2)


@pytest.mark.parametrize("way", [way for way in WAYS if "beside" in way or way == "split"])
def test_the_old_pair_survives_whichever_call_raises(way: str, tmp_path: Path) -> None:
    old, model = make(1, size=100_000), make(2, size=100_000)
    (tmp_path / "tried").mkdir()
    calls: list[int] = []
    WAYS[way](old, tmp_path / "tried", None)
    WAYS[way](model, tmp_path / "tried", calls.append)
    assert len(calls) > 1
    WAYS[way](old, tmp_path / "tried", None)
    before = contents(tmp_path / "tried")
    for last in range(1, len(calls) + 1):
        count = 0

        def stop(_: int, last: int = last) -> None:
            nonlocal count
            count += 1
            if count == last:
                raise LookupError

        with pytest.raises(LookupError):
            WAYS[way](model, tmp_path / "tried", stop)
        assert contents(tmp_path / "tried") == before
    (path,) = (tmp_path / "tried").glob("m.*")
    assert [tensor.raw_data for tensor in onnxl.load(path).graph.initializer] == [tensor.raw_data for tensor in old.graph.initializer]


class OneOfMine(ProtoSerializer):
    supported_format = "mine"
    file_extensions = frozenset({".mine"})
    fails = False

    def serialize_proto(self, proto: Any) -> bytearray:
        if self.fails:
            raise LookupError("no such thing in this format")
        return bytearray(proto.SerializeToString())

    def deserialize_proto(self, serialized: Any, proto: Any) -> Any:
        proto.ParseFromString(serialized)
        return proto


def test_a_registered_format_that_fails_leaves_the_old_pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = OneOfMine()
    monkeypatch.setattr(serialization.registry, "_serializers", dict(serialization.registry._serializers))
    monkeypatch.setattr(serialization.registry, "_formats", dict(serialization.registry._formats))
    serialization.registry.register(mine)
    save = by_keywords("m.mine", location="w.data")
    old = make(1, size=5000)
    save(old, tmp_path, None)
    before = contents(tmp_path)
    told: list[int] = []
    save(old, tmp_path, told.append)
    assert contents(tmp_path) == before
    assert sum(told) == sum(len(data) for data in before.values())
    mine.fails = True
    with pytest.raises(LookupError, match="no such thing"):
        save(make(2, size=5000), tmp_path, None)
    assert contents(tmp_path) == before
    assert onnxl.load(tmp_path / "m.mine").graph.initializer[0].raw_data == old.graph.initializer[0].raw_data


@pytest.mark.parametrize("way", [way for way in WAYS if way != "encrypted"])
def test_the_model_is_saved_as_it_was_whatever_the_callback_does_with_it(way: str, tmp_path: Path) -> None:
    model = make(count=2)
    expected = make(count=2)

    def clear(_: int) -> None:
        model.Clear()

    WAYS[way](model, tmp_path, clear)
    assert not model.HasField("graph")
    (path,) = (path for path in tmp_path.iterdir() if path.name.startswith("m."))
    found = onnxl.load(path)
    assert [tensor.raw_data for tensor in found.graph.initializer] == [tensor.raw_data for tensor in expected.graph.initializer]


def test_objects_with_write_get_pieces_that_are_told() -> None:
    for format in ("protobuf", "json"):
        told: list[int] = []
        file = io.BytesIO()
        onnxl.save(make(), file, format, progress=told.append)
        assert len(told) > 3
        assert sum(told) == len(file.getvalue())
        assert onnxl.load_from_string(file.getvalue(), format) == make()


class Raw(io.RawIOBase):
    """Takes no more than `most` bytes a call."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.got = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        taken = bytes(data)[: max(self.most, 0)]
        self.got += taken
        return min(self.most, len(data))


@pytest.mark.parametrize("format", ["protobuf", "json"])
@pytest.mark.parametrize("is_told", [False, True])
def test_a_stream_that_takes_less_than_it_is_given_gets_the_rest(format: str, is_told: bool) -> None:
    told: list[int] = []
    stream = Raw(1 << 20)
    onnxl.save(make(), stream, format, progress=told.append if is_told else None)  # type: ignore[arg-type]
    assert onnxl.load_from_string(bytes(stream.got), format) == make()
    assert sum(told) == (len(stream.got) if is_told else 0)


@pytest.mark.parametrize("progress", [None, print])
@pytest.mark.parametrize("most", [0, -1])
def test_a_stream_that_takes_nothing_is_an_error(most: int, progress: Progress | None) -> None:
    with pytest.raises(OSError, match=f"write took {most} of"):
        onnxl.save(make(count=1, size=10), Raw(most), progress=progress)  # type: ignore[arg-type]


def test_a_pipe_that_would_have_to_wait_is_an_error() -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with os.fdopen(reading, "rb"), os.fdopen(writing, "wb", buffering=0) as stream, pytest.raises(BlockingIOError):
        onnxl.save(make(), stream)


@pytest.mark.parametrize("answer", [None, True, "all", 1 << 60])
def test_an_answer_that_is_no_count_of_bytes_means_all(answer: object) -> None:
    got: list[bytes | str] = []

    class Odd:
        def write(self, data: bytes | str) -> object:
            got.append(data)
            return answer

    for progress in (None, print):
        got.clear()
        serialization.write_to(Odd(), b"abc", progress)
        assert got == [b"abc"]
    got.clear()
    serialization.write_to(Odd(), "text", print)
    assert got == ["text"]


@pytest.mark.parametrize("data", [bytearray(b"abcd" * 3), memoryview(b"abcd" * 3), array.array("i", range(3)), b"", bytearray()])
def test_all_that_is_bytes_like_is_told(data: Any) -> None:
    told: list[int] = []
    stream = Raw(5)
    serialization.write_to(stream, data, told.append)
    assert stream.got == bytes(data)
    assert told == ([5, 5, 2] if len(data) else [])


def test_decrypting_tells_the_bytes_of_the_file_and_can_be_ended(tmp_path: Path) -> None:
    encrypt(make(), tmp_path, None)
    told: list[int] = []
    assert onnxl.load_encrypted(tmp_path / "m.onnxc", "key", progress=told.append) == make()
    size = make().ByteSize()
    assert size <= sum(told) < size + 2000  # a block more for each part

    def stop(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        onnxl.load_encrypted(tmp_path / "m.onnxc", "key", progress=stop)


@pytest.mark.parametrize("name", ["m.textproto", "m.json", "m.onnxtxt"])
def test_reading_a_text_tells_its_bytes_and_can_be_ended(name: str, tmp_path: Path) -> None:
    model = make()
    onnxl.save(model, tmp_path / name)
    size = (tmp_path / name).stat().st_size
    for read in (onnxl.load, tools.read):
        told: list[int] = []
        assert read(tmp_path / name, progress=told.append) == model
        assert sum(told) == size
        assert len(told) > 1

        def stop(_: int) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            read(tmp_path / name, progress=stop)


class Pieces(io.RawIOBase):
    """Keeps what is written, up to so many bytes."""

    def __init__(self, most: int) -> None:
        self.most, self.sizes = most, list[int]()

    def write(self, data: Any) -> int:
        self.sizes.append(len(data))
        if sum(self.sizes) > self.most:
            raise OSError("enough")
        return len(data)


@pytest.mark.parametrize("form", ["json", "textproto", "onnxtxt", "encrypted"])
def test_an_object_with_write_gets_pieces_before_all_is_made(form: str) -> None:
    if form == "encrypted" and not crypt.available():
        pytest.skip("built without OpenSSL")
    model = make()
    told: list[int] = []

    def save(file: Any) -> None:
        if form == "encrypted":
            onnxl.save_encrypted(model, file, "key", progress=told.append)
        else:
            onnxl.save(model, file, form, progress=told.append)

    whole = io.BytesIO()
    save(whole)
    data = whole.getvalue()
    assert sum(told) == len(data)
    assert max(told) < 2 << 20
    found = onnxl.load_encrypted_string(data, "key") if form == "encrypted" else onnxl.load_from_string(data, form)
    assert found == model
    file = Pieces(5 << 20)
    with pytest.raises(OSError, match="enough"):
        save(file)
    assert sum(file.sizes) < 7 << 20


def test_a_callback_that_saves_into_the_same_folder_is_told_that_it_would_wait_for_itself(tmp_path: Path) -> None:
    model = make(count=1, size=1000)
    with pytest.raises(OSError, match="callback of a save"):
        onnxl.save(model, tmp_path / "m.onnx", progress=lambda _: onnxl.save(model, tmp_path / "n.onnx"))
    with pytest.raises(OSError, match="callback of a save"):
        onnxl.save(model, tmp_path / "m.onnx", progress=lambda _: files.remove_unread_weights(tmp_path / "n.onnx", ["w.data"]))
    assert list(tmp_path.iterdir()) == []


WAITS = """
import faulthandler, sys, threading, time
import onnx_light.onnx as onnxl
from onnx_light.onnx_py._onnxpy import files

faulthandler.dump_traceback_later(20, exit=True)
folder = sys.argv[1]
runs = threading.Event()

def slow(_):
    runs.set()
    time.sleep(0.2)  # the other thread takes the GIL

saver = threading.Thread(target=lambda: onnxl.save(onnxl.ModelProto(ir_version=10), folder + "/m.onnx", progress=slow))
saver.start()
runs.wait()
files.remove_unread_weights(folder + "/n.onnx", ["w.data"])
saver.join()
"""


def test_whoever_removes_weights_lets_the_saver_that_is_waited_for_run(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", WAITS, tmp_path], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_what_cannot_be_called_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="progress has to be callable"):
        onnxl.save(make(count=1, size=10), tmp_path / "m.onnx", progress=1)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not crypt.available(), reason="built without OpenSSL")
def test_an_encrypted_model_from_a_pipe_tells_its_bytes_and_ends_with_what_is_raised(tmp_path: Path) -> None:
    model, path = make(size=1 << 20), tmp_path / "pipe"
    blob = onnxl.save_encrypted_string(model, "key")
    os.mkfifo(path)

    def load(progress: Progress) -> onnxl.ModelProto:
        def fill() -> None:
            with contextlib.suppress(BrokenPipeError), path.open("wb") as pipe:
                pipe.write(blob)

        filler = threading.Thread(target=fill)
        filler.start()
        try:
            return onnxl.load_encrypted(path, "key", progress=progress)
        finally:
            filler.join()

    told: list[int] = []
    assert load(told.append) == model
    assert sum(told) == len(blob)
    with pytest.raises(ZeroDivisionError):
        load(lambda size: 1 // 0)
