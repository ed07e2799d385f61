"""Stand-ins for the modules of protobuf that users of `onnx` import, where protobuf is not installed.

Served are `google.protobuf.message`, `.text_format`, `.json_format` and `.internal.containers`, and the packages above them; whatever
else of protobuf is asked for stays missing. The finder is the last one, so an installed protobuf is found first, and it is there only after
the alias was asked for.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from typing import Any

from onnx_light.as_onnx import _finder

_PACKAGES = ("google", "google.protobuf", "google.protobuf.internal")
_STAND_INS = {
    "google.protobuf.message": "message",
    "google.protobuf.text_format": "text_format",
    "google.protobuf.json_format": "json_format",
    "google.protobuf.internal.containers": "containers",
}


class _EmptyPackage:
    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: Any) -> None:
        module.__doc__ = "A package of stand-ins, made by onnx_light.as_onnx because protobuf is not installed."


class StandInFinder:
    """Finds the four stand-ins and the packages that hold them."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name in _PACKAGES:
            loader: Any = _EmptyPackage()
            return ModuleSpec(name, loader, is_package=True)
        if name in _STAND_INS:
            return _finder.alias_spec(name, f"onnx_light.as_onnx.stand_ins.{_STAND_INS[name]}")
        return None


def install() -> None:
    """Puts the finder behind all others; once is enough."""
    if not any(isinstance(finder, StandInFinder) for finder in sys.meta_path):
        sys.meta_path.append(StandInFinder())
