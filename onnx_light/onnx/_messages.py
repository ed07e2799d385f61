"""What the message classes get from Python: descriptors, enums, constants, the short reprs, pickling."""

from __future__ import annotations

import collections.abc
import pickle
from collections.abc import Iterable
from typing import Any

from onnx_light.onnx._descriptors import Descriptor, EnumDescriptor, FieldDescriptor, FileDescriptor
from onnx_light.onnx._enums import EnumTypeWrapper
from onnx_light.onnx_py import _onnxpy

# Where the official files declare what is not in onnx.proto.
_ML = FileDescriptor("onnx/onnx-ml.proto")
_FILES = {
    "onnx-ml": _ML,
    "onnx-data": FileDescriptor("onnx/onnx-data.proto", _ML),
    "onnx-operators-ml": FileDescriptor("onnx/onnx-operators-ml.proto", _ML),
}
_FILE_OF = {
    **dict.fromkeys(("SequenceProto", "MapProto", "OptionalProto"), "onnx-data"),
    **dict.fromkeys(("OperatorProto", "OperatorSetProto", "OperatorStatus"), "onnx-operators-ml"),
}

# The numbers of an enum, and of the fields of a message, in the order in which the official files declare them, where that is not theirs.
_DECLARED_ORDER = {"AttributeProto.AttributeType": (0, 1, 2, 3, 4, 5, 11, 13, 6, 7, 8, 9, 10, 12, 14)}
_DECLARED_FIELDS = {
    "onnx.AttributeProto": (1, 21, 13, 20, 2, 3, 4, 5, 6, 22, 14, 7, 8, 9, 10, 11, 23, 15),
    "onnx.FunctionProto": (1, 4, 5, 6, 11, 7, 8, 9, 10, 13, 12, 14),
    "onnx.GraphProto": (1, 2, 5, 15, 10, 11, 12, 13, 14, 16),
    "onnx.ModelProto": (1, 8, 2, 3, 4, 5, 6, 7, 14, 20, 25, 26),
    "onnx.NodeProto": (1, 2, 3, 4, 7, 8, 5, 6, 9, 10),
    "onnx.OperatorSetProto": (1, 2, 3, 7, 4, 5, 6, 8, 9),
    "onnx.TensorProto": (1, 2, 3, 4, 5, 6, 7, 8, 12, 9, 13, 14, 10, 11, 16),
    "onnx.TypeProto": (1, 4, 5, 9, 8, 7, 6),
}

classes: dict[str, Any] = {}
"""All message classes by full name."""
enums: dict[str, EnumTypeWrapper] = {}
"""The enums that belong to no message, by name."""


def _file_of(name: str) -> FileDescriptor:
    return _FILES[_FILE_OF.get(name.partition(".")[0], "onnx-ml")]


def python_module_of(full_name: str) -> str:
    """The module below `onnx` in which protoc would have put the message `full_name`: "onnx_ml_pb2" for "onnx.NodeProto"."""
    file = _FILE_OF.get(full_name.split(".")[1], "onnx-ml")
    return f"{file.replace('-', '_')}_pb2"


def _describe() -> None:
    described = _onnxpy.describe_messages()
    by_name = {full_name: Descriptor(full_name, _file_of(full_name.partition(".")[2]), cls) for cls, full_name, _ in described}
    for full_name, descriptor in by_name.items():
        outer = by_name.get(full_name.rpartition(".")[0])
        if outer is None:
            descriptor.file.message_types_by_name[descriptor.name] = descriptor
        else:
            outer._add_nested(descriptor)
    enum_descriptors = _describe_enums(by_name)
    for cls, full_name, fields in described:
        descriptor = by_name[full_name]
        declared = _DECLARED_FIELDS.get(full_name, ())
        in_declared_order = sorted(fields, key=lambda field: declared.index(field[1])) if declared else fields
        for index, (name, number, kind, is_repeated, is_packed, oneof, child, enum, doc) in enumerate(in_declared_order):
            field = FieldDescriptor(descriptor, index, name, number, kind, is_repeated, is_packed)
            field.__doc__ = doc
            if child is not None:
                field.message_type = next(other for other in by_name.values() if other._concrete_class is child)
            if enum:
                field.enum_type = enum_descriptors[enum]
            descriptor._add_field(field, oneof)
            setattr(cls, f"{name.upper()}_FIELD_NUMBER", number)
        cls.DESCRIPTOR = descriptor
        _onnxpy.set_descriptors(cls, [descriptor.fields_by_number[number] for _, number, *_ in fields])
        classes[full_name] = cls


