"""Between arrays and the bytes and fields of tensors: what helper and numpy_helper share.

Elements of less than a byte are packed with the first element in the lowest bits; unused bits of the last byte are zero. In raw_data
numbers are little-endian.
"""

from __future__ import annotations

import sys
from typing import Any

import ml_dtypes
import numpy as np

from onnx_light.onnx import _mapping
from onnx_light.onnx_py import _onnxpy
from onnx_light.onnx_py._onnxpy import TensorProto

Bytes = np.ndarray[Any, np.dtype[np.uint8]]

NARROW_FLOATS = frozenset(
    np.dtype(dtype)
    for dtype in (
        ml_dtypes.float8_e4m3fn,
        ml_dtypes.float8_e4m3fnuz,
        ml_dtypes.float8_e5m2,
        ml_dtypes.float8_e5m2fnuz,
        ml_dtypes.float4_e2m1fn,
        ml_dtypes.float6_e2m3fn,
        ml_dtypes.float6_e3m2fn,
    )
)
NARROW_INTEGERS = frozenset(np.dtype(dtype) for dtype in (ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.int2, ml_dtypes.uint2))
_E8M0 = np.dtype(ml_dtypes.float8_e8m0fnu)
# Bits of the types of which several elements share a byte.
_PACKED_BITS = {
    entry.np_dtype: _mapping.BITS[number] for number, entry in _mapping.TENSOR_TYPE_MAP.items() if _mapping.BITS.get(number, 8) < 8
}


def packed_bits(dtype: np.dtype[Any]) -> int:
    """The bits of one element if several share a byte, else 0."""
    return _PACKED_BITS.get(dtype, 0)


# ---- several elements in a byte


