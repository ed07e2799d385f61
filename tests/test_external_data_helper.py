"""onnx.external_data_helper, step by step: references, reading, writing one tensor at a time, and what may not be opened."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.external_data_helper
import pytest

import onnx_light.onnx as onnxl
from onnx_light.onnx import external_data_helper as ext
from onnx_light.onnx import helper, numpy_helper
from onnx_light.onnx.checker import ValidationError

THEIRS: Any = onnx.external_data_helper


def tensor(name: str = "w", count: int = 1000) -> Any:
    return numpy_helper.from_array(np.arange(count, dtype=np.float32), name)


def model_of(*tensors: Any) -> Any:
    nodes = [helper.make_node("Identity", [entry.name], [f"{entry.name}_out"]) for entry in tensors]
    graph = helper.make_graph(nodes, "g", [], [], list(tensors))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def theirs(message: Any) -> Any:
    return getattr(onnx, type(message).__name__).FromString(message.SerializeToString())


def entries(message: Any) -> dict[str, str]:
    return {entry.key: entry.value for entry in message.external_data}


def test_references_are_set_and_read_as_in_onnx() -> None:
    mine, other = tensor(), theirs(tensor())
    for library, target in ((ext, mine), (THEIRS, other)):
        library.set_external_data(target, "w.bin", 4, 12, "c", "b")
        assert vars(library.ExternalDataInfo(target)) == {"location": "w.bin", "offset": 4, "length": 12, "checksum": "c", "basepath": "b"}
        assert library.uses_external_data(target)
        library.remove_external_data_field(target, "offset")
        library.remove_external_data_field(target, "nix")
    assert mine.SerializeToString() == other.SerializeToString()
    with pytest.raises(ValueError, match="raw_data"):
        ext.set_external_data(onnxl.TensorProto(name="q"), "w.bin")


@pytest.mark.parametrize(("key", "value"), [("offset", "-1"), ("length", "-5"), ("offset", "abc"), ("length", "1.5"), ("offset", "9" * 30)])
def test_numbers_of_a_reference_are_non_negative_integers(key: str, value: str) -> None:
    reference = onnxl.TensorProto(name="the_weight", data_location=1, external_data=[{"key": key, "value": value}])
    with pytest.raises(ValueError, match=r"the_weight.*non-negative"):
        ext.ExternalDataInfo(reference)


@pytest.mark.parametrize("number", [0, 4096, 4096.0, np.float64(4096), np.int32(3), True, "12"])
def test_numbers_that_are_set_become_whole_ones_as_in_onnx(number: Any) -> None:
    entries = []
    for module, made in ((THEIRS, onnx.TensorProto(raw_data=b"1")), (ext, onnxl.TensorProto(raw_data=b"1"))):
        module.set_external_data(made, "w.data", offset=number, length=number)
        info = module.ExternalDataInfo(made)
        entries.append([(entry.key, entry.value) for entry in made.external_data] + [(info.offset, info.length)])
    assert entries[0] == entries[1]
    wrong: Any
    for wrong in ("a", [], 1j, float("nan")):
        with pytest.raises((ValueError, TypeError)):
            ext.set_external_data(onnxl.TensorProto(raw_data=b"1"), "w.data", offset=wrong)


def test_unknown_keys_are_named_in_one_warning_and_become_nothing() -> None:
    reference = onnxl.TensorProto(name="w", data_location=1)
    for key in ("location", "__class__", "evil", *(f"more{at}" for at in range(20))):
        reference.external_data.add(key=key, value="x")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        info = ext.ExternalDataInfo(reference)
    assert vars(info).keys() == {"location", "offset", "length", "checksum", "basepath"}
    assert len(caught) == 1
    assert "evil" in str(caught[0].message)
    assert "12 more" in str(caught[0].message)


@pytest.mark.parametrize("one_file", [True, False])
@pytest.mark.parametrize("threshold", [0, 1024, 10**9])
def test_models_are_converted_written_and_read_back(tmp_path: Path, one_file: bool, threshold: int) -> None:
    original = model_of(tensor("w"), tensor("v"), tensor("small", 3))
    model = onnxl.ModelProto.FromString(original.SerializeToString())
    ext.convert_model_to_external_data(model, one_file, "all.bin" if one_file else None, threshold)
    outside = [ext.uses_external_data(entry) for entry in model.graph.initializer]
    assert outside == [threshold < 10**9] * 2 + [threshold == 0]
    assert ext.write_external_data_tensors(model, tmp_path) is model
    assert [entry.HasField("raw_data") for entry in model.graph.initializer] == [not flag for flag in outside]
    assert len(list(tmp_path.iterdir())) == (min(1, sum(outside)) if one_file else sum(outside))
    ext.load_external_data_for_model(model, tmp_path)
    assert [numpy_helper.to_array(entry).tolist() for entry in model.graph.initializer] == [
        numpy_helper.to_array(entry).tolist() for entry in original.graph.initializer
    ]
    assert not any(ext.uses_external_data(entry) for entry in model.graph.initializer)


def test_what_is_converted_forth_and_back_is_as_it_was() -> None:
    original = model_of(tensor("w"))
    model = onnxl.ModelProto.FromString(original.SerializeToString())
    ext.convert_model_to_external_data(model)
    ext.convert_model_from_external_data(model)
    assert numpy_helper.to_array(model.graph.initializer[0]).tolist() == numpy_helper.to_array(original.graph.initializer[0]).tolist()
    model.graph.initializer[0].ClearField("raw_data")
    model.graph.initializer[0].data_location = onnxl.TensorProto.EXTERNAL
    with pytest.raises(ValueError, match="raw_data"):
        ext.convert_model_from_external_data(model)


def test_typed_elements_and_attributes_go_out_too() -> None:
    typed = helper.make_tensor("t", onnxl.TensorProto.INT64, [500], range(500))
    constant = helper.make_node("Constant", [], ["c"], value=tensor("attribute"))
    model = model_of(typed)
    model.graph.node.append(constant)
    ext.convert_model_to_external_data(model, convert_attribute=True)
    assert ext.uses_external_data(model.graph.initializer[0])
    assert model.graph.initializer[0].raw_data == np.arange(500).tobytes()
    assert len(model.graph.initializer[0].int64_data) == 0
    assert ext.uses_external_data(model.graph.node[1].attribute[0].t)


@pytest.mark.parametrize("location", ["/abs", "../x", "a/../../x", "a\\..\\..\\x"])
def test_locations_outside_the_models_folder_are_refused(location: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError):
        ext.convert_model_to_external_data(model_of(tensor()), location=location)
    written = tensor()
    ext.set_external_data(written, location)
    with pytest.raises(ValidationError):
        ext.save_external_data(written, tmp_path)
    written.ClearField("raw_data")
    with pytest.raises((ValidationError, ValueError)):
        ext.load_external_data_for_tensor(written, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_not_taken_for_all_tensors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "w.bin").write_bytes(b"x")
    with pytest.raises(FileExistsError):
        ext.convert_model_to_external_data(model_of(tensor()), location="w.bin")


def test_tensors_are_appended_and_padding_is_bounded(tmp_path: Path) -> None:
    first, second = tensor("a", 4), tensor("b", 4)
    for target in (first, second):
        ext.set_external_data(target, "w.bin")
        ext.save_external_data(target, tmp_path)
    assert (entries(first)["offset"], entries(second)["offset"]) == ("0", "16")
    aligned = tensor("c", 4)
    ext.set_external_data(aligned, "w.bin", 4096)
    ext.save_external_data(aligned, tmp_path)
    assert (tmp_path / "w.bin").stat().st_size == 4112
    for offset in (0, 4111, 4112 + 65537):
        wrong = tensor("d", 4)
        ext.set_external_data(wrong, "w.bin", offset)
        with pytest.raises(ValidationError, match=r"offset.*must be between"):
            ext.save_external_data(wrong, tmp_path)
    assert (tmp_path / "w.bin").stat().st_size == 4112
    with pytest.raises(ValidationError, match="raw_data"):
        ext.save_external_data(onnxl.TensorProto(name="q"), tmp_path)


@pytest.mark.parametrize("kind", ["link", "hard link", "linked folder", "folder", "pipe"])
def test_only_plain_files_with_one_name_are_written(tmp_path: Path, kind: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    victim = tmp_path / "elsewhere" / "victim"
    victim.write_bytes(b"victim")
    folder = tmp_path / "model"
    folder.mkdir()
    location = "w.bin"
    if kind == "link":
        (folder / location).symlink_to(victim)
    elif kind == "hard link":
        (folder / location).hardlink_to(victim)
    elif kind == "linked folder":
        (folder / "sub").symlink_to(tmp_path / "elsewhere")
        location = "sub/victim"
    elif kind == "folder":
        (folder / location).mkdir()
    else:
        os.mkfifo(folder / location)
    target = tensor("w", 4)
    ext.set_external_data(target, location)
    with pytest.raises(ValidationError):
        ext.save_external_data(target, folder)
    assert victim.read_bytes() == b"victim"


def test_reading_a_value_leaves_the_tensor_as_it_was(tmp_path: Path) -> None:
    target = tensor("w", 4)
    ext.set_external_data(target, "w.bin")
    ext.save_external_data(target, tmp_path)
    target.ClearField("raw_data")
    before = target.SerializeToString()
    assert numpy_helper.to_array(target, tmp_path).tolist() == [0, 1, 2, 3]
    assert target.SerializeToString() == before
    with pytest.raises((ValueError, OSError), match="nowhere"):
        numpy_helper.to_array(target, tmp_path / "nowhere")


def test_tensors_are_found_wherever_they_are() -> None:
    inner = helper.make_graph([helper.make_node("Constant", [], ["c"], value=tensor("in a branch"))], "g", [], [], [tensor("of a branch")])
    function = helper.make_function("d", "f", [], [], [helper.make_node("Constant", [], ["c"], value=tensor("in a function"))], [])
    model = model_of(tensor("w"))
    model.graph.node.append(helper.make_node("If", ["c"], [], then_branch=inner))
    model.functions.append(function)
    initializers = {entry.name for entry in ext._get_initializer_tensors(model)}
    attributes = {entry.name for entry in ext._get_attribute_tensors(model)}
    assert initializers == {"w", "of a branch"}
    assert attributes == {"in a branch", "in a function"}
    assert {entry.name for entry in ext._get_all_tensors(model)} == initializers | attributes
    for entry in ext._get_all_tensors(model):
        entry.doc_string = "seen"
    assert model.graph.initializer[0].doc_string == "seen"


@pytest.mark.parametrize("name", ["a", "a b", "a.b-c_d", "a/b", "", "a:b", "..", "a\0", "a\\b", " a", "a."])
def test_names_of_tensors_become_files_only_where_they_can(name: str) -> None:
    assert ext._is_valid_filename(name) == (name in ("a", "a b", "a.b-c_d"))
