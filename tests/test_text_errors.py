"""What goes wrong in a text arrives as a class of its own, with the place of the fault."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format, text_format

import onnx_light.onnx as onnxl
from onnx_light.onnx_py import _onnxpy


def test_text_errors_are_decode_errors_with_a_line_and_a_column() -> None:
    faults: list[tuple[Callable[..., Any], type[Any], str, tuple[int, int]]] = [
        (_onnxpy.text.from_text_format, onnxl.TextParseError, 'name: "a"\n  what: 1', (2, 3)),
        (_onnxpy.text.from_json, onnxl.JsonParseError, '{"name": "a",\n "what": 1}', (2, 2)),
    ]
    for read, kind, text, place in faults:
        node = onnxl.NodeProto(name="kept")
        with pytest.raises(kind) as caught:
            read(text, node)
        assert isinstance(caught.value, onnxl.DecodeError)
        error: Any = caught.value
        assert (error.line, error.column) == place
        assert node == onnxl.NodeProto(name="kept")


def test_text_errors_are_protobufs_own_where_protobuf_is_in_use() -> None:
    with pytest.raises(text_format.ParseError):
        _onnxpy.text.from_text_format("what: 1", onnxl.NodeProto())
    with pytest.raises(json_format.ParseError):
        _onnxpy.text.from_json("{", onnxl.NodeProto())


def test_text_errors_do_not_need_protobuf(tmp_path: Path) -> None:
    code = (
        "import sys\nimport onnx_light.onnx as onnxl\n"
        "from onnx_light.onnx_py import _onnxpy\n"
        "try: _onnxpy.text.from_json('{', onnxl.NodeProto())\n"
        "except onnxl.JsonParseError: print('google.protobuf' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "False\n"
