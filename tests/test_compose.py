"""onnx.compose and onnx.utils: names, merging, parts; what the official package gives where it gives something right."""

from __future__ import annotations

import copy
import inspect
import itertools
import time
from typing import Any

import onnx
import onnx.compose
import onnx.utils
import pytest

import onnx_light.onnx as onnxl
from onnx_light.onnx import compose, helper
from onnx_light.onnx.checker import ValidationError
from onnx_light.onnx.model_container import ModelContainer
from onnx_light.onnx.tools.replace_constants import replace_initializer_by_constant_of_shape
from onnx_light.onnx.utils import Extractor, extract_model

OPSET = helper.make_opsetid("", 17)
FLAGS = ("rename_nodes", "rename_edges", "rename_inputs", "rename_outputs", "rename_initializers", "rename_value_infos")


def value(name: str) -> Any:
    return helper.make_tensor_value_info(name, onnxl.TensorProto.FLOAT, [2])


def tensor(name: str) -> Any:
    return helper.make_tensor(name, onnxl.TensorProto.FLOAT, [2], [1, 2])


def model_of(graph: Any, imports: Any = (OPSET,), **more: Any) -> Any:
    return helper.make_model(graph, opset_imports=list(imports), ir_version=8, **more)


def chain(name: str, p: str, doc: str = "") -> Any:
    """p0 -> Neg -> pm -> Abs -> p1, and p0 -> Exp -> p2; pu is not used."""
    nodes = [
        helper.make_node("Neg", [f"{p}0"], [f"{p}m"], name=f"{p}_neg"),
        helper.make_node("Abs", [f"{p}m"], [f"{p}1"]),
        helper.make_node("Exp", [f"{p}0"], [f"{p}2"]),
    ]
    graph = helper.make_graph(nodes, name, [value(f"{p}0"), value(f"{p}u")], [value(f"{p}1"), value(f"{p}2")], doc_string=doc)
    graph.initializer.extend([tensor(f"{p}0"), tensor(f"{p}w")])
    graph.value_info.append(value(f"{p}m"))
    return graph


def theirs(message: Any) -> Any:
    return getattr(onnx, type(message).__name__).FromString(message.SerializeToString())


def ours(message: Any) -> Any:
    return getattr(onnxl, type(message).__name__).FromString(message.SerializeToString())


def names(graph: Any) -> dict[str, Any]:
    return {
        "name": graph.name,
        "inputs": [entry.name for entry in graph.input],
        "outputs": [entry.name for entry in graph.output],
        "initializers": [entry.name for entry in graph.initializer],
        "sparse": [(entry.values.name, entry.indices.name) for entry in graph.sparse_initializer],
        "infos": [entry.name for entry in graph.value_info],
        "nodes": [(node.name, node.op_type, list(node.input), list(node.output)) for node in graph.node],
    }


def test_functions_have_the_parameters_of_onnx() -> None:
    for name in compose.__all__:
        expected = inspect.signature(getattr(onnx.compose, name)).parameters.values()
        got = inspect.signature(getattr(compose, name)).parameters.values()
        assert [(p.name, p.kind, p.default) for p in got] == [(p.name, p.kind, p.default) for p in expected], name


@pytest.mark.parametrize("flags", list(itertools.product([False, True], repeat=6)), ids=lambda flags: "".join("01"[flag] for flag in flags))
def test_prefixes_go_where_onnx_puts_them(flags: tuple[bool, ...]) -> None:
    graph = chain("g", "a")
    graph.sparse_initializer.append(helper.make_sparse_tensor(tensor("sv"), helper.make_tensor("si", 7, [2], [0, 1]), [3]))
    graph.node.append(helper.make_node("Add", ["aw", "loose"], ["q"]))
    graph.value_info.append(value("ghost"))
    options = dict(zip(FLAGS, flags, strict=True))
    expected: dict[str, str] = {}
    found: dict[str, str] = {}
    result = compose.add_prefix_graph(graph, "p/", **options, name_map=found)
    assert names(result) == names(onnx.compose.add_prefix_graph(theirs(graph), "p/", **options, name_map=expected))
    assert found == expected
    assert names(graph) == names(chain("g", "a")) | {
        "sparse": [("sv", "si")],
        "infos": ["am", "ghost"],
        "nodes": [*names(chain("g", "a"))["nodes"], ("", "Add", ["aw", "loose"], ["q"])],
    }


