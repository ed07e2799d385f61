#!/usr/bin/env python3
"""Holds the rule that arrows between the rooms of onnx_light/ point down only.

    tools/check_includes.py [ROOT]

    cli -> tools -> as_onnx -> onnx -> onnx_py -> backend_test -> kernels -> onnx_lib (with ops/) -> onnx_proto

Walks the #include lines of C++ files and the imports of Python files below ROOT/onnx_light. A room may use itself and rooms below it.
Besides, nothing below onnx_py knows Python, and nothing at all uses a peer (onnx, protobuf, onnxruntime): those are oracles of tests.
Prints one line for each arrow that points up; exit code 1 if there is one.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

# From the bottom to the top.
ROOMS = ("onnx_proto", "onnx_lib", "kernels", "backend_test", "onnx_py", "onnx", "as_onnx", "tools", "cli")
# An operator's files lie together; the suffix names the library each goes to.
OPS_SUFFIXES = {".schema.cc": "onnx_lib", ".kernel.cc": "kernels", ".cases.cc": "backend_test"}
PEER_MODULES = ("onnx", "google", "onnxruntime")
PEER_HEADERS = re.compile(r"^(onnx/|google/|onnxruntime|protozero/)|\.pb\.h$")
PYTHON_HEADERS = re.compile(r"^(Python\.h$|nanobind/)")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)


class Fault(NamedTuple):
    file: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


def room_of(path: Path) -> str:
    """The room that a file or folder below onnx_light/ belongs to; what lies at the top, such as __main__.py, may use every room."""
    room = path.parts[0]
    if room == "ops":
        return next((name for suffix, name in OPS_SUFFIXES.items() if path.name.endswith(suffix)), "onnx_lib")
    if room == "onnx_lib" and path.suffix == ".py":
        return "onnx"  # onnx_light.onnx_lib is the Python package's second name; the C++ library has no Python files
    return room if room in ROOMS else "cli"


def rank(room: str) -> int:
    return ROOMS.index(room)


def included_room(package: Path, file: Path, name: str) -> str | None:
    """The room that an include line in quotes reaches, by room, by door of onnx_proto or beside the file; None if it is no file of ours."""
    for folder in (package, package / "onnx_proto", file.parent):
        target = folder / name
        if target.exists():
            return room_of(target.resolve().relative_to(package.resolve()))
    first = name.split("/")[0]
    return first if first in ROOMS else None


def cpp_faults(package: Path, file: Path) -> Iterator[Fault]:
    room = room_of(file.relative_to(package))
    text = file.read_text(encoding="utf-8")
    is_test = file.stem.endswith("_test")
    for match in INCLUDE.finditer(text):
        quote, name = match.groups()
        line = text.count("\n", 0, match.start()) + 1
        if PYTHON_HEADERS.search(name):
            if rank(room) < rank("onnx_py"):
                yield Fault(file, line, f"{room} includes {name}: only onnx_py knows Python")
            continue
        target = included_room(package, file, name) if quote == '"' else None
        if target is None:
            if PEER_HEADERS.search(name):
                yield Fault(file, line, f"includes {name}: the product uses no peer")
            elif quote == '"' and not is_test:
                yield Fault(file, line, f'includes "{name}", which is no file of ours')
        elif rank(target) > rank(room):
            yield Fault(file, line, f"{room} includes {name} of {target}, which stands above it")


def imported_names(package: Path, file: Path) -> Iterator[tuple[int, str]]:
    """Absolute dotted names that a Python file imports, with their lines."""
    parts = ("onnx_light", *file.relative_to(package).with_suffix("").parts)
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"), str(file))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join([*parts[: len(parts) - node.level], *([base] if base else [])])
            yield node.lineno, base
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"


def python_faults(package: Path, file: Path) -> Iterator[Fault]:
    room = room_of(file.relative_to(package))
    for line, name in imported_names(package, file):
        first, *rest = name.split(".")
        if first in PEER_MODULES:
            yield Fault(file, line, f"imports {name}: the product uses no peer")
        elif first == "onnx_light" and rest and rest[0] in ROOMS:
            target = "onnx" if rest[0] == "onnx_lib" else rest[0]
            if rank(target) > rank(room):
                yield Fault(file, line, f"{room} imports {name} of {target}, which stands above it")


def faults(root: Path) -> list[Fault]:
    package = root / "onnx_light"
    found: dict[tuple[Path, int], Fault] = {}
    for file in sorted(package.rglob("*")):
        if file.suffix in (".cc", ".h", ".inc"):
            new = cpp_faults(package, file)
        elif file.suffix in (".py", ".pyi"):
            new = python_faults(package, file)
        else:
            continue
        for fault in new:
            found.setdefault((fault.file, fault.line), fault._replace(file=file.relative_to(root)))
    return list(found.values())


def main(root: Path) -> int:
    found = faults(root)
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent))
