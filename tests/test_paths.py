"""Paths are text, bytes or path objects, in every place that takes one; names that are bytes choose the format as text does. What is loaded
may also be any object that holds its bytes."""

from __future__ import annotations

import array
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import onnx_light.onnx as onnxl
from onnx_light.onnx import external_data_helper, helper, numpy_helper, utils
from onnx_light.onnx.model_container import ModelContainer, make_large_model, make_large_tensor_proto


class BytesPath:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> bytes:
        return os.fsencode(self.path)


KINDS: dict[str, Callable[[Path], Any]] = {"str": str, "bytes": os.fsencode, "Path": Path, "bytes of a path object": BytesPath}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Callable[[Path], Any]:
    return KINDS[request.param]


def small_model() -> onnxl.ModelProto:
    x, y = (helper.make_tensor_value_info(name, onnxl.TensorProto.FLOAT, [1]) for name in "xy")
    weights = numpy_helper.from_array(np.ones(1000, np.float32), "w")
    return helper.make_model(helper.make_graph([helper.make_node("Neg", ["x"], ["y"])], "g", [x], [y], [weights]))


def plain(model: onnxl.ModelProto) -> onnxl.ModelProto:
    """As before its weights went to a file."""
    for tensor in model.graph.initializer:
        tensor.ClearField("data_location")
    return model


