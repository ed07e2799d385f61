"""Payloads of tensors: who owns the bytes, views of them, and moving them together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from onnx_light.onnx_py import _onnxpy
from onnx_light.onnx_py._onnxpy import ModelProto, RawDataView, TensorBufferOptions, TensorProto


def set_raw_data(self: TensorProto, buffer: Any, copy: bool = True) -> None:
    """Sets `raw_data` to the bytes of any contiguous buffer (bytes, bytearray, mmap, a numpy array, ...).

    Args:
        buffer: the bytes, in C order and little-endian.
        copy: whether they are copied. If not, the tensor shares the buffer: it cannot be resized or closed until the tensor and all
            that share its payload have gone or got others, and what is written into it later shows in the tensor.

    Raises:
        TypeError: the object has no buffer.
        BufferError, ValueError: the buffer is not contiguous.
    """
    _onnxpy.payloads.set_raw_data(self, buffer, copy)


def set_raw_data_with_deleter(self: TensorProto, buffer: Any, deleter: Callable[[], object]) -> None:
    """Shares a buffer as `set_raw_data(buffer, copy=False)` does, and calls `deleter()` once when nothing holds the payload any more.

    The deleter is called with the GIL held, on whichever thread lets go last; what it raises is reported as unraisable. What is still held
    when the interpreter ends is not let go of. A deleter that holds the tensor keeps it for ever: give it the name, not the tensor.
    """
    _onnxpy.payloads.set_raw_data_with_deleter(self, buffer, deleter)


def attach_raw_data_deleter(self: TensorProto, deleter: Callable[[], object]) -> None:
    """Adds a deleter to the payload that the tensor has, wherever its bytes are. Deleters are called newest first, each once."""
    _onnxpy.payloads.attach_raw_data_deleter(self, deleter)


def raw_data_view(self: TensorProto) -> RawDataView:
    """The bytes of `raw_data`, for reading, without a copy: an object with the buffer protocol, `nbytes` and `is_borrowed`.

    It holds the bytes themselves: it stays valid, and as it is, when the tensor is gone or gets other bytes.
    """
    return _onnxpy.payloads.raw_data_view(self)


def release_weights(self: ModelProto) -> int:
    """Lets go of every payload that is not the model's own: slices of mapped files, shared buffers, consolidated ones.

    `raw_data` of these tensors becomes absent. A file is unmapped as soon as no other model, copy or view shares it.

    Returns:
        How many payload bytes were let go of.
    """
    return _onnxpy.payloads.release_weights(self)


def consolidate_tensors_to_buffer(model: ModelProto, options: TensorBufferOptions | None = None) -> None:
    """Moves the payloads of a model into one block of memory, which they share.

    Args:
        model: all its tensors, wherever they are, are looked at.
        options: `raw_data_threshold`: only tensors with at least so many bytes are moved; `alignment`: each starts at a multiple of it, and
            so does the block. A tensor that is not moved stays as it is.

    Raises:
        ValueError: the alignment is negative or above 1 GiB.

    Example:
        >>> import onnx_light.onnx as onnxl
        >>> model = onnxl.ModelProto()
        >>> tensor = model.graph.initializer.add(name="w", raw_data=b"1234")
        >>> onnxl.consolidate_tensors_to_buffer(model)
        >>> tensor.raw_data_view.is_borrowed
        True
    """
    _onnxpy.payloads.consolidate_tensors_to_buffer(model, options)


_tensor: Any = TensorProto
_model: Any = ModelProto
for _method in (set_raw_data, set_raw_data_with_deleter, attach_raw_data_deleter):
    setattr(_tensor, _method.__name__, _method)
_tensor.raw_data_view = property(raw_data_view)
_model.release_weights = release_weights
