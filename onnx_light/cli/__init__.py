"""The command `onnx-light`: a thin face of `onnx_light.tools`.

Exit codes: 0 all is well, 1 the answer is no (models differ, a model is not whole), 2 the command could not do its work or was not
understood, 130 interrupted, 141 whoever read the output went away.
"""

from __future__ import annotations

from onnx_light.cli.main import main

__all__ = ["main"]
