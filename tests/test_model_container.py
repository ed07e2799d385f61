"""onnx.model_container: large initializers stay arrays, and are written and read beside their model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import onnx.numpy_helper
import pytest

import onnx_light.onnx as onnxl
from onnx_light.onnx import helper, numpy_helper
from onnx_light.onnx.model_container import ModelContainer, make_large_model, make_large_tensor_proto

FLOAT = onnxl.TensorProto.FLOAT
ARRAYS: dict[str, Any] = {"#a": np.arange(6, dtype=np.float32).reshape(2, 3), "#b": np.ones((3, 2), np.float32)}


def graph_of(*tensors: Any) -> Any:
    nodes = [helper.make_node("Identity", [tensor.name], [f"{tensor.name}_out"]) for tensor in tensors]
    outputs = [helper.make_tensor_value_info(f"{tensor.name}_out", tensor.data_type, list(tensor.dims)) for tensor in tensors]
    return helper.make_graph(nodes, "g", [], outputs, list(tensors))


def container() -> ModelContainer:
    small = numpy_helper.from_array(np.ones(2, np.float32), "small")
    graph = graph_of(make_large_tensor_proto("#a", "A", FLOAT, (2, 3)), small, make_large_tensor_proto("#b", "B", FLOAT, (3, 2)))
    return make_large_model(graph, dict(ARRAYS), ir_version=9)


@pytest.mark.parametrize("one_file", [False, True])
def test_a_saved_container_is_a_model_with_its_weights_beside_it(tmp_path: Path, one_file: bool) -> None:
    large = container()
    before = large.model_proto.SerializeToString()
    saved = large.save(str(tmp_path / "m.onnx"), one_file)
    assert large.model_proto.SerializeToString() == before
    assert len(list(tmp_path.iterdir())) == (2 if one_file else 3)
    for load in (onnxl.load, onnx.load):
        model = load(str(tmp_path / "m.onnx"))
        to_array = numpy_helper.to_array if load is onnxl.load else onnx.numpy_helper.to_array
        found = [to_array(tensor).tolist() for tensor in model.graph.initializer]
        assert found == [ARRAYS["#a"].tolist(), [1.0, 1.0], ARRAYS["#b"].tolist()]
    assert onnxl.load(tmp_path / "m.onnx", load_external_data=False) == saved


def test_a_container_loads_what_it_saved_as_arrays(tmp_path: Path) -> None:
    container().save(tmp_path / "m.onnx", True)
    loaded = ModelContainer()
    loaded.load(tmp_path / "m.onnx")
    loaded.check_large_initializers()
    assert sorted(array.shape for array in loaded.large_initializers.values()) == [(2, 3), (3, 2)]
    loaded.save(tmp_path / "again.onnx", True)
    assert numpy_helper.to_array(onnxl.load(tmp_path / "again.onnx").graph.initializer[0]).tolist() == ARRAYS["#a"].tolist()
    without = ModelContainer()
    without.load(tmp_path / "m.onnx", load_large_initializers=False)
    assert without.large_initializers == {}


def test_saving_again_replaces_the_weights(tmp_path: Path) -> None:
    large = container()
    for _ in range(3):
        large.save(tmp_path / "m.onnx", True)
    assert (tmp_path / "m.onnx.weight").stat().st_size == 48


def test_types_of_less_than_a_byte_are_packed(tmp_path: Path) -> None:
    array = np.array([1, -2, 3]).astype(ml_dtypes.int4)
    tensor = make_large_tensor_proto("#t", "T", onnxl.TensorProto.INT4, (3,))
    make_large_model(graph_of(tensor), {"#t": array}, ir_version=10).save(tmp_path / "m.onnx")
    found = numpy_helper.to_array(onnxl.load(tmp_path / "m.onnx").graph.initializer[0])
    assert found.tolist() == array.tolist()


def test_wrong_use_is_an_error_that_says_what_is_missing(tmp_path: Path) -> None:
    empty = ModelContainer()
    for act in (lambda: empty.model_proto, empty.check_model, lambda: empty.save(tmp_path / "m.onnx")):
        with pytest.raises(RuntimeError, match="no model"):
            act()
    with pytest.raises(ValueError, match="#x"):
        container()["#x"]
    with pytest.raises(ValueError, match="'#'"):
        make_large_model(container().model_proto.graph, {"a": ARRAYS["#a"]})
    with pytest.raises(RuntimeError, match="#b"):
        make_large_model(container().model_proto.graph, {"#a": ARRAYS["#a"]})
    with pytest.raises(FileNotFoundError):
        container().save(tmp_path / "no" / "m.onnx")
    with pytest.raises(TypeError, match="ModelProto"):
        empty.model_proto = "x"  # type: ignore[assignment]
    missing = container()
    del missing.large_initializers["#a"]
    with pytest.raises(RuntimeError, match="#a"):
        missing.save(tmp_path / "n.onnx")
    assert not (tmp_path / "n.onnx").exists()


def test_graphs_inside_of_nodes_are_found() -> None:
    inner = helper.make_graph([], "inner", [], [])
    node = helper.make_node("If", ["c"], ["y"], then_branch=inner, else_branch=inner, more=[inner])
    large = make_large_model(helper.make_graph([node], "outer", [], []))
    assert sorted(graph.name for graph in large.enumerate_graph_protos()) == ["inner"] * 3 + ["outer"]
    assert large.is_in_memory_external_initializer("#a") and not large.is_in_memory_external_initializer("a")


def test_a_save_that_fails_leaves_the_files_as_they_are(tmp_path: Path) -> None:
    large = container()
    large.save(tmp_path / "m.onnx", True)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    del large.large_initializers["#b"]
    large.large_initializers["#a"] = np.zeros((2, 3), np.float32)
    with pytest.raises(RuntimeError, match="#b"):
        large.save(tmp_path / "m.onnx", True)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before
