"""Every field and enum member of ONNX, three ways: the table in tests/data, the installed `onnx`, and our own FIELD lines."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

sys.path.insert(0, str(Path(__file__).resolve().parent / "oracle"))
from oracle_client import message_class, table, tool  # type: ignore[import-not-found]

FIELDS = [tuple(row) for row in table("onnx_fields.txt")]
ENUMS = [tuple(row) for row in table("onnx_enums.txt")]

SCALARS = {
    FieldDescriptor.TYPE_INT32: "int32",
    FieldDescriptor.TYPE_INT64: "int64",
    FieldDescriptor.TYPE_UINT64: "uint64",
    FieldDescriptor.TYPE_FLOAT: "float",
    FieldDescriptor.TYPE_DOUBLE: "double",
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_BYTES: "bytes",
}


def every_message(descriptor: Descriptor) -> Iterator[Descriptor]:
    yield descriptor
    for nested in descriptor.nested_types:
        yield from every_message(nested)


def onnx_files() -> list[object]:
    return [message_class(name).DESCRIPTOR.file for name in ("onnx.ModelProto", "onnx.MapProto", "onnx.OperatorProto")]


def onnx_messages() -> Iterator[Descriptor]:
    for file in onnx_files():
        for descriptor in file.message_types_by_name.values():  # type: ignore[attr-defined]
            yield from every_message(descriptor)


def onnx_enums() -> Iterator[EnumDescriptor]:
    for file in onnx_files():
        yield from file.enum_types_by_name.values()  # type: ignore[attr-defined]
    for message in onnx_messages():
        yield from message.enum_types


def row_of(message: Descriptor, field: FieldDescriptor) -> tuple[str, ...]:
    kind = field.message_type or field.enum_type
    return (
        message.full_name,
        field.name,
        str(field.number),
        kind.full_name if kind is not None else SCALARS[field.type],
        "repeated" if field.is_repeated else "optional",
        "packed" if field.is_packed else "-",
        field.containing_oneof.name if field.containing_oneof is not None else "-",
    )


def dumped(what: str) -> list[tuple[str, ...]]:
    """The rows that our own tables print."""
    printed = subprocess.run([tool(), what], capture_output=True, check=True, text=True).stdout
    return [tuple(line.split("\t")) for line in printed.splitlines()]


def test_the_table_lists_the_fields_of_the_installed_onnx() -> None:
    assert len({row[0] for row in FIELDS}) == 33
    assert sorted(FIELDS) == sorted(row_of(message, field) for message in onnx_messages() for field in message.fields)


def test_the_table_lists_the_enums_of_the_installed_onnx() -> None:
    assert sorted(ENUMS) == sorted((enum.full_name, value.name, str(value.number)) for enum in onnx_enums() for value in enum.values)


def test_our_rows_are_those_of_the_table() -> None:
    assert sorted(dumped("fields")) == sorted(FIELDS)


def test_our_rows_ascend_by_number_within_a_message() -> None:
    """Serialising writes them in this order."""
    rows = dumped("fields")
    by_message = [(row[0], int(row[2])) for row in rows]
    for name in {row[0] for row in rows}:
        numbers = [number for message, number in by_message if message == name]
        assert numbers == sorted(set(numbers)), name


def test_the_enums_of_our_rows_have_the_members_of_the_table() -> None:
    ours = dumped("enums")
    named = {row[0] for row in ours}
    assert named >= {row[3] for row in FIELDS if row[3] in {enum for enum, _, _ in ENUMS}}
    assert sorted(ours) == sorted(row for row in ENUMS if row[0] in named)
