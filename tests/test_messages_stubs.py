"""The committed stubs are those that the tables give, and a client of `onnx` passes `mypy --strict` with them."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import onnx_light


def run_client(source: str, tmp_path: Path) -> str:
    client = tmp_path / "client.py"
    client.write_text(source)
    return subprocess.run([sys.executable, client], capture_output=True, text=True, check=True, cwd=tmp_path).stdout


def test_the_committed_stub_is_what_the_tool_writes(load_tool: Callable[[str], ModuleType], tmp_path: Path) -> None:
    tool = load_tool("make_stubs")
    tool.main(tmp_path / "made.pyi")
    assert (tmp_path / "made.pyi").read_text() == tool.STUB.read_text()


def test_a_stub_and_its_marker_are_installed() -> None:
    package = Path(onnx_light.__file__).parent
    assert (package / "py.typed").exists() and (package / "onnx_py" / "_onnxpy.pyi").exists()


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_a_client_of_onnx_passes_mypy_strict(root: Path, tmp_path: Path) -> None:
    client = tmp_path / "client.py"
    client.write_text((root / "tests" / "client_mypy.py").read_text())
    arguments = ["--strict", "--no-incremental", "--cache-dir", str(tmp_path / "cache"), str(client)]
    done = subprocess.run([sys.executable, "-m", "mypy", *arguments], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout


def test_the_client_prints_the_same_with_onnx(root: Path, tmp_path: Path) -> None:
    source = (root / "tests" / "client_mypy.py").read_text()
    theirs = source.replace("import onnx_light.onnx as onnx", "import onnx").replace("from onnx_light.onnx import", "from onnx import")
    ours = run_client(source, tmp_path)
    assert ours == run_client(theirs, tmp_path) and len(ours.splitlines()) > 20
