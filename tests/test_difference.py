"""onnx_light.tools.compare on small models made here: what is a change, and what it is called."""

import sys
from pathlib import Path

import numpy as np
import pytest

import onnx_light.onnx as onnxl
from onnx_light import tools
from onnx_light.onnx import helper

sys.path.insert(0, str(Path(__file__).parent / "tools"))

from tool_models import FLOAT, dense, small, with_branches


def test_a_model_equals_itself_and_its_copy_through_bytes():
    model = with_branches()
    assert not tools.compare(model, onnxl.load_from_string(model.SerializeToString()))


def changes(a, b, **options):
    return [(change.kind, change.what, change.a, change.b) for change in tools.compare(a, b, **options).changes]


def test_a_changed_attribute_and_a_changed_operator_are_one_change_each():
    a, b = small(), small()
    a.graph.node[0].attribute.add(name="k", type=onnxl.AttributeProto.INT, i=1)
    b.graph.node[0].attribute.add(name="k", type=onnxl.AttributeProto.INT, i=2)
    assert changes(a, b) == [("attribute", 'MatMul "matmul": k', "1", "2")]
    b = small()
    b.graph.node[2].op_type = "Sigmoid"
    assert changes(small(), b) == [
        ("node", 'Relu "relu"', 'Relu "relu"', None),
        ("node", 'Sigmoid "relu"', None, 'Sigmoid "relu"'),
    ]


def test_values_that_are_called_differently_are_changes_of_names_only():
    renamed = small(x="input.1", product="7", sum="8", y="out", w="onnx::w", b="onnx::b")
    found = tools.compare(small(), renamed)
    assert set(found.counts()) == {"name"}, found.changes
    assert not tools.compare(small(), renamed, ignore=["name"])


def test_an_inserted_node_is_found_and_its_neighbours_keep_their_partners():
    b = small()
    b.graph.node.insert(2, helper.make_node("Identity", ["sum"], ["same"]))
    b.graph.node[3].input[0] = "same"
    assert changes(small(), b) == [("node", 'Relu "relu": inputs', "sum", "same"), ("node", "Identity -> same", None, "Identity -> same")]


def with_default(operator):
    model = small()
    function = helper.make_function("d", "f", ["x"], ["y"], [helper.make_node("Relu", ["x"], ["y"])], [])
    for name, type in (("body", onnxl.AttributeProto.GRAPH), ("bodies", onnxl.AttributeProto.GRAPHS)):
        attribute = function.attribute_proto.add(name=name, type=type)
        (attribute.g if name == "body" else attribute.graphs.add()).node.append(helper.make_node(operator, ["x"], ["z"]))
    model.functions.append(function)
    return model


def test_graphs_that_are_defaults_of_functions_are_compared():
    assert not tools.compare(with_default("Neg"), with_default("Neg"))
    found = tools.compare(with_default("Neg"), with_default("Abs")).changes
    assert [(change.place, change.a, change.b) for change in found] == [
        (f"functions[0].attribute_proto.{name}.node[0]", *sides)
        for name in ("body", "bodies")
        for sides in (("Neg -> z", None), (None, "Abs -> z"))
    ]


TYPES = {
    "denotation": (lambda kind, x: setattr(kind, "denotation", x), "tensor_type"),
    "denotation of a dimension": (lambda kind, x: setattr(kind.tensor_type.shape.dim.add(), "denotation", x), "tensor_type"),
    "denotation of an element": (lambda kind, x: setattr(kind.sequence_type.elem_type, "denotation", x), "sequence_type"),
    "name of an opaque type": (lambda kind, x: setattr(kind.opaque_type, "name", x), "opaque_type"),
    "domain of an opaque type": (lambda kind, x: setattr(kind.opaque_type, "domain", x), "opaque_type"),
}


@pytest.mark.parametrize("what", TYPES)
def test_types_differ_by_more_than_people_write(what):
    edit, field = TYPES[what]
    models = [small(), small()]
    for model, each in zip(models, ("THIS  ONE", "THIS ONE"), strict=True):
        attribute = model.graph.node[0].attribute.add(name="t", type=onnxl.AttributeProto.TYPE_PROTO)
        for kind in (model.graph.input.add(name="i").type, attribute.tp):
            getattr(kind, field).SetInParent()
            edit(kind, each)
    assert not tools.compare(models[0], models[0])
    found = tools.compare(*models).changes
    assert [(change.kind, change.what) for change in found] == [("input", "i"), ("attribute", 'MatMul "matmul": t')]
    for change in found:
        assert '"THIS  ONE"' in str(change.a)
        assert '"THIS ONE"' in str(change.b)


