"""Files that are no models do not load as empty ones, and the error says what they are."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from google.protobuf import message as protobuf_message

import onnx_light.onnx as onnxl
from onnx_light.onnx import helper, numpy_helper


def archive() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr("model.onnx", b"inner")
    return data.getvalue()


TENSOR = numpy_helper.from_array(np.ones(2, np.float32))
FILES: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "empty"),
    "an archive": (archive(), "PK"),
    "a pointer": (b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "version https"),
    "a page": (b"<!DOCTYPE html><html></html>", "<!DOCTYPE"),
    "blanks": (b" " * 64, "no graph"),
    "an unknown field": (b"\xf8\xf0\x04\x2a", "no graph"),
    "a tensor": (TENSOR.SerializeToString(), "no graph"),
    "imports alone": (onnxl.ModelProto(opset_import=[helper.make_opsetid("", 1)]).SerializeToString(), "no graph"),
}


@pytest.mark.parametrize("case", FILES)
@pytest.mark.parametrize("source", ["path", "bytes", "file"])
def test_what_is_no_model_is_a_decode_error_that_says_what_it_is(tmp_path: Path, case: str, source: str) -> None:
    data, text = FILES[case]
    path = tmp_path / "m.onnx"
    path.write_bytes(data)
    given: dict[str, Any] = {"path": path, "bytes": data, "file": io.BytesIO(data)}
    with pytest.raises(onnxl.DecodeError) as caught:
        onnxl.load(given[source])
    assert isinstance(caught.value, protobuf_message.DecodeError)
    if source != "file":  # what has been read from an open file is gone
        assert text in str(caught.value)
        assert "ONNX model" in str(caught.value)


def test_a_damaged_model_is_not_called_something_else(tmp_path: Path) -> None:
    model = helper.make_model(helper.make_graph([], "g", [], []))
    (tmp_path / "m.onnx").write_bytes(model.SerializeToString()[:-1])
    with pytest.raises(onnxl.DecodeError) as caught:
        onnxl.load(tmp_path / "m.onnx")
    assert "no ONNX model" not in str(caught.value)


def test_messages_themselves_parse_whatever_is_a_message() -> None:
    assert onnxl.ModelProto.FromString(b"") == onnxl.ModelProto()
    library = onnxl.ModelProto(functions=[{"name": "f"}])
    assert onnxl.load(library.SerializeToString()) == library
    assert onnxl.load_from_string(b"") == onnxl.ModelProto()