@pytest.mark.parametrize(
    ("extension", "begins"), [(".json", b"{"), (".textproto", b"ir_version"), (".onnxtxt", b"#@{domain"), (".onnx", b"\x08")]
)
def test_the_extension_of_any_path_chooses_the_format(kind: Any, extension: str, begins: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"modell_é{extension}"
    model = small_model()
    onnxl.save(model, kind(path))
    assert path.read_bytes().startswith(begins)
    if kind is not os.fsencode:  # bytes that are loaded are a model's own
        assert onnxl.load(kind(path)) == model
    with open(kind(path), "rb") as file:  # noqa: PTH123  its name is what it was opened by
        assert onnxl.load(file) == model
    if extension == ".onnxtxt":  # for which a tensor alone has no form
        return
    tensor = model.graph.initializer[0]
    onnxl.save_tensor(tensor, kind(path))
    assert path.read_bytes()[:1] != model.SerializeToString()[:1] or extension == ".onnx"
    assert onnxl.load_tensor(path) == tensor


def test_a_plain_model_is_not_saved_under_the_name_of_an_encrypted_one(kind: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="needs a key"):
        onnxl.save(small_model(), kind(tmp_path / "m.onnxc"))
    assert list(tmp_path.iterdir()) == []


def test_weights_lie_where_any_path_says(kind: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    model = small_model()
    onnxl.save(model, kind(tmp_path / "m.onnx"), location=kind(Path("w.data")))
    assert plain(onnxl.load(tmp_path / "m.onnx", location=kind(tmp_path / "w.data"))) == model
    bare = onnxl.load(tmp_path / "m.onnx", load_external_data=False)
    assert [entry.location for entry in onnxl.list_external_data(bare)] == ["w.data"]
    tensor = bare.graph.initializer[0]
    assert (numpy_helper.to_array(tensor, kind(tmp_path)) == 1).all()
    external_data_helper.load_external_data_for_tensor(tensor, kind(tmp_path))
    assert plain(bare) == model

    external_data_helper.convert_model_to_external_data(bare, location=kind(Path("v.data")), size_threshold=0)
    assert tensor.external_data[0].value == "v.data"
    external_data_helper.write_external_data_tensors(bare, kind(tmp_path))
    assert not tensor.HasField("raw_data")
    onnxl.load_external_data_for_model(bare, kind(tmp_path))
    assert plain(bare) == model
    external_data_helper.set_external_data(tensor, kind(Path("u.data")), basepath=kind(Path("base")))
    assert [entry.value for entry in tensor.external_data] == ["u.data", "base"]
    external_data_helper.save_external_data(tensor, kind(tmp_path))
    assert (tmp_path / "u.data").stat().st_size == 4000


def test_parts_and_containers_take_any_path(kind: Any, tmp_path: Path) -> None:
    onnxl.save(small_model(), tmp_path / "m.onnx")
    utils.extract_model(kind(tmp_path / "m.onnx"), kind(tmp_path / "part.onnx"), ["x"], ["y"])
    assert [node.op_type for node in onnxl.load(tmp_path / "part.onnx").graph.node] == ["Neg"]
    with pytest.raises(ValueError, match=r"there is no model at '.*none\.onnx'"):
        utils.extract_model(kind(tmp_path / "none.onnx"), kind(tmp_path / "part.onnx"), ["x"], ["y"])

    graph = helper.make_graph([], "g", [], [], [make_large_tensor_proto("#w", "w", onnxl.TensorProto.FLOAT, (1000,))])
    for in_one_file in (False, True):
        make_large_model(graph, {"#w": np.ones(1000, np.float32)}).save(kind(tmp_path / "large.onnx"), in_one_file)
        loaded = ModelContainer()
        loaded.load(kind(tmp_path / "large.onnx"))
        assert (loaded["#t0"] == 1).all()


def test_arrays_that_were_left_out_are_loaded_later(tmp_path: Path) -> None:
    graph = helper.make_graph([], "g", [], [], [make_large_tensor_proto("#w", "w", onnxl.TensorProto.FLOAT, (1000,))])
    make_large_model(graph, {"#w": np.ones(1000, np.float32)}).save(tmp_path / "m.onnx")
    container = ModelContainer()
    container.load(tmp_path / "m.onnx", load_large_initializers=False)
    assert container.large_initializers == {}
    container._load_large_initializers(tmp_path / "m.onnx")
    container.check_large_initializers()
    assert (container["#t0"] == 1).all()


@pytest.mark.parametrize(
    "make", [bytes, bytearray, memoryview, lambda data: array.array("B", data), lambda data: np.frombuffer(data, np.uint8)]
)
def test_load_takes_any_object_that_holds_bytes(make: Any) -> None:
    model = small_model()
    data = model.SerializeToString()
    for no_copy in (False, True):
        loaded = onnxl.load(make(data), no_copy=no_copy)
        assert loaded == model
        assert loaded.graph.initializer[0].raw_data_view.is_borrowed is no_copy
    assert onnxl.load_tensor(make(model.graph.initializer[0].SerializeToString())) == model.graph.initializer[0]
    assert onnxl.load(make(b'{"irVersion": "10", "graph": {}}'), format="json").ir_version == 10
    for wrong in (b"", b"<html>", b"PK\3\4"):
        with pytest.raises(onnxl.DecodeError, match="no ONNX model"):
            onnxl.load(make(wrong))


def test_truth_is_what_python_takes_for_true(tmp_path: Path) -> None:
    """`save_as_external_data=size > limit` is a truth value of numpy if one of them is."""
    model = small_model()
    yes: Any
    no: Any
    for yes, no in ((np.True_, np.False_), (1, 0), ("yes", None), ([1], [])):
        path = tmp_path / "m.onnx"
        onnxl.save(model, path, save_as_external_data=yes, all_tensors_to_one_file=no, convert_attribute=yes, durable=no, checksum=yes)
        assert (tmp_path / "w").stat().st_size == 4000
        assert onnxl.load(path, load_external_data=no).graph.initializer[0].data_location == onnxl.TensorProto.EXTERNAL
        loaded = onnxl.load(path, None, yes, no_copy=yes, verify_checksums=yes)
        assert plain(loaded) == model and loaded.graph.initializer[0].raw_data_view.is_borrowed
        onnxl.save(model, path, save_as_external_data=no)
        assert onnxl.load(path, load_external_data=no) == model
        (tmp_path / "w").unlink(missing_ok=True)
        utils.extract_model(path, tmp_path / "part.onnx", ["x"], ["y"], check_model=yes, infer_shapes=no)


@pytest.mark.parametrize(
    ("threshold", "outside"), [(4000, True), (4000.0, True), (3999.5, True), (4000.5, False), (np.int64(4001), False), (1e6, False)]
)
def test_a_threshold_may_be_any_number(threshold: Any, outside: bool, tmp_path: Path) -> None:
    onnxl.save(small_model(), tmp_path / "m.onnx", save_as_external_data=True, size_threshold=threshold)
    assert (tmp_path / "m.onnx.data").exists() is outside


def test_an_infinite_threshold_moves_nothing(tmp_path: Path) -> None:
    for threshold in (float("inf"), 1 << 63, 1 << 70, (1 << 63) - 1):
        onnxl.save(small_model(), tmp_path / "m.onnx", save_as_external_data=True, size_threshold=threshold)
        assert [path.name for path in tmp_path.iterdir()] == ["m.onnx"]


def test_messages_of_another_package_are_saved_and_what_is_none_is_refused(tmp_path: Path) -> None:
    class Other:
        def SerializeToString(self) -> bytes:
            return small_model().SerializeToString()

    other: Any = Other()
    onnxl.save(other, tmp_path / "m.onnx")
    assert onnxl.load(tmp_path / "m.onnx") == small_model()
    for wrong in (3, None, "model"):
        for target in (tmp_path / "none.onnx", io.BytesIO()):
            with pytest.raises(TypeError, match="no message"):
                onnxl.save(wrong, target)  # type: ignore[arg-type]
    assert not (tmp_path / "none.onnx").exists()
