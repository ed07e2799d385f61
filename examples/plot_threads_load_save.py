"""Loads and saves a model with one thread, with two, …, and prints how long each took.

    python examples/plot_threads_load_save.py [MEGABYTES [IMAGE]]

Makes a model with that many MB of weights (256 when not said) in a temporary folder. With the name of an IMAGE, and matplotlib installed,
the times are drawn as well. Loading reads each payload straight to where it stays, and several threads share the reading when there is
enough of it (64 MB); one file is written by one thread, which the disk keeps busy.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import onnx_light.onnx as onnxl

TENSOR_BYTES = 4_000_000


def make_model(megabytes: int) -> onnxl.ModelProto:
    model = onnxl.ModelProto(ir_version=10, opset_import=[{"version": 21}])
    model.graph.name = "weights"
    weights = os.urandom(TENSOR_BYTES)
    for i in range(max(1, megabytes * 1_000_000 // TENSOR_BYTES)):
        tensor = model.graph.initializer.add(name=f"w{i}", data_type=onnxl.TensorProto.FLOAT, dims=[1000, 1000])
        tensor.set_raw_data(weights, copy=False)  # all share these bytes
    return model


def best_ms(act: Callable[[], object], rounds: int = 3) -> float:
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        act()
        times.append(time.perf_counter() - begin)
    return 1000 * min(times)


def thread_counts() -> list[int]:
    most = min(8, os.cpu_count() or 1)
    return [count for count in (1, 2, 4, 8) if count <= max(2, most)] + [-1]


def draw(image: str, counts: list[int], loads: list[float], saves: list[float]) -> None:
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        print("without matplotlib nothing is drawn")
        return
    labels = ["automatic" if count < 1 else str(count) for count in counts]
    figure, axes = plt.subplots()
    axes.plot(labels, loads, marker="o", label="load")
    axes.plot(labels, saves, marker="o", label="save")
    axes.set_xlabel("num_threads")
    axes.set_ylabel("ms")
    axes.set_ylim(bottom=0)
    axes.legend()
    figure.savefig(image)


def main(megabytes: int, image: str | None) -> None:
    model = make_model(megabytes)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.onnx"
        onnxl.save(model, path)
        print(f"{len(model.graph.initializer)} tensors, {path.stat().st_size:,} bytes")
        counts, loads, saves = thread_counts(), [], []
        for count in counts:
            loads.append(best_ms(lambda count=count: onnxl.load(path, num_threads=count)))  # type: ignore[misc]
            saves.append(best_ms(lambda count=count: onnxl.save(model, path, num_threads=count)))  # type: ignore[misc]
            print(f"num_threads={count:2}: load {loads[-1]:8.1f} ms, save {saves[-1]:8.1f} ms")
        mapped = best_ms(lambda: onnxl.load(path, no_copy=True, file_load_mode=onnxl.FileLoadMode.MMAP))
        print(f"mapped:         load {mapped:8.1f} ms")
    if image is not None:
        draw(image, counts, loads, saves)


if __name__ == "__main__":
    if len(sys.argv) > 3:
        sys.exit(__doc__)
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 256, sys.argv[2] if len(sys.argv) > 2 else None)
