"""Look into models, compare them, rework them: the functions behind the command `onnx-light`, each usable by itself.

They take and give messages or plain dataclasses, print nothing, and never write to a file they read unless told so. What `extract`,
`merge`, `show`, `encrypt` and `decrypt` do is in `onnx_light.onnx` itself; docs/cli.md lists all. Importing this module costs nothing:
each function's module is loaded when it is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from onnx_light.tools.changes import Change
    from onnx_light.tools.conversion import Conversion, convert
    from onnx_light.tools.difference import Difference, compare
    from onnx_light.tools.edit import add_metadata, set_dims, set_opset
    from onnx_light.tools.hashing import Digest, digest
    from onnx_light.tools.leftovers import Leftovers
    from onnx_light.tools.listing import NodeRow, TensorRow, list_nodes, list_tensors
    from onnx_light.tools.precision import Narrowing, store_weights_as
    from onnx_light.tools.reading import read, write
    from onnx_light.tools.renaming import rename
    from onnx_light.tools.strip import strip_docs, strip_weights
    from onnx_light.tools.summary import Summary, summarize
    from onnx_light.tools.timing import Timing, bench
    from onnx_light.tools.wholeness import ExternalFile, Problem, verify

_MODULES = {
    "timing": ("Timing", "bench"),
    "changes": ("Change",),
    "conversion": ("Conversion", "convert"),
    "hashing": ("Digest", "digest"),
    "difference": ("Difference", "compare"),
    "edit": ("add_metadata", "set_dims", "set_opset"),
    "leftovers": ("Leftovers",),
    "listing": ("NodeRow", "TensorRow", "list_nodes", "list_tensors"),
    "precision": ("Narrowing", "store_weights_as"),
    "reading": ("read", "write"),
    "renaming": ("rename",),
    "strip": ("strip_docs", "strip_weights"),
    "summary": ("Summary", "summarize"),
    "wholeness": ("ExternalFile", "Problem", "verify"),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "Change",
    "Conversion",
    "Difference",
    "Digest",
    "ExternalFile",
    "Leftovers",
    "Narrowing",
    "NodeRow",
    "Problem",
    "Summary",
    "TensorRow",
    "Timing",
    "add_metadata",
    "bench",
    "compare",
    "convert",
    "digest",
    "list_nodes",
    "list_tensors",
    "read",
    "rename",
    "set_dims",
    "set_opset",
    "store_weights_as",
    "strip_docs",
    "strip_weights",
    "summarize",
    "verify",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
