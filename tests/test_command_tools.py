"""onnx_light.tools on small models made here: what each function finds, changes and refuses."""

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

import onnx_light.onnx as onnxl
from onnx_light import tools
from onnx_light.onnx import helper, numpy_helper
from onnx_light.tools.walk import bodies, places

FLOAT = onnxl.TensorProto.FLOAT


def dense(name, array):
    return numpy_helper.from_array(np.asarray(array), name)


def branch(output, weight):
    node = helper.make_node("Add", ["x", weight.name], [output])
    return helper.make_graph([node], "branch", [], [helper.make_tensor_value_info(output, FLOAT, [4])], [weight])


def small(weights=None, **renamed):
    """y = relu(x @ w + b), with a branch that has weights of its own."""

    def name(each: str) -> str:
        return str(renamed.get(each, each))

    w = dense(name("w"), np.arange(1600, dtype=np.float32).reshape(4, 400) if weights is None else weights)
    nodes = [
        helper.make_node("MatMul", [name("x"), name("w")], [name("product")], name="matmul"),
        helper.make_node("Add", [name("product"), name("b")], [name("sum")], name="bias", doc_string="adds"),
        helper.make_node("Relu", [name("sum")], [name("y")], name="relu"),
    ]
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info(name("x"), FLOAT, ["N", 4])],
        [helper.make_tensor_value_info(name("y"), FLOAT, ["N", 400])],
        [w, dense(name("b"), np.zeros(400, np.float32))],
        doc_string="a small graph",
    )
    return helper.make_model(graph, producer_name="tests", opset_imports=[helper.make_opsetid("", 21)], ir_version=10)


def with_branches():
    then, other = (branch(name, dense(f"{name}_w", np.ones(4, np.float32))) for name in ("then", "other"))
    node = helper.make_node("If", ["condition"], ["y"], then_branch=then, else_branch=other)
    inputs = [helper.make_tensor_value_info("condition", onnxl.TensorProto.BOOL, []), helper.make_tensor_value_info("x", FLOAT, [4])]
    graph = helper.make_graph([node], "outer", inputs, [helper.make_tensor_value_info("y", FLOAT, [4])])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)])


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


def test_weights_become_zeros_or_go_and_small_ones_stay():
    model = small()
    assert tools.strip_weights(model, constant=True) == 2
    assert [node.op_type for node in model.graph.node[:4]] == ["Constant", "ConstantOfShape"] * 2
    assert not model.graph.initializer
    assert numpy_helper.to_array(model.graph.node[0].attribute[0].t).tolist() == [4, 400]
    assert len(model.SerializeToString()) < 700
    bare = small()
    assert tools.strip_weights(bare, threshold=2000) == 1
    assert not bare.graph.initializer[0].HasField("raw_data")
    assert bare.graph.initializer[1].HasField("raw_data")


def with_constants():
    """The small model with its weights in Constant nodes, as some exporters keep them."""
    model = small(np.linspace(-1, 1, 1600, dtype=np.float32).reshape(4, 400))
    constants = [helper.make_node("Constant", [], [tensor.name], value=tensor) for tensor in model.graph.initializer]
    nodes = list(model.graph.node)
    model.graph.ClearField("initializer")
    model.graph.ClearField("node")
    model.graph.node.extend([*constants, *nodes])
    return model


def test_weights_in_constant_nodes_are_weights_too():
    x = np.ones((2, 4), np.float32)

    def result(model):
        return ReferenceEvaluator(onnx.load_from_string(model.SerializeToString())).run(None, {"x": x})[0]

    narrow, zeros, bare = with_constants(), with_constants(), with_constants()
    assert tools.store_weights_as(narrow, "float16") == tools.Narrowing(2)
    assert len(narrow.SerializeToString()) < 4700
    np.testing.assert_allclose(result(narrow), result(with_constants()), atol=0.05)
    assert tools.strip_weights(zeros, constant=True) == 2
    assert len(zeros.SerializeToString()) < 800
    assert not result(zeros).any()
    assert tools.strip_weights(bare) == 2
    assert len(bare.SerializeToString()) < 800


@pytest.mark.parametrize("kind", ["float16", "bfloat16"])
def test_narrower_weights_are_cast_back_and_computed_values_stay(kind):
    weights = np.linspace(-1, 1, 1600, dtype=np.float32).reshape(4, 400)
    model = small(weights)
    assert tools.store_weights_as(model, kind) == tools.Narrowing(2)
    assert len(model.SerializeToString()) < 4600
    x = np.ones((2, 4), np.float32)
    results = [
        ReferenceEvaluator(onnx.load_from_string(each.SerializeToString())).run(None, {"x": x})[0] for each in (small(weights), model)
    ]
    np.testing.assert_allclose(results[0], results[1], atol=0.05)


