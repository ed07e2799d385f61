"""ONNX without protobuf. The package that mirrors `onnx` is `onnx_light.onnx`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnx_light.onnx_py._onnxpy import __version__ as __version__


def __getattr__(name: str) -> str:
    # On demand: the extension is not loaded by programs that only start with the alias enabled.
    if name != "__version__":
        raise AttributeError(f"module 'onnx_light' has no attribute {name!r}")
    from onnx_light.onnx_py import _onnxpy

    version: str = _onnxpy.__version__
    return version
