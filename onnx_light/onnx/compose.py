"""Puts models together: prefixes that keep their names apart, one after the other as one, another dimension for outputs.

    merged = compose.merge_models(body, head, io_map=[("features", "x")], prefix2="head/")

Arguments are not changed unless `inplace` says so.
"""

from __future__ import annotations

from typing import Any

from onnx_light.onnx import helper
from onnx_light.onnx._foreign import need
from onnx_light.onnx_py import _onnxpy
from onnx_light.onnx_py._onnxpy import GraphProto, ModelProto, TensorProto

__all__ = [
    "add_prefix",
    "add_prefix_graph",
    "check_overlapping_names",
    "expand_out_dim",
    "expand_out_dim_graph",
    "merge_graphs",
    "merge_models",
]


def _copy(message: Any, inplace: bool | None) -> Any:
    if inplace:
        return message
    copied = type(message)()
    copied.CopyFrom(message)
    return copied


def _pairs(io_map: list[tuple[str, str]] | None) -> list[tuple[str, str]]:
    return [(output, input_) for output, input_ in io_map or []]


def _names(names: list[str] | None) -> list[str] | None:
    return list(names) if names else None


def _needed_pairs(io_map: list[tuple[str, str]]) -> list[tuple[str, str]]:
    if io_map is None:
        raise TypeError("io_map has to be a list of pairs, not None")
    return _pairs(io_map)


def check_overlapping_names(g1: GraphProto, g2: GraphProto, io_map: list[tuple[str, str]] | None = None) -> list[tuple[str, list[str]]]:
    """The names that stand in both graphs for different things.

    Args:
        g1, g2: the graphs.
        io_map: (output of g1, input of g2) that are to be connected; such an input takes the output's name, so it does not count.

    Returns:
        (kind, names) for each kind that has any: "edge", "value_info", "initializer", "sparse_initializer".

    Raises:
        TypeError: one of them is no graph.
    """
    need(g1, GraphProto, "g1")
    need(g2, GraphProto, "g2")
    found: list[tuple[str, list[str]]] = _onnxpy.graph.overlapping_names(g1, g2, _pairs(io_map))
    return found


def merge_graphs(
    g1: GraphProto,
    g2: GraphProto,
    io_map: list[tuple[str, str]],
    inputs: list[str] | None = None,
    outputs: list[str] | None = None,
    prefix1: str | None = None,
    prefix2: str | None = None,
    name: str | None = None,
    doc_string: str | None = None,
) -> GraphProto:
    """Two graphs in sequence, as one.

    Args:
        g1, g2: the graphs.
        io_map: (output of g1, input of g2) to connect, in names without prefixes. What is connected is neither output nor input of the
            result; all other outputs and inputs are.
        inputs, outputs: the only ones of the result, in names with prefixes; nodes that are then of no use are left out.
        prefix1, prefix2: put before all names of a graph first.
        name: the result's name; by default both names.
        doc_string: its documentation; by default that of both.

    Raises:
        TypeError: one of them is no graph.
        ValueError: io_map names no output or input, or the graphs have names in common.
    """
    need(g1, GraphProto, "g1")
    need(g2, GraphProto, "g2")
    merged: GraphProto = _onnxpy.graph.merge_graphs(
        g1, g2, _needed_pairs(io_map), _names(inputs), _names(outputs), prefix1, prefix2, name, doc_string
    )
    return merged


def merge_models(
    m1: ModelProto,
    m2: ModelProto,
    io_map: list[tuple[str, str]],
    inputs: list[str] | None = None,
    outputs: list[str] | None = None,
    prefix1: str | None = None,
    prefix2: str | None = None,
    name: str | None = None,
    doc_string: str | None = None,
    producer_name: str | None = "onnx.compose.merge_models",
    producer_version: str | None = "1.0",
    domain: str | None = "",
    model_version: int | None = 1,
) -> ModelProto:
    """Two models in sequence, as one: their graphs (see merge_graphs), and imports, functions, metadata and training information of both.

    Args:
        m1, m2: the models.
        io_map, inputs, outputs, prefix1, prefix2, name, doc_string: as for merge_graphs.
        producer_name, producer_version, domain, model_version: what the result says about itself.

    Raises:
        TypeError: one of them is no model.
        ValueError: as merge_graphs; or the models say different things about their IR version, the version of a domain, a function, or a
            metadata key.
        ValidationError: the result breaks a rule of ONNX.
    """
    need(m1, ModelProto, "m1")
    need(m2, ModelProto, "m2")
    merged: ModelProto = _onnxpy.graph.merge_models(
        m1, m2, _needed_pairs(io_map), _names(inputs), _names(outputs), prefix1, prefix2, name, doc_string
    )
    merged.producer_name = producer_name or ""
    merged.producer_version = producer_version or ""
    merged.domain = domain or ""
    merged.model_version = 1 if model_version is None else model_version
    _onnxpy.graph.verify_model(merged)
    return merged


