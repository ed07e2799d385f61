"""What all Python tests share: the collection of real models and its manifest.

ONNX_LIGHT_MODELS names the collection's folder; manifest.csv in it has one row a file. Tests ask for files by a fixture's name, and
run once for each file; without a collection they are skipped, and say so.
"""

from __future__ import annotations

import csv
import importlib.util
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class ModelFile:
    """One row of the manifest."""

    path: Path
    name: str
    """The path below the collection's folder."""
    message: str
    """ModelProto, TensorProto, SequenceProto, OptionalProto, `ModelProto (text format)` or external-data."""
    canonical: bool
    """protobuf's own serialisation of the parsed message gives the file's bytes."""
    row: dict[str, str]

    @property
    def is_binary_message(self) -> bool:
        return self.message.endswith("Proto")


@cache
def collection() -> tuple[ModelFile, ...]:
    folder = os.environ.get("ONNX_LIGHT_MODELS")
    if not folder:
        return ()
    with (Path(folder) / "manifest.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return tuple(ModelFile(Path(folder) / row["file"], row["file"], row["message"], row["canonical"] == "yes", row) for row in rows)


# Fixture name -> which files it stands for.
FILE_FIXTURES = {
    "binary_file": lambda file: file.is_binary_message,
    "text_file": lambda file: file.message == "ModelProto (text format)",
    "canonical_model": lambda file: file.message == "ModelProto" and file.canonical,
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for fixture, belongs in FILE_FIXTURES.items():
        if fixture in metafunc.fixturenames:
            files = [file for file in collection() if belongs(file)]
            params = [pytest.param(file, id=file.name) for file in files]
            missing = pytest.param(None, id="no-collection", marks=pytest.mark.skip(reason="ONNX_LIGHT_MODELS names no collection"))
            metafunc.parametrize(fixture, params or [missing])


@pytest.fixture(scope="session")
def root() -> Path:
    """The tree that the tests lie in; the package under test is the installed one, not this."""
    return ROOT


@pytest.fixture(scope="session")
def load_tool(root: Path) -> Callable[[str], ModuleType]:
    """Gives the scripts of tools/ as modules, by name: they are no package."""

    def load(name: str) -> ModuleType:
        if name not in sys.modules:
            spec = importlib.util.spec_from_file_location(name, root / "tools" / f"{name}.py")
            assert spec is not None and spec.loader is not None
            sys.modules[name] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(sys.modules[name])
        return sys.modules[name]

    return load
