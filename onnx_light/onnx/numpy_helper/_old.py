"""Functions of earlier releases of `onnx` that programs still call. Each warns, and says what to use instead."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np


def _warn(old: str, instead: str) -> None:
    warnings.warn(f"{old} is deprecated and gone from onnx: {instead}", DeprecationWarning, stacklevel=3)


def combine_pairs_to_complex(fa: Sequence[float]) -> list[complex]:
    """Complex numbers from their real and imaginary parts in turn."""
    _warn("combine_pairs_to_complex", "view the array as complex numbers")
    return [complex(fa[at * 2], fa[at * 2 + 1]) for at in range(len(fa) // 2)]


def _floats(data: Any, unsigned: Any, dtype: Any, dims: int | Sequence[int] | None) -> np.ndarray[Any, Any]:
    array: np.ndarray[Any, Any] = np.asarray(data).astype(unsigned).view(dtype).astype(np.float32)
    return array if dims is None else array.reshape(dims)


def bfloat16_to_float32(data: Any, dims: int | Sequence[int] | None = None) -> np.ndarray[Any, Any]:
    """Bit patterns of bfloat16 as float32."""
    _warn("bfloat16_to_float32", "view the array as ml_dtypes.bfloat16")
    return _floats(data, np.uint16, ml_dtypes.bfloat16, dims)


def float8e4m3_to_float32(data: Any, dims: int | Sequence[int] | None = None, fn: bool = True, uz: bool = False) -> np.ndarray[Any, Any]:
    """Bit patterns of float8 with 4 bits of exponent as float32."""
    _warn("float8e4m3_to_float32", "view the array as ml_dtypes.float8_e4m3fn or float8_e4m3fnuz")
    if not fn:
        raise NotImplementedError("float8e4m3 is in ONNX only without infinities: fn=True")
    return _floats(data, np.uint8, ml_dtypes.float8_e4m3fnuz if uz else ml_dtypes.float8_e4m3fn, dims)


def float8e5m2_to_float32(data: Any, dims: int | Sequence[int] | None = None, fn: bool = False, uz: bool = False) -> np.ndarray[Any, Any]:
    """Bit patterns of float8 with 5 bits of exponent as float32."""
    _warn("float8e5m2_to_float32", "view the array as ml_dtypes.float8_e5m2 or float8_e5m2fnuz")
    if fn != uz:
        raise NotImplementedError("float8e5m2 is in ONNX with infinities (fn=False, uz=False) or as fnuz (fn=True, uz=True)")
    return _floats(data, np.uint8, ml_dtypes.float8_e5m2fnuz if uz else ml_dtypes.float8_e5m2, dims)
