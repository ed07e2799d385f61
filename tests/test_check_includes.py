"""tools/check_includes.py finds the arrows that point up, and only those."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def check_includes(load_tool: Callable[[str], ModuleType]) -> ModuleType:
    return load_tool("check_includes")


# A file's text, and the words its fault must have; None where the arrow is allowed.
CASES = [
    ("onnx_lib/a.cc", '#include "onnx_proto/onnx.h"', None),
    ("onnx_proto/a.cc", '#include "onnx.h"', None),
    ("onnx_proto/a.cc", '#include <vector>\n#include "onnx_lib/lib.h"', "a.cc:2: onnx_proto includes onnx_lib/lib.h"),
    ("onnx_proto/text/a.cc", '  #  include   "onnx_lib/lib.h"', "a.cc:1: onnx_proto includes onnx_lib/lib.h"),
    ("onnx_proto/a.cc", '#include "../onnx_lib/lib.h"', "onnx_proto includes ../onnx_lib/lib.h"),
    ("onnx_proto/a.cc", '#include "nowhere.h"', "no file of ours"),
    ("onnx_lib/a.cc", '#include "onnx_py/faces.h"', "of onnx_py"),
    ("onnx_lib/a.cc", "#include <nanobind/nanobind.h>", "only onnx_py knows Python"),
    ("onnx_proto/a.h", "#include <Python.h>", "only onnx_py knows Python"),
    ("onnx_py/bind.cc", "#include <nanobind/nanobind.h>", None),
    ("onnx_proto/a.cc", "#include <google/protobuf/message.h>", "no peer"),
    ("onnx_proto/a.cc", '#include "onnx.pb.h"', "no peer"),
    ("ops/math/celu.schema.cc", '#include "onnx_lib/lib.h"', None),
    ("ops/math/celu.schema.cc", '#include "kernels/tensor.h"', "onnx_lib includes kernels/tensor.h"),
    ("ops/math/celu.kernel.cc", '#include "kernels/tensor.h"', None),
    ("onnx/a.py", "from onnx_light.onnx_py import _onnxpy", None),
    ("onnx/a.py", "from ..onnx_py._onnxpy import load", None),
    ("onnx/a.py", "from ..cli import main", "onnx imports onnx_light.cli"),
    ("onnx/a.py", "import onnx_light.cli.main", "onnx imports onnx_light.cli.main"),
    ("onnx/a.py", "def f():\n    from onnx_light import cli", "a.py:2: onnx imports onnx_light.cli"),
    ("onnx/a.py", "import onnx", "no peer"),
    ("onnx/a.py", "from google.protobuf import text_format", "no peer"),
    ("onnx/a.py", "import onnx_something_else, numpy", None),
    ("onnx_lib/__init__.py", "from onnx_light import onnx", None),
    ("__main__.py", "from onnx_light.cli import main", None),
]


@pytest.mark.parametrize(("name", "text", "fault"), CASES, ids=[f"{name}-{number}" for number, (name, _, _) in enumerate(CASES)])
def test_an_arrow_that_points_up_is_found(check_includes: ModuleType, tmp_path: Path, name: str, text: str, fault: str | None) -> None:
    for header in ("onnx_proto/onnx.h", "onnx_lib/lib.h", "onnx_py/faces.h", "kernels/tensor.h", name):
        file = tmp_path / "onnx_light" / header
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    (tmp_path / "onnx_light" / name).write_text(text + "\n")
    found = [str(one) for one in check_includes.faults(tmp_path)]
    if fault is None:
        assert found == []
    else:
        assert len(found) == 1
        assert fault in found[0]
