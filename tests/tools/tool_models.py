"""Small models that the tests of onnx_light.tools share."""

import numpy as np

import onnx_light.onnx as onnxl
from onnx_light.onnx import helper, numpy_helper

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
