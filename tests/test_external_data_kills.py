"""Savers that are killed at 200 moments spread over the whole save: old and new model of equal layout, other values."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import numpy as np
import onnx
import pytest

import onnx_light.onnx as onnxl

KILLS = 200
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def make_model(value: float) -> onnxl.ModelProto:
    model = onnxl.ModelProto(ir_version=10)
    model.opset_import.add(domain="", version=21)
    model.graph.name = "g"
    for index in range(8):
        data = np.full(8192, value + index, np.float32).tobytes()
        model.graph.initializer.add(name=f"w{index}", data_type=1, dims=[8192], raw_data=data)
    model.producer_name = "old" if value == 0 else "new"  # in the model's own file: halves of two pairs are told apart
    model.graph.initializer.add(name="inline", data_type=1, dims=[1], raw_data=np.float32(value).tobytes())
    return model


def which(model: onnxl.ModelProto | onnx.ModelProto) -> str:
    """What all values and the structure agree on."""
    found = {model.producer_name}
    for index, tensor in enumerate(model.graph.initializer):
        values = np.frombuffer(tensor.raw_data, np.float32)
        value = values[0] - (index if tensor.name != "inline" else 0)
        assert (values == values[0]).all()
        found.add({0.0: "old", 100.0: "new"}[float(value)])
    (one,) = found
    return one


def saved_in_child(model: onnxl.ModelProto, path: Path, options: dict[str, object], after: float | None) -> float:
    """Saves in a process that is killed `after` seconds, or not; gives how long it took."""
    ready, go = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ready)
        code = 1
        try:
            os.write(go, b"!")
            onnxl.save(model, path, **options)  # type: ignore[arg-type]
            code = 0
        finally:
            os._exit(code)
    os.close(go)
    os.read(ready, 1)
    started = time.perf_counter()
    if after is not None:
        while time.perf_counter() - started < after:
            pass
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    os.close(ready)
    assert after is not None or status == 0
    return time.perf_counter() - started


@pytest.mark.parametrize("options", [{}, {"max_external_file_size": 100000}], ids=["one file", "split"])
def test_a_killed_save_leaves_the_old_pair_or_the_new_one(tmp_path: Path, options: dict[str, object]) -> None:
    options = {"location": "w.data", **options}
    old, new = make_model(0), make_model(100)
    path = tmp_path / "m.onnx"
    onnxl.save(old, path, **options)  # type: ignore[arg-type]
    whole = names_in(tmp_path)
    takes = sorted(saved_in_child(old, path, options, None) for _ in range(5))[2]
    found, refused = {"old": 0, "new": 0}, 0
    for kill in range(KILLS // 2):
        onnxl.save(old, path, **options)  # type: ignore[arg-type]
        saved_in_child(new, path, options, 1.1 * takes * kill / (KILLS // 2))
        ours = which(onnxl.load(path))
        found[ours] += 1
        try:
            assert which(onnx.load(path)) == ours
        except onnx.checker.ValidationError:  # of hard links it wants none
            refused += 1
    print(found, refused, takes, file=sys.stderr)
    assert found["old"] > 0
    onnxl.save(new, path, **options)  # type: ignore[arg-type]
    assert names_in(tmp_path) == whole
    assert which(onnxl.load(path)) == "new"
