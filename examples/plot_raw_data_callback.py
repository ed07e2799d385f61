"""Watches the weights of a model while it is loaded: reports progress, then takes their ownership.

    python examples/plot_raw_data_callback.py [MODEL.onnx]

Without a model a small one is made. The callback is called once for each tensor that has a payload. If it returns a callable, that becomes
the payload's deleter: it runs once, when neither the model nor a copy nor a view holds the bytes any more.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import onnx_light.onnx as onnxl


def make_model() -> onnxl.ModelProto:
    model = onnxl.ModelProto(ir_version=10, opset_import=[{"version": 21}])
    model.graph.name = "small"
    for i in range(4):
        model.graph.initializer.add(name=f"w{i}", data_type=onnxl.TensorProto.UINT8, dims=[1000 * i + 10], raw_data=bytes(1000 * i + 10))
    return model


def show_progress(path: Path) -> None:
    """Only looks: RawDataCallback leaves the payloads to whom they belong."""
    done = 0

    def on_tensor(tensor: onnxl.TensorProto) -> None:
        nonlocal done
        done += tensor.raw_data_view.nbytes
        print(f"  {tensor.name}: {tensor.raw_data_view.nbytes:,} bytes, {done:,} so far")

    onnxl.load(path, raw_data_callback=onnxl.RawDataCallback(on_tensor))


class Device:
    """Stands for memory elsewhere: knows which weights are on it."""

    def __init__(self) -> None:
        self.weights: dict[str, int] = {}

    def upload(self, tensor: onnxl.TensorProto, graph: onnxl.GraphProto | None) -> Callable[[], None]:
        name = f"{graph.name if graph is not None else '-'}/{tensor.name}"
        self.weights[name] = tensor.raw_data_view.nbytes
        return lambda: self.release(name)

    def release(self, name: str) -> None:
        print(f"  {name}: released")
        del self.weights[name]


def take_ownership(path: Path) -> None:
    device = Device()
    model = onnxl.load(path, no_copy=True, file_load_mode=onnxl.FileLoadMode.MMAP, raw_data_callback=device.upload)
    print(f"  {len(device.weights)} weights on the device, {sum(device.weights.values()):,} bytes")
    if model.graph.initializer:
        model.graph.initializer[0].raw_data = b"other"  # the first payload is let go of here
    del model  # and all others here
    print(f"  {len(device.weights)} weights on the device")


def main(path: Path) -> None:
    print("progress:")
    show_progress(path)
    print("ownership:")
    take_ownership(path)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    if len(sys.argv) == 2:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as folder:
            onnxl.save(make_model(), Path(folder) / "model.onnx")
            main(Path(folder) / "model.onnx")
