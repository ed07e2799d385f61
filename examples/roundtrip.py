"""Loads a model, prints what is in it, saves it, and verifies that the saved bytes are those of the file.

    python examples/roundtrip.py MODEL.onnx [SAVED.onnx]

Without a second path the copy goes to a temporary folder and is removed. Exit code 1 if the bytes differ.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from math import prod
from pathlib import Path

import onnx_light.onnx as onnxl


def all_graphs(graph: onnxl.GraphProto) -> Iterator[onnxl.GraphProto]:
    """The graph and those in its nodes' attributes, at any depth."""
    waiting = [graph]
    while waiting:
        graph = waiting.pop()
        yield graph
        for node in graph.node:
            for attribute in node.attribute:
                if attribute.HasField("g"):
                    waiting.append(attribute.g)
                waiting.extend(attribute.graphs)


def type_text(kind: onnxl.TypeProto) -> str:
    """A type as people write it: FLOAT[N, 3, 224, 224]."""
    if not kind.HasField("tensor_type"):
        return kind.WhichOneof("value") or "unknown"
    tensor = kind.tensor_type
    name = onnxl.TensorProto.DataType.Name(tensor.elem_type)
    if not tensor.HasField("shape"):
        return f"{name}[…]"
    dims = (str(dim.dim_value) if dim.HasField("dim_value") else dim.dim_param or "?" for dim in tensor.shape.dim)
    return f"{name}[{', '.join(dims)}]"


def values_text(values: Iterable[onnxl.ValueInfoProto]) -> Iterator[str]:
    return (f"{value.name}: {type_text(value.type)}" for value in values)


def summary(model: onnxl.ModelProto) -> Iterator[tuple[str, str]]:
    """What a reader wants to know first, as pairs of a label and a line."""
    producer = f"{model.producer_name} {model.producer_version}".strip()
    yield "name", model.graph.name + (f", made by {producer}" if producer else "")
    yield "IR", str(model.ir_version)
    yield "opsets", ", ".join(f"{entry.domain or 'ai.onnx'} {entry.version}" for entry in model.opset_import)
    weights = {tensor.name for tensor in model.graph.initializer}
    for line in values_text(value for value in model.graph.input if value.name not in weights):
        yield "input", line
    for line in values_text(model.graph.output):
        yield "output", line

    bodies = [model.graph, *(graph for graph in all_graphs(model.graph) if graph is not model.graph)]
    operators = Counter(f"{node.domain}.{node.op_type}".lstrip(".") for graph in bodies for node in graph.node)
    for function in model.functions:
        operators.update(f"{node.domain}.{node.op_type}".lstrip(".") for node in function.node)
    yield "operators", f"{operators.total()} nodes of {len(operators)} kinds"
    for name, count in operators.most_common():
        yield "", f"{count:6} {name}"
    tensors = [tensor for graph in bodies for tensor in graph.initializer]
    # Some exporters write their weights as Constant nodes.
    constants = [node for graph in bodies for node in graph.node if node.op_type == "Constant"]
    tensors += [attribute.t for node in constants for attribute in node.attribute if attribute.HasField("t")]
    yield "parameters", f"{sum(prod(tensor.dims) for tensor in tensors):,} in {len(tensors)} tensors"


def main(path: Path, saved: Path) -> int:
    # Weights in other files stay there: this is about the bytes of the model file itself.
    model = onnxl.load(path, load_external_data=False)
    print(path.name)
    for label, line in summary(model):
        print(f"  {label:10}  {line}")
    print(f"  {'bytes':10}  {path.stat().st_size:,}")

    # A model that refers to weights in other files is saved only where these are: then the bytes of the model alone are written.
    if onnxl.list_external_data(model):
        saved.write_bytes(model.SerializeToString())
    else:
        onnxl.save(model, saved)
    if saved.read_bytes() != path.read_bytes():
        print(f"saved as {saved.name}: the bytes differ")
        return 1
    print(f"saved as {saved.name}: the bytes are equal")
    return 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) == 3 else Path(folder) / "saved.onnx"))
