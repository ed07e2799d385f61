"""Lists of a million entries: through every form, and under every operation of a Python list. What took the square of the length would take
hours."""

from __future__ import annotations

import copy
import pickle
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import onnx
import pytest

import onnx_light.onnx as onnxl

MANY = 1_000_000


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """CPU seconds of this process: some twenty times of what it takes, and far less than a square would."""
    began = time.process_time()
    yield
    assert time.process_time() - began < seconds


def strings(package: Any = onnxl) -> Any:
    return package.NodeProto(input=["x"] * MANY)


def integers(package: Any = onnxl) -> Any:
    return package.AttributeProto(name="a", type=7, ints=range(MANY))


def floats(package: Any = onnxl) -> Any:
    return package.TensorProto(name="w", data_type=1, dims=[MANY], float_data=[0.5] * MANY)


def messages(package: Any = onnxl) -> Any:
    message = package.NodeProto(op_type="A")
    message.metadata_props.extend([package.StringStringEntryProto(key="k")] * MANY)
    return message


MAKERS = {
    "strings": (strings, "input"),
    "integers": (integers, "ints"),
    "floats": (floats, "float_data"),
    "messages": (messages, "metadata_props"),
}


@pytest.fixture(scope="module", params=MAKERS)
def made(request: pytest.FixtureRequest) -> tuple[str, Any]:
    maker, field = MAKERS[request.param]
    return field, maker()


def in_model(message: Any) -> Any:
    model = onnxl.ModelProto(ir_version=10)
    model.opset_import.add(domain="", version=21)
    model.graph.name = "g"
    if isinstance(message, onnxl.NodeProto):
        model.graph.node.append(message)
    elif isinstance(message, onnxl.TensorProto):
        model.graph.initializer.append(message)
    else:
        model.graph.node.add(op_type="A", attribute=[message])
    return model


def test_a_million_entries_are_written_as_onnx_writes_them(made: tuple[str, Any]) -> None:
    field, message = made
    theirs = next(maker for maker, name in MAKERS.values() if name == field)(onnx)
    assert message.SerializeToString() == theirs.SerializeToString()


@pytest.mark.parametrize("form", ["onnx", "textproto", "json", "onnxtxt", "weights outside", "encrypted"])
def test_a_million_entries_go_through_every_form(made: tuple[str, Any], form: str, tmp_path: Path) -> None:
    model = in_model(made[1])
    with within(30):
        if form == "encrypted":
            blob = onnxl.save_encrypted_string(model, key="k", encryption="ChaCha20-Poly1305", kdf_iterations=1000)
            assert onnxl.load_encrypted_string(blob, key="k") == model
            return
        path = tmp_path / f"m.{form if ' ' not in form else 'onnx'}"
        onnxl.save(model, path, save_as_external_data=form == "weights outside", size_threshold=0)
        again = onnxl.load(path)
    if form == "weights outside" and made[0] == "float_data":
        assert len(again.graph.initializer[0].raw_data) == 4 * MANY
    else:
        assert again == model


def test_many_weights_in_one_file_and_in_many_files(tmp_path: Path) -> None:
    model = onnxl.ModelProto(ir_version=10)
    model.graph.initializer.extend([onnxl.TensorProto(name="w", data_type=2, dims=[8], raw_data=bytes(8))] * 100_000)
    with within(30):
        onnxl.save(model, tmp_path / "m.onnx", location="m.data", size_threshold=0)
        again = onnxl.load(tmp_path / "m.onnx")
    assert sum(len(tensor.raw_data) for tensor in again.graph.initializer) == 800_000
    del model.graph.initializer[2000:]
    with within(30):
        onnxl.save(model, tmp_path / "n.onnx", save_as_external_data=True, all_tensors_to_one_file=False, size_threshold=0)
        again = onnxl.load(tmp_path / "n.onnx", no_copy=True)
    assert len(list(tmp_path.iterdir())) == 2003
    assert sum(len(tensor.raw_data) for tensor in again.graph.initializer) == 16_000


