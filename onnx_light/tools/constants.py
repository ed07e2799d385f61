"""What tools that put something in the place of a weight share: weights in Constant nodes, sizes, names that are free."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import onnx_light.onnx as onnxl
from onnx_light.tools import walk


def size_of(tensor: onnxl.TensorProto) -> int:
    """Bytes of a tensor's elements, also of strings."""
    return walk.size_by_shape(tensor) or sum(len(text) for text in tensor.string_data)


def constant_value(node: onnxl.NodeProto) -> onnxl.TensorProto | None:
    """The tensor that a Constant node gives: some exporters keep weights so. None where nothing takes it."""
    if node.op_type != "Constant" or node.domain not in ("", "ai.onnx") or not node.output:
        return None
    return next((attribute.t for attribute in node.attribute if attribute.name == "value" and attribute.HasField("t")), None)


def initializers_are_inputs(model: onnxl.ModelProto, body: walk.Body) -> bool:
    """Whether an initializer that is an input as well is a weight, as the main graph before IR version 4 has them.

    Elsewhere it is a default that a caller may replace: since then in the main graph; in a nested graph, of any version, whose node passes
    inputs by position. A model that says no version promises nothing, so its inputs stay, too.
    """
    return body.place == "graph" and 0 < model.ir_version < 4


def inputs_by_name(graph: onnxl.GraphProto) -> dict[str, onnxl.ValueInfoProto]:
    return {value.name: value for value in graph.input}


def initializers(model: onnxl.ModelProto, body: walk.Body) -> Iterator[onnxl.TensorProto]:
    """Those that a node may take the place of: a default for the caller can come from none."""
    if body.graph is not None:
        defaults = {} if initializers_are_inputs(model, body) else inputs_by_name(body.graph)
        yield from (tensor for tensor in body.graph.initializer if tensor.name not in defaults)


def weights(model: onnxl.ModelProto, body: walk.Body) -> Iterator[onnxl.TensorProto]:
    """The initializers, and what Constant nodes give."""
    yield from initializers(model, body)
    yield from (value for node in body.holder.node if (value := constant_value(node)) is not None)


def names_in(bodies: Iterable[walk.Body]) -> set[str]:
    """Names that a new value must not have anywhere: a graph inside another one sees those around it, and may define names of its own."""
    taken: set[str] = set()
    for body in bodies:
        if body.graph is None:
            taken.update(body.holder.input)  # type: ignore[arg-type]
        else:
            taken.update(each.name for values in (body.graph.initializer, body.graph.input) for each in values)
        taken.update(name for node in body.holder.node for name in (node.name, *node.output, *node.input))
    return taken


def require_opset(model: onnxl.ModelProto, body: walk.Body, version: int, what: str) -> None:
    """Raises ValueError where a body is of an older one of ai.onnx, or none: functions import their own."""
    scope = model if body.function is None else body.function
    found = max((entry.version for entry in scope.opset_import if entry.domain in ("", "ai.onnx")), default=0)
    if found < version:
        whose = "the model" if body.function is None else f"function {walk.function_name(body.function)}"
        raise ValueError(f"{what} needs opset {version} of ai.onnx; {whose} has {found or 'none'}")


def free_name(wanted: str, taken: set[str]) -> str:
    """The name, or with a number behind it; taken from then on."""
    name, number = wanted, 1
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    taken.add(name)
    return name
