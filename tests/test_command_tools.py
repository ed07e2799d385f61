"""onnx_light.tools on small models made here: what each function finds, changes and refuses."""

import sys
from pathlib import Path

import numpy as np
import pytest

import onnx_light.onnx as onnxl
from onnx_light import tools
from onnx_light.onnx import numpy_helper
from onnx_light.tools.walk import bodies, places

sys.path.insert(0, str(Path(__file__).parent / "tools"))

from tool_models import FLOAT, small, with_branches


def test_a_summary_counts_nodes_tensors_and_bytes_at_every_depth():
    found = tools.summarize(small())
    assert (found.nodes, found.operators, found.tensors) == (3, {"MatMul": 1, "Add": 1, "Relu": 1}, 2)
    assert (found.parameters, found.bytes) == (2000, 8000)
    assert found.types == {"FLOAT": {"tensors": 2, "parameters": 2000, "bytes": 8000}}
    assert found.largest[0].name == "w"
    assert found.inputs[0].type == "FLOAT[N, 4]"
    assert found.opsets == {"ai.onnx": 21}
    assert tools.summarize(with_branches()).operators == {"Add": 2, "If": 1}
    assert [body.place for body in bodies(with_branches())] == [
        "graph",
        "graph.node[0].attribute[0].g",
        "graph.node[0].attribute[1].g",
    ]


def test_tensors_are_listed_by_pattern_type_and_size():
    rows = tools.list_tensors(small(), sort="bytes")
    assert [(row.name, row.bytes, row.storage) for row in rows] == [("w", 6400, "raw"), ("b", 1600, "raw")]
    assert [row.name for row in tools.list_tensors(with_branches(), "then*")] == ["then_w"]
    assert tools.list_tensors(small(), type="INT64") == []
    with pytest.raises(ValueError, match="one of place, name, bytes, type"):
        tools.list_tensors(small(), sort="size")


def test_nodes_are_listed_by_operator_and_by_the_name_of_an_output():
    assert [row.name for row in tools.list_nodes(small(), op="*Mul")] == ["matmul"]
    assert [row.op for row in tools.list_nodes(small(), "sum")] == ["Add"]
    assert tools.list_nodes(with_branches(), op="Add")[1].place == "graph.node[0].attribute[1].g.node[0]"


def test_renaming_reaches_branches_and_refuses_collisions():
    model = with_branches()
    before = model.SerializeToString()
    with pytest.raises(ValueError, match="would both be called 'y'"):
        tools.rename(model, {"x": "y"})
    with pytest.raises(ValueError, match="no value or node is called 'z'"):
        tools.rename(model, {"z": "y"})
    assert model.SerializeToString() == before
    assert tools.rename(model, {"x": "image"}) == 1
    assert [node.input[0] for body in bodies(model) for node in body.holder.node if node.op_type == "Add"] == ["image", "image"]
    assert tools.rename(model, prefix="p/") == 7
    assert model.graph.node[0].output[0] == "p/y"


def test_facts_are_set_and_dimensions_have_sizes_or_names():
    model = small()
    tools.add_metadata(model, "a", "1")
    tools.add_metadata(model, "a", "2")
    tools.add_metadata(model, "b", None)
    assert [(entry.key, entry.value) for entry in model.metadata_props] == [("a", "2")]
    tools.add_metadata(model, "a", None)
    assert len(model.metadata_props) == 0
    tools.set_opset(model, "ai.onnx", 22)
    tools.set_opset(model, "com.acme", 1)
    assert [(entry.domain, entry.version) for entry in model.opset_import] == [("", 22), ("com.acme", 1)]
    tools.set_dims(model, "x", [1, "K", None])
    dims = model.graph.input[0].type.tensor_type.shape.dim
    assert [dim.WhichOneof("value") for dim in dims] == ["dim_value", "dim_param", None]
    for name, wrong in (("nobody", [1]), ("x", [-1])):
        with pytest.raises(ValueError, match=name):
            tools.set_dims(model, name, wrong)


def test_doc_strings_go_everywhere():
    model = small()
    assert tools.strip_docs(model) == 2
    assert b"adds" not in model.SerializeToString()


def test_digests_do_not_depend_on_how_weights_are_stored(tmp_path):
    model = small()
    typed = onnxl.ModelProto()
    typed.CopyFrom(model)
    for _, tensor, _ in places(typed):
        values = numpy_helper.to_array(tensor).ravel()
        tensor.ClearField("raw_data")
        tensor.float_data.extend(values)
    onnxl.save(model, tmp_path / "m.onnx", location="w.bin", size_threshold=0, alignment=64)
    external = tools.read(tmp_path / "m.onnx", weights=True)
    assert tools.digest(model) == tools.digest(typed) == tools.digest(external)
    typed.graph.initializer[0].float_data[0] = 7
    assert tools.digest(typed).structure == tools.digest(model).structure
    assert tools.digest(typed).weights != tools.digest(model).weights
    with pytest.raises(ValueError, match="was not loaded"):
        tools.digest(tools.read(tmp_path / "m.onnx"))