SPECIAL = {
    "float16": ([65519.99, 2.0**-24, 2.0**-25, 2.0**-25 + 2.0**-48, 6.1e-5, 1.00048828125], [np.nan], 65520.0),
    "bfloat16": ([3.389e38, 1e-40, 2.0**-133, 2.0**-134, 1.00390625, 1.01171875], [np.nan], float(np.finfo(np.float32).max)),
}


@pytest.mark.parametrize("external", [False, True])
@pytest.mark.parametrize("kind", SPECIAL)
def test_narrow_weights_keep_what_is_no_number_and_nothing_becomes_infinite(kind, external, tmp_path):
    numbers, rest, too_large = SPECIAL[kind]
    values = np.zeros(400, np.float32)
    special = [
        *numbers,
        *(-np.array(numbers)),
        *rest,
        np.inf,
        -np.inf,
        -0.0,
        np.finfo(np.float32).tiny,
        np.finfo(np.float32).smallest_subnormal,
    ]
    values[: len(special)] = special
    values.view(np.uint32)[399] = 0xFF800001  # a signalling NaN
    model = small()
    model.graph.initializer[1].CopyFrom(dense("b", values))
    model.graph.initializer[0].raw_data = np.full(1600, too_large, np.float32).tobytes()
    onnxl.save(model, tmp_path / "m.onnx", save_as_external_data=external, size_threshold=0)
    assert tools.convert(tmp_path / "m.onnx", tmp_path / "half.onnx", weights=kind).wide == ["w"]
    half = onnx.load(tmp_path / "half.onnx")
    assert [tensor.data_type for tensor in half.graph.initializer] == [FLOAT, getattr(onnx.TensorProto, kind.upper())]
    narrow = onnx.numpy_helper.to_array(half.graph.initializer[1])
    with np.errstate(invalid="ignore"):  # signalling NaNs
        exact_values, found = values.astype(np.float64), narrow.astype(np.float64)
        every = np.arange(1 << 16, dtype=np.uint16).view(narrow.dtype).astype(np.float64)
    every = np.unique(every[np.isfinite(every)])
    for exact, rounded in zip(exact_values, found, strict=True):
        if not np.isfinite(exact):
            assert np.array_equal(exact, rounded, equal_nan=True)
        else:
            assert abs(exact - rounded) == np.abs(every - exact).min()
    assert np.signbit(found[np.flatnonzero(values == 0)]).sum() == np.signbit(values[values == 0]).sum()
    onnx.checker.check_model(half)


@pytest.mark.parametrize(("kind", "opset"), [("float16", 5), ("bfloat16", 12), ("float16", None)])
def test_weights_are_not_narrowed_where_no_cast_gives_them_back(kind, opset):
    model = small()
    if opset is None:
        model.opset_import[0].domain = "ai.onnx.ml"
    else:
        model.opset_import[0].version = opset
    before = model.SerializeToString()
    with pytest.raises(ValueError, match=r"a Cast from .* needs opset (6|13) of ai.onnx; the model has (5|12|none)"):
        tools.store_weights_as(model, kind)
    assert model.SerializeToString() == before


def old(model):
    """The model as before IR version 4, where initializers have to be inputs as well."""
    model.ir_version = 3
    model.graph.input.extend(helper.make_tensor_value_info(t.name, t.data_type, t.dims) for t in model.graph.initializer)
    return model


@pytest.mark.parametrize("model", [small, with_constants])
def test_weights_that_have_to_be_inputs_are_weights_all_the_same(model):
    narrow, zeros = old(model()), old(model())
    assert tools.store_weights_as(narrow, "float16").narrowed == 2
    assert tools.strip_weights(zeros, constant=True) == 2
    for changed in (narrow, zeros):
        onnx.checker.check_model(onnx.load_from_string(changed.SerializeToString()), full_check=True)
        assert len(changed.SerializeToString()) < 4800


def test_initializers_that_are_defaults_for_the_caller_stay():
    for ir_version, expected in ((3, 2), (4, 0)):
        narrow, zeros = old(small()), old(small())
        narrow.ir_version = zeros.ir_version = ir_version
        done = tools.store_weights_as(narrow, "float16")
        assert (done.narrowed, done.wide) == (expected, [] if expected else ["w", "b"])
        assert tools.strip_weights(zeros, constant=True) == expected


def test_the_type_of_a_default_for_the_caller_is_nobodys_business():
    model = small()
    names = helper.make_tensor("names", onnxl.TensorProto.STRING, [200], [b"a long name"] * 200)
    model.graph.initializer.append(names)
    with pytest.raises(ValueError, match="ConstantOfShape makes no STRING, the type of 'names'"):
        tools.strip_weights(model, constant=True)
    model.graph.input.append(helper.make_tensor_value_info("names", names.data_type, names.dims))
    assert tools.strip_weights(model, constant=True) == 2
    assert [tensor.name for tensor in model.graph.initializer] == ["names"]
    assert model.graph.initializer[0] == names