def test_weights_are_compared_by_their_largest_differences():
    weights = np.arange(1600, dtype=np.float32).reshape(4, 400)
    other = weights.copy()
    other[1, 2] += 0.5
    other[3, 399] -= 3
    (change,) = tools.compare(small(weights), small(other)).changes
    assert (change.kind, change.what) == ("weight", "w")
    assert change.largest is not None
    assert (change.largest.elements, change.largest.absolute, change.largest.at) == (2, 3.0, 1599)
    assert change.largest.relative == pytest.approx(3 / 1599)
    assert not tools.compare(small(weights), small(other), absolute=3)
    assert not tools.compare(small(weights), small(other), relative=0.01)
    assert not tools.compare(small(weights), small(other), weights=False)


def test_nan_equals_nan_only_bit_by_bit_unless_something_is_allowed():
    a, b = np.zeros((4, 400), np.float32), np.zeros((4, 400), np.float32)
    a[0, 0], b[0, 0] = np.nan, -np.nan
    (change,) = tools.compare(small(a), small(b)).changes
    assert change.largest is not None
    assert change.largest.elements == 1
    assert not tools.compare(small(a), small(b), absolute=1e-9)
    b[0, 0] = 1
    assert tools.compare(small(a), small(b), absolute=1e9)


def test_any_bits_can_be_compared_without_a_warning():
    noise = np.random.default_rng(0).integers(0, 2**32, (4, 400), dtype=np.uint32)
    noise[0, :2] = 0x7F800001, 0xFF812345  # signalling NaNs
    (change,) = tools.compare(small(noise.view(np.float32)), small(np.roll(noise, 1).view(np.float32))).changes
    assert change.largest is not None
    assert change.largest.elements == 1600


def test_nodes_that_are_called_otherwise_and_nested_deep_in_a_chain_are_matched_by_structure():
    def chain(name):
        names = [name.format(i) for i in range(2000)]
        nodes = [helper.make_node("Conv" if i % 3 else "Add", [names[i], "w"], [names[i + 1]], group=i % 7) for i in range(1999)]
        return helper.make_model(helper.make_graph(nodes, "g", [helper.make_tensor_value_info(names[0], FLOAT, [1])], []))

    found = tools.compare(chain("a{}"), chain("onnx::{}"))
    assert set(found.counts()) == {"name"}
    other = chain("onnx::{}")
    other.graph.node[1000].attribute[0].i = 9
    found = tools.compare(chain("a{}"), other, ignore=["name"])
    assert found.counts() == {"attribute": 1}


@pytest.mark.parametrize("kind", ["INT4", "UINT4", "INT2", "BFLOAT16", "FLOAT8E4M3FN", "DOUBLE", "UINT64", "COMPLEX64", "BOOL"])
def test_weights_of_every_kind_can_be_compared(kind):
    number = onnxl.TensorProto.DataType.Value(kind)
    values = [[0, 1, 1, 0, 1], [0, 1, 1, 1, 1]]
    models = []
    for each in values:
        tensor = helper.make_tensor("t", number, [5], each)
        models.append(helper.make_model(helper.make_graph([], "g", [], [], [tensor])))
    (change,) = tools.compare(*models).changes
    assert change.largest is not None
    assert (change.largest.elements, change.largest.at, change.largest.absolute) == (1, 3, 1.0)


def test_versions_metadata_and_shapes_are_compared():
    b = small()
    b.opset_import[0].version = 22
    b.metadata_props.add(key="author", value="me")
    b.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 1
    assert changes(small(), b) == [
        ("opset", "ai.onnx", "21", "22"),
        ("metadata", "author", None, "me"),
        ("input", "x", "FLOAT[N, 4]", "FLOAT[1, 4]"),
    ]