def test_names_that_are_settled_already_count() -> None:
    result = compose.add_prefix_graph(chain("g", "a"), "p/", name_map={"a0": "mine"})
    assert result.input[0].name == result.node[0].input[0] == "mine"
    assert result.node[0].output[0] == "p/am"


def test_annotations_follow_their_values() -> None:
    graph = chain("g", "a")
    note = graph.quantization_annotation.add(tensor_name="am")
    note.quant_parameter_tensor_names.add(key="SCALE_TENSOR", value="aw")
    result = compose.add_prefix_graph(graph, "p/")
    assert result.quantization_annotation[0].tensor_name == "p/am"
    assert result.quantization_annotation[0].quant_parameter_tensor_names[0].value == "p/aw"


def test_inplace_changes_the_graph_that_is_held() -> None:
    model = model_of(chain("g", "a"))
    graph, node = model.graph, model.graph.node[0]
    assert compose.add_prefix(model, "p/", inplace=True) is model
    assert graph.input[0].name == node.input[0] == "p/a0"
    assert compose.add_prefix(model, "q/") is not model
    assert node.input[0] == "p/a0"


CASES: dict[str, dict[str, Any]] = {
    "one": {"io_map": [("a1", "b0")]},
    "none": {"io_map": []},
    "name and doc": {"io_map": [("a1", "b0")], "name": "N", "doc_string": "D"},
    "same output twice": {"io_map": [("a1", "b0"), ("a1", "bu")]},
    "same input twice": {"io_map": [("a1", "b0"), ("a2", "b0")]},
    "prefixes": {"io_map": [("a1", "b0")], "prefix1": "x/", "prefix2": "y/"},
}


@pytest.mark.parametrize("case", CASES)
def test_graphs_are_merged_as_onnx_merges_them(case: str) -> None:
    first, second = chain("A", "a", "doc of A"), chain("B", "b", "doc of B")
    merged = compose.merge_graphs(first, second, **CASES[case])
    assert names(merged) == names(onnx.compose.merge_graphs(theirs(first), theirs(second), **CASES[case]))
    assert names(first) == names(chain("A", "a"))
    assert names(second) == names(chain("B", "b"))
    if case == "name and doc":
        assert merged.doc_string == "D"
    else:
        assert "doc of A" in merged.doc_string
        assert "doc of B" in merged.doc_string


@pytest.mark.parametrize(
    ("inputs", "outputs", "ops", "initializers"),
    [
        (None, ["b1"], ["Neg", "Abs", "Neg", "Abs"], ["a0"]),
        (None, ["a1", "b2"], ["Neg", "Abs", "Exp"], ["a0"]),
        (["a0"], ["b1"], ["Neg", "Abs", "Neg", "Abs"], ["a0"]),
        (["am"], ["b1"], ["Abs", "Neg", "Abs"], []),
    ],
)
def test_what_is_not_needed_for_chosen_outputs_is_left_out(inputs: Any, outputs: Any, ops: Any, initializers: Any) -> None:
    merged = compose.merge_graphs(chain("A", "a"), chain("B", "b"), [("a1", "b0")], inputs=inputs, outputs=outputs)
    assert [node.op_type for node in merged.node] == ops
    assert [entry.name for entry in merged.output] == outputs
    assert [entry.name for entry in merged.input] == (inputs or ["a0", "au", "bu"])
    assert [entry.name for entry in merged.initializer] == initializers


