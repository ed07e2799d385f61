"""Nodes, graphs, functions, models, and what is written on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from onnx_light.onnx import _messages
from onnx_light.onnx._foreign import class_name
from onnx_light.onnx.helper._attributes import fill_other_value
from onnx_light.onnx.helper._versions import find_min_ir_version_for
from onnx_light.onnx_py import _onnxpy
from onnx_light.onnx_py._onnxpy import (
    AttributeProto,
    FunctionProto,
    GraphProto,
    ModelProto,
    NodeProto,
    OperatorSetIdProto,
    SparseTensorProto,
    TensorProto,
    TrainingInfoProto,
    ValueInfoProto,
)

AssignmentBindingType = list[tuple[str, str]]

_IR_VERSION = 14
_ONNX_OPSET = 28
_make_node = _onnxpy.build.make_node


def make_node(
    op_type: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    name: str | None = None,
    doc_string: str | None = None,
    domain: str | None = None,
    overload: str | None = None,
    **kwargs: Any,
) -> NodeProto:
    """A node.

    Args:
        op_type: the operator, or the name of a function.
        inputs, outputs: names of values; "" for an optional one that is left out.
        name, doc_string: left out if empty.
        domain: the domain of the operator.
        overload: which of several functions of one name.
        kwargs: its attributes by name, as make_attribute takes them; None leaves one out. They are stored in the order of their names.

    Raises:
        TypeError, ValueError: as make_attribute.
    """
    return _make_node(op_type, inputs, outputs, name, doc_string, domain, overload, kwargs, fill_other_value)


def make_operatorsetid(domain: str, version: int) -> OperatorSetIdProto:
    """The import of a version of a domain's operators; "" is ai.onnx."""
    entry = OperatorSetIdProto()
    entry.domain = domain
    entry.version = version
    return entry


def make_opsetid(domain: str, version: int) -> OperatorSetIdProto:
    """The same as make_operatorsetid."""
    return make_operatorsetid(domain, version)


def make_graph(
    nodes: Sequence[NodeProto],
    name: str,
    inputs: Sequence[ValueInfoProto],
    outputs: Sequence[ValueInfoProto],
    initializer: Sequence[TensorProto] | None = None,
    doc_string: str | None = None,
    value_info: Sequence[ValueInfoProto] | None = None,
    sparse_initializer: Sequence[SparseTensorProto] | None = None,
) -> GraphProto:
    """A graph of copies of the messages that are given.

    Args:
        nodes: its nodes, each after those whose outputs it uses.
        name: its name.
        inputs, outputs: its inputs and outputs.
        initializer, sparse_initializer: values that are constant, or defaults of inputs of the same name.
        doc_string: left out if empty.
        value_info: types of values in between.
    """
    graph = GraphProto()
    graph.name = name
    graph.node.extend(nodes)
    graph.input.extend(inputs)
    graph.output.extend(outputs)
    if initializer is not None:
        graph.initializer.extend(initializer)
    if sparse_initializer is not None:
        graph.sparse_initializer.extend(sparse_initializer)
    if value_info is not None:
        graph.value_info.extend(value_info)
    if doc_string:
        graph.doc_string = doc_string
    return graph


def make_function(
    domain: str,
    fname: str,
    inputs: Sequence[str],
    outputs: Sequence[str],
    nodes: Sequence[NodeProto],
    opset_imports: Sequence[OperatorSetIdProto],
    attributes: Sequence[str] | None = None,
    attribute_protos: Sequence[AttributeProto] | None = None,
    doc_string: str | None = None,
    overload: str | None = None,
    value_info: Sequence[ValueInfoProto] | None = None,
) -> FunctionProto:
    """A function of a model.

    Args:
        domain, fname: what nodes that call it have as domain and op_type.
        inputs, outputs: names of values of its body.
        nodes: its body.
        opset_imports: what its body imports.
        attributes: attributes that calls have to give.
        attribute_protos: attributes that calls may give, with their defaults.
        doc_string: left out if None.
        overload: which of several functions of one name.
        value_info: types of values of its body.
    """
    function = FunctionProto()
    function.domain = domain
    function.name = fname
    function.input.extend(inputs)
    function.output.extend(outputs)
    function.node.extend(nodes)
    function.opset_import.extend(opset_imports)
    if attributes is not None:
        function.attribute.extend(attributes)
    if attribute_protos is not None:
        function.attribute_proto.extend(attribute_protos)
    if doc_string:
        function.doc_string = doc_string
    if overload is not None:
        function.overload = overload
    if value_info is not None:
        function.value_info.extend(value_info)
    return function


