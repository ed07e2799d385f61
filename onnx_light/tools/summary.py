"""What a reader wants to know of a model first. Weights are not read."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field

import onnx_light.onnx as onnxl
from onnx_light.tools import walk
from onnx_light.tools.entries import key_text, metadata, opsets
from onnx_light.tools.wholeness import ExternalFile, external_files, references


@dataclass
class Value:
    """An input or output of the model."""

    name: str
    type: str


@dataclass
class TensorSize:
    """A tensor and the bytes of its elements."""

    name: str
    place: str
    type: str
    shape: list[int]
    bytes: int


@dataclass
class Summary:
    """Sizes are in bytes and count the elements of all tensors, wherever they are stored. A domain or metadata key that comes again is
    called "key #2"."""

    name: str
    producer: str
    ir_version: int
    opsets: dict[str, int]
    inputs: list[Value]
    outputs: list[Value]
    nodes: int
    operators: dict[str, int]  # most frequent first
    functions: list[str]
    tensors: int
    parameters: int
    bytes: int
    types: dict[str, dict[str, int]]  # by data type: tensors, parameters, bytes
    largest: list[TensorSize]
    external: list[ExternalFile]
    metadata: dict[str, str]
    file_bytes: int | None = None  # of the model file itself
    problems: list[str] = field(default_factory=list)


def summarize(model: onnxl.ModelProto, path: str | os.PathLike[str] | None = None, *, largest: int = 5) -> Summary:
    """Counts what is in a model.

    Args:
        model: as `onnx_light.tools.read` gives it; its weights need not be there.
        path: the file it came from, to look for its external files and their sizes.
        largest: how many of the largest tensors are named.
    """
    operators: Counter[str] = Counter()
    for body in walk.bodies(model):
        operators.update(walk.operator_name(node) for node in body.holder.node)
    initializers = {tensor.name for tensor in model.graph.initializer}
    types: dict[str, dict[str, int]] = {}
    sizes: list[TensorSize] = []
    for place, tensor, _ in walk.places(model):
        count = walk.element_count(tensor)
        size = _stored_size(tensor)
        kind = walk.type_name(tensor.data_type)
        row = types.setdefault(kind, {"tensors": 0, "parameters": 0, "bytes": 0})
        row["tensors"] += 1
        row["parameters"] += count
        row["bytes"] += size
        sizes.append(TensorSize(walk.text(tensor.name), place, kind, list(tensor.dims), size))
    entries, problems = references(model)
    external = external_files(entries, path) if path is not None else []
    return Summary(
        name=walk.text(model.graph.name),
        producer=f"{walk.text(model.producer_name)} {walk.text(model.producer_version)}".strip(),
        ir_version=model.ir_version,
        opsets={key_text(key): version for key, version in opsets(model).items()},
        inputs=[Value(walk.text(v.name), walk.type_text(v.type)) for v in model.graph.input if v.name not in initializers],
        outputs=[Value(walk.text(v.name), walk.type_text(v.type)) for v in model.graph.output],
        nodes=operators.total(),
        operators=dict(operators.most_common()),
        functions=[walk.function_name(f) for f in model.functions],
        tensors=len(sizes),
        parameters=sum(row["parameters"] for row in types.values()),
        bytes=sum(row["bytes"] for row in types.values()),
        types=dict(sorted(types.items(), key=lambda item: -item[1]["bytes"])),
        largest=sorted(sizes, key=lambda tensor: -tensor.bytes)[:largest],
        external=external,
        metadata={key_text(key): value for key, value in metadata(model).items()},
        file_bytes=os.path.getsize(path) if path is not None else None,
        problems=[*map(str, problems), *(f"{file.location}: {file.state}" for file in external if file.state != "ok")],
    )


def _stored_size(tensor: onnxl.TensorProto) -> int:
    size = walk.size_by_shape(tensor)
    return sum(len(text) for text in tensor.string_data) if size is None else size