def with_function(opset=21):
    """y = f(x), where f adds a weight in a Constant node of its own, and one in a branch."""
    weight = dense("", np.linspace(-1, 1, 400, dtype=np.float32))
    constant = helper.make_node("Constant", [], ["w"], value=weight)
    inner = helper.make_graph(
        [helper.make_node("Constant", [], ["v"], value=weight), helper.make_node("Add", ["sum", "v"], ["twice"])],
        "branch",
        [],
        [helper.make_tensor_value_info("twice", FLOAT, [400])],
    )
    nodes = [
        constant,
        helper.make_node("Add", ["x", "w"], ["sum"]),
        helper.make_node("Constant", [], ["yes"], value=dense("", np.array(True))),
        helper.make_node("If", ["yes"], ["y"], then_branch=inner, else_branch=inner),
    ]
    function = helper.make_function("local", "f", ["x"], ["y"], nodes, [helper.make_opsetid("", opset)])
    graph = helper.make_graph(
        [helper.make_node("f", ["x"], ["y"], domain="local")],
        "outer",
        [helper.make_tensor_value_info("x", FLOAT, [400])],
        [helper.make_tensor_value_info("y", FLOAT, [400])],
    )
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("local", 1)]
    return helper.make_model(graph, functions=[function], opset_imports=opsets, ir_version=10)


def test_weights_in_functions_are_weights_too_of_the_opset_that_the_function_imports():
    def result(model):
        official = onnx.load_from_string(model.SerializeToString())
        onnx.checker.check_model(official)
        return ReferenceEvaluator(official).run(None, {"x": np.ones(400, np.float32)})[0]

    narrow, zeros = with_function(), with_function()
    assert tools.store_weights_as(narrow, "float16") == tools.Narrowing(3)
    np.testing.assert_allclose(result(narrow), result(with_function()), atol=0.01)
    assert not np.array_equal(result(narrow), result(with_function()))
    assert tools.strip_weights(zeros, constant=True) == 3
    np.testing.assert_array_equal(result(zeros), np.ones(400, np.float32))
    assert len(zeros.SerializeToString()) < 1500
    for change in (lambda model: tools.store_weights_as(model, "bfloat16"), lambda model: tools.strip_weights(model, constant=True)):
        model = with_function(opset=8)
        with pytest.raises(ValueError, match=r"needs opset (13|9) of ai.onnx; function local.f has 8"):
            change(model)
        assert model == with_function(opset=8)


def test_weights_in_branches_are_weights_too_beside_others_outside():
    def model():
        made = with_branches()
        for attribute in made.graph.node[0].attribute:
            attribute.g.initializer[0].CopyFrom(dense(attribute.g.initializer[0].name, np.ones(300, np.float32)))
        made.graph.initializer.append(dense("outer", np.ones(300, np.float32)))
        return made

    narrow, zeros = model(), model()
    assert tools.store_weights_as(narrow, "float16") == tools.Narrowing(3)
    assert tools.strip_weights(zeros, constant=True) == 3
    assert len(narrow.SerializeToString()) < 3000
    assert len(zeros.SerializeToString()) < 1500


def test_what_stays_wide_is_named():
    model = small()
    values = np.zeros(400, np.float32)
    values[7] = 1e9
    model.graph.initializer[1].CopyFrom(dense("b", values))
    sparse = model.graph.sparse_initializer.add(dims=[1000])
    sparse.values.CopyFrom(dense("sparse", np.ones(300, np.float32)))
    sparse.indices.CopyFrom(dense("", np.arange(300)))
    model.graph.node[0].attribute.add(name="k", type=onnxl.AttributeProto.TENSOR, t=dense("", np.ones(300, np.float32)))
    done = tools.store_weights_as(model, "float16")
    assert done.narrowed == 1
    assert sorted(done.wide) == ["b", "graph.node[1].attribute[0].t", "sparse"]


def test_inputs_of_a_model_without_a_version_stay():
    model = old(small())
    model.ClearField("ir_version")
    assert tools.store_weights_as(model, "float16") == tools.Narrowing(0, ["w", "b"])
    assert tools.strip_weights(model, constant=True) == 0


