"""A client of `onnx`, as they are written: it builds a model, looks at it, edits it and writes it.

A test checks it with `mypy --strict` against our stubs, and runs it with this package and with `onnx` (by its first import line), which
must print the same.
"""

from __future__ import annotations

import copy
import io
import pickle
import struct
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import onnx_light.onnx as onnx
from onnx_light.onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, TypeProto, ValueInfoProto

# ---- building


def make_dim(value: int | str) -> onnx.TensorShapeProto.Dimension:
    if isinstance(value, int):
        return onnx.TensorShapeProto.Dimension(dim_value=value)
    return onnx.TensorShapeProto.Dimension(dim_param=value)


def make_value(name: str, elem_type: int, shape: Sequence[int | str] | None) -> ValueInfoProto:
    value = ValueInfoProto(name=name)
    tensor = value.type.tensor_type
    tensor.elem_type = elem_type
    if shape is not None:
        tensor.shape.dim.extend(make_dim(dim) for dim in shape)
    return value


def make_attribute(name: str, value: int | float | str | Sequence[int] | TensorProto | GraphProto) -> AttributeProto:
    attribute = AttributeProto(name=name)
    if isinstance(value, int):
        attribute.i = value
        attribute.type = AttributeProto.INT
    elif isinstance(value, float):
        attribute.f = value
        attribute.type = AttributeProto.FLOAT
    elif isinstance(value, str):
        attribute.s = value.encode("utf-8")
        attribute.type = AttributeProto.STRING
    elif isinstance(value, TensorProto):
        attribute.t.CopyFrom(value)
        attribute.type = AttributeProto.TENSOR
    elif isinstance(value, GraphProto):
        attribute.g.CopyFrom(value)
        attribute.type = AttributeProto.GRAPH
    else:
        attribute.ints.extend(value)
        attribute.type = AttributeProto.INTS
    return attribute


def make_node(
    op_type: str, inputs: Iterable[str], outputs: Iterable[str], name: str = "", **attributes: int | float | str | Sequence[int]
) -> NodeProto:
    node = NodeProto(op_type=op_type, input=inputs, output=outputs)
    if name:
        node.name = name
    node.attribute.extend(make_attribute(key, value) for key, value in sorted(attributes.items()))
    return node


def make_tensor(name: str, dims: Sequence[int], values: Sequence[float]) -> TensorProto:
    tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=dims)
    tensor.raw_data = struct.pack(f"<{len(values)}f", *values)
    return tensor


def make_model() -> ModelProto:
    graph = GraphProto(name="client")
    graph.input.append(make_value("x", TensorProto.FLOAT, ["batch", 4]))
    graph.output.append(make_value("y", TensorProto.FLOAT, ["batch", 2]))
    graph.value_info.append(make_value("unused", TensorProto.INT64, None))
    graph.initializer.append(make_tensor("w", [4, 2], [0.5] * 8))
    graph.initializer.append(make_tensor("spare", [1], [1.0]))
    graph.node.extend(
        [
            make_node("Identity", ["x"], ["x1"], "first"),
            make_node("MatMul", ["x1", "w"], ["h"], "product"),
            make_node("Identity", ["h"], ["h1"]),
            make_node("LeakyRelu", ["h1"], ["a"], alpha=0.25),
            make_node("Transpose", ["a"], ["t"], perm=[1, 0]),
            make_node("Transpose", ["t"], ["y"], perm=[1, 0]),
        ]
    )
    model = ModelProto(ir_version=onnx.IR_VERSION_2024_3_25, producer_name="client")
    model.graph.CopyFrom(graph)
    model.opset_import.add(domain="", version=21)
    entry = model.metadata_props.add()
    entry.key, entry.value = "author", "nobody"
    return model


# ---- looking


def graphs_of(graph: GraphProto) -> Iterator[GraphProto]:
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from graphs_of(attribute.g)
            for inner in attribute.graphs:
                yield from graphs_of(inner)


def element_text(kind: TensorProto.DataType.ValueType) -> str:
    return TensorProto.DataType.Name(kind) if kind in TensorProto.DataType.values() else "?"


def type_text(kind: TypeProto) -> str:
    which = kind.WhichOneof("value")
    if which is None:
        return "?"
    if which == "tensor_type":
        tensor = kind.tensor_type
        name = element_text(tensor.elem_type)
        if not tensor.HasField("shape"):
            return name
        parts: list[str] = []
        for dim in tensor.shape.dim:
            member = dim.WhichOneof("value")
            parts.append(str(dim.dim_value) if member == "dim_value" else dim.dim_param if member == "dim_param" else "?")
        return f"{name}[{','.join(parts)}]"
    if which == "sequence_type":
        return f"sequence({type_text(kind.sequence_type.elem_type)})"
    return which


def attribute_text(attribute: AttributeProto) -> str:
    readers: dict[int, Callable[[AttributeProto], object]] = {
        AttributeProto.FLOAT: lambda a: a.f,
        AttributeProto.INT: lambda a: a.i,
        AttributeProto.STRING: lambda a: a.s.decode(),
        AttributeProto.INTS: lambda a: list(a.ints),
        AttributeProto.FLOATS: lambda a: list(a.floats),
        AttributeProto.STRINGS: lambda a: [s.decode() for s in a.strings],
    }
    reader = readers.get(attribute.type)
    kind = AttributeProto.AttributeType.Name(attribute.type)
    return f"{attribute.name}={reader(attribute)}" if reader is not None else f"{attribute.name}: {kind}"


