"""Weights that tools take out of models, or store in a narrower type: what changes, what stays, what is refused."""

import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx.reference import ReferenceEvaluator

import onnx_light.onnx as onnxl
from onnx_light import tools
from onnx_light.onnx import helper, numpy_helper
from onnx_light.tools.walk import bodies

sys.path.insert(0, str(Path(__file__).parent / "tools"))

from tool_models import FLOAT, dense, small, with_branches


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


def seen_through(name):
    """The weight is in a branch; a branch of that one takes a value of this name from the graph around both."""

    def either(what, output, *nodes, weights=()):
        graph = helper.make_graph(nodes, what, [], [helper.make_tensor_value_info(output, FLOAT, [400])], weights)
        return {"then_branch": graph, "else_branch": graph}

    inner = either("inner", "twice", helper.make_node("Add", [name, name], ["twice"]))
    nodes = helper.make_node("If", ["condition"], ["z"], **inner), helper.make_node("Add", ["z", "w"], ["sum"])
    middle = either("middle", "sum", *nodes, weights=[dense("w", np.linspace(0, 1, 400, dtype=np.float32))])
    model = nested(helper.make_node("If", ["condition"], ["y"], **middle), 10)
    model.graph.node.insert(0, helper.make_node("Identity", ["x"], [name]))
    return model


@pytest.mark.parametrize("name", ["w_float16", "w_shape"])
def test_no_new_name_hides_a_value_from_the_graphs_inside(name):
    def result(model):
        feeds = {"times": np.array(3), "x": np.full(400, 2, np.float32), "condition": np.array(True)}
        return ReferenceEvaluator(onnx.load_from_string(model.SerializeToString())).run(None, feeds)[0]

    narrow, zeros = seen_through(name), seen_through(name)
    assert tools.store_weights_as(narrow, "float16") == tools.Narrowing(2)
    assert tools.strip_weights(zeros, constant=True) == 2
    for model in (narrow, zeros):
        values = [output for body in bodies(model) for node in body.holder.node for output in node.output]
        assert values.count(name) == 1
    np.testing.assert_allclose(result(narrow), result(seen_through(name)), atol=0.01)
    np.testing.assert_array_equal(result(zeros), np.full(400, 4, np.float32))


def test_weights_in_the_defaults_of_a_functions_attributes_are_weights_too():
    def model():
        made = with_function()
        body = helper.make_graph(
            [helper.make_node("Identity", ["d"], ["e"])],
            "default",
            [],
            [helper.make_tensor_value_info("e", FLOAT, [400])],
            [dense("d", np.ones(400, np.float32))],
        )
        made.functions[0].attribute_proto.append(helper.make_attribute("body", body))
        return made

    narrow, zeros = model(), model()
    assert tools.store_weights_as(narrow, "float16") == tools.Narrowing(4)
    assert tools.strip_weights(zeros, constant=True) == 4
    for changed, operator in ((narrow, "Cast"), (zeros, "ConstantOfShape")):
        (default,) = changed.functions[0].attribute_proto
        assert operator in [node.op_type for node in default.g.node]
    assert tools.summarize(model()).nodes == tools.summarize(with_function()).nodes + 1


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
