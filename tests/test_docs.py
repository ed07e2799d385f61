"""What the pages show runs: each Python block as a program of its own, in a folder with the files it speaks of."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import onnx_light.onnx as onnxl
from onnx_light.onnx import helper, numpy_helper

ROOT = Path(__file__).resolve().parent.parent
BLOCKS = [
    pytest.param(code, id=f"{page.relative_to(ROOT)}-{number}")
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    for number, code in enumerate(re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE))
]


def test_pages_show_python():
    assert len(BLOCKS) >= 4


@pytest.mark.parametrize("code", BLOCKS)
def test_a_block_runs(tmp_path, code):
    weights = numpy_helper.from_array(np.arange(1000, dtype=np.float32), "encoder.weight")
    value = helper.make_tensor_value_info("y", onnxl.TensorProto.FLOAT, [1000])
    node = helper.make_node("Relu", ["encoder.weight"], ["y"])
    onnxl.save(helper.make_model(helper.make_graph([node], "g", [], [value], [weights])), tmp_path / "model.onnx")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for how in ({"location": "m.data"}, {"save_as_external_data": True, "all_tensors_to_one_file": False, "location": ""}):
        onnxl.save(onnxl.load(tmp_path / "model.onnx"), elsewhere / "m.onnx", **how)
    given = 'import onnx_light.onnx\nmodel = onnx_light.onnx.load("model.onnx")\n'
    done = subprocess.run([sys.executable, "-c", given + code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
