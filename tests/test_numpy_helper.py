"""onnx.numpy_helper: arrays of every type go into tensors and come back, with the bytes that the official package gives."""

from __future__ import annotations

import warnings
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import onnx.helper
import onnx.numpy_helper
import pytest

import onnx_light.onnx as onnxl
from onnx_light.onnx_py import _onnxpy

TYPES = {name: onnx.helper.tensor_dtype_to_np_dtype(onnx.TensorProto.DataType.Value(name)) for name in onnx.TensorProto.DataType.keys()[1:]}
NUMBERS = [name for name in TYPES if name != "STRING"]
PACKED_BITS = {"UINT4": 4, "INT4": 4, "FLOAT4E2M1": 4, "UINT2": 2, "INT2": 2, "FLOAT6E2M3": 6, "FLOAT6E3M2": 6}


def random_array(name: str, shape: tuple[int, ...]) -> Any:
    """Elements with random bits; only the bits that a type has."""
    dtype = TYPES[name]
    generator = np.random.default_rng(len(name))
    count = int(np.prod(shape))
    data = generator.integers(0, 256, count * dtype.itemsize, dtype=np.uint8)
    if name == "BOOL":
        data &= 1
    if name in PACKED_BITS:
        codes = data & ((1 << PACKED_BITS[name]) - 1)
        if name in ("INT4", "INT2"):
            return (codes.astype(np.int64) - (1 << (PACKED_BITS[name] - 1))).astype(dtype).reshape(shape)
        return codes.view(dtype).reshape(shape)
    return data.view(dtype).reshape(shape)


def parsed(theirs: Any) -> Any:
    """The message of ours with the bytes of a message of theirs."""
    return getattr(onnxl, type(theirs).__name__).FromString(theirs.SerializeToString())


def same(left: Any, right: Any) -> bool:
    return left.shape == right.shape and left.dtype == right.dtype and left.tobytes() == right.tobytes()


@pytest.mark.parametrize("shape", [(), (0,), (1,), (7,), (3, 5), (2, 0, 3)], ids=str)
@pytest.mark.parametrize("name", NUMBERS)
def test_arrays_become_the_tensors_of_onnx_and_come_back(name: str, shape: tuple[int, ...]) -> None:
    array = random_array(name, shape)
    tensor = onnxl.numpy_helper.from_array(array, "t")
    assert tensor.SerializeToString() == onnx.numpy_helper.from_array(array, "t").SerializeToString()
    assert same(onnxl.numpy_helper.to_array(tensor), array)


@pytest.mark.parametrize("name", NUMBERS)
def test_typed_fields_are_read_as_onnx_reads_them(name: str) -> None:
    numbers = [0, 1, 1, 0, 1, 1, 1]
    theirs = onnx.helper.make_tensor("t", onnx.TensorProto.DataType.Value(name), [7], numbers)
    assert same(onnxl.numpy_helper.to_array(parsed(theirs)), onnx.numpy_helper.to_array(theirs))
    assert onnxl.helper.make_tensor("t", theirs.data_type, [7], numbers).SerializeToString() == theirs.SerializeToString()