def make_model(graph: GraphProto, **kwargs: Any) -> ModelProto:
    """A model of a copy of a graph.

    Args:
        graph: its graph.
        opset_imports: what it imports; by default ai.onnx at the newest version this library knows.
        functions: its functions.
        kwargs: values of other fields: ir_version (by default the newest), producer_name, doc_string, …

    Raises:
        AttributeError: a model has no such field, or it is no field of one value.
    """
    model = ModelProto()
    model.ir_version = _IR_VERSION
    model.graph.CopyFrom(graph)
    opset_imports = kwargs.pop("opset_imports", None)
    if opset_imports is not None:
        model.opset_import.extend(opset_imports)
    else:
        model.opset_import.add().version = _ONNX_OPSET
    functions = kwargs.pop("functions", None)
    if functions is not None:
        model.functions.extend(functions)
    for field, value in kwargs.items():
        setattr(model, field, value)
    return model


def make_model_gen_version(graph: GraphProto, **kwargs: Any) -> ModelProto:
    """Like make_model, with the smallest IR version that came with the imports unless ir_version is given.

    Raises:
        ValueError: an import is none of ONNX's own.
    """
    if "ir_version" not in kwargs:
        kwargs["ir_version"] = find_min_ir_version_for(kwargs.get("opset_imports") or [])
    return make_model(graph, **kwargs)


def make_training_info(
    algorithm: GraphProto,
    algorithm_bindings: AssignmentBindingType,
    initialization: GraphProto | None,
    initialization_bindings: AssignmentBindingType | None,
) -> TrainingInfoProto:
    """How a model is trained.

    Args:
        algorithm: the graph of one step.
        algorithm_bindings: (value of the model, output of the graph that becomes it) after a step.
        initialization: the graph that runs first, or None.
        initialization_bindings: the same for it, or None.
    """
    info = TrainingInfoProto()
    info.algorithm.CopyFrom(algorithm)
    for key, value in algorithm_bindings:
        info.update_binding.add(key=key, value=value)
    if initialization is not None:
        info.initialization.CopyFrom(initialization)
    for key, value in initialization_bindings or ():
        info.initialization_binding.add(key=key, value=value)
    return info


def set_metadata_props(proto: Any, dict_value: dict[str, str]) -> None:
    """Replaces the metadata of a model, graph, function, node, tensor or value info."""
    del proto.metadata_props[:]
    for key, value in dict_value.items():
        proto.metadata_props.add(key=key, value=value)


def set_model_props(model: ModelProto, dict_value: dict[str, str]) -> None:
    """Replaces the metadata of a model."""
    set_metadata_props(model, dict_value)


def strip_doc_string(proto: Any) -> None:
    """Removes the doc_string of a message and of all messages below it, at any depth.

    Raises:
        TypeError: what is given is no message.
    """
    if getattr(type(proto), "DESCRIPTOR", None) not in [cls.DESCRIPTOR for cls in _messages.classes.values()]:
        raise TypeError(f"strip_doc_string takes a message, not {class_name(proto)}")
    waiting = [proto]
    while waiting:
        message = waiting.pop()
        for field, value in message.ListFields():
            if field.name == "doc_string":
                message.ClearField("doc_string")
            elif field.message_type is not None:
                waiting.extend(value if field.is_repeated else [value])