def duplicated():
    """Everything that is found by its name, twice under the same."""
    model = small()
    graph = model.graph
    graph.initializer.extend([dense("w", np.ones(4, np.float32)), dense("b", np.ones(3, np.float32))])
    for k in range(2):
        sparse = graph.sparse_initializer.add(dims=[9])
        sparse.values.CopyFrom(dense("s", np.arange(1, 4, dtype=np.float32) + k))
        sparse.indices.CopyFrom(dense("", np.array([1, 4, 7], np.int64)))
        graph.value_info.append(helper.make_tensor_value_info("sum", FLOAT, [k]))
        graph.quantization_annotation.add(tensor_name="sum").quant_parameter_tensor_names.add(key="SCALE_TENSOR", value=f"scale{k}")
        graph.node.append(helper.make_node("Relu", ["sum"], ["twice"], name=f"n{k}"))
        graph.node[0].attribute.add(name="k", type=onnxl.AttributeProto.INT, i=k)
        for message in (model, graph, graph.node[0]):
            message.metadata_props.add(key="key", value=f"value{k}")
        model.opset_import.add(domain="twice", version=k + 1)
        model.functions.append(helper.make_function("d", "f", ["x"], ["y"], [helper.make_node("Relu", ["x"], ["y"], name=f"n{k}")], []))
        model.functions[-1].attribute_proto.add(name="alpha", type=onnxl.AttributeProto.FLOAT, f=k)
        model.functions[-1].opset_import.add(domain="twice", version=k + 1)
    graph.input.append(helper.make_tensor_value_info("x", FLOAT, [7]))
    graph.output.append(helper.make_tensor_value_info("y", FLOAT, [7]))
    return model


DUPLICATES = {
    "weight": ("weight", lambda m, k: m.graph.initializer[3 * k].CopyFrom(dense("wb"[k], np.ones((3 - k, 4), np.int8))), "type or shape"),
    "sparse": ("weight", lambda m, k: m.graph.sparse_initializer[k].values.CopyFrom(dense("s", np.full(3, 8, np.float32))), "s"),
    "sparse indices": ("weight", lambda m, k: m.graph.sparse_initializer[k].indices.CopyFrom(dense("", np.array([1, 4, 8]))), "s"),
    "sparse shape": ("weight", lambda m, k: m.graph.sparse_initializer[k].dims.append(2), "type or shape"),
    "value": ("value", lambda m, k: m.graph.value_info[k].type.tensor_type.shape.dim.add(dim_value=2), "sum"),
    "annotation": (
        "value",
        lambda m, k: setattr(m.graph.quantization_annotation[k].quant_parameter_tensor_names[0], "value", "z"),
        "quantization",
    ),
    "node": ("name", lambda m, k: setattr(m.graph.node[3 + k], "name", "other"), "name"),
    "attribute": ("attribute", lambda m, k: setattr(m.graph.node[0].attribute[k], "i", 9), 'MatMul "matmul": k'),
    "metadata": ("metadata", lambda m, k: setattr(m.metadata_props[k], "value", "other"), "key"),
    "metadata of a graph": ("metadata", lambda m, k: setattr(m.graph.metadata_props[k], "value", "other"), "key"),
    "metadata of a node": ("metadata", lambda m, k: setattr(m.graph.node[0].metadata_props[k], "value", "other"), "key"),
    "opset": ("opset", lambda m, k: setattr(m.opset_import[1 + k], "version", 9), "twice"),
    "function": ("name", lambda m, k: setattr(m.functions[k].node[0], "name", "other"), "name"),
    "attribute of a function": ("attribute", lambda m, k: setattr(m.functions[k].attribute_proto[0], "f", 9), "default: alpha"),
    "opset of a function": ("opset", lambda m, k: setattr(m.functions[k].opset_import[0], "version", 9), "twice"),
    "input": ("input", lambda m, k: m.graph.input[k].type.tensor_type.shape.dim.add(dim_value=2), "x"),
    "output": ("output", lambda m, k: m.graph.output[k].type.tensor_type.shape.dim.add(dim_value=2), "y"),
}


@pytest.mark.parametrize("nth", [0, 1])
@pytest.mark.parametrize("what", DUPLICATES)
def test_entries_that_share_a_name_are_told_apart_by_their_order(what, nth):
    assert not tools.compare(duplicated(), duplicated())
    kind, edit, name = DUPLICATES[what]
    changed = duplicated()
    edit(changed, nth)
    (change,) = tools.compare(duplicated(), changed).changes
    assert change.kind == kind
    assert change.what.removesuffix(" #2").endswith(name) or change.what.startswith(name)
    (back,) = tools.compare(changed, duplicated()).changes
    assert (back.kind, back.a, back.b) == (kind, change.b, change.a)


