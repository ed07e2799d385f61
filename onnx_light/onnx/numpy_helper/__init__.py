"""Between numpy arrays and the messages that hold values: tensors, sequences, maps, optionals.

from onnx_light.onnx import numpy_helper

tensor = numpy_helper.from_array(numpy.ones((2, 3), numpy.float32), "w")
array = numpy_helper.to_array(tensor)
"""

from __future__ import annotations

from typing import Any

from onnx_light.onnx.numpy_helper._containers import from_dict, from_list, from_optional, to_dict, to_list, to_optional
from onnx_light.onnx.numpy_helper._numbers import (
    _pack_2bitx4,
    _pack_4bitx2,
    _pack_6bit,
    _unpack_2bit,
    _unpack_4bit,
    _unpack_6bit,
    create_random_int,
    saturate_cast,
    to_float8e8m0,
    tobytes_little_endian,
)
from onnx_light.onnx.numpy_helper._old import bfloat16_to_float32, combine_pairs_to_complex, float8e4m3_to_float32, float8e5m2_to_float32
from onnx_light.onnx.numpy_helper._tensors import from_array, to_array

__all__ = [
    "_pack_2bitx4",
    "_pack_4bitx2",
    "_pack_6bit",
    "_unpack_2bit",
    "_unpack_4bit",
    "_unpack_6bit",
    "bfloat16_to_float32",
    "combine_pairs_to_complex",
    "create_random_int",
    "float8e4m3_to_float32",
    "float8e5m2_to_float32",
    "from_array",
    "from_dict",
    "from_list",
    "from_optional",
    "saturate_cast",
    "to_array",
    "to_dict",
    "to_float8e8m0",
    "to_list",
    "to_optional",
    "tobytes_little_endian",
]

# Functions say that they are of this module, whatever file they stand in: pickles and error texts name them so.
for _name in __all__:
    _object: Any = globals()[_name]
    _object.__module__ = __name__
