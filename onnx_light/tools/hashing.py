"""Two digests of a model, of its structure and of its weights, that do not depend on how the weights are stored."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import onnx_light.onnx as onnxl
from onnx_light.tools import walk

_PIECE = 64 << 20  # bytes between two calls of `progress`, and between chances to be interrupted
_STORAGE = ("raw_data", "external_data", "data_location", "segment")
_TYPED = ("float_data", "int32_data", "string_data", "int64_data", "double_data", "uint64_data")


@dataclass(frozen=True)
class Digest:
    """SHA-256, in hexadecimal."""

    structure: str
    weights: str


def digest(model: onnxl.ModelProto, *, progress: Callable[[int], object] | None = None) -> Digest:
    """The digests of a model whose weights are at hand (`read(path, weights=True)`).

    The structure is everything but the elements of tensors and where they are kept: a model has the same one with its weights
    in other files, split, aligned, or in typed fields. The weights are the elements, with type and shape, in the order of the tensors.

    `progress` is called with the number of bytes after each piece of them.

    Raises ValueError for a tensor whose elements are not there, or not what its shape says.
    """
    weights = hashlib.sha256()
    for place, tensor, _ in walk.places(model):
        weights.update(f"{place}\0{tensor.data_type}\0{list(tensor.dims)}\0".encode())
        _hash_elements(weights, place, tensor, progress)
    return Digest(structure_digest(model), weights.hexdigest())


def structure_digest(model: onnxl.ModelProto) -> str:
    """The digest of everything but weights, which need not be at hand."""
    bare = onnxl.ModelProto()
    bare.CopyFrom(model)
    for _, tensor, _ in walk.places(bare):
        forget_elements(tensor)
    return hashlib.sha256(bare.SerializeToString()).hexdigest()


def forget_elements(tensor: onnxl.TensorProto) -> None:
    """Leaves name, type and shape."""
    for field in (*_STORAGE, *_TYPED):
        tensor.ClearField(field)  # type: ignore[arg-type]


def tensor_digest(tensor: onnxl.TensorProto, place: str = "") -> str:
    """The digest of one tensor's type, shape and elements."""
    sha = hashlib.sha256(f"{tensor.data_type}\0{list(tensor.dims)}\0".encode())
    _hash_elements(sha, place, tensor)
    return sha.hexdigest()


def _hash_elements(sha: Any, place: str, tensor: onnxl.TensorProto, progress: Callable[[int], object] | None = None) -> None:
    if tensor.data_type == onnxl.TensorProto.STRING:
        for text in tensor.string_data:
            sha.update(len(text).to_bytes(8, "little"))
            sha.update(text)
        return
    view = walk.bytes_of(tensor)
    if view is not None:
        for start in range(0, view.nbytes, _PIECE):
            piece = view[start : start + _PIECE]
            sha.update(piece)
            if progress is not None:
                progress(piece.nbytes)
    elif walk.is_external(tensor) and not tensor.HasField("raw_data"):
        raise ValueError(f"{place}: the elements of {tensor.name!r} are in another file, which was not loaded")
    elif walk.element_count(tensor) != 0 or walk.has_elements(tensor):
        raise ValueError(f"{place}: the elements of {tensor.name!r} are not what its shape {walk.shape_text(tensor.dims)} says")
