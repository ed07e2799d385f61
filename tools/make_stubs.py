#!/usr/bin/env python3
"""Writes the stub of the extension module, from the same tables that its classes are made of.

    tools/make_stubs.py [FILE]

Needs the installed package. The committed stub is onnx_light/onnx_py/_onnxpy.pyi; what stands in it before the messages is written by hand
and kept. Without FILE that stub is replaced. A test compares the two.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

STUB = Path(__file__).resolve().parent.parent / "onnx_light" / "onnx_py" / "_onnxpy.pyi"

BEGINS = "# --- messages"  # the line from where on the stub is made; what stands before it is written by hand

# What the package adds to the classes (onnx_light/onnx/_payloads.py).
ADDED = {
    "TensorProto": (
        "def set_raw_data(self, buffer: Any, copy: bool = True) -> None: ...",
        "def set_raw_data_with_deleter(self, buffer: Any, deleter: Callable[[], object]) -> None: ...",
        "def attach_raw_data_deleter(self, deleter: Callable[[], object]) -> None: ...",
        "@property",
        "def raw_data_view(self) -> RawDataView: ...",
    ),
    "ModelProto": ("def release_weights(self) -> int: ...",),
}
SCALARS = {"string": "str", "bytes": "bytes", "float": "float", "double": "float"}


class Stub:
    def __init__(self) -> None:
        from onnx_light.onnx_py import _onnxpy

        described = _onnxpy.describe_messages()
        self.name_of = {cls: full_name.partition(".")[2] for cls, full_name, _ in described}
        self.fields_of = {full_name.partition(".")[2]: fields for _, full_name, fields in described}
        self.enums: dict[str, list[tuple[str, list[tuple[str, int]]]]] = {}
        for name, values in _onnxpy.describe_enums():
            outer, _, short = name.rpartition(".")
            self.enums.setdefault(outer, []).append((short, values))

    def text(self, by_hand: str) -> str:
        lines = [by_hand + BEGINS + ", made by tools/make_stubs.py from the tables of the library\n"]
        for name in self.fields_of:
            if "." not in name:
                lines += [*self.message(name), ""]
        return "\n".join(lines).rstrip("\n") + "\n"

    def message(self, name: str, indent: str = "") -> Iterator[str]:
        fields = self.fields_of[name]
        inner = indent + "    "
        yield f"{indent}class {name.rpartition('.')[2]}(_Message):"
        for nested in self.fields_of:
            if nested.rpartition(".")[0] == name:
                yield from self.message(nested, inner)
        for short, values in self.enums.get(name, []):
            yield f"{inner}class {short}(metaclass=_Enum):"
            yield f"{inner}    ValueType: TypeAlias = int"
            for value, _ in values:
                yield f"{inner}{value}: ClassVar[int]"
        for field, *_ in fields:
            yield f"{inner}{field.upper()}_FIELD_NUMBER: ClassVar[int]"
        for field in fields:
            yield from self.property(field, inner)
        yield f"{inner}def __init__("
        yield f"{inner}    self,"
        yield f"{inner}    *,"
        for field in fields:
            yield f"{inner}    {field[0]}: {self.argument(field)} | None = ...,"
        yield f"{inner}) -> None: ..."
        for oneof in dict.fromkeys(field[5] for field in fields if field[5]):
            members = ", ".join(f'"{field[0]}"' for field in fields if field[5] == oneof)
            yield f'{inner}def WhichOneof(self, oneof_group: Literal["{oneof}"], /) -> Literal[{members}] | None: ...'
        if not any(field[5] for field in fields):
            yield f"{inner}def WhichOneof(self, oneof_group: str, /) -> str | None: ..."
        yield f"{inner}def HasField(self, field_name: {self.names(fields, singular=True)}, /) -> bool: ..."
        yield f"{inner}def ClearField(self, field_name: {self.names(fields, singular=False)}, /) -> None: ..."
        for line in ADDED.get(name, ()):
            yield inner + line

    def property(self, field: Any, indent: str) -> Iterator[str]:
        name, _, kind, is_repeated, _, _, child, _, doc = field
        if child is None and not is_repeated:
            yield f"{indent}{name}: {SCALARS.get(kind, 'int')}"
        else:
            element = self.name_of[child] if child is not None else SCALARS.get(kind, "int")
            container = "RepeatedCompositeContainer" if child is not None else "RepeatedScalarContainer"
            yield f"{indent}@property"
            yield f"{indent}def {name}(self) -> {f'{container}[{element}]' if is_repeated else element}:"
        # A property's body is its doc; of an attribute the text below it.
        yield f'{indent}{"" if child is None and not is_repeated else "    "}"""{doc}"""'

    def argument(self, field: Any) -> str:
        _, _, kind, is_repeated, _, _, child, _, _ = field
        if child is not None:
            element = f"{self.name_of[child]} | dict[str, Any]"
        else:
            element = {"string": "str | bytes", "enum": "int | str"}.get(kind, SCALARS.get(kind, "int"))
        return f"Iterable[{element}]" if is_repeated else element

    @staticmethod
    def names(fields: Any, singular: bool) -> str:
        names = [field[0] for field in fields if not (singular and field[3])]
        names += dict.fromkeys(field[5] for field in fields if field[5])
        return "Literal[" + ", ".join(f'"{name}"' for name in names) + "]" if names else "str"


def main(path: Path) -> None:
    by_hand, found, _ = STUB.read_text(encoding="utf-8").partition(BEGINS)
    if not found:
        sys.exit(f"{STUB}: no line begins with {BEGINS!r}")
    path.write_text(Stub().text(by_hand), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else STUB)
