"""docs/cli.md shows what its commands print, and a page that does not is noticed."""

import inspect
import os
import re
from importlib import import_module
from pathlib import Path

import pytest

from onnx_light.cli.main import VERBS


def test_the_page_of_the_command_line_shows_what_its_commands_print(root, load_tool):
    folder = os.environ.get("ONNX_LIGHT_MODELS")
    if not folder:
        pytest.skip("ONNX_LIGHT_MODELS names no collection")
    tool = load_tool("run_examples")
    found = tool.differences((root / "docs" / "cli.md").read_text(encoding="utf-8"), Path(folder))
    assert not found, "\n".join(["run tools/run_examples.py", *found])


def test_the_page_shows_every_verb(root):
    page = (root / "docs" / "cli.md").read_text(encoding="utf-8")
    assert [verb for verb in VERBS if f"$ onnx-light {verb} " not in page and f"$(onnx-light {verb} " not in page] == []


def test_the_page_names_for_every_verb_a_function_that_is_typed_and_documented(root):
    page = (root / "docs" / "cli.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?) \| (.*) \|$", page, re.MULTILINE)
    assert {verb for verbs, _ in rows for verb in re.findall(r"`(\w+)`", verbs)} == set(VERBS) - {"completion"}
    for name in re.findall(r"`((?:tools|onnx)[\w.]+)", " ".join(functions for _, functions in rows)):
        module, _, attribute = f"onnx_light.{name}".rpartition(".")
        function = getattr(import_module(module), attribute)
        assert inspect.getdoc(function)
        assert inspect.signature(function).return_annotation is not inspect.Signature.empty or inspect.isclass(function)


def test_a_stale_output_is_noticed_and_figures_may_vary_where_it_is_said(load_tool, tmp_path):
    tool = load_tool("run_examples")
    page = "text\n\n```console\n$ echo 1 > f; cat f\n1\n$ cat f\n2\n```\n\n<!-- figures vary -->\n```console\n$ echo 5.25 ms\n7 s\n```\n"
    assert [line for line in tool.differences(page, tmp_path) if line[1:].isdecimal() and line[0] in "+-"] == ["-2", "+1"]
    assert tool.refreshed(page, tmp_path) == page.replace("\n2\n", "\n1\n").replace("7 s", "5.25 ms")
    assert tool.differences(page.replace("\n2\n", "\n1\n"), tmp_path) == []
    with pytest.raises(LookupError, match=r"no\.onnx"):
        tool.refreshed("<!-- examples: a.onnx = no.onnx -->", tmp_path)