@dataclass
class Summary:
    operators: Counter[str] = field(default_factory=Counter)
    values: dict[str, str] = field(default_factory=dict)
    parameters: int = 0
    opsets: dict[str, int] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        for name, count in sorted(self.operators.items()):
            yield f"{name} x {count}"
        for name, text in self.values.items():
            yield f"{name}: {text}"
        yield f"{self.parameters} parameters, opsets {self.opsets}"


def summarise(model: ModelProto) -> Summary:
    summary = Summary()
    summary.opsets = {entry.domain: entry.version for entry in model.opset_import}
    for graph in graphs_of(model.graph):
        summary.operators.update(node.op_type for node in graph.node)
        for value in [*graph.input, *graph.output, *graph.value_info]:
            summary.values[value.name] = type_text(value.type)
        for tensor in graph.initializer:
            count = 1
            for dim in tensor.dims:
                count *= dim
            summary.parameters += count
    return summary


# ---- editing


def consumers_of(graph: GraphProto) -> dict[str, list[NodeProto]]:
    consumers: defaultdict[str, list[NodeProto]] = defaultdict(list)
    for node in graph.node:
        for name in node.input:
            consumers[name].append(node)
    return consumers


def rename_input(node: NodeProto, old: str, new: str) -> None:
    for index, name in enumerate(node.input):
        if name == old:
            node.input[index] = new


def remove_identities(graph: GraphProto) -> int:
    kept_names = {value.name for value in graph.output}
    removed = 0
    for node in list(graph.node):
        if node.op_type != "Identity" or node.output[0] in kept_names:
            continue
        for consumer in consumers_of(graph)[node.output[0]]:
            rename_input(consumer, node.output[0], node.input[0])
        graph.node.remove(node)
        removed += 1
    return removed


def permutation(node: NodeProto) -> list[int] | None:
    for attribute in node.attribute:
        if attribute.name == "perm":
            return list(attribute.ints)
    return None


def fuse_transposes(graph: GraphProto) -> int:
    producers = {name: node for node in graph.node for name in node.output}
    fused = 0
    for node in list(graph.node):
        before = producers.get(node.input[0]) if node.op_type == "Transpose" else None
        if before is None or before.op_type != "Transpose":
            continue
        first, second = permutation(before), permutation(node)
        if first is None or second is None or [first[axis] for axis in second] != sorted(first):
            continue
        node.op_type = "Identity"
        node.input[:] = [before.input[0]]
        node.ClearField("attribute")
        graph.node.remove(before)
        fused += 1
    return fused


def remove_unused_initializers(graph: GraphProto) -> list[str]:
    used = {name for node in graph.node for name in node.input}
    unused = [index for index, tensor in enumerate(graph.initializer) if tensor.name not in used]
    names = [graph.initializer[index].name for index in unused]
    for index in reversed(unused):
        del graph.initializer[index]
    return names


def add_branch(model: ModelProto) -> None:
    branch = GraphProto(name="then")
    branch.node.append(make_node("Constant", [], ["c"], value_float=1.0))
    branch.output.append(make_value("c", TensorProto.FLOAT, []))
    other = copy.deepcopy(branch)
    other.name = "else"
    node = model.graph.node.add(op_type="If", input=["condition"], output=["chosen"], name="branches")
    node.attribute.append(make_attribute("then_branch", branch))
    node.attribute.append(make_attribute("else_branch", other))
    model.graph.input.insert(0, make_value("condition", TensorProto.BOOL, []))


def cast_weights(graph: GraphProto, data_type: int) -> None:
    for tensor in graph.initializer:
        count = len(tensor.raw_data) // 4
        values: tuple[float, ...] = struct.unpack(f"<{count}f", tensor.raw_data)
        tensor.ClearField("raw_data")
        tensor.data_type = data_type
        tensor.double_data.extend(values)


def set_metadata(model: ModelProto, **texts: str) -> None:
    model.ClearField("metadata_props")
    for key, value in texts.items():
        model.metadata_props.add(key=key, value=value)
    model.metadata_props.sort(key=lambda entry: entry.key, reverse=True)


# ---- the whole


def main() -> list[str]:
    model = make_model()
    lines = list(summarise(model).lines())
    lines.append(f"removed {remove_identities(model.graph)}, fused {fuse_transposes(model.graph)}")
    lines.append(f"unused {remove_unused_initializers(model.graph)}")
    add_branch(model)
    cast_weights(model.graph, TensorProto.DOUBLE)
    set_metadata(model, author="somebody", kind="test", an="example")
    lines += [
        f"{n.name or '-'} {n.op_type} {' '.join(map(attribute_text, n.attribute))}" for graph in graphs_of(model.graph) for n in graph.node
    ]

    memory = io.BytesIO()
    onnx.save(model, memory)
    again = onnx.load_model_from_string(memory.getvalue())
    lines.append(f"{again == model} {pickle.loads(pickle.dumps(again)) == model} {again.ByteSize()} {len(memory.getvalue())}")
    try:
        onnx.load_from_string(memory.getvalue()[:-1])
    except Exception as error:
        lines.append(type(error).__name__)
    for described, value in again.graph.node[0].ListFields():
        lines.append(f"{described.name}: {value}")
    again.graph.node.reverse()
    lines.append(f"{again.graph.node.pop().op_type} {[n.op_type for n in again.graph.node[1:]]}")
    again.Clear()
    lines += [repr(model), str(model), f"{again.HasField('graph')} {again.IsInitialized()}"]
    return lines


if __name__ == "__main__":
    print("\n".join(main()))