def repeated(storage, weight):
    """A Loop that adds a weight; its carried input has a default."""
    body = helper.make_graph(
        [helper.make_node("Add", ["sum", weight.name], ["next"]), helper.make_node("Identity", ["go"], ["on"])],
        "body",
        [
            helper.make_tensor_value_info("i", onnxl.TensorProto.INT64, []),
            helper.make_tensor_value_info("go", onnxl.TensorProto.BOOL, []),
            helper.make_tensor_value_info("sum", FLOAT, [400]),
        ],
        [helper.make_tensor_value_info("on", onnxl.TensorProto.BOOL, []), helper.make_tensor_value_info("next", FLOAT, [400])],
        [dense("sum", np.ones(400, np.float32))],
    )
    if storage == "initializer":
        body.initializer.append(weight)
    else:
        body.node.insert(0, helper.make_node("Constant", [], [weight.name], value=weight))
    return helper.make_node("Loop", ["times", "condition", "x"], ["y"], body=body)


def chosen(storage, weight):
    """An If, one branch of which adds a weight, while the other one gives a weight."""
    branches = []
    for nodes, result in (([helper.make_node("Add", ["x", weight.name], ["sum"])], "sum"), ([], weight.name)):
        graph = helper.make_graph(nodes, "branch", [], [helper.make_tensor_value_info(result, FLOAT, [400])])
        if storage == "initializer":
            graph.initializer.append(weight)
        else:
            graph.node.insert(0, helper.make_node("Constant", [], [weight.name], value=weight))
        branches.append(graph)
    return helper.make_node("If", ["condition"], ["y"], then_branch=branches[0], else_branch=branches[1])


def nested(node, ir_version):
    inputs = [
        helper.make_tensor_value_info("times", onnxl.TensorProto.INT64, []),
        helper.make_tensor_value_info("condition", onnxl.TensorProto.BOOL, []),
        helper.make_tensor_value_info("x", FLOAT, [400]),
    ]
    graph = helper.make_graph([node], "outer", inputs, [helper.make_tensor_value_info("y", FLOAT, [400])])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=ir_version)


def signatures(model):
    return [[value.SerializeToString() for value in body.graph.input] for body in bodies(model) if body.graph]


@pytest.mark.parametrize("ir_version", [3, 10])
@pytest.mark.parametrize("storage", ["initializer", "constant"])
@pytest.mark.parametrize("make", [repeated, chosen])
def test_nested_graphs_keep_their_inputs_and_compute_as_before(make, storage, ir_version):
    weight = dense("w", np.linspace(0, 1, 400, dtype=np.float32))
    feeds = {"times": np.array(3), "x": np.full(400, 2, np.float32)}

    def results(model):
        evaluator = ReferenceEvaluator(onnx.load_from_string(model.SerializeToString()))
        return [evaluator.run(None, {**feeds, "condition": np.array(condition)})[0] for condition in (True, False)]

    exact, narrow, zeros, same = (nested(make(storage, weight), ir_version) for _ in range(4))
    count = 1 if make is repeated else 2
    assert tools.store_weights_as(narrow, "float16") == tools.Narrowing(count, ["sum"] * (make is repeated))
    assert tools.strip_weights(zeros, constant=True) == count
    assert tools.strip_weights(same, constant=True, threshold=1 << 20) == 0
    assert same == exact
    assert signatures(narrow) == signatures(zeros) == signatures(exact)
    without = nested(make(storage, dense("w", np.zeros(400, np.float32))), ir_version)
    for changed, expected, tolerance in ((narrow, exact, 0.01), (zeros, without, 0)):
        for found, wanted in zip(results(changed), results(expected), strict=True):
            np.testing.assert_allclose(found, wanted, atol=tolerance)
        if storage == "constant" or ir_version > 3:  # the checker wants initializers of old bodies to be inputs, though no node gives them
            full_check = make is chosen or ir_version == 3  # it refuses defaults of newer bodies
            onnx.checker.check_model(onnx.load_from_string(changed.SerializeToString()), full_check=full_check)


@pytest.mark.parametrize(
    ("kind", "opset"), [("FLOAT", 9), ("BFLOAT16", 20), ("FLOAT8E5M2", 20), ("INT4", 21), ("FLOAT4E2M1", 23), ("INT2", 25)]
)
def test_zeros_are_made_only_by_an_opset_that_can(kind, opset):
    weights = helper.make_tensor("w", onnxl.TensorProto.DataType.Value(kind), [5000], np.zeros(5000, np.float32))
    model = helper.make_model(helper.make_graph([], "g", [], [], [weights]), opset_imports=[helper.make_opsetid("", opset - 1)])
    before = model.SerializeToString()
    with pytest.raises(ValueError, match=f"a ConstantOfShape of {kind}.* needs opset {opset} of ai.onnx; the model has {opset - 1}"):
        tools.strip_weights(model, constant=True)
    assert model.SerializeToString() == before
    made = [onnx.defs.get_schema("ConstantOfShape", each).type_constraints[1].allowed_type_strs for each in (max(opset - 1, 9), opset)]
    assert [f"tensor({kind.lower()})" in types for types in made] == [opset == 9, True]
    model.opset_import[0].version = opset
    assert tools.strip_weights(model, constant=True) == 1


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
