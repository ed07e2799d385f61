"""examples/roundtrip.py, the main job: a summary people can read, and a saved file with the bytes of the first."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import onnx_light.onnx as onnxl

SMALL = onnxl.ModelProto(
    ir_version=10,
    producer_name="me",
    opset_import=[{"version": 21}, {"domain": "com.example", "version": 3}],
    graph={
        "name": "small",
        "input": [{"name": "x", "type": {"tensor_type": {"elem_type": 1, "shape": {"dim": [{"dim_param": "N"}, {"dim_value": 3}, {}]}}}}],
        "output": [{"name": "y", "type": {"tensor_type": {"elem_type": 7}}}],
        "initializer": [{"name": "w", "dims": [2, 3], "data_type": 1}],
        "node": [
            {"op_type": "Add", "input": ["x", "w"], "output": ["z"]},
            {"op_type": "If", "attribute": [{"name": "then_branch", "type": 5, "g": {"node": [{"op_type": "Add"}]}}]},
            {"op_type": "Constant", "attribute": [{"name": "value", "type": 4, "t": {"dims": [5], "data_type": 1}}]},
            {"op_type": "Own", "domain": "com.example"},
        ],
    },
)

SUMMARY = """\
small.onnx
  name        small, made by me
  IR          10
  opsets      ai.onnx 21, com.example 3
  input       x: FLOAT[N, 3, ?]
  output      y: INT64[…]
  operators   5 nodes of 4 kinds
                   2 Add
                   1 If
                   1 Constant
                   1 com.example.Own
  parameters  11 in 2 tensors
  bytes       {size}
saved as saved.onnx: the bytes are equal
"""


def run_example(root: Path, model: Path, *saved: Path) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [sys.executable, root / "examples" / "roundtrip.py", model, *saved]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_it_prints_what_is_in_a_model_and_saves_the_same_bytes(root: Path, tmp_path: Path) -> None:
    data = SMALL.SerializeToString()
    (tmp_path / "small.onnx").write_bytes(data)
    done = run_example(root, tmp_path / "small.onnx", tmp_path / "saved.onnx")
    assert done.stdout == SUMMARY.format(size=len(data))
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "saved.onnx").read_bytes() == data


def test_bytes_that_protobuf_would_write_otherwise_are_reported(root: Path, tmp_path: Path) -> None:
    newest_first = onnxl.ModelProto(model_version=1).SerializeToString() + SMALL.SerializeToString()
    (tmp_path / "other.onnx").write_bytes(newest_first)
    done = run_example(root, tmp_path / "other.onnx")
    assert done.returncode == 1
    assert done.stdout.endswith("saved as saved.onnx: the bytes differ\n")


def test_every_canonical_model_of_the_collection_is_saved_with_its_bytes(root: Path, canonical_model: Any) -> None:
    path = canonical_model.path
    done = run_example(root, path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"bytes       {path.stat().st_size:,}" in done.stdout
