"""Which library this package says it is: itself, or, under the alias, the `onnx` that it stands in for.

Programs compare `onnx.__version__` with versions of ONNX, and tell messages by the module that their class names.
"""

from __future__ import annotations

import sys

from onnx_light.onnx_py import _onnxpy

ONNX_VERSION = "1.23.2"
"""The release of `onnx` whose names, signatures and behaviour this package follows."""

_stands_in = False


def version() -> str:
    """What `__version__` of the package is now."""
    return ONNX_VERSION if _stands_in else str(_onnxpy.__version__)


def stand_in_for_onnx() -> None:
    """From now on the package says that it is `onnx`. Called when `onnx` is first imported under the alias."""
    global _stands_in
    from onnx_light.onnx import _messages

    _stands_in = True
    setattr(sys.modules["onnx_light.onnx"], "__version__", ONNX_VERSION)  # noqa: B010  the module is only known by name
    for full_name, cls in _messages.classes.items():
        cls.__module__ = f"onnx.{_messages.python_module_of(full_name)}"