def _describe_enums(messages: dict[str, Descriptor]) -> dict[str, EnumDescriptor]:
    descriptors = {}
    for name, values in _onnxpy.describe_enums():
        values = [values[number] for number in _DECLARED_ORDER.get(name, range(len(values)))]
        outer_name, _, short_name = name.rpartition(".")
        outer = messages[f"onnx.{outer_name}"] if outer_name else None
        descriptor = EnumDescriptor(f"onnx.{name}", _file_of(name), outer, values)
        wrapper = EnumTypeWrapper(descriptor)
        descriptors[name] = descriptor
        if outer is None:
            descriptor.file.enum_types_by_name[short_name] = descriptor
            enums[short_name] = wrapper
            continue
        outer._add_enum(descriptor)
        setattr(outer._concrete_class, short_name, wrapper)
        for value_name, number in values:
            setattr(outer._concrete_class, value_name, number)
    return descriptors


# ---- pickling: a name and bytes, which any later version of the package can read


def restore_message(full_name: str, data: Any) -> Any:
    """The message that a pickle holds. Its place in this module is part of the format of pickles."""
    return classes[full_name].FromString(data)


def _reduce_ex(self: Any, protocol: Any) -> tuple[Any, ...]:
    data: Any = self.SerializeToString()
    if int(protocol) >= 5:
        data = pickle.PickleBuffer(data)  # out of band, if the pickler has somewhere to put it
    return restore_message, (self.DESCRIPTOR.full_name, data)


def _reduce(self: Any) -> tuple[Any, ...]:
    return _reduce_ex(self, 2)


def _get_state(self: Any) -> dict[str, bytes]:
    return {"serialized": self.SerializePartialToString()}


def _set_state(self: Any, state: dict[str, bytes]) -> None:
    self.ParseFromString(state["serialized"])


def restore_error(name: str, args: tuple[Any, ...], state: dict[str, Any]) -> BaseException:
    """The error that a pickle holds, of the class that is raised here. Its place in this module is part of the format of pickles."""
    error: BaseException = _onnxpy.error_class(name)(*args)
    error.__dict__.update(state)
    return error


# ---- extensions: ONNX has none, so nothing names one


def _no_extension(self: Any, field_descriptor: Any) -> Any:
    raise KeyError(f"{field_descriptor!r} is no extension of {self.DESCRIPTOR.full_name}")


# ---- the three short reprs: one line that says what a large message holds


def _part(name: str, value: Any) -> str:
    return f", {name}={value}" if value else ""


def _quoted(name: str, value: str) -> str:
    return f", {name}='{value}'" if value else ""


def _count(name: str, values: Any, plural: str) -> str:
    return f", {name}=<{len(values)} {plural}>" if len(values) else ""


def _opsets(entries: Iterable[Any]) -> dict[str, int]:
    return {entry.domain: entry.version for entry in entries}


def _model_repr(self: Any) -> str:
    parts = (
        _part("opset_import", _opsets(self.opset_import)),
        _quoted("domain", self.domain),
        _quoted("producer_name", self.producer_name),
        _quoted("producer_version", self.producer_version),
        f", graph={self.graph!r}",
        _count("functions", self.functions, "functions"),
    )
    return f"ModelProto(ir_version={self.ir_version}{''.join(parts)})"


def _graph_repr(self: Any) -> str:
    parts = (
        _count("input", self.input, "inputs"),
        _count("output", self.output, "outputs"),
        _count("initializer", self.initializer, "initializers"),
        _count("node", self.node, "nodes"),
        _count("value_info", self.value_info, "value_info"),
    )
    return f"GraphProto('{self.name}'{''.join(parts)})"


def _function_repr(self: Any) -> str:
    parts = (
        _quoted("domain", self.domain),
        _quoted("overload", self.overload),
        _part("opset_import", _opsets(self.opset_import)),
        _count("input", self.input, "inputs"),
        _count("output", self.output, "outputs"),
        _part("attribute", list(self.attribute)),
        _count("node", self.node, "nodes"),
    )
    return f"FunctionProto('{self.name}'{''.join(parts)})"


_describe()
for _message_class in classes.values():
    _message_class.__reduce_ex__ = _reduce_ex
    _message_class.__reduce__ = _reduce
    _message_class.__getstate__ = _get_state
    _message_class.__setstate__ = _set_state
    _message_class.HasExtension = _message_class.ClearExtension = _no_extension
for _class, _repr in ((_onnxpy.ModelProto, _model_repr), (_onnxpy.GraphProto, _graph_repr), (_onnxpy.FunctionProto, _function_repr)):
    setattr(_class, "__repr__", _repr)  # noqa: B010  assigned on purpose
for _list in (_onnxpy.RepeatedScalarContainer, _onnxpy.RepeatedCompositeContainer):
    collections.abc.MutableSequence.register(_list)