def test_a_whole_model_has_no_problems_and_each_fault_is_named(tmp_path):
    path = tmp_path / "m.onnx"
    onnxl.save(small(), path)
    assert tools.verify(path) == []
    onnxl.save(small(), path, location="w.bin", size_threshold=0)
    assert tools.verify(path) == []
    with (tmp_path / "w.bin").open("r+b") as file:
        file.truncate(6400)
    (problem,) = tools.verify(path)
    assert problem.name == "b"
    assert "which has 6400" in problem.text
    (tmp_path / "w.bin").unlink()
    (problem,) = tools.verify(path)
    assert problem.text == "the file is missing; 2 tensors are in it"
    model = small()
    model.graph.initializer[0].raw_data = b"12345678"
    onnxl.save(model, path)
    (problem,) = tools.verify(path)
    assert str(problem) == "graph.initializer[0] 'w': shape [4, 400] of type FLOAT asks for 6400 bytes, there are 8"
    with pytest.raises(onnxl.DecodeError):
        (tmp_path / "no.onnx").write_bytes(b"no model")
        tools.verify(tmp_path / "no.onnx")


def test_conversions_go_there_and_back(tmp_path):
    source = tmp_path / "a.onnx"
    onnxl.save(small(), source)
    tools.convert(source, tmp_path / "b.onnx", external=True, alignment=4096, split=7000)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.onnx", "b.onnx", "b.onnx.data", "b.onnx.data.1"]
    tools.convert(tmp_path / "b.onnx", tmp_path / "c.textproto", external=False)
    tools.convert(tmp_path / "c.textproto", tmp_path / "d.onnx")
    assert not tools.compare(tools.read(tmp_path / "d.onnx"), small())
    with pytest.raises(ValueError, match="is the file that is read"):
        tools.convert(source, tmp_path / "." / "a.onnx")
    tools.convert(source, source, inplace=True)
    with pytest.raises(ValueError, match="about weights beside the model"):
        tools.convert(source, tmp_path / "e.onnx", external=False, split=1)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"weights": "float16"},
        {"weights": "float16", "external": True},
        {"external": True, "alignment": 4096},
        {"external": True, "one_file": False},
    ],
)
def test_what_will_be_written_is_known_before(options, tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    onnxl.save(small(np.zeros((4, 100_000), np.float32)), source / "a.onnx", location="w" if options.get("external") else None)
    sizes, told = [], []
    tools.convert(source / "a.onnx", tmp_path / "a.onnx", progress=told.append, before_writing=sizes.append, **options)
    written = sum(path.stat().st_size for path in tmp_path.iterdir() if path.is_file())
    assert sum(told) == written
    (size,) = sizes
    assert size == written if not options.get("external") else abs(size - written) < 4500


def test_a_text_that_is_converted_is_told_while_it_is_read_once_and_then_while_it_is_written(tmp_path):
    onnxl.save(small(np.zeros((4, 500_000), np.float32)), tmp_path / "a.json", location="w.data", size_threshold=1 << 20)
    text = (tmp_path / "a.json").stat().st_size
    told = []
    read = []
    tools.convert(
        tmp_path / "a.json",
        tmp_path / "b.onnx",
        external=False,
        progress=told.append,
        before_writing=lambda size: read.extend([size, sum(told)]),
    )
    assert read == [(tmp_path / "b.onnx").stat().st_size, text]
    assert sum(told) == sum(read)
    tools.convert(tmp_path / "b.onnx", tmp_path / "c.json", before_writing=read.append)
    assert read[2:] == [0]
    assert not tools.compare(tools.read(tmp_path / "c.json"), tools.read(tmp_path / "a.json", weights=True))


def test_layouts_of_external_weights_are_asked_for_where_there_are_some(tmp_path):
    onnxl.save(small(), tmp_path / "a.onnx")
    for wrong in ({"split": 7000}, {"alignment": 64}, {"threshold": 1}, {"location": "w"}, {"attributes": True}, {"one_file": False}):
        with pytest.raises(ValueError, match=r"weights beside the model.*--external"):
            tools.convert(tmp_path / "a.onnx", tmp_path / "b.onnx", **wrong)
    assert [path.name for path in tmp_path.iterdir()] == ["a.onnx"]
    tools.convert(tmp_path / "a.onnx", tmp_path / "b.onnx", external=True)
    tools.convert(tmp_path / "b.onnx", tmp_path / "c.onnx", alignment=4096)  # where they are beside, they stay there
    assert onnxl.list_external_data(tmp_path / "c.onnx")[1].offset == 8192
    tools.convert(tmp_path / "a.onnx", tmp_path / "d.onnx", weights="float16", threshold=2000)
    assert {tensor.data_type for tensor in onnxl.load(tmp_path / "d.onnx").graph.initializer} == {FLOAT, onnxl.TensorProto.FLOAT16}


def test_the_package_lists_its_names_and_loads_each_when_it_is_asked_for():
    assert sorted(tools.__all__) == sorted(tools._HOMES) == sorted(dir(tools))
    for name in tools.__all__:
        assert getattr(tools, name).__module__ == f"onnx_light.tools.{tools._HOMES[name]}"


def test_bench_times_this_package_and_those_beside_it(tmp_path):
    onnxl.save(small(), tmp_path / "m.onnx")
    timings = {timing.package: timing for timing in tools.bench(tmp_path / "m.onnx", rounds=1)}
    assert set(timings) == {"onnx_light", "onnx"}
    assert all(timing.load and timing.save and timing.peak_bytes for timing in timings.values())


def test_bench_tells_the_memory_of_its_own_processes_not_of_the_one_that_asked(tmp_path):
    onnxl.save(small(), tmp_path / "m.onnx")
    held = b"x" * (400 << 20)
    (timing,) = tools.bench(tmp_path / "m.onnx", rounds=1, peers=False)
    assert timing.peak_bytes < len(held)
