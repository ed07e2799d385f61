"""`progress=` of saves: every byte is told once, by whichever form, and an exception leaves the old files as they were."""

from __future__ import annotations

import contextlib
import io
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import onnx_light.onnx as onnxl
from onnx_light import tools
from onnx_light.onnx import numpy_helper
from onnx_light.onnx_py._onnxpy import crypt

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
    with pytest.raises(OSError, match="callback of progress"):
        onnxl.save(model, tmp_path / "m.onnx", progress=lambda _: onnxl.save(model, tmp_path / "n.onnx"))
    assert list(tmp_path.iterdir()) == []


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
