"""A tensor of more than 4 GiB: saved and loaded in every way, where the machine has the memory and the disk."""

from __future__ import annotations

import copy
import mmap
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import onnx_light.onnx as onnxl

GIB = 1 << 30
SIZE = 4 * GIB + 24
# What is not zero, and where: at both ends, and where lengths and offsets outgrow 31 and 32 bits.
MARKS = {0: b"begin", 2 * GIB - 4: b"31 bits.", 4 * GIB - 4: b"32 bits.", SIZE - 3: b"end"}
NONZERO = sum(map(len, MARKS.values()))


def available_memory() -> int:
    facts = Path("/proc/meminfo")
    if not facts.exists():
        return 0
    return next(int(line.split()[1]) << 10 for line in facts.read_text().splitlines() if line.startswith("MemAvailable:"))


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Path]:
    """A folder with room for two such models, on a machine with memory for one."""
    if (memory := available_memory()) < 7 * GIB:
        pytest.skip(f"needs 7 GiB of memory, {memory / GIB:.1f} are available")
    if (disk := shutil.disk_usage(tmp_path).free) < 12 * GIB:
        pytest.skip(f"needs 12 GiB of disk, {disk / GIB:.1f} are free")
    yield tmp_path
    shutil.rmtree(tmp_path)


def check(model: onnxl.ModelProto, *, borrowed: bool) -> None:
    tensor = model.graph.initializer[0]
    view = tensor.raw_data_view
    assert (view.nbytes, view.is_borrowed) == (SIZE, borrowed)
    assert model.ByteSize() > SIZE
    data = np.frombuffer(memoryview(view), np.uint8)
    assert {at: data[at : at + len(mark)].tobytes() for at, mark in MARKS.items()} == MARKS
    assert np.count_nonzero(data) == NONZERO
    assert model.graph.initializer[1].raw_data == b"behind it"


def test_a_tensor_over_4_gib_is_saved_and_loaded_inline_and_outside_owned_and_mapped(room: Path) -> None:
    with (room / "weights").open("wb") as file:
        for at, mark in MARKS.items():
            file.seek(at)
            file.write(mark)
    with (room / "weights").open("rb") as weights, mmap.mmap(weights.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        model = onnxl.ModelProto(ir_version=10)
        model.graph.initializer.add(name="w", data_type=onnxl.TensorProto.UINT8, dims=[SIZE]).set_raw_data(mapped, copy=False)
        model.graph.initializer.add(name="v", data_type=onnxl.TensorProto.UINT8, dims=[9], raw_data=b"behind it")
        onnxl.save(model, room / "whole.onnx")
        model.release_weights()
    check(onnxl.load(room / "whole.onnx"), borrowed=False)
    model = onnxl.load(room / "whole.onnx", no_copy=True, file_load_mode=onnxl.FileLoadMode.MMAP)
    check(copy.deepcopy(model), borrowed=True)

    onnxl.save(model, room / "m.onnx", location="m.data", size_threshold=0, alignment=64)
    assert (room / "m.onnx").stat().st_size < 1000
    model.release_weights()
    (room / "whole.onnx").unlink()
    check(onnxl.load(room / "m.onnx", num_threads=2), borrowed=False)
    check(onnxl.load(room / "m.onnx", no_copy=True), borrowed=True)
