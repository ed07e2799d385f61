"""The finder behind the alias: `onnx` and `onnx.x` are the very modules `onnx_light.onnx` and `onnx_light.onnx.x`.

Only what the start of an interpreter has loaded anyway is imported here, because a .pth file may run this at every start.
"""

from __future__ import annotations

import importlib
import sys
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import Any

REAL = "onnx_light.onnx"


class AliasLoader:
    """Gives out the module of another name. Questions about source, code and resources go to that module's own loader."""

    def __init__(self, real: ModuleSpec) -> None:
        self._real = real

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        if spec.name == "onnx":
            from onnx_light.onnx import _identity

            _identity.stand_in_for_onnx()
        module = importlib.import_module(self._real.name)
        self._own_spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # The import system has put the alias's spec in its place; with its own, reload and relative imports go on working.
        module.__spec__ = self._own_spec

    # What runpy, inspect, pkgutil and importlib.resources ask a loader for; they name the module by its alias.

    def get_code(self, _: str) -> CodeType | None:
        loader: Any = self._real.loader
        code: CodeType | None = loader.get_code(self._real.name)
        return code

    def get_source(self, _: str) -> str | None:
        loader: Any = self._real.loader
        source: str | None = loader.get_source(self._real.name)
        return source

    def get_filename(self, _: str) -> str | None:
        return self._real.origin

    def is_package(self, _: str) -> bool:
        return self._real.submodule_search_locations is not None

    def get_resource_reader(self, _: str) -> Any:
        loader: Any = self._real.loader
        return loader.get_resource_reader(self._real.name)


def alias_spec(name: str, real_name: str) -> ModuleSpec | None:
    """The spec by which `name` is the module `real_name`, or None if there is no such module."""
    from importlib.util import find_spec

    real = find_spec(real_name)
    if real is None:
        return None
    loader: Any = AliasLoader(real)
    spec = ModuleSpec(name, loader, origin=real.origin, is_package=real.submodule_search_locations is not None)
    if real.submodule_search_locations is not None:
        spec.submodule_search_locations = list(real.submodule_search_locations)
    spec.has_location = real.has_location
    spec.cached = real.cached
    return spec


class AliasFinder:
    """Finds `onnx` and all below it; nothing else."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != "onnx" and not name.startswith("onnx."):
            return None
        return alias_spec(name, REAL + name[len("onnx") :])


def install() -> None:
    """Puts the finder before all others; once is enough.

    Raises:
        ImportError: another `onnx` has been imported already.
    """
    present = sys.modules.get("onnx")
    if present is not None and present is not sys.modules.get(REAL):
        place = getattr(present, "__file__", None) or "an unknown place"
        raise ImportError(f"onnx_light.as_onnx: another 'onnx' is imported already, from {place}; ask for the alias before it")
    if not any(isinstance(finder, AliasFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, AliasFinder())


def is_installed() -> bool:
    """Whether `import onnx` means this library in the running process."""
    return any(isinstance(finder, AliasFinder) for finder in sys.meta_path)
