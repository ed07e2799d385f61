"""onnx.tools: dimensions of inputs and outputs, and constants replaced by nodes; the official evaluator runs what comes out."""

from __future__ import annotations

import copy
import importlib
import sys
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import onnx
import onnx.reference
import onnx.tools.update_model_dims
import pytest

import onnx_light.onnx as onnxl
from onnx_light.onnx import helper, numpy_helper
from onnx_light.onnx.checker import ValidationError
from onnx_light.onnx.tools.replace_constants import replace_initializer_by_constant_of_shape
from onnx_light.onnx.tools.update_model_dims import update_inputs_outputs_dims

FLOAT = onnxl.TensorProto.FLOAT
OPSET = [helper.make_opsetid("", 20)]


def value(name: str, shape: Any = (None, None)) -> Any:
    return helper.make_tensor_value_info(name, FLOAT, shape)


def theirs(message: Any) -> Any:
    return getattr(onnx, type(message).__name__).FromString(message.SerializeToString())


def shapes(model: Any) -> list[list[Any]]:
    return [
        [dim.dim_param or (dim.dim_value if dim.HasField("dim_value") else None) for dim in entry.type.tensor_type.shape.dim]
        for entry in (*model.graph.input, *model.graph.output)
    ]


def negation(shape: Any = (1, 2, None, "N", 0)) -> Any:
    node = helper.make_node("Neg", ["x"], ["y"])
    return helper.make_model(helper.make_graph([node], "g", [value("x", shape)], [value("y", shape)]), opset_imports=OPSET, ir_version=9)


SAME = [1, 2, 3, "N", 0]


@pytest.mark.parametrize(
    ("inputs", "outputs"),
    [
        ({"x": SAME}, {"y": SAME}),
        ({"x": [1, 2, -1, -1, -1]}, {"y": [-1] * 5}),
        ({"x": list("abcde")}, {"y": SAME}),
        ({"x": [1, 2]}, {"y": SAME}),
        ({"x": [-2] * 5}, {"y": SAME}),
    ],
)
def test_dimensions_become_what_onnx_makes_of_them(inputs: Any, outputs: Any) -> None:
    model = negation()
    expected = onnx.tools.update_model_dims.update_inputs_outputs_dims(theirs(model), inputs, outputs)
    assert update_inputs_outputs_dims(model, inputs, outputs) is model
    assert shapes(model) == shapes(expected)


@pytest.mark.parametrize(
    ("inputs", "outputs", "kind"),
    [
        ({"x": [5, 2, 3, 4, 5]}, {"y": SAME}, ValueError),
        ({"x": SAME}, {}, KeyError),
        ({"x": [1.5] * 5}, {"y": SAME}, TypeError),
        ({"x": [None] * 5}, {"y": SAME}, TypeError),
    ],
)
def test_dimensions_that_cannot_be_are_errors_and_leave_the_model_as_it_was(inputs: Any, outputs: Any, kind: Any) -> None:
    model = negation()
    with pytest.raises(kind):
        update_inputs_outputs_dims(model, inputs, outputs)
    assert model == negation()


def test_a_free_dimension_does_not_take_a_name_that_another_has() -> None:
    model = negation([None, 2])
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "y_0"
    with pytest.raises(ValueError, match="y_0"):
        update_inputs_outputs_dims(model, {"x": ["y_0", 2]}, {"y": [-1, 2]})


def test_an_unknown_rank_becomes_known() -> None:
    model = negation(None)
    update_inputs_outputs_dims(model, {"x": [1, "N"]}, {"y": [1, "N"]})
    assert shapes(model) == [[1, "N"]] * 2


def test_a_broken_model_is_an_error() -> None:
    model = negation()
    model.graph.node[0].input[0] = "nowhere"
    with pytest.raises(ValidationError, match="nowhere"):
        update_inputs_outputs_dims(model, {"x": SAME}, {"y": SAME})


# ---- constants

A = numpy_helper.from_array(np.arange(200, dtype=np.float32).reshape(2, 100), "A")
C = numpy_helper.from_array(np.array([1], np.float32), "C")


def product(where: str) -> Any:
    """Y = X A - C, where A is an initializer, a Constant, or a Constant in a function."""
    nodes = [helper.make_node("MatMul", ["X", "A"], ["AX"]), helper.make_node("Sub", ["AX", "C"], ["Y"])]
    if where == "initializer":
        graph = helper.make_graph(nodes, "g", [value("X")], [value("Y")], [A, C], doc_string="kept")
        return helper.make_model(graph, opset_imports=OPSET, ir_version=9)
    nodes.insert(0, helper.make_node("Constant", [], ["A"], value=A))
    if where == "constant":
        return helper.make_model(helper.make_graph(nodes, "g", [value("X")], [value("Y")], [C]), opset_imports=OPSET, ir_version=9)
    nodes.insert(0, helper.make_node("Constant", [], ["C"], value=C))
    function = helper.make_function("local", "f", ["X"], ["Y"], nodes, OPSET)
    graph = helper.make_graph([helper.make_node("f", ["X"], ["Y"], domain="local")], "g", [value("X")], [value("Y")])
    return helper.make_model(graph, opset_imports=[*OPSET, helper.make_opsetid("local", 1)], functions=[function], ir_version=9)


def run(model: Any, x: Any) -> Any:
    return onnx.reference.ReferenceEvaluator(theirs(model)).run(None, {"X": x})[0]


