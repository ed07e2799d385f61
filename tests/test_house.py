"""The house keeps its own rules: directions, promises of the README, what is installed."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import onnx_light


@pytest.fixture(scope="session")
def in_git(root: Path) -> None:
    if not (root / ".git").exists():
        pytest.skip("the tree is no git checkout")


def test_arrows_between_rooms_point_down(root: Path, load_tool: Callable[[str], ModuleType]) -> None:
    assert load_tool("check_includes").faults(root) == []


@pytest.mark.usefixtures("in_git")
def test_the_tree_holds_nothing_large_nothing_built_and_no_machine_path(root: Path, load_tool: Callable[[str], ModuleType]) -> None:
    assert load_tool("check_tree").faults(root) == []


def test_every_command_that_the_pages_show_exists(root: Path) -> None:
    helped = subprocess.run([sys.executable, root / "dev", "--help"], capture_output=True, text=True, check=True).stdout
    known = set(re.findall(r"^    (\w+)", helped, re.MULTILINE))
    for page in ("README.md", "CONTRIBUTING.md"):
        shown = set(re.findall(r"\./dev (\w+)", (root / page).read_text(encoding="utf-8")))
        assert shown, page
        assert shown <= known, page


@pytest.fixture(scope="session")
def names_of_tests(root: Path) -> set[str]:
    """All tests that there are: `Suite.Name` of C++, the function's name of Python."""
    sources = [path for folder in ("onnx_light", "tests") for path in (root / folder).rglob("*_test.cc")]
    cpp = {".".join(name) for path in sources for name in re.findall(r"TEST\w*\((\w+),\s*(\w+)\)", path.read_text(encoding="utf-8"))}
    python = {
        name for path in (root / "tests").rglob("test_*.py") for name in re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))
    }
    return cpp | python


def test_every_listed_difference_names_tests_that_exist(root: Path, names_of_tests: set[str]) -> None:
    table = (root / "docs" / "differences.md").read_text(encoding="utf-8").partition("| --- |")[2]
    rows = [line for line in table.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    assert rows
    for row in rows:
        named = re.findall(r"`([^`]+)`", row.rstrip("| ").rpartition("|")[2])
        assert named, row
        assert set(named) <= names_of_tests, row


def test_every_promise_of_the_security_page_names_tests_that_exist(root: Path, names_of_tests: set[str]) -> None:
    page = (root / "SECURITY.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith(("| ---", "| promise"))]
    assert rows
    assert all(re.search(r"`(test_\w+|[A-Z]\w+\.[A-Z]\w+)`", row.rpartition("| ")[2] or row) for row in rows)
    named = set(re.findall(r"`(test_\w+|[A-Z][A-Za-z]+\.[A-Z]\w*[a-z]\w*)`", page))
    assert named - names_of_tests == set()


def test_the_installed_package_is_tested_and_not_the_tree(root: Path) -> None:
    assert onnx_light.__file__ is not None
    assert not Path(onnx_light.__file__).resolve().is_relative_to(root / "onnx_light")


def test_the_version_is_the_one_in_the_version_file(root: Path) -> None:
    version = (root / "VERSION").read_text(encoding="utf-8").strip()
    assert importlib.metadata.version("onnx-light") == version
    assert f"## [{version}]" in (root / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_wheel_carries_the_package_and_no_cpp_sources() -> None:
    files = importlib.metadata.files("onnx-light") or []
    names = {str(file) for file in files}
    assert "onnx_light/py.typed" in names
    assert any(re.fullmatch(r"onnx_light/onnx_py/_onnxpy\.[^/]*so", name) for name in names)
    assert [name for name in names if re.search(r"\.(cc|h|inc|txt|a)$", name) and "dist-info" not in name] == []


def test_importing_the_package_imports_no_peer() -> None:
    code = "import sys, onnx_light.onnx; print([m for m in ('onnx', 'google.protobuf', 'onnxruntime') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
