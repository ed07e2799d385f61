"""Descriptors: what protobuf's reflection says about messages, fields and enums, as far as tools read it.

They are plain objects, made once from the tables of the extension module, and complete enough for protobuf's own `text_format` and
`json_format` to work on messages of this package.
"""

from __future__ import annotations

from typing import Any

# Numbers of descriptor.proto.
_TYPES = {"double": 1, "float": 2, "int64": 3, "uint64": 4, "int32": 5, "string": 9, "message": 11, "bytes": 12, "enum": 14}
_CPP_TYPES = {"int32": 1, "int64": 2, "uint64": 4, "double": 5, "float": 6, "enum": 8, "string": 9, "bytes": 9, "message": 10}
_DEFAULTS = {"double": 0.0, "float": 0.0, "int64": 0, "uint64": 0, "int32": 0, "string": "", "bytes": b"", "enum": 0}


class Options:
    """Options that nobody has set. Any option reads as its default."""

    map_entry = False
    deprecated = False
    packed = False

    def HasField(self, field_name: str) -> bool:
        return False

    def ListFields(self) -> list[Any]:
        return []


class _Descriptor:
    has_options = False
    _options = Options()

    def GetOptions(self) -> Options:
        return self._options

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {getattr(self, 'full_name', '') or getattr(self, 'name', '')!r}>"


class FileDescriptor(_Descriptor):
    """The .proto file that an official tool would name; nothing is read from it."""

    syntax = "proto2"
    package = "onnx"

    def __init__(self, name: str, *dependencies: FileDescriptor) -> None:
        self.name = name
        self.message_types_by_name: dict[str, Descriptor] = {}
        self.enum_types_by_name: dict[str, EnumDescriptor] = {}
        self.extensions_by_name: dict[str, FieldDescriptor] = {}
        self.services_by_name: dict[str, Any] = {}
        self.dependencies = list(dependencies)
        self.public_dependencies: list[FileDescriptor] = []


class EnumValueDescriptor(_Descriptor):
    def __init__(self, type: EnumDescriptor, index: int, name: str, number: int) -> None:
        self.type = type
        self.index = index
        self.name = name
        self.number = number


class EnumDescriptor(_Descriptor):
    is_closed = True

    def __init__(self, full_name: str, file: FileDescriptor, containing_type: Descriptor | None, values: list[tuple[str, int]]) -> None:
        self.full_name = full_name
        self.name = full_name.rpartition(".")[2]
        self.file = file
        self.containing_type = containing_type
        self.values = [EnumValueDescriptor(self, index, name, number) for index, (name, number) in enumerate(values)]
        self.values_by_name = {value.name: value for value in self.values}
        self.values_by_number = {value.number: value for value in self.values}


class OneofDescriptor(_Descriptor):
    def __init__(self, name: str, index: int, containing_type: Descriptor) -> None:
        self.name = name
        self.full_name = f"{containing_type.full_name}.{name}"
        self.index = index
        self.containing_type = containing_type
        self.fields: list[FieldDescriptor] = []


