"""Functions of earlier releases of `onnx` that programs still call. Each warns, and says what to use instead."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np

from onnx_light.onnx import _arrays
from onnx_light.onnx.helper._types import make_tensor_sequence_value_info
from onnx_light.onnx_py._onnxpy import ValueInfoProto


def _warn(old: str, instead: str) -> None:
    warnings.warn(f"{old} is deprecated and gone from onnx: {instead}", DeprecationWarning, stacklevel=3)


def make_sequence_value_info(
    name: str,
    elem_type: int,
    shape: Sequence[str | int | None] | None,
    doc_string: str = "",
    elem_shape_denotation: list[str] | None = None,
) -> ValueInfoProto:
    """The former name of make_tensor_sequence_value_info."""
    _warn("make_sequence_value_info", "use make_tensor_sequence_value_info")
    return make_tensor_sequence_value_info(name, elem_type, shape, doc_string, elem_shape_denotation)


def split_complex_to_pairs(ca: Sequence[Any]) -> Sequence[float]:
    """Complex numbers as a list of real and imaginary parts in turn."""
    _warn("split_complex_to_pairs", "view the array as floats")
    return [part for number in ca for part in (number.real, number.imag)]


def _code(value: float, dtype: Any, saturate: bool, unsigned: Any) -> int:
    number = np.array([value], np.float32)
    cast = _arrays.saturated(number, np.dtype(dtype)) if saturate else number.astype(dtype)
    return int(cast.view(unsigned)[0])


def float32_to_bfloat16(fval: float, truncate: bool = False) -> int:
    """The bit pattern of a number as bfloat16: rounded to the nearest, or cut off."""
    _warn("float32_to_bfloat16", "use ml_dtypes.bfloat16")
    if truncate:
        return int(np.array([fval], np.float32).view(np.uint32)[0]) >> 16
    return _code(fval, ml_dtypes.bfloat16, False, np.uint16)


def float32_to_float8e4m3(fval: float, scale: float = 1.0, fn: bool = True, uz: bool = False, saturate: bool = True) -> int:
    """The bit pattern of a number, divided by a scale, as float8 with 4 bits of exponent."""
    _warn("float32_to_float8e4m3", "use ml_dtypes.float8_e4m3fn or float8_e4m3fnuz")
    if not fn:
        raise NotImplementedError("float8e4m3 is in ONNX only without infinities: fn=True")
    return _code(fval / scale, ml_dtypes.float8_e4m3fnuz if uz else ml_dtypes.float8_e4m3fn, saturate, np.uint8)


def float32_to_float8e5m2(fval: float, scale: float = 1.0, fn: bool = False, uz: bool = False, saturate: bool = True) -> int:
    """The bit pattern of a number, divided by a scale, as float8 with 5 bits of exponent."""
    _warn("float32_to_float8e5m2", "use ml_dtypes.float8_e5m2 or float8_e5m2fnuz")
    if fn != uz:
        raise NotImplementedError("float8e5m2 is in ONNX with infinities (fn=False, uz=False) or as fnuz (fn=True, uz=True)")
    return _code(fval / scale, ml_dtypes.float8_e5m2fnuz if uz else ml_dtypes.float8_e5m2, saturate, np.uint8)