@pytest.mark.parametrize("use_range", [False, True])
@pytest.mark.parametrize("where", ["initializer", "constant", "function"])
def test_large_constants_become_nodes_that_make_the_same_shape(where: str, use_range: bool) -> None:
    model = product(where)
    small = replace_initializer_by_constant_of_shape(model, use_range=use_range)
    assert model == product(where)
    assert small.ByteSize() < model.ByteSize()
    x = np.array([[1, 2], [4, 5], [5, 4]], np.float32)
    found = run(small, x)
    assert found.shape == run(model, x).shape
    weights = np.arange(200, dtype=np.float32).reshape(2, 100) / 200 if use_range else np.full((2, 100), 0.5, np.float32)
    np.testing.assert_allclose(found, x @ weights - 1, rtol=1e-5)


def test_constants_in_branches_are_replaced() -> None:
    def branch(name: str, number: float) -> Any:
        constant = numpy_helper.from_array(np.full(129, number, np.float32))
        return helper.make_graph([helper.make_node("Constant", [], [name], value=constant)], name, [], [value(name, None)])

    choice = helper.make_node("If", ["c"], ["Y"], then_branch=branch("t", 1), else_branch=branch("e", -1))
    graph = helper.make_graph([choice], "g", [helper.make_tensor_value_info("c", onnxl.TensorProto.BOOL, [])], [value("Y", None)])
    model = helper.make_model(graph, opset_imports=OPSET, ir_version=9)
    small = replace_initializer_by_constant_of_shape(model)
    assert str(small).count("ConstantOfShape") == 2
    for flag in (True, False):
        found = onnx.reference.ReferenceEvaluator(theirs(small)).run(None, {"c": np.array(flag)})[0]
        assert found.tolist() == [0.5] * 129


@pytest.mark.parametrize("dtype", [np.float64, np.float16, np.int64, np.int32, np.bool_])
@pytest.mark.parametrize("use_range", [False, True])
def test_constants_of_every_type_keep_it(dtype: Any, use_range: bool) -> None:
    tensor = numpy_helper.from_array(np.ones(200, dtype), "A")
    output = helper.make_tensor_value_info("Y", tensor.data_type, [200])
    graph = helper.make_graph([helper.make_node("Identity", ["A"], ["Y"])], "g", [], [output], [tensor])
    small = replace_initializer_by_constant_of_shape(helper.make_model(graph, opset_imports=OPSET, ir_version=9), use_range=use_range)
    found = onnx.reference.ReferenceEvaluator(theirs(small)).run(None, {})[0]
    assert (found.dtype, found.shape) == (np.dtype(dtype), (200,))


def test_what_is_small_or_text_or_a_default_stays() -> None:
    text = numpy_helper.from_array(np.array(["x"] * 500), "T")
    default = copy.deepcopy(A)
    default.name = "D"
    nodes = [helper.make_node("Foo", ["T", "D", "C"], ["Y"], domain="my")]
    graph = helper.make_graph(nodes, "g", [value("D")], [value("Y")], [text, default, C])
    assert replace_initializer_by_constant_of_shape(graph) == graph
    with_all = replace_initializer_by_constant_of_shape(product("initializer"), threshold=1000)
    assert with_all == product("initializer")


def test_names_that_are_taken_are_not_taken_again() -> None:
    graph = product("initializer").graph
    graph.node.append(helper.make_node("Abs", ["C"], ["A__SHAPE"]))
    small = replace_initializer_by_constant_of_shape(graph, use_range=True)
    names = [name for node in small.node for name in node.output] + [tensor.name for tensor in small.initializer]
    assert len(names) == len(set(names))


def test_other_arguments_are_errors() -> None:
    with pytest.raises(TypeError, match="NodeProto"):
        replace_initializer_by_constant_of_shape(onnxl.NodeProto())  # type: ignore[arg-type]
    assert replace_initializer_by_constant_of_shape(product("constant"), ir_version=8).ir_version == 8


def test_the_drawer_of_earlier_releases_gives_pydot_the_nodes_and_edges(monkeypatch: pytest.MonkeyPatch) -> None:
    class Dot:
        def __init__(self, name: str, rankdir: str) -> None:
            self.name, self.rankdir = name, rankdir
            self.nodes: list[Any] = []
            self.edges: list[Any] = []

        def add_node(self, node: Any) -> None:
            self.nodes.append(node)

        def add_edge(self, edge: Any) -> None:
            self.edges.append(edge)

    class Node:
        def __init__(self, name: str, **style: Any) -> None:
            self.name, self.style = name, style

        def set_tooltip(self, text: str) -> None:
            self.tooltip = text

    def edge(left: Any, right: Any) -> tuple[Any, Any]:
        return left, right

    monkeypatch.setitem(sys.modules, "pydot", SimpleNamespace(Dot=Dot, Node=Node, Edge=edge))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        drawer = importlib.import_module("onnx_light.onnx.tools.net_drawer")
    with pytest.warns(DeprecationWarning):
        importlib.reload(drawer)
    graph = product("initializer").graph
    producer = drawer.GetOpNodeProducer(embed_docstring=True, color="red")
    drawing = drawer.GetPydotGraph(graph, name="net", rankdir="TB", node_producer=producer)
    assert (drawing.name, drawing.rankdir, len(drawing.nodes), len(drawing.edges)) == ("net", "TB", 7, 6)
    assert [node.style["color"] for node in drawing.nodes if "MatMul" in node.name] == ["red"]
    assert len(drawer.GetPydotGraph(graph).nodes) == 7