def pack(array: np.ndarray[Any, Any], bits: int) -> Bytes:
    """The elements' lowest bits (2, 4 or 6 of them), packed into as few bytes as hold them.

    Args:
        array: elements of one byte each, of any shape.
        bits: how many of each are kept.
    """
    elements = np.ascontiguousarray(array).reshape(-1)
    if elements.dtype.itemsize != 1:
        elements = elements.astype(np.uint8)
    codes = elements.view(np.uint8) & np.uint8((1 << bits) - 1)
    group = {2: 4, 4: 2, 6: 4}[bits]  # so many elements fill whole bytes
    if missing := -codes.size % group:
        codes = np.concatenate([codes, np.zeros(missing, np.uint8)])
    columns = codes.reshape(-1, group)
    if bits == 4:
        packed = columns[:, 0] | (columns[:, 1] << 4)
    elif bits == 2:
        packed = columns[:, 0] | (columns[:, 1] << 2) | (columns[:, 2] << 4) | (columns[:, 3] << 6)
    else:
        first, second, third, fourth = columns.T
        packed = np.stack([first | (second << 6), (second >> 2) | (third << 4), (third >> 4) | (fourth << 2)], axis=1)
    whole: Bytes = packed.reshape(-1)[: (elements.size * bits + 7) // 8].astype(np.uint8, copy=False)
    return whole


def unpack(data: np.ndarray[Any, Any], bits: int, count: int) -> Bytes:
    """`count` elements of `bits` bits each, one a byte, from bytes that pack made. Raises ValueError if there are too few bytes."""
    needed = (count * bits + 7) // 8
    if data.size < needed:
        raise ValueError(f"{count} elements of {bits} bits need {needed} bytes, there are {data.size}")
    data = data[:needed]
    if bits == 6:
        padded = np.concatenate([data, np.zeros(-data.size % 3, np.uint8)]).reshape(-1, 3)
        first, second, third = padded.T
        codes = np.stack([first, (first >> 6) | (second << 2), (second >> 4) | (third << 4), third >> 2], axis=1) & 0x3F
        unpacked: Bytes = codes.reshape(-1)[:count].astype(np.uint8, copy=False)
        return unpacked
    mask = np.uint8((1 << bits) - 1)
    parts: Bytes = np.empty((data.size, 8 // bits), np.uint8)
    for place in range(8 // bits):
        parts[:, place] = (data >> (place * bits)) & mask
    return parts.reshape(-1)[:count]


# ---- bytes as in raw_data


def little_endian(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The array itself if its numbers are little-endian, else a copy that has them so."""
    order = array.dtype.byteorder
    if order == ">" or (order == "=" and sys.byteorder == "big"):
        return array.astype(array.dtype.newbyteorder("<"))
    return array


def raw_bytes_of(array: np.ndarray[Any, Any]) -> bytes:
    """The bytes that raw_data holds for an array: row-major, little-endian, packed."""
    bits = packed_bits(array.dtype)
    return (pack(array, bits) if bits else little_endian(array)).tobytes()


def array_from_raw(data: Any, dtype: np.dtype[Any], count: int) -> np.ndarray[Any, Any]:
    """`count` elements from the bytes of raw_data: a view of them where the layout allows, which is read-only if the bytes are.

    Raises:
        ValueError: the bytes are too few or too many.
    """
    bits = packed_bits(dtype)
    if bits:
        return unpack(np.frombuffer(data, np.uint8), bits, count).view(dtype)
    size = len(data)
    if size != count * dtype.itemsize:
        raise ValueError(f"{count} elements of {dtype} need {count * dtype.itemsize} bytes, there are {size}")
    if count == 0:
        return np.empty(0, dtype)
    if sys.byteorder == "big":
        return np.frombuffer(data, dtype.newbyteorder("<")).astype(dtype)
    array = np.frombuffer(data, dtype)
    if not array.flags.aligned:  # a slice of a file begins anywhere
        array = array.copy()
        array.flags.writeable = False
    return array


# ---- typed fields


def array_of_values(vals: Any, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Numbers as a flat array of a type. Floats beyond a narrow type become its largest; integers beyond 4 or 2 bits lose their high bits.

    Raises:
        OverflowError: an integer does not fit a type of 8 bits or more.
        TypeError, ValueError: what is given are no numbers.
    """
    if isinstance(vals, np.ndarray) and vals.dtype == dtype:
        return vals.reshape(-1)
    if dtype.kind in "fV" and np.iscomplexobj(vals):
        raise TypeError(f"complex numbers cannot become {dtype}")
    if dtype == _E8M0:
        return to_e8m0(np.asarray(vals, np.float32)).reshape(-1)
    if dtype in NARROW_FLOATS:
        return saturated(np.asarray(vals), dtype).reshape(-1)
    with np.errstate(over="ignore"):
        array = np.asarray(vals, dtype)
    return array.reshape(-1)


def fill_typed_field(tensor: TensorProto, array: np.ndarray[Any, Any]) -> None:
    """Appends the elements of a flat array to the field that stores its type; 4- and 2-bit elements one byte an entry, 6-bit one each."""
    field, entry, shown = _storage(array.dtype)
    bits = packed_bits(array.dtype)
    entries = pack(array, bits) if bits in (2, 4) else np.ascontiguousarray(array).view(shown)
    _onnxpy.build.append_typed_bytes(tensor, field, entries.astype(entry, copy=False).tobytes())


def array_from_typed_field(tensor: TensorProto, dtype: np.dtype[Any], count: int) -> np.ndarray[Any, Any]:
    """The elements that a typed field holds, as an array of its own. Raises ValueError if they are too few or too many."""
    field, entry, shown = _storage(dtype)
    entries = np.frombuffer(_onnxpy.build.typed_bytes(tensor, field), entry)
    bits = packed_bits(dtype)
    if bits in (2, 4) or (bits == 6 and entries.size == (count * 6 + 7) // 8 != count):
        # Of 6 bits an entry is one element; entries that are bytes of the packed form are understood where their number tells.
        return unpack(entries.astype(np.uint8), bits, count).view(dtype)
    needed = 2 * count if dtype.kind == "c" else count
    if entries.size != needed:
        raise ValueError(f"{count} elements of {dtype} need {needed} entries of {field}, there are {entries.size}")
    return entries.astype(shown).view(dtype) if shown != np.dtype(bool) else entries.astype(bool)


def _storage(dtype: np.dtype[Any]) -> tuple[str, Any, Any]:
    """Where elements of a type lie: the field, the type of its entries, and the type as which an element becomes one or more entries."""
    if dtype.kind == "c":
        part = np.dtype(np.float32 if dtype.itemsize == 8 else np.float64)
        return ("float_data" if dtype.itemsize == 8 else "double_data"), part, part
    if dtype in _OWN_FIELDS:
        return _OWN_FIELDS[dtype], dtype, dtype
    if dtype == np.uint32:
        return "uint64_data", np.dtype(np.uint64), dtype
    if dtype.kind in "iub":
        return "int32_data", np.dtype(np.int32), dtype
    # Floats of 16 bits and less, and packed integers, are stored as their bit patterns.
    return "int32_data", np.dtype(np.int32), np.dtype(np.uint16 if dtype.itemsize == 2 else np.uint8)


_OWN_FIELDS = {
    np.dtype(np.float32): "float_data",
    np.dtype(np.float64): "double_data",
    np.dtype(np.int64): "int64_data",
    np.dtype(np.uint64): "uint64_data",
}


# ---- rounding to narrow types


def saturated(array: np.ndarray[Any, Any], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """The array as another type, where what is beyond its range becomes its nearest bound; NaN stays what the cast makes of it."""
    limits: Any = ml_dtypes.iinfo if dtype in NARROW_INTEGERS or dtype.kind in "iu" else ml_dtypes.finfo
    info = limits(dtype)
    with np.errstate(invalid="ignore", over="ignore"):
        clipped: np.ndarray[Any, Any] = np.clip(array, info.min, info.max).astype(dtype)
    return clipped


def to_e8m0(array: np.ndarray[Any, Any], saturate: bool = True, round_mode: str = "up") -> np.ndarray[Any, Any]:
    """Numbers as powers of two, by their float32 exponents; the sign is dropped and zero becomes the smallest power.

    Args:
        array: numbers; NaN and infinities become NaN.
        saturate: what rounds beyond 2^127 becomes 2^127 instead of NaN.
        round_mode: "up" (to the next power unless it is one), "down", or "nearest" (from 1.5 of a power on up).

    Raises:
        ValueError: there is no such round_mode.
    """
    if round_mode not in ("up", "down", "nearest"):
        raise ValueError(f"round_mode is 'up', 'down' or 'nearest', not {round_mode!r}")
    bits = np.asarray(array).astype(np.float32).view(np.uint32)
    exponent = (bits >> 23) & 0xFF
    mantissa = bits & 0x7FFFFF
    if round_mode == "up":
        raised = mantissa > 0
    elif round_mode == "nearest":
        # Half way goes up. Below 2^-126 the code 0 itself, 2^-127, is where a half would be.
        raised = mantissa >= np.where(exponent == 0, 0x400001, 0x400000)
    else:
        raised = np.zeros(mantissa.shape, bool)
    finite = exponent < 0xFF
    top = 0xFE if saturate else 0xFF
    code = np.where(finite, np.minimum(exponent + (raised & finite), top), 0xFF)
    return code.astype(np.uint8).view(_E8M0)


# ---- the payload of a tensor


def payload(tensor: TensorProto) -> Any:
    """The bytes of raw_data, as a buffer that stays valid, and as it is, when the tensor goes."""
    return tensor.raw_data_view


def _is_settled(array: Any) -> bool:
    """Whether nobody writes into an array's memory: neither by its name nor by that of what it is a view of."""
    while isinstance(array, np.ndarray):
        if array.flags.writeable:
            return False
        array = array.base
    try:
        return array is None or memoryview(array).readonly
    except TypeError:  # whoever made the array of something without a buffer has said that it is read-only
        return True


# Below, holding an array costs more than copying it.
_SHARED_BYTES = 1024


def set_payload(tensor: TensorProto, array: np.ndarray[Any, Any], copy: bool | None = None) -> None:
    """Makes the elements of an array the raw_data of a tensor.

    Args:
        copy: whether the array's memory is copied; None: unless nobody can write into it.
    """
    bits = packed_bits(array.dtype)
    if bits:
        tensor.raw_data = pack(array, bits).tobytes()
        return
    whole = little_endian(np.ascontiguousarray(array))
    data = whole.reshape(-1).view(np.uint8)
    own = not np.may_share_memory(whole, array)  # made here: nobody else has it
    if copy is None:
        copy = data.nbytes < _SHARED_BYTES or not (own or _is_settled(array))
    tensor.set_raw_data(data, copy=copy and not own)