def test_a_second_entry_of_a_name_that_only_one_model_has_is_a_change():
    more = duplicated()
    more.graph.initializer.append(dense("w", np.zeros(2, np.float32)))
    more.metadata_props.add(key="key", value="third")
    assert changes(duplicated(), more) == [("metadata", "key #3", None, "third"), ("weight", "w #3", None, "FLOAT[2]")]
    assert tools.summarize(more).metadata == {"key": "value0", "key #2": "value1", "key #3": "third"}
    assert tools.summarize(more).opsets == {"ai.onnx": 21, "twice": 1, "twice #2": 2}


def test_sparse_weights_may_be_as_far_apart_as_others():
    other = duplicated()
    other.graph.sparse_initializer[1].values.CopyFrom(dense("s", np.array([2, 3, 4.5], np.float32)))
    (change,) = tools.compare(duplicated(), other).changes
    assert change.largest is not None
    assert (change.largest.elements, change.largest.absolute, change.largest.at) == (1, 0.5, 2)
    assert not tools.compare(duplicated(), other, absolute=0.5)


def attributes_of_each_kind():
    kinds = onnxl.AttributeProto
    node = onnxl.NodeProto(op_type="Op", name="n")
    node.attribute.add(name="f", type=kinds.FLOAT, f=float("nan"))
    node.attribute.add(name="floats", type=kinds.FLOATS, floats=[1, float("nan")])
    tensors = node.attribute.add(name="tensors", type=kinds.TENSORS)
    tensors.tensors.extend([dense("", np.zeros(2, np.float32)), dense("", np.ones(2, np.float32))])
    sparse = node.attribute.add(name="sparse", type=kinds.SPARSE_TENSOR).sparse_tensor
    sparse.dims.append(5)
    sparse.values.CopyFrom(dense("", np.ones(2, np.float32)))
    sparse.indices.CopyFrom(dense("", np.array([0, 3])))
    types = node.attribute.add(name="types", type=kinds.TYPE_PROTOS)
    types.type_protos.append(helper.make_tensor_type_proto(FLOAT, [1]))
    node.device_configurations.add(configuration_id="c")
    model = helper.make_model(helper.make_graph([node], "g", [], []))
    model.configuration.add(name="c", num_devices=2)
    return model


@pytest.mark.parametrize(
    ("edit", "kind", "what", "a", "b"),
    [
        (lambda m, n: n[0].ClearField("f"), "attribute", "f", "nan", "0"),
        (lambda m, n: n[1].floats.append(3), "attribute", "floats", "[1, nan]", "[1, nan, 3]"),
        (lambda m, n: n[2].tensors[1].CopyFrom(dense("", [2.0])), "attribute", "tensors[1]: type or shape", "FLOAT[2]", "DOUBLE[1]"),
        (lambda m, n: n[2].tensors.pop(), "attribute", "tensors", "[FLOAT[2], FLOAT[2]]", "[FLOAT[2]]"),
        (
            lambda m, n: n[3].sparse_tensor.dims.append(2),
            "attribute",
            "sparse: type or shape",
            "sparse FLOAT[5], 2 elements",
            "sparse FLOAT[5, 2], 2 elements",
        ),
        (lambda m, n: n[4].type_protos[0].tensor_type.ClearField("shape"), "attribute", "types", "[FLOAT[1]]", "[FLOAT[…]]"),
        (lambda m, n: setattr(n[4], "type", 0), "attribute", "types", "[FLOAT[1]]", "undefined"),
        (
            lambda m, n: setattr(m.graph.node[0].device_configurations[0], "pipeline_stage", 3),
            "node",
            "device_configurations",
            'configuration_id: "c"',
            'configuration_id: "c" pipeline_stage: 3',
        ),
        (lambda m, n: m.configuration.pop(), "model", "configuration", 'name: "c" num_devices: 2', None),
    ],
)
def test_attributes_and_devices_of_each_kind_are_compared(edit, kind, what, a, b):
    assert not tools.compare(attributes_of_each_kind(), attributes_of_each_kind())
    other = attributes_of_each_kind()
    edit(other, other.graph.node[0].attribute)
    (change,) = changes(attributes_of_each_kind(), other)
    assert change == (kind, change[1], a, b)
    assert change[1].endswith(what)


def test_branches_are_compared_too():
    b = with_branches()
    b.graph.node[0].attribute[0].g.node[0].op_type = "Mul"
    assert {kind for kind, *_ in changes(with_branches(), b)} == {"node"}
