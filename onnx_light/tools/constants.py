"""What tools that put something in the place of a weight share: weights in Constant nodes, sizes, names that are free."""

from __future__ import annotations

import onnx_light.onnx as onnxl
from onnx_light.tools import walk


def size_of(tensor: onnxl.TensorProto) -> int:
    """Bytes of a tensor's elements, also of strings."""
    return walk.size_by_shape(tensor) or sum(len(text) for text in tensor.string_data)


def constant_value(node: onnxl.NodeProto) -> onnxl.TensorProto | None:
    """The tensor that a Constant node gives: some exporters keep weights so."""
    if node.op_type != "Constant" or node.domain not in ("", "ai.onnx"):
        return None
    return next((attribute.t for attribute in node.attribute if attribute.name == "value" and attribute.HasField("t")), None)


def names_in(graph: onnxl.GraphProto) -> set[str]:
    """Names that a new value of the graph must not have."""
    taken = {tensor.name for tensor in graph.initializer} | {value.name for value in graph.input}
    return taken | {name for node in graph.node for name in (node.name, *node.output, *node.input)}


def default_opset(model: onnxl.ModelProto) -> int:
    """The version of ai.onnx that a model imports, 0 if it does not."""
    return max((entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")), default=0)


def require_opset(model: onnxl.ModelProto, version: int, what: str) -> None:
    """Raises ValueError where a model imports an older one of ai.onnx, or none."""
    if (found := default_opset(model)) < version:
        raise ValueError(f"{what} needs opset {version} of ai.onnx; the model has {found or 'none'}")


def inputs_by_name(graph: onnxl.GraphProto) -> dict[str, onnxl.ValueInfoProto]:
    return {value.name: value for value in graph.input}


def initializers_are_inputs(model: onnxl.ModelProto) -> bool:
    """Before IR version 4 initializers have to be inputs as well, which says nothing. Since then it makes them defaults for the caller."""
    return model.ir_version < 4


def free_name(wanted: str, taken: set[str]) -> str:
    """The name, or with a number behind it; taken from then on."""
    name, number = wanted, 1
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    taken.add(name)
    return name