LAYOUTS: dict[str, Any] = {
    "columns first": np.arange(6, dtype=np.float32).reshape(2, 3, order="F"),
    "every second": np.arange(20, dtype=np.int16)[::2],
    "backwards": np.arange(6, dtype=np.int64)[::-1],
    "broadcast": np.broadcast_to(np.float32(3), (2, 3)),
    "read-only": np.frombuffer(bytes(range(16)), np.uint32),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_arrays_of_any_layout_are_stored_row_by_row(layout: str) -> None:
    array = LAYOUTS[layout]
    tensor = onnxl.numpy_helper.from_array(array)
    assert tensor.raw_data == array.tobytes()
    assert np.array_equal(onnxl.numpy_helper.to_array(tensor), array)


def test_numbers_of_the_other_byte_order_are_stored_in_the_right_one() -> None:
    array = np.array([1, 2, 3], ">i4")
    assert onnxl.numpy_helper.from_array(array).raw_data == array.astype("<i4").tobytes()
    assert onnxl.numpy_helper.tobytes_little_endian(array) == array.astype("<i4").tobytes()


def test_an_array_from_a_tensor_stays_when_the_tensor_goes() -> None:
    tensor = onnxl.numpy_helper.from_array(np.arange(1000, dtype=np.float32))
    array = onnxl.numpy_helper.to_array(tensor)
    tensor.raw_data = bytes(4000)
    assert array[999] == 999
    del tensor
    assert array.sum() == 999 * 500


def test_an_array_that_is_changed_later_does_not_change_its_tensor() -> None:
    array = np.ones(1000, np.float32)
    tensor = onnxl.numpy_helper.from_array(array)
    array[:] = 2
    assert onnxl.numpy_helper.to_array(tensor)[0] == 1


@pytest.mark.parametrize("name", NUMBERS)
def test_reading_an_array_does_not_change_the_tensor(name: str) -> None:
    for tensor in (
        onnxl.numpy_helper.from_array(random_array(name, (5,)), "t"),
        onnxl.helper.make_tensor("t", onnxl.TensorProto.DataType.Value(name), [5], [0, 1, 1, 0, 1]),
    ):
        before = tensor.SerializeToString()
        onnxl.numpy_helper.to_array(tensor)
        assert tensor.SerializeToString() == before


TEXTS = {
    "fixed width": np.array(["abc", "d", ""]),
    "bytes of fixed width": np.array([b"abc", b"d"]),
    "objects": np.array([["abc", ""], ["naïve", "\U0001f600"]], object),
    "scalar": np.array("solo", object),
    "empty": np.array([], object),
}


@pytest.mark.parametrize("case", TEXTS)
def test_text_goes_in_and_comes_back_as_str(case: str) -> None:
    array = TEXTS[case]
    back = onnxl.numpy_helper.to_array(onnxl.numpy_helper.from_array(array))
    assert back.shape == array.shape
    expected = [item.decode() if isinstance(item, bytes) else str(item) for item in array.reshape(-1).tolist()]
    assert back.reshape(-1).tolist() == expected


def test_text_that_is_no_utf8_stays_bytes() -> None:
    tensor = onnxl.numpy_helper.from_array(np.array([b"\xff", b"ok"], object))
    assert onnxl.numpy_helper.to_array(tensor).tolist() == [b"\xff", "ok"]


@pytest.mark.parametrize("array", [np.array([None], object), np.array(["a", 1], object), np.array([1], object)], ids=repr)
def test_objects_that_are_no_text_are_refused(array: Any) -> None:
    with pytest.raises(NotImplementedError, match="str"):
        onnxl.numpy_helper.from_array(array)


@pytest.mark.parametrize("dtype", ["M8[s]", "longdouble", [("a", "i4")]], ids=str)
def test_types_that_onnx_lacks_are_refused(dtype: Any) -> None:
    with pytest.raises(ValueError):
        onnxl.numpy_helper.from_array(np.zeros(1, dtype))


LIES: dict[str, Any] = {
    "too few raw bytes": {"data_type": 1, "dims": [2], "raw_data": b"1234"},
    "too many raw bytes": {"data_type": 1, "dims": [1], "raw_data": b"12345678"},
    "half an element": {"data_type": 1, "dims": [1], "raw_data": b"123"},
    "too few nibbles": {"data_type": 22, "dims": [3], "raw_data": b"1"},
    "too few entries": {"data_type": 1, "dims": [2], "float_data": [1]},
    "too many entries": {"data_type": 1, "dims": [1], "float_data": [1, 2]},
    "half a complex number": {"data_type": 14, "dims": [1], "float_data": [1]},
    "entries of another field": {"data_type": 1, "dims": [1], "int32_data": [1]},
    "no data": {"data_type": 7, "dims": [128]},
    "no scalar": {"data_type": 7},
    "a product beyond 64 bits": {"data_type": 3, "dims": [2**32, 2**32], "raw_data": b"1"},
    "a product that wraps to the payload": {"data_type": 1, "dims": [2**62, 4, 2], "raw_data": b""},
    "a negative dimension": {"data_type": 1, "dims": [-1], "raw_data": b"1234"},
    "two negative dimensions": {"data_type": 1, "dims": [-1, -1], "raw_data": b"1234"},
    "too few strings": {"data_type": 8, "dims": [2], "string_data": [b"a"]},
    "a segment": {"data_type": 1, "dims": [1], "raw_data": b"1234", "segment": {"begin": 0, "end": 1}},
}


@pytest.mark.parametrize("case", LIES)
def test_a_shape_that_the_elements_do_not_fill_is_refused_with_the_tensors_name(case: str) -> None:
    with pytest.raises(ValueError, match="the_weight"):
        onnxl.numpy_helper.to_array(onnxl.TensorProto(name="the_weight", **LIES[case]))


def test_a_tensor_of_no_type_is_refused() -> None:
    with pytest.raises(TypeError):
        onnxl.numpy_helper.to_array(onnxl.TensorProto(dims=[1], raw_data=b"1"))
    with pytest.raises(KeyError):
        onnxl.numpy_helper.to_array(onnxl.TensorProto(data_type=99, dims=[1], raw_data=b"1"))


def plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.dtype, value.tolist()
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def agree(call: Any) -> None:
    outcomes: list[Any] = []
    for library in (onnx, onnxl):
        try:
            result = call(library.numpy_helper)
            outcomes.append(result.SerializeToString() if hasattr(result, "SerializeToString") else plain(result))
        except Exception as error:  # noqa: PERF203
            outcomes.append(type(error))
    theirs, ours = outcomes
    assert ours == theirs or (isinstance(theirs, type) and isinstance(ours, type) and issubclass(ours, theirs)), outcomes


ONE = np.ones(1, np.float32)
LISTS: dict[str, Any] = {
    "empty": [],
    "arrays": [ONE, np.zeros((2, 2))],
    "numbers": [1, 2],
    "texts": ["a", "b"],
    "lists": [[ONE], []],
    "dicts": [{1: ONE}],
    "nothing": [None],
    "mixed": [1, "a"],
    "number and array": [1, ONE],
    "empty dict": [{}],
    "array": np.array([1, 2]),
    "empty array": np.array([]),
}


@pytest.mark.parametrize("dtype", [None, 1, 3, 5, 9])
@pytest.mark.parametrize("case", LISTS)
def test_lists_become_sequences_as_in_onnx(case: str, dtype: int | None) -> None:
    if dtype == 3 and case in ("dicts", "empty dict"):  # onnx looks for key 0 in the dict
        with pytest.raises(TypeError):
            onnxl.numpy_helper.from_list(LISTS[case], "n", dtype)
    else:
        agree(lambda helper: helper.from_list(LISTS[case], "n", dtype))
    agree(lambda helper: helper.to_list(helper.from_list(LISTS[case])))


DICTS: dict[str, Any] = {
    "empty": {},
    "arrays": {1: ONE, 2: ONE},
    "small keys": {np.int8(1): ONE},
    "float keys": {1.5: ONE},
    "truth keys": {True: ONE},
    "mixed values": {1: 1.5, 2: 2},
}


@pytest.mark.parametrize("case", DICTS)
def test_dicts_become_maps_as_in_onnx(case: str) -> None:
    agree(lambda helper: helper.from_dict(DICTS[case], "n"))
    agree(lambda helper: helper.to_dict(helper.from_dict(DICTS[case])))


@pytest.mark.parametrize("values", [{"a": ONE, "naïve": ONE}, {1: [ONE, ONE]}, {2: {3: ONE}}], ids=["text as keys", "lists", "dicts"])
def test_dicts_that_onnx_refuses_make_a_round_trip(values: Any) -> None:
    map_proto = onnxl.numpy_helper.from_dict(values, "m")
    assert plain(onnxl.numpy_helper.to_dict(map_proto)) == plain(values)


def test_keys_and_values_of_a_map_have_to_be_as_many() -> None:
    map_proto = onnxl.numpy_helper.from_dict({1: ONE})
    map_proto.keys.append(2)
    with pytest.raises(IndexError, match="not the same"):
        onnxl.numpy_helper.to_dict(map_proto)


@pytest.mark.parametrize("value", [None, ONE, [ONE], {1: ONE}], ids=["none", "array", "list", "dict"])
@pytest.mark.parametrize("dtype", [None, 1, 3, 4, 5, 9])
def test_optionals_are_made_as_in_onnx(value: Any, dtype: int | None) -> None:
    agree(lambda helper: helper.from_optional(value, "n", dtype))
    agree(lambda helper: helper.to_optional(helper.from_optional(value)))


def test_containers_without_a_type_are_read_as_in_onnx() -> None:
    for name, fields in (("Sequence", {}), ("Sequence", {"elem_type": 1}), ("Optional", {}), ("Optional", {"elem_type": 1}), ("Map", {})):
        read = {"Sequence": "to_list", "Optional": "to_optional", "Map": "to_dict"}[name]
        outcomes = []
        for library in (onnx, onnxl):
            try:
                outcomes.append(getattr(library.numpy_helper, read)(getattr(library, f"{name}Proto")(**fields)))
            except Exception as error:  # noqa: PERF203
                outcomes.append(type(error))
        assert outcomes[0] == outcomes[1], (name, fields)


def wild_numbers() -> Any:
    generator = np.random.default_rng(3)
    bits = generator.integers(0, 2**32, 20_000, dtype=np.uint32).view(np.float32)
    tame = (generator.standard_normal(20_000) * np.exp(5 * generator.standard_normal(20_000))).astype(np.float32)
    edges = [
        0,
        2**-149,
        2**-128,
        2**-127,
        1.5 * 2**-127,
        2**-126,
        2**127,
        1.5 * 2**127,
        3.4e38,
        np.inf,
        -np.inf,
        np.nan,
        0.5,
        1.5,
        2.5,
        -0.5,
    ]
    return np.concatenate([bits, tame, np.array(edges, np.float32)])


@pytest.mark.parametrize("saturate", [True, False])
@pytest.mark.parametrize("round_mode", ["up", "down", "nearest", "sideways"])
def test_powers_of_two_are_rounded_as_in_onnx(saturate: bool, round_mode: str) -> None:
    numbers = wild_numbers()
    if round_mode == "sideways":
        with pytest.raises(ValueError):
            onnxl.numpy_helper.to_float8e8m0(numbers, saturate, round_mode)
        return
    ours = onnxl.numpy_helper.to_float8e8m0(numbers, saturate, round_mode)
    theirs = onnx.numpy_helper.to_float8e8m0(numbers, saturate, round_mode)
    assert (ours.view(np.uint8) == theirs.view(np.uint8)).all()


@pytest.mark.parametrize("name", [name for name in NUMBERS if not name.startswith(("COMPLEX", "BOOL"))])
def test_casts_saturate_as_in_onnx(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = onnx.numpy_helper.saturate_cast(wild_numbers(), TYPES[name])
        ours = onnxl.numpy_helper.saturate_cast(wild_numbers(), TYPES[name])
    assert same(ours, theirs)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_random_integers_are_those_of_onnx(dtype: str) -> None:
    ours = onnxl.numpy_helper.create_random_int((3, 4), np.dtype(dtype), 7)
    assert same(ours, onnx.numpy_helper.create_random_int((3, 4), np.dtype(dtype), 7))
    with pytest.raises(TypeError):
        onnxl.numpy_helper.create_random_int((1,), np.float32)


@pytest.mark.parametrize("bits", [2, 4, 6])
def test_packing_is_that_of_onnx_and_is_undone(bits: int) -> None:
    names = {2: ("_pack_2bitx4", "_unpack_2bit"), 4: ("_pack_4bitx2", "_unpack_4bit"), 6: ("_pack_6bit", "_unpack_6bit")}[bits]
    ours_pack, ours_unpack = (getattr(onnxl.numpy_helper, name) for name in names)
    for count in range(20):
        codes = np.random.default_rng(count).integers(0, 1 << bits, count, dtype=np.uint8)
        packed = ours_pack(codes)
        assert same(packed, getattr(onnx.numpy_helper, names[0])(codes))
        assert same(ours_unpack(packed, [count]), codes)
    with pytest.raises(ValueError):
        ours_unpack(np.zeros(1, np.uint8), [5])


OLD_FUNCTIONS: dict[str, Any] = {
    "combine_pairs_to_complex": (([1.0, 2.0, 3.0, -4.0],), [1 + 2j, 3 - 4j]),
    "bfloat16_to_float32": ((np.array([0x3F80, 0xC000], np.uint16),), [1.0, -2.0]),
    "float8e4m3_to_float32": ((np.array([0x38], np.uint8),), [1.0]),
    "float8e5m2_to_float32": ((np.array([0x3C], np.uint8),), [1.0]),
}


@pytest.mark.parametrize("name", OLD_FUNCTIONS)
def test_functions_of_earlier_releases_work_and_warn(name: str) -> None:
    arguments, expected = OLD_FUNCTIONS[name]
    with pytest.warns(DeprecationWarning, match=name):
        assert np.asarray(getattr(onnxl.numpy_helper, name)(*arguments)).tolist() == expected


def test_floats_of_ml_dtypes_keep_every_bit_pattern() -> None:
    for dtype in (ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2fnuz):
        size = np.dtype(dtype).itemsize
        patterns = np.arange(0, 1 << (8 * size), 7, dtype=f"u{size}").view(dtype)
        assert same(onnxl.numpy_helper.to_array(onnxl.numpy_helper.from_array(patterns)), patterns)


def test_six_bit_entries_are_read_in_both_forms() -> None:
    array = random_array("FLOAT6E2M3", (10,))
    packed = onnxl.TensorProto(data_type=onnxl.TensorProto.FLOAT6E2M3, dims=[10])
    packed.int32_data.extend(onnxl.numpy_helper.from_array(array).raw_data)
    single = onnxl.helper.make_tensor("t", onnxl.TensorProto.FLOAT6E2M3, [10], array)
    assert len(packed.int32_data) == 8
    assert len(single.int32_data) == 10
    assert same(onnxl.numpy_helper.to_array(packed), array)
    assert same(onnxl.numpy_helper.to_array(single), array)


def test_typed_fields_are_moved_as_whole_numbers_and_only_numbers() -> None:
    tensor = onnxl.TensorProto(float_data=[1.5])
    _onnxpy.build.append_typed_bytes(tensor, "float_data", np.array([2.5, -1], np.float32).tobytes())
    assert list(tensor.float_data) == [1.5, 2.5, -1]
    assert np.frombuffer(_onnxpy.build.typed_bytes(tensor, "float_data"), np.float32).tolist() == [1.5, 2.5, -1]
    assert _onnxpy.build.typed_bytes(tensor, "int32_data") == b""
    with pytest.raises(ValueError, match="3 bytes"):
        _onnxpy.build.append_typed_bytes(tensor, "float_data", b"123")
    for field in ("string_data", "dims", "raw_data", "nix", ""):
        with pytest.raises(ValueError, match="field"):
            _onnxpy.build.typed_bytes(tensor, field)
    held = tensor.float_data
    _onnxpy.build.append_typed_bytes(tensor, "float_data", np.array([7], np.float32).tobytes())
    assert held[3] == 7