NOTHING: Any = None
WRONG: dict[str, Any] = {
    "no such output": (lambda a, b: compose.merge_graphs(a, b, [("nix", "b0")]), ValueError, "nix"),
    "no such input": (lambda a, b: compose.merge_graphs(a, b, [("a1", "nix")]), ValueError, "nix"),
    "an inner value as output": (lambda a, b: compose.merge_graphs(a, b, [("am", "b0")]), ValueError, "am"),
    "names in common": (lambda a, b: compose.merge_graphs(a, a, [("a1", "a0")]), ValueError, "am"),
    "unknown output to keep": (lambda a, b: compose.merge_graphs(a, b, [("a1", "b0")], outputs=["nix"]), ValueError, "nix"),
    "no graph": (lambda a, b: compose.merge_graphs(NOTHING, b, []), TypeError, "g1"),
    "no second graph": (lambda a, b: compose.merge_graphs(a, model_of(b), []), TypeError, "g2"),
    "no list": (lambda a, b: compose.merge_graphs(a, b, NOTHING), TypeError, "io_map"),
    "no model": (lambda a, b: compose.merge_models(model_of(a), b, []), TypeError, "m2"),
    "no graph to prefix": (lambda a, b: compose.add_prefix_graph(model_of(a), "p"), TypeError, "graph"),
    "no model to prefix": (lambda a, b: compose.add_prefix(a, "p"), TypeError, "model"),
    "no graph to compare": (lambda a, b: compose.check_overlapping_names(a, NOTHING), TypeError, "g2"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_calls_are_errors_that_name_what_is_wrong(case: str) -> None:
    call, kind, text = WRONG[case]
    with pytest.raises(kind, match=text):
        call(chain("A", "a"), chain("B", "b"))


def test_overlapping_names_are_told_by_kind() -> None:
    graph = chain("A", "a")
    found = dict(compose.check_overlapping_names(graph, graph))
    expected = dict(onnx.compose.check_overlapping_names(theirs(graph), theirs(graph)))
    assert found.keys() == expected.keys()
    assert set(found["edge"]) >= set(expected["edge"])
    assert "a0" not in dict(compose.check_overlapping_names(graph, graph, [("a1", "a0")]))["edge"]


def test_models_are_merged_with_all_they_have() -> None:
    f = helper.make_function("local", "f", ["x"], ["y"], [helper.make_node("Neg", ["x"], ["y"])], [OPSET])
    local = helper.make_opsetid("local", 1)
    first = model_of(chain("A", "a"), [OPSET, local], functions=[f])
    second = model_of(chain("B", "b"), [helper.make_opsetid("ml", 3), OPSET])
    helper.set_model_props(first, {"k": "v"})
    helper.set_model_props(second, {"k": "v", "l": "w"})
    first.configuration.add(name="dev")
    second.training_info.add().algorithm.name = "step"
    second.opset_import.append(local)
    merged = compose.merge_models(first, second, [("a1", "b0")])
    assert [(entry.domain, entry.version) for entry in merged.opset_import] == [("", 17), ("local", 1), ("ml", 3)]
    assert [(entry.key, entry.value) for entry in merged.metadata_props] == [("k", "v"), ("l", "w")]
    assert [entry.name for entry in merged.functions] == ["f"]
    assert [entry.name for entry in merged.configuration] == ["dev"]
    assert [entry.algorithm.name for entry in merged.training_info] == ["step"]
    assert (merged.producer_name, merged.producer_version, merged.model_version) == ("onnx.compose.merge_models", "1.0", 1)


def test_models_that_contradict_each_other_are_not_merged() -> None:
    first, second = model_of(chain("A", "a")), model_of(chain("B", "b"))
    f = helper.make_function("local", "f", ["x"], ["y"], [helper.make_node("Neg", ["x"], ["y"])], [OPSET])
    for change, text in (
        (lambda m: setattr(m, "ir_version", 7), "8 and 7"),
        (lambda m: setattr(m.opset_import[0], "version", 16), "17 and 16"),
        (lambda m: m.metadata_props.add(key="k", value="other"), "other"),
        (lambda m: m.functions.append(f), '"f"'),
    ):
        changed = copy.deepcopy(second)
        base = copy.deepcopy(first)
        base.metadata_props.add(key="k", value="v")
        base.functions.append(f)
        base.opset_import.append(helper.make_opsetid("local", 1))
        change(changed)
        with pytest.raises(ValueError, match=text):
            compose.merge_models(base, changed, [("a1", "b0")])


def test_a_merged_model_that_breaks_a_rule_is_an_error() -> None:
    first = model_of(chain("A", "a"))
    first.graph.node[0].input[0] = "nowhere"
    with pytest.raises(ValidationError, match="nowhere"):
        compose.merge_models(first, model_of(chain("B", "b")), [("a1", "b0")])


@pytest.mark.parametrize("axis", [0, 1, -1, -2])
def test_outputs_get_a_dimension_as_in_onnx(axis: int) -> None:
    model = model_of(chain("A", "a"))
    result = compose.expand_out_dim(model, axis)
    expected = onnx.compose.expand_out_dim(theirs(model), axis)
    assert names(result.graph)["nodes"] == names(expected.graph)["nodes"]
    assert [entry.name for entry in result.graph.output] == ["a1", "a2"]
    shapes = [[dim.dim_value for dim in entry.type.tensor_type.shape.dim] for entry in result.graph.output]
    assert shapes == ([[1, 2]] * 2 if axis in (0, -2) else [[2, 1]] * 2)
    assert compose.expand_out_dim(model, axis, inplace=True) is model
    assert model == result


# ---- parts


def test_parts_have_the_nodes_and_values_that_onnx_takes() -> None:
    model = model_of(chain("A", "a"))
    for inputs, outputs in ((["a0"], ["a1"]), (["am"], ["a1"]), (["a0"], ["am", "a2"]), (["a0", "au"], ["a0"]), ([], ["a1"])):
        part = Extractor(model).extract_model(inputs, outputs)
        expected = onnx.utils.Extractor(theirs(model)).extract_model(inputs, outputs)
        for kind in ("name", "inputs", "outputs", "nodes"):
            assert names(part.graph)[kind] == names(expected.graph)[kind], (inputs, outputs)
        assert part.graph.input == ours(expected.graph).input


def test_a_value_the_model_does_not_have_cannot_be_extracted() -> None:
    extractor = Extractor(model_of(chain("A", "a")))
    for inputs, outputs in ((["nix"], ["a1"]), (["a0"], ["nix"])):
        with pytest.raises(ValueError, match="nix"):
            extractor.extract_model(inputs, outputs)


def test_a_part_that_uses_what_nothing_defines_is_refused_and_the_value_named() -> None:
    graph = helper.make_graph([helper.make_node("Add", ["x", "z"], ["y"], name="n")], "g", [value("x"), value("z")], [value("y")])
    model = model_of(graph)
    with pytest.raises(ValidationError, match=r'"z" \(in node "n", Add\)'):
        Extractor(model).extract_model(["x"], ["y"])
    with pytest.raises(ValidationError, match=r'"z" \(as an output\)'):
        Extractor(model).extract_model(["x"], ["z"])
    part = onnx.utils.Extractor(theirs(model)).extract_model(["x"], ["y"])  # onnx leaves it to its checker
    with pytest.raises(onnx.checker.ValidationError, match="z"):
        onnx.checker.check_model(part)


def test_a_message_of_another_package_is_refused_by_its_full_name() -> None:
    ours_, other = model_of(chain("A", "a")), theirs(model_of(chain("A", "a")))
    for call in (
        lambda: Extractor(other),
        lambda: onnxl.compose.merge_models(ours_, other, []),
        lambda: ours_.graph.node.append(other.graph.node[0]),
        lambda: ours_.graph.node.extend(other.graph.node),
        lambda: ours_.CopyFrom(other),
        lambda: helper.strip_doc_string(other),
        lambda: replace_initializer_by_constant_of_shape(other),
        lambda: setattr(ModelContainer(), "model_proto", other),
    ):
        with pytest.raises(TypeError, match=r"not (in )?onnx\.onnx_ml_pb2\.\w+Proto"):
            call()
    with pytest.raises(TypeError, match=r"takes a NodeProto, not int$"):
        ours_.graph.node.append(1)


def test_a_part_goes_from_file_to_file(tmp_path: Any) -> None:
    onnxl.save(model_of(chain("A", "a")), tmp_path / "whole.onnx")
    extract_model(tmp_path / "whole.onnx", tmp_path / "part.onnx", ["am"], ["a1"])
    part = onnxl.load(tmp_path / "part.onnx")
    assert part.producer_name == "onnx.utils.extract_model"
    assert [node.op_type for node in part.graph.node] == ["Abs"]
    with pytest.raises(ValueError, match="no_such"):
        extract_model(tmp_path / "no_such", tmp_path / "x", ["am"], ["a1"])
    with pytest.raises(ValueError):
        extract_model(tmp_path / "whole.onnx", tmp_path / "x", [], ["a1"])
    with pytest.raises(ValueError):
        extract_model(tmp_path / "whole.onnx", "", ["am"], ["a1"])


def test_a_part_that_depends_on_a_missing_input_is_an_error_when_it_is_checked(tmp_path: Any) -> None:
    graph = helper.make_graph([helper.make_node("Add", ["x", "z"], ["y"])], "g", [value("x"), value("z")], [value("y")])
    onnxl.save(model_of(graph), tmp_path / "whole.onnx")
    with pytest.raises(ValidationError, match='"z"'):
        extract_model(tmp_path / "whole.onnx", tmp_path / "part.onnx", ["x"], ["y"])
    extract_model(tmp_path / "whole.onnx", tmp_path / "part.onnx", ["x"], ["y"], check_model=False)


def long_chain(length: int) -> Any:
    nodes = [helper.make_node("Neg", [f"v{at}"], [f"v{at + 1}"]) for at in range(length)]
    return model_of(helper.make_graph(nodes, "long", [value("v0")], [value(f"v{length}")]))


def seconds(call: Any, *arguments: Any) -> float:
    started = time.process_time()
    call(*arguments)
    return time.process_time() - started


def test_time_grows_with_the_model_and_not_faster() -> None:
    for act in (
        lambda model, n: Extractor(model).extract_model(["v0"], [f"v{n}"]),
        lambda model, n: compose.add_prefix(model, "p/"),
        lambda model, n: compose.merge_models(model, model, [(f"v{n}", "v0")], prefix1="a", prefix2="b"),
    ):
        small, large = (min(seconds(act, long_chain(length), length) for _ in range(3)) for length in (5_000, 20_000))
        assert large < 10 * small + 0.05


def test_archives_that_lead_out_of_their_folder_are_refused(tmp_path: Any) -> None:
    import io
    import tarfile

    from onnx_light.onnx import utils

    for name, kind in (("../model_evil/x", tarfile.REGTYPE), ("/etc/x", tarfile.REGTYPE), ("link", tarfile.SYMTYPE)):
        with tarfile.open(tmp_path / "a.tar", "w") as archive:
            info = tarfile.TarInfo(name)
            info.type = kind
            info.linkname = "/etc/passwd" if kind == tarfile.SYMTYPE else ""
            archive.addfile(info, io.BytesIO())
        with pytest.raises(RuntimeError):
            utils._extract_model_safe(tmp_path / "a.tar", tmp_path / "model")
    with tarfile.open(tmp_path / "b.tar", "w") as archive:
        archive.addfile(tarfile.TarInfo("data/x"), io.BytesIO())
    utils._extract_model_safe(tmp_path / "b.tar", tmp_path / "model")
    assert (tmp_path / "model" / "data" / "x").exists()
