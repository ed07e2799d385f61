"""Acts on models whose weights lie in other files, and what other libraries do with the same weights.

Each act that loads makes its own external copy of the model before the clock, in a folder beside it that goes with the process.
"""

import atexit
import os
import shutil
import zlib
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

from regions.python_acts import Act


class WeightsAct(Act):
    reads_bytes = False

    def __init__(self, package: ModuleType, path: str) -> None:
        super().__init__(package, path)
        self.folder = Path(f"{path}.{package.__name__}.{type(self).__name__}.{os.getpid()}")
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)

    def found_weights(self, sums: list[int], count: int) -> dict[str, int]:
        size = Path(self.path).stat().st_size
        return {"items": count, "bytes": size, "sum": zlib.crc32(repr(sums).encode())}

    def found_in(self, model: Any) -> dict[str, int]:
        tensors = model.graph.initializer
        return self.found_weights([zlib.crc32(tensors[at].raw_data) for at in (0, len(tensors) // 2, -1)], len(tensors))

    def found_on_disk(self) -> dict[str, int]:
        """What onnx_light finds in the folder: it checks all references against shapes, types and files."""
        import onnx_light.onnx as onnxl

        return self.found_in(onnxl.load(self.folder / "m.onnx", no_copy=True))

    def references(self) -> Any:
        import onnx_light.onnx as onnxl

        return onnxl.list_external_data(self.folder / "m.onnx")


class LoadExternal(WeightsAct):
    arguments: ClassVar[dict[str, Any]] = {}

    def prepare(self) -> None:
        if not self.folder.exists():
            self.folder.mkdir()
            model = self.package.load(self.path)
            self.package.save(model, str(self.folder / "m.onnx"), save_as_external_data=True, location="w.data")

    def act(self) -> None:
        self.model = self.package.load(str(self.folder / "m.onnx"), **self.arguments)

    def check(self) -> dict[str, int]:
        return self.found_in(self.model)

    def undo(self) -> None:
        self.model = None


class LoadExternalMapped(LoadExternal):
    arguments: ClassVar[dict[str, Any]] = {"no_copy": True}

    def check(self) -> dict[str, int]:
        outside = {entry.tensor.name for entry in self.references()}
        if not all(tensor.raw_data_view.is_borrowed for tensor in self.model.graph.initializer if tensor.name in outside):
            raise AssertionError("a payload was copied")
        return super().check()


class LoadSafetensors(WeightsAct):
    """The same weights from a safetensors file; the package is safetensors.numpy."""

    def prepare(self) -> None:
        if not self.folder.exists():
            import onnx_light.onnx as onnxl
            from onnx_light.onnx import numpy_helper

            self.folder.mkdir()
            model = onnxl.load(self.path)
            arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
            self.package.save_file(arrays, str(self.folder / "w.safetensors"))

    def act(self) -> None:
        self.arrays = self.package.load_file(str(self.folder / "w.safetensors"))

    def check(self) -> dict[str, int]:
        names = sorted(self.arrays)
        sums = [zlib.crc32(self.arrays[names[at]]) for at in (0, len(names) // 2, -1)]
        return self.found_weights(sums, len(names))

    def undo(self) -> None:
        self.arrays = None


class LoadSafetensorsMapped(LoadSafetensors):
    """Opened, and each tensor asked for as a slice, of which nothing is read."""

    def act(self) -> None:
        from safetensors import safe_open

        self.file = safe_open(str(self.folder / "w.safetensors"), framework="np")
        self.slices = {name: self.file.get_slice(name) for name in self.file.keys()}  # noqa: SIM118  it is no dict

    def check(self) -> dict[str, int]:
        self.arrays = {name: part[:] for name, part in self.slices.items()}
        return super().check()

    def undo(self) -> None:
        self.file = self.slices = self.arrays = None


class SaveExternal(WeightsAct):
    """To a folder that does not have the files. `onnx` takes the bytes out of the model: it loads it anew each time."""

    arguments: dict[str, Any] = {}  # noqa: RUF012  a class sets its own

    def prepare(self) -> None:
        if self.model is None or self.package.__name__ == "onnx":
            self.model = self.package.load(self.path)
        self.folder.mkdir()

    def act(self) -> None:
        self.package.save(self.model, str(self.folder / "m.onnx"), save_as_external_data=True, location="w.data", **self.arguments)

    def check(self) -> dict[str, int]:
        return self.found_on_disk()

    def undo(self) -> None:
        shutil.rmtree(self.folder)


class SaveExternalAligned(SaveExternal):
    arguments: ClassVar[dict[str, Any]] = {"alignment": 4096}

    def check(self) -> dict[str, int]:
        if wrong := [entry.place for entry in self.references() if entry.offset % 4096]:
            raise AssertionError(f"{wrong[0]} is not aligned")
        return super().check()


class SaveExternalShards(SaveExternal):
    """Four files, where tensors are of one size."""

    def prepare(self) -> None:
        super().prepare()
        tensors = self.model.graph.initializer
        self.in_each = -(-len(tensors) // 4)
        self.arguments = {"max_external_file_size": self.in_each * len(tensors[0].raw_data)}

    def check(self) -> dict[str, int]:
        entries = self.references()
        files, wanted = len({entry.location for entry in entries}), -(-len(entries) // self.in_each)
        if files != wanted and len({entry.size for entry in entries}) == 1:
            raise AssertionError(f"there are {files} files, not {wanted}")
        return super().check()


class SaveExternalIr(SaveExternal):
    """The same with onnx_ir, which is the package."""

    def prepare(self) -> None:
        self.model = self.model or self.package.load(self.path)
        self.folder.mkdir()

    def act(self) -> None:
        self.package.save(self.model, str(self.folder / "m.onnx"), external_data="w.data")


class Convert(SaveExternal):
    """From one file to two: load and save."""

    def prepare(self) -> None:
        self.folder.mkdir()

    def act(self) -> None:
        model = self.package.load(self.path)
        self.package.save(model, str(self.folder / "m.onnx"), save_as_external_data=True, location="w.data")


class ConvertMapped(Convert):
    def act(self) -> None:
        model = self.package.load(self.path, no_copy=True, file_load_mode=self.package.FileLoadMode.MMAP)
        self.package.save(model, str(self.folder / "m.onnx"), location="w.data")


ACTS: dict[str, type[Act]] = {
    "load_external": LoadExternal,
    "load_external_mapped": LoadExternalMapped,
    "load_file": LoadSafetensors,
    "open_file": LoadSafetensorsMapped,
    "save_external": SaveExternal,
    "save_external_aligned": SaveExternalAligned,
    "save_external_shards": SaveExternalShards,
    "save_ir": SaveExternalIr,
    "convert": Convert,
    "convert_mapped": ConvertMapped,
}