class FieldDescriptor(_Descriptor):
    TYPE_DOUBLE, TYPE_FLOAT, TYPE_INT64, TYPE_UINT64, TYPE_INT32 = 1, 2, 3, 4, 5
    TYPE_FIXED64, TYPE_FIXED32, TYPE_BOOL, TYPE_STRING, TYPE_GROUP = 6, 7, 8, 9, 10
    TYPE_MESSAGE, TYPE_BYTES, TYPE_UINT32, TYPE_ENUM = 11, 12, 13, 14
    TYPE_SFIXED32, TYPE_SFIXED64, TYPE_SINT32, TYPE_SINT64 = 15, 16, 17, 18
    CPPTYPE_INT32, CPPTYPE_INT64, CPPTYPE_UINT32, CPPTYPE_UINT64, CPPTYPE_DOUBLE = 1, 2, 3, 4, 5
    CPPTYPE_FLOAT, CPPTYPE_BOOL, CPPTYPE_ENUM, CPPTYPE_STRING, CPPTYPE_MESSAGE = 6, 7, 8, 9, 10
    LABEL_OPTIONAL, LABEL_REQUIRED, LABEL_REPEATED = 1, 2, 3

    is_extension = False
    is_required = False
    extension_scope = None

    def __init__(
        self, containing_type: Descriptor, index: int, name: str, number: int, kind: str, is_repeated: bool, is_packed: bool
    ) -> None:
        self.containing_type = containing_type
        self.file = containing_type.file
        self.index = index
        self.name = name
        self.full_name = f"{containing_type.full_name}.{name}"
        self.number = number
        self.type = _TYPES[kind]
        self.cpp_type = _CPP_TYPES[kind]
        self.is_repeated = is_repeated
        self.is_packed = is_packed
        self.label = self.LABEL_REPEATED if is_repeated else self.LABEL_OPTIONAL
        self.has_presence = not is_repeated
        self.has_default_value = False
        self.default_value: Any = [] if is_repeated else _DEFAULTS.get(kind)
        self.message_type: Descriptor | None = None
        self.enum_type: EnumDescriptor | None = None
        self.containing_oneof: OneofDescriptor | None = None
        first, *others = name.split("_")
        self.camelcase_name = self.json_name = first + "".join(word[:1].upper() + word[1:] for word in others)


class Descriptor(_Descriptor):
    is_extendable = False

    def __init__(self, full_name: str, file: FileDescriptor, concrete_class: type) -> None:
        self.full_name = full_name
        self.name = full_name.rpartition(".")[2]
        self.file = file
        self._concrete_class = concrete_class
        self.containing_type: Descriptor | None = None
        self.nested_types: list[Descriptor] = []
        self.nested_types_by_name: dict[str, Descriptor] = {}
        self.enum_types: list[EnumDescriptor] = []
        self.enum_types_by_name: dict[str, EnumDescriptor] = {}
        self.enum_values_by_name: dict[str, EnumValueDescriptor] = {}
        self.fields: list[FieldDescriptor] = []
        self.fields_by_name: dict[str, FieldDescriptor] = {}
        self.fields_by_number: dict[int, FieldDescriptor] = {}
        self.fields_by_camelcase_name: dict[str, FieldDescriptor] = {}
        self.oneofs: list[OneofDescriptor] = []
        self.oneofs_by_name: dict[str, OneofDescriptor] = {}
        self.extensions: list[FieldDescriptor] = []
        self.extensions_by_name: dict[str, FieldDescriptor] = {}
        self.extension_ranges: list[tuple[int, int]] = []

    def EnumValueName(self, enum: str, value: int) -> str:
        """The name of a number of one of the enums declared here. Raises KeyError."""
        return self.enum_types_by_name[enum].values_by_number[value].name

    def _add_field(self, field: FieldDescriptor, oneof: str) -> None:
        self.fields.append(field)
        self.fields_by_name[field.name] = field
        self.fields_by_number[field.number] = field
        self.fields_by_camelcase_name[field.camelcase_name] = field
        if oneof:
            if oneof not in self.oneofs_by_name:
                self.oneofs_by_name[oneof] = OneofDescriptor(oneof, len(self.oneofs), self)
                self.oneofs.append(self.oneofs_by_name[oneof])
            field.containing_oneof = self.oneofs_by_name[oneof]
            self.oneofs_by_name[oneof].fields.append(field)

    def _add_nested(self, nested: Descriptor) -> None:
        nested.containing_type = self
        self.nested_types.append(nested)
        self.nested_types_by_name[nested.name] = nested

    def _add_enum(self, enum: EnumDescriptor) -> None:
        self.enum_types.append(enum)
        self.enum_types_by_name[enum.name] = enum
        self.enum_values_by_name.update(enum.values_by_name)
