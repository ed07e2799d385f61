"""Arrays to arrays: casts that saturate, packing, random integers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from onnx_light.onnx import _arrays

_RANDOM_RANGES: dict[np.dtype[Any], tuple[int, int]] = {}
for _type in (np.uint8, np.int8, np.uint16, np.int16, np.int32, np.uint32, np.int64, np.uint64):
    _info: Any = np.iinfo(_type)
    _RANDOM_RANGES[np.dtype(_type)] = (max(_info.min, -(2**31)), min(_info.max, 2**31 - 1))


def to_float8e8m0(x: np.ndarray[Any, Any], saturate: bool = True, round_mode: str = "up") -> np.ndarray[Any, Any]:
    """Numbers as powers of two (float8_e8m0fnu), by their float32 exponents; signs are dropped, zero becomes the smallest power.

    Args:
        x: numbers; NaN and infinities become NaN.
        saturate: what rounds beyond 2^127 becomes 2^127 instead of NaN.
        round_mode: "up", "down" or "nearest".

    Raises:
        ValueError: there is no such round_mode.
    """
    return _arrays.to_e8m0(x, saturate, round_mode)


def saturate_cast(x: np.ndarray[Any, Any], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """The array as another type, where what is beyond its range becomes its nearest bound; for integers it is rounded first."""
    dtype = np.dtype(dtype)
    if dtype.kind in "iu" or dtype in _arrays.NARROW_INTEGERS:
        with np.errstate(invalid="ignore"):
            x = np.round(x)
    return _arrays.saturated(x, dtype)


def create_random_int(input_shape: tuple[int, ...], dtype: Any, seed: int = 1) -> np.ndarray[Any, Any]:
    """Random integers over the range of a type, within 32 bits; the same for the same seed.

    Raises:
        TypeError: it is no integer type of numpy.
    """
    bounds = _RANDOM_RANGES.get(np.dtype(dtype))
    if bounds is None:
        raise TypeError(f"create_random_int makes arrays of numpy's integer types, not of {dtype}")
    generator = np.random.RandomState(seed)
    return generator.randint(bounds[0], bounds[1], size=input_shape, dtype=np.int64).astype(dtype)


def tobytes_little_endian(array: np.ndarray[Any, Any]) -> bytes:
    """The elements of an array as little-endian bytes, in row-major order."""
    return _arrays.little_endian(array).tobytes()


# Private names of `onnx` that programs use nevertheless.


def _pack_4bitx2(array: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Elements of 4 bits, two a byte, the first in the low half."""
    return _arrays.pack(array, 4)


def _pack_2bitx4(array: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Elements of 2 bits, four a byte, the first in the lowest bits."""
    return _arrays.pack(array, 2)


def _pack_6bit(values: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Elements of 6 bits, four in three bytes, the first in the lowest bits."""
    return _arrays.pack(values, 6)


def _unpack_4bit(data: np.ndarray[Any, Any], dims: Sequence[int]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return _arrays.unpack(data, 4, math.prod(dims)).reshape(dims)


def _unpack_2bit(data: np.ndarray[Any, Any], dims: Sequence[int]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return _arrays.unpack(data, 2, math.prod(dims)).reshape(dims)


def _unpack_6bit(data: np.ndarray[Any, Any], dims: Sequence[int]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return _arrays.unpack(data, 6, math.prod(dims)).reshape(dims)
