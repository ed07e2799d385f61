"""Real files: each is written back byte for byte, or as protobuf writes it where its bytes are not protobuf's own form.

The collection is the folder that ONNX_LIGHT_MODELS names; its manifest.csv says which files hold which message and which are canonical.
"""

from __future__ import annotations

import csv
import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent / "oracle"))
from oracle_client import ours, upb  # type: ignore[import-not-found]

MODELS = os.environ.get("ONNX_LIGHT_MODELS")
pytestmark = pytest.mark.skipif(MODELS is None, reason="ONNX_LIGHT_MODELS names no model collection")

BINARY = ("ModelProto", "TensorProto", "SequenceProto", "OptionalProto")


def manifest() -> list[dict[str, str]]:
    if MODELS is None:
        return []
    with (Path(MODELS) / "manifest.csv").open(newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["message"] in BINARY]


ROWS = manifest()


@pytest.mark.parametrize("row", ROWS, ids=[row["file"] for row in ROWS])
def test_file_is_read_written_and_printed_as_protobuf_does(row: dict[str, str]) -> None:
    data = (Path(MODELS or "") / row["file"]).read_bytes()
    name = f"onnx.{row['message']}"
    expected = upb(name, data)
    (reading,) = ours([(name, data)])
    assert expected.written is not None
    assert reading.written == expected.written
    if row["canonical"] == "yes":
        assert reading.written == data
    assert reading.size == len(reading.written)
    assert reading.text == expected.text


def test_the_collection_has_files_of_every_kind() -> None:
    assert {row["message"] for row in ROWS} == set(BINARY)
    assert {row["canonical"] for row in ROWS} == {"yes", "no"}
