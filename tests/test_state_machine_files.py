"""Models in files, saved, loaded and edited in turn by this package and by the installed `onnx`, which is the oracle.

Both hold the same model. A step edits both, or saves one of them in some layout and lets both read it back, in one of the ways to read: at
once, mapped, or the structure first and the weights afterwards. After each step both have the same bytes, and no file is left over.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import onnx
import onnx.external_data_helper
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

import onnx_light.onnx as onnxl

sys.path.insert(0, str(Path(__file__).resolve().parent / "faces"))
from machines import profile  # type: ignore[import-not-found]

PLACES = st.integers(0, 1 << 16)
NAMES = st.sampled_from(["w", "v", "a/b", "W", "é", "con", "x.1", ""])
SIZES = st.sampled_from([0, 1, 4, 300, 1024, 5000])
PATHS = st.sampled_from(["m.onnx", "n.onnx", "m.textproto", "m.json"])
LAYOUTS: dict[str, dict[str, Any]] = {
    "inline": {},
    "one file": {"save_as_external_data": True, "size_threshold": 0},
    "large ones": {"save_as_external_data": True, "size_threshold": 1024},
    "aligned": {"location": "aligned.data", "alignment": 512, "size_threshold": 0},
    "split": {"location": "split.data", "max_external_file_size": 2000, "size_threshold": 1, "checksum": True},
    "each": {"save_as_external_data": True, "all_tensors_to_one_file": False, "size_threshold": 0},
    "attributes": {"location": "all.data", "size_threshold": 0, "convert_attribute": True, "durable": True},
}
THEIRS: dict[str, dict[str, Any]] = {
    "inline": {},
    "one file": {"save_as_external_data": True, "location": "theirs.data", "size_threshold": 0},
    "attributes": {"save_as_external_data": True, "location": "theirs.data", "size_threshold": 0, "convert_attribute": True},
}
READS = ["at once", "mapped", "weights mapped", "structure first", "by bytes"]


class Files(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="onnx_light_machine_"))
        self.ours: Any = onnxl.ModelProto(ir_version=10)
        self.theirs: Any = onnx.ModelProto(ir_version=10)
        for model in (self.ours, self.theirs):
            model.opset_import.add(domain="", version=21)
            model.graph.name = "g"
        self.saved: set[str] = set()
        self.count = 0

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    def data(self, size: int) -> bytes:
        self.count += 1
        return (self.count.to_bytes(4, "little") * (size // 4 + 1))[:size]

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.folder.iterdir()}

    # ---- edits of both

    @rule(name=NAMES, size=SIZES, typed=st.booleans(), where=st.sampled_from(["initializer", "attribute", "branch"]))
    def add(self, name: str, size: int, typed: bool, where: str) -> None:
        if len(self.ours.graph.initializer) + len(self.ours.graph.node) > 12:
            return
        data = self.data(size // 4 * 4 if typed else size)
        for model in (self.ours, self.theirs):
            graph = model.graph
            if where != "initializer":
                attribute = graph.node.add(op_type="A").attribute.add(name="a", type=4 if where == "attribute" else 5)
                graph = attribute.g
            tensor = attribute.t if where == "attribute" else graph.initializer.add()
            tensor.name = name
            if typed:
                tensor.data_type = 6
                tensor.int32_data.extend(data[::4])
                tensor.dims.append(len(data) // 4)
            else:
                tensor.data_type = 2
                tensor.raw_data = data
                tensor.dims.append(len(data))

    @precondition(lambda self: bool(self.ours.graph.initializer))
    @rule(place=PLACES, size=SIZES)
    def change(self, place: int, size: int) -> None:
        data = self.data(size)
        for model in (self.ours, self.theirs):
            tensor = model.graph.initializer[place % len(model.graph.initializer)]
            tensor.raw_data = data
            tensor.data_type = 2
            tensor.dims[:] = [len(data)]
            for field in ("int32_data", "external_data", "data_location"):
                tensor.ClearField(field)

    @precondition(lambda self: bool(self.ours.graph.initializer))
    @rule(place=PLACES)
    def remove(self, place: int) -> None:
        for model in (self.ours, self.theirs):
            del model.graph.initializer[place % len(model.graph.initializer)]

    @precondition(lambda self: bool(self.ours.graph.initializer))
    @rule(place=PLACES, to=PLACES)
    def copy_a_tensor(self, place: int, to: int) -> None:
        """Payloads may be shared afterwards, slices of a mapping as well."""
        for model in (self.ours, self.theirs):
            tensors = model.graph.initializer
            tensors[to % len(tensors)].CopyFrom(tensors[place % len(tensors)])

    @precondition(lambda self: bool(self.ours.graph.initializer))
    @rule(place=PLACES)
    def grow_a_payload(self, place: int) -> None:
        for model in (self.ours, self.theirs):
            tensor = model.graph.initializer[place % len(model.graph.initializer)]
            if tensor.HasField("raw_data") and len(tensor.raw_data) < 10_000:
                tensor.raw_data = tensor.raw_data + b"more"
                tensor.data_type = 2
                tensor.dims[:] = [len(tensor.raw_data)]

    # ---- files

    def read(self, name: str, way: str) -> None:
        path = self.folder / name
        if way == "mapped":
            ours = onnxl.load(path, no_copy=True, file_load_mode=onnxl.FileLoadMode.MMAP)
        elif way == "weights mapped":
            ours = onnxl.load(path, no_copy=True, num_threads=2)
        elif way == "structure first":
            ours = onnxl.load(path, load_external_data=False)
            theirs = onnx.load(path, load_external_data=False)
            assert ours.SerializeToString() == theirs.SerializeToString()
            for entry in onnxl.list_external_data(ours):
                if entry.tensor.name:
                    onnxl.load_external_data_for_model(ours, self.folder, names=[entry.tensor.name])
            onnxl.load_external_data_for_model(ours, self.folder)
        elif way == "by bytes" and path.suffix == ".onnx":
            ours = onnxl.load(path.read_bytes(), no_copy=True)
            onnxl.load_external_data_for_model(ours, self.folder)
        else:
            ours = onnxl.load(path)
        self.ours, self.theirs = ours, onnx.load(path)
        self.saved.add(name)

    @rule(name=PATHS, layout=st.sampled_from(sorted(LAYOUTS)), way=st.sampled_from(READS))
    def save_ours(self, name: str, layout: str, way: str) -> None:
        """Over what is there, which may be what the model is mapped from."""
        before, files = self.ours.SerializeToString(), self.files()
        try:
            onnxl.save(self.ours, self.folder / name, **LAYOUTS[layout])
        except onnxl.ExternalDataError as error:  # the weights of another model of the folder lie where these would go
            assert "would be lost" in str(error)
            assert self.files() == files
            return
        finally:
            assert self.ours.SerializeToString() == before
        self.saved.clear()  # files of weights are shared by names: what was saved before may have lost its own
        self.read(name, way)

    @rule(name=PATHS, layout=st.sampled_from(sorted(THEIRS)), way=st.sampled_from(READS))
    def save_theirs(self, name: str, layout: str, way: str) -> None:
        (self.folder / "theirs.data").unlink(missing_ok=True)
        onnx.save(self.theirs, self.folder / name, **THEIRS[layout])
        self.saved.clear()
        self.read(name, way)

    @precondition(lambda self: bool(self.saved))
    @rule(place=PLACES, way=st.sampled_from(READS))
    def load(self, place: int, way: str) -> None:
        """What was saved last, and dismisses the edits since then."""
        self.read(sorted(self.saved)[place % len(self.saved)], way)

    @precondition(lambda self: bool(self.saved))
    @rule(place=PLACES)
    def lose_the_weights(self, place: int) -> None:
        name = sorted(self.saved)[place % len(self.saved)]
        listed = onnxl.list_external_data(self.folder / name)
        for entry in listed:
            (self.folder / entry.location).unlink(missing_ok=True)
        if not listed:
            return
        before = self.ours.SerializeToString()
        for load, kinds in ((onnxl.load, (onnxl.ExternalDataError,)), (onnx.load, (onnx.checker.ValidationError, OSError))):
            try:
                load(self.folder / name)
            except kinds:
                continue
            raise AssertionError("loaded without its weights")
        assert self.ours.SerializeToString() == before  # also where they were mapped
        self.saved.clear()

    # ---- what always holds

    @invariant()
    def both_hold_the_same(self) -> None:
        assert self.ours.SerializeToString() == self.theirs.SerializeToString()

    @invariant()
    def no_file_is_left_over(self) -> None:
        assert [path.name for path in self.folder.rglob(".*")] == []


TestFiles = Files.TestCase
TestFiles.settings = profile(examples=30, steps=20)