def add_prefix_graph(
    graph: GraphProto,
    prefix: str,
    rename_nodes: bool | None = True,
    rename_edges: bool | None = True,
    rename_inputs: bool | None = True,
    rename_outputs: bool | None = True,
    rename_initializers: bool | None = True,
    rename_value_infos: bool | None = True,
    inplace: bool | None = False,
    name_map: dict[str, str] | None = None,
) -> GraphProto:
    """A graph with a prefix before its names. Every use of a name follows, also in graphs inside; empty names stay.

    Args:
        graph: the graph.
        prefix: the prefix.
        rename_nodes: names of nodes, and what graphs inside define.
        rename_edges: values between nodes.
        rename_inputs, rename_outputs, rename_initializers, rename_value_infos: these values.
        inplace: change the graph itself and return it.
        name_map: new names that are settled already; takes all old and new names.

    Raises:
        TypeError: what is given is no graph.
    """
    need(graph, GraphProto, "graph")
    result: GraphProto = _copy(graph, inplace)
    _onnxpy.graph.add_prefix_to_graph(
        result,
        prefix,
        bool(rename_nodes),
        bool(rename_edges),
        bool(rename_inputs),
        bool(rename_outputs),
        bool(rename_initializers),
        bool(rename_value_infos),
        name_map,
    )
    return result


def add_prefix(
    model: ModelProto,
    prefix: str,
    rename_nodes: bool | None = True,
    rename_edges: bool | None = True,
    rename_inputs: bool | None = True,
    rename_outputs: bool | None = True,
    rename_initializers: bool | None = True,
    rename_value_infos: bool | None = True,
    rename_functions: bool | None = True,
    inplace: bool | None = False,
) -> ModelProto:
    """A model with a prefix before the names of its graph (see add_prefix_graph) and, with rename_functions, before those of its functions
    and of the nodes that call them. Names inside of functions are their own and stay.

    Raises:
        TypeError: what is given is no model.
    """
    need(model, ModelProto, "model")
    result: ModelProto = _copy(model, inplace)
    flags = (rename_nodes, rename_edges, rename_inputs, rename_outputs, rename_initializers, rename_value_infos, rename_functions)
    _onnxpy.graph.add_prefix_to_model(result, prefix, *map(bool, flags))
    return result


def expand_out_dim_graph(graph: GraphProto, dim_idx: int, inplace: bool | None = False) -> GraphProto:
    """A graph whose outputs have one more dimension of size 1, under the same names. Needs ai.onnx from version 13 on.

    Args:
        graph: the graph.
        dim_idx: where the dimension is; negative numbers count from the end of the new shape.
        inplace: change the graph itself and return it.

    Raises:
        TypeError: what is given is no graph.
    """
    need(graph, GraphProto, "graph")
    result: GraphProto = _copy(graph, inplace)
    inner = {output.name: f"{output.name}_collapsed_dim_{dim_idx}" for output in result.output}
    _onnxpy.graph.rename_values(result, inner)
    for output, name in zip(result.output, inner, strict=True):
        output.name = name
    axes = f"{graph.name}_expand_out_dim_idx"
    value = helper.make_tensor(axes, TensorProto.INT64, [1], [dim_idx])
    result.node.append(helper.make_node("Constant", [], [axes], name=f"{axes}-constant", value=value))
    for output in result.output:
        result.node.append(helper.make_node("Unsqueeze", [inner[output.name], axes], [output.name], name=f"unsqueeze-{output.name}"))
        shape = output.type.tensor_type.shape
        at = dim_idx if dim_idx >= 0 else max(len(shape.dim) + 1 + dim_idx, 0)
        dim = type(shape).Dimension(dim_value=1)
        if output.type.tensor_type.HasField("shape"):
            shape.dim.insert(at, dim)
    return result


def expand_out_dim(model: ModelProto, dim_idx: int, inplace: bool | None = False) -> ModelProto:
    """The same as expand_out_dim_graph for the graph of a model."""
    need(model, ModelProto, "model")
    result: ModelProto = _copy(model, inplace)
    expand_out_dim_graph(result.graph, dim_idx, inplace=True)
    return result
