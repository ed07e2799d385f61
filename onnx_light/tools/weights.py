"""How far the elements of two tensors are apart, in pieces: memory does not grow with the tensors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import onnx_light.onnx as onnxl
from onnx_light.tools import walk

if TYPE_CHECKING:
    import numpy as np

_PIECE = 1 << 22  # bytes; a multiple of every element's size


@dataclass
class WeightChange:
    """Of the elements that differ by more than was allowed."""

    elements: int
    absolute: float  # the largest difference; nan where it is no number, as between NaN and 1, or for types without numbers
    relative: float  # the largest difference by the larger of the two values
    at: int  # the flat index of the element with the largest difference


def compare_tensors(
    a: onnxl.TensorProto,
    b: onnxl.TensorProto,
    absolute: float,
    relative: float,
    place: str,
    progress: Callable[[int], object] | None = None,
) -> WeightChange | None:
    """Compares the elements of two tensors of one type and shape; None where they are equal, or as near as is allowed. `progress` is called
    with the number of bytes of each tensor, after each piece of them.

    Raises ValueError where elements are not at hand.
    """
    if a.data_type == onnxl.TensorProto.STRING:
        differing = [i for i, (x, y) in enumerate(zip(a.string_data, b.string_data, strict=False)) if x != y]
        missing = abs(len(a.string_data) - len(b.string_data))
        if not differing and not missing:
            return None
        first = differing[0] if differing else min(len(a.string_data), len(b.string_data))
        return WeightChange(len(differing) + missing, float("nan"), float("nan"), first)
    if walk.element_count(a) == 0:
        return None
    views = walk.bytes_of(a), walk.bytes_of(b)
    if views[0] is None or views[1] is None:
        which = "first" if views[0] is None else "second"
        raise ValueError(f"{place}: the {which} model does not have the elements that shape and type ask for")
    found: WeightChange | None = None
    for start in range(0, views[0].nbytes, _PIECE):
        pieces = bytes(views[0][start : start + _PIECE]), bytes(views[1][start : start + _PIECE])
        if progress is not None:
            progress(len(pieces[0]))
        if pieces[0] == pieces[1]:
            continue
        values = [_numbers(a.data_type, piece) for piece in pieces]
        rest = walk.element_count(a) - start * 8 // _bits(a)
        change = _compare_numbers(values[0][:rest], values[1][:rest], absolute, relative)
        if change is not None:
            change.at += start * 8 // _bits(a)
            found = change if found is None else _worse(found, change)
    return found


def _bits(tensor: onnxl.TensorProto) -> int:
    size, count = walk.size_by_shape(tensor), walk.element_count(tensor)
    assert size is not None  # bytes_of has said so
    return max(size * 8 // count, 1)


def _worse(a: WeightChange, b: WeightChange) -> WeightChange:
    larger = b if b.absolute > a.absolute else a
    return WeightChange(a.elements + b.elements, larger.absolute, max(a.relative, b.relative), larger.at)


def _numbers(data_type: int, piece: bytes) -> np.ndarray[Any, Any]:
    """A piece of raw_data as numbers that can be subtracted."""
    from onnx_light.onnx import numpy_helper

    # A vector of just these bytes, so that all types are unpacked in one place.
    tensor = onnxl.TensorProto(data_type=data_type, raw_data=piece)
    per_byte = {onnxl.TensorProto.UINT4: 2, onnxl.TensorProto.INT4: 2, onnxl.TensorProto.FLOAT4E2M1: 2}
    per_byte |= {onnxl.TensorProto.UINT2: 4, onnxl.TensorProto.INT2: 4}
    if data_type in per_byte:
        count = len(piece) * per_byte[data_type]
    else:
        one = onnxl.TensorProto(data_type=data_type, dims=[1])
        count = len(piece) // (walk.size_by_shape(one) or 1)
    tensor.dims.append(count)
    return numpy_helper.to_array(tensor)


def _compare_numbers(a: Any, b: Any, absolute: float, relative: float) -> WeightChange | None:
    import numpy as np

    wide: Any = np.float64
    if a.dtype.kind == "c":
        wide = np.complex128
    elif a.dtype.kind in "iu":
        wide = np.longdouble  # 64-bit numbers keep their last digit
    with np.errstate(all="ignore"):
        x, y = a.astype(wide), b.astype(wide)
        apart = np.abs(x - y)
        larger = np.maximum(np.abs(x), np.abs(y))
        same = (x == y) | (np.isnan(x) & np.isnan(y))
        # Zeros of two signs and other bits of NaN are differences too, where nothing was allowed.
        bits = a.view(np.uint8).reshape(a.size, -1) != b.view(np.uint8).reshape(b.size, -1)
        differs = bits.any(axis=1)
        if absolute or relative:
            differs &= ~same & ~(apart <= absolute) & ~((apart <= relative * larger) & np.isfinite(larger))  # no part of infinity is small
        if not differs.any():
            return None
        apart = np.where(same, 0, apart)
        ratio = np.where(larger > 0, apart / larger, 0)
    known = np.where(differs & ~np.isnan(apart), apart, -1)
    at = int(known.argmax())
    if known[at] < 0:  # none of the differences is a number
        return WeightChange(int(differs.sum()), float("nan"), float("nan"), int(differs.argmax()))
    ratios = ratio[differs & ~np.isnan(ratio)]
    return WeightChange(int(differs.sum()), float(known[at]), float(ratios.max()) if ratios.size else float("nan"), at)
