"""NaN with its bits, infinities, denormals and zeros with a sign: through every form and every place that holds numbers."""

from __future__ import annotations

import copy
import json
import math
import pickle
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

import onnx_light.onnx as onnxl
from onnx_light.onnx import helper, numpy_helper

FLOATS = (
    *(0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000, 0x7F800001, 0xFFBFFFFF, 0x7FFFFFFF, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000),
    *(0x80000000, 0x00000000, 0x7F7FFFFF, 0xFF7FFFFF, 0x33800000),
)
DOUBLES = (
    *(0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0xFFF8000000000000, 0x7FF0000000000001, 0xFFF7FFFFFFFFFFFF),
    *(0x0000000000000001, 0x8000000000000001, 0x000FFFFFFFFFFFFF, 0x8000000000000000, 0x7FEFFFFFFFFFFFFF, 0x0010000000000000),
)
F_BYTES = b"".join(struct.pack("<I", bits) for bits in FLOATS)
D_BYTES = b"".join(struct.pack("<Q", bits) for bits in DOUBLES)


def sized(tag: int, data: bytes) -> bytes:
    return bytes([tag, len(data)]) + data


def model() -> onnxl.ModelProto:
    """Numbers by their bits, as no assignment changes them: single ones, lists, typed elements and raw ones."""
    made = onnxl.ModelProto(ir_version=10)
    made.opset_import.add(domain="", version=21)
    made.graph.name = "g"
    node = made.graph.node.add(op_type="A", output=["y"])
    for bits in FLOATS:
        node.attribute.append(
            onnxl.AttributeProto.FromString(sized(0x0A, b"f%x" % bits) + b"\x15" + struct.pack("<I", bits) + b"\xa0\x01\x01")
        )
    node.attribute.append(onnxl.AttributeProto.FromString(sized(0x0A, b"fs") + sized(0x3A, F_BYTES) + b"\xa0\x01\x06"))
    for kind, tag, data, count in (
        (1, 0x22, F_BYTES, len(FLOATS)),
        (11, 0x52, D_BYTES, len(DOUBLES)),
        (14, 0x22, F_BYTES, len(FLOATS) // 2),
    ):
        for field in (tag, 0x4A):
            made.graph.initializer.append(
                onnxl.TensorProto.FromString(
                    sized(0x0A, bytes([count])) + bytes([0x10, kind]) + sized(field, data) + sized(0x42, b"w%d.%d" % (kind, field))
                )
            )
    return made


def without_nan_bits(message: onnxl.ModelProto) -> bytes:
    """The bytes, with each NaN as the one that text has."""
    data = message.SerializeToString()
    for size, form, values in ((4, "<I", FLOATS), (8, "<Q", DOUBLES)):
        for bits in values:
            number = struct.unpack("<f" if size == 4 else "<d", struct.pack(form, bits))[0]
            if math.isnan(number):
                data = data.replace(struct.pack(form, bits), struct.pack("<f" if size == 4 else "<d", math.nan))
    return data


def test_the_wire_keeps_every_bit_as_onnx_does() -> None:
    data = model().SerializeToString()
    assert F_BYTES in data
    assert D_BYTES in data
    assert onnx.ModelProto.FromString(data).SerializeToString() == data
    assert onnxl.ModelProto.FromString(data).SerializeToString() == data


@pytest.mark.parametrize("form", ["copy", "deepcopy", "pickle", "onnx", "onnxtxt", "weights outside", "encrypted", "CopyFrom", "MergeFrom"])
def test_every_bit_comes_back_from(form: str, tmp_path: Path) -> None:
    made = model()
    if form in ("onnx", "onnxtxt"):
        onnxl.save(made, tmp_path / f"m.{form}")
        again = onnxl.load(tmp_path / f"m.{form}")
    elif form == "encrypted":
        blob = onnxl.save_encrypted_string(made, key="k", encryption="AES-256-GCM", kdf_iterations=1000)
        again = onnxl.load_encrypted_string(blob, key="k")
    elif form == "weights outside":
        onnxl.save(made, tmp_path / "m.onnx", location="w", size_threshold=0)
        again = onnxl.load(tmp_path / "m.onnx")
        for one, other in zip(made.graph.initializer, again.graph.initializer, strict=True):
            assert numpy_helper.to_array(one).tobytes() == numpy_helper.to_array(other).tobytes() == other.raw_data
        return
    elif form in ("CopyFrom", "MergeFrom"):
        again = onnxl.ModelProto()
        getattr(again, form)(made)
    else:
        again = {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": lambda m: pickle.loads(pickle.dumps(m))}[form](made)
    assert again.SerializeToString() == made.SerializeToString()


@pytest.mark.parametrize("form", ["textproto", "json"])
def test_text_keeps_all_but_the_bits_of_a_nan(form: str, tmp_path: Path) -> None:
    made = model()
    onnxl.save(made, tmp_path / f"m.{form}")
    again = onnxl.load(tmp_path / f"m.{form}")
    if form == "textproto":  # protobuf's JSON does not read the largest float that it writes
        assert again.SerializeToString() == onnx.load(tmp_path / f"m.{form}").SerializeToString()
    assert without_nan_bits(again) == without_nan_bits(made)


def test_arrays_have_the_bits_of_the_tensor() -> None:
    for tensor in model().graph.initializer:
        data = D_BYTES if tensor.data_type == onnxl.TensorProto.DOUBLE else F_BYTES
        array = numpy_helper.to_array(tensor)
        assert array.tobytes() == data
        assert numpy_helper.from_array(array).raw_data == data


@pytest.mark.parametrize(
    "name", ["FLOAT16", "BFLOAT16", "FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ", "FLOAT8E8M0", "FLOAT4E2M1"]
)
def test_narrow_floats_keep_every_bit_pattern(name: str) -> None:
    kind = getattr(onnxl.TensorProto, name)
    bits = {"FLOAT16": 16, "BFLOAT16": 16, "FLOAT4E2M1": 4}.get(name, 8)
    raw = np.arange(1 << bits, dtype=np.uint16 if bits == 16 else np.uint8).tobytes() if bits > 4 else bytes(range(256))
    tensor = onnxl.TensorProto(name="w", data_type=kind, dims=[len(raw) * 8 // bits], raw_data=raw)
    assert numpy_helper.from_array(numpy_helper.to_array(tensor)).raw_data == raw


def test_numbers_that_are_none_are_told_apart_by_value() -> None:
    one, other = onnxl.AttributeProto(f=math.nan), onnxl.AttributeProto(f=math.nan)
    theirs = onnx.AttributeProto(f=math.nan), onnx.AttributeProto(f=math.nan)
    assert (one == other) == (theirs[0] == theirs[1])
    assert (onnxl.AttributeProto(f=0.0) == onnxl.AttributeProto(f=-0.0)) == (onnx.AttributeProto(f=0.0) == onnx.AttributeProto(f=-0.0))
    assert helper.get_attribute_value(helper.make_attribute("a", -0.0)) == 0.0
    assert math.copysign(1, helper.make_attribute("a", -0.0).f) == -1
    assert helper.make_attribute("a", 5e-324).f == 0.0
    assert helper.make_attribute("a", 1e-45).f == struct.unpack("<f", b"\1\0\0\0")[0]
    for value in (1e39, -1e39, 3.4028236e38):
        assert onnxl.AttributeProto(f=value).f == onnx.AttributeProto(f=value).f


def test_the_command_line_shows_them_and_gives_json_that_can_be_read(tmp_path: Path) -> None:
    onnxl.save(model(), tmp_path / "m.onnx")
    other: Any = model()
    other.graph.initializer[0].float_data[0] = 1.0
    onnxl.save(other, tmp_path / "o.onnx")

    def run(*words: str) -> tuple[int, str]:
        done = subprocess.run([sys.executable, "-m", "onnx_light", *words], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert "Traceback" not in done.stderr
        return done.returncode, done.stdout

    def no_number(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    for words in (
        ["inspect", "m.onnx"],
        ["ls", "m.onnx"],
        ["diff", "m.onnx", "o.onnx"],
        ["diff", "m.onnx", "m.onnx"],
        ["verify", "m.onnx"],
        ["hash", "m.onnx"],
    ):
        code, out = run(*words, "--json")
        assert code == (1 if "o.onnx" in words else 0)
        json.loads(out, parse_constant=no_number)
    assert run("diff", "m.onnx", "m.onnx")[0] == 0
    assert run("diff", "m.onnx", "o.onnx", "--rtol", "0.5")[0] == 1  # infinity is not near to 1
    assert run("show", "m.onnx")[0] == 0
