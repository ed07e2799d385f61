"""How to parse and how to serialise, beyond what the extension's option classes say."""

from __future__ import annotations

from collections.abc import Callable

from onnx_light.onnx_py._onnxpy import GraphProto, TensorProto


class RawDataCallback:
    """A `ParseOptions.raw_data_callback` that only looks: who owns the bytes stays as it is.

    Args:
        on_tensor: called with each tensor that has a payload.

    Example:
        >>> import onnx_light.onnx as onnxl
        >>> options = onnxl.ParseOptions()
        >>> options.raw_data_callback = onnxl.RawDataCallback(lambda tensor: print(tensor.name))
        >>> model = onnxl.ModelProto()
        >>> model.graph.initializer.add(name="w", raw_data=b"1234")
        >>> _ = onnxl.ModelProto().ParseFromString(model.SerializeToString(), options)
        w
    """

    def __init__(self, on_tensor: Callable[[TensorProto], object]) -> None:
        if not callable(on_tensor):
            raise TypeError(f"on_tensor has to be callable with a tensor, not {on_tensor!r}")
        self.on_tensor = on_tensor

    def __call__(self, tensor: TensorProto, graph: GraphProto | None) -> None:
        self.on_tensor(tensor)