def every_other(values: Any) -> None:
    del values[::2]


def emptied_from_the_end(values: Any) -> None:
    for _ in range(1000):
        values.pop()


def assigned(values: Any) -> None:
    if not hasattr(values, "add"):  # messages cannot be assigned
        values[: MANY // 2] = values[MANY // 2 :]


def doubled(values: Any) -> None:
    values.extend(values)


def held(values: Any) -> None:
    kept = list(values)
    del values[:]
    assert len(kept) == MANY


OPERATIONS: dict[str, Callable[[Any], Any]] = {
    "len": len,
    "list": list,
    "reversed": lambda values: list(reversed(values)),
    "slice": lambda values: values[::3],
    "del every other": every_other,
    "pop": emptied_from_the_end,
    "slice assignment": assigned,
    "extend by itself": doubled,
    "reverse": lambda values: values.reverse(),
    "sort": lambda values: values.sort(key=lambda value: getattr(value, "key", value)),
    "==": lambda values: values == values,
    "== list": lambda values: values == list(values),
    "in": lambda values: "no such" in values if isinstance(values[0], str) else None,
    "clear": lambda values: values.clear(),
    "delete all": held,
    "insert": lambda values: values.insert(0, values[0]),
    "remove": lambda values: values.remove(values[MANY // 2]),
    "deepcopy": copy.deepcopy,
    "index by index": lambda values: [values[i] for i in range(0, MANY, 10)],
}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_on_a_million_entries_takes_its_length_in_time(made: tuple[str, Any], operation: str) -> None:
    field, message = made
    theirs = list(getattr(message, field))
    message = copy.copy(message)
    values = getattr(message, field)
    change = operation in (
        "del every other",
        "pop",
        "extend by itself",
        "reverse",
        "clear",
        "delete all",
        "insert",
        "remove",
        "slice assignment",
    )
    with within(15):
        OPERATIONS[operation](values)
        data = message.SerializeToString() if change else b""
    if change and field in ("ints", "input"):
        OPERATIONS[operation](theirs) if operation != "extend by itself" else theirs.extend(list(theirs))
        assert list(values) == theirs
    assert not change or type(message).FromString(data) == message


def test_a_message_with_a_million_entries_is_copied_compared_pickled_and_printed(made: tuple[str, Any]) -> None:
    _, message = made
    with within(30):
        other = copy.deepcopy(message)
        assert other == message
        other.MergeFrom(message)
        assert pickle.loads(pickle.dumps(message)) == message
        assert len(str(message)) > MANY
        other.Clear()
    assert other.ByteSize() == 0


def test_a_million_appends_and_a_million_attributes() -> None:
    node = onnxl.NodeProto()
    with within(20):
        for _ in range(MANY):
            node.input.append("x")
    graph = onnxl.GraphProto()
    with within(30):
        for _ in range(MANY // 5):
            graph.node.add(op_type="A").output.append("y")
        for entry in graph.node:
            entry.name = "n"
    assert len(graph.SerializeToString()) == MANY // 5 * 11


def test_a_million_fields_of_one_number_and_a_million_unknown_ones() -> None:
    with within(20):
        merged = onnxl.ModelProto.FromString(b"\x3a\x02\x52\x00" * MANY)
        assert merged.graph.doc_string == ""
        numbers = onnxl.NodeProto.FromString(b"\xa0\x06\x01" * MANY)
        assert numbers.SerializeToString() == b"\xa0\x06\x01" * MANY
        assert numbers == copy.deepcopy(numbers)
        attribute = onnxl.AttributeProto.FromString(b"\x18\x01\x15\0\0\0\0" * MANY)
        assert attribute.i == 1
    shape = onnxl.TensorShapeProto.FromString(b"\x0a\x04\x08\x01\x12\x00" * (MANY // 5))
    assert shape.dim[7].WhichOneof("value") == "dim_param"
