"""Models with weights outside: what we write `onnx` reads, and we what it writes, in every layout; the keywords of load and save."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx.external_data_helper
import pytest

import onnx_light.onnx as onnxl
from onnx_light.onnx_py._onnxpy import files

Model = Any


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def floats(count: int, start: float = 0.0) -> bytes:
    return (np.arange(count, dtype=np.float32) + np.float32(start)).tobytes()


def add(tensors: Any, name: str, data: bytes) -> None:
    tensors.add(name=name, data_type=1, dims=[len(data) // 4], raw_data=data)


def make_model(package: Any) -> Model:
    """Tensors of several sizes in every place that `onnx` looks at, one of them typed, one empty."""
    model = package.ModelProto(ir_version=10)
    model.opset_import.add(domain="", version=21)
    graph = model.graph
    graph.name = "g"
    for index, count in enumerate((1, 300, 1000, 5000)):
        add(graph.initializer, f"w{index}", floats(count, index))
    graph.initializer.add(name="typed", data_type=1, dims=[400], float_data=[0.5 * i for i in range(400)])
    graph.initializer.add(name="text", data_type=8, dims=[1], string_data=[b"t" * 3000])
    branch = graph.node.add(op_type="If", input=["c"], output=["k"])
    inner = branch.attribute.add(name="then_branch", type=5).g
    inner.name = "inner"
    add(inner.initializer, "inner/w", floats(700, 7))
    constant = graph.node.add(op_type="Constant", output=["v"])
    tensor = constant.attribute.add(name="value", type=4).t
    tensor.name, tensor.data_type, tensor.raw_data = "constant", 1, floats(600, 9)
    tensor.dims.append(600)
    return model


def values(model: Model) -> dict[str, bytes]:
    """Every tensor's bytes by name, as raw data, read with the walk of our own."""
    if not isinstance(model, onnxl.ModelProto):
        model = onnxl.ModelProto.FromString(model.SerializeToString())
    found = {}
    for tensor in files.tensors(model):
        assert tensor.data_location != onnxl.TensorProto.EXTERNAL, tensor.name
        found[tensor.name] = tensor.raw_data or np.array(tensor.float_data, np.float32).tobytes() or b"".join(tensor.string_data)
    return found


EXPECTED = values(make_model(onnxl))

OURS: dict[str, dict[str, Any]] = {
    "one file": {"save_as_external_data": True},
    "location": {"location": "w.data"},
    "all tensors": {"location": "w.data", "size_threshold": 0, "convert_attribute": True},
    "one file a tensor": {"save_as_external_data": True, "all_tensors_to_one_file": False, "size_threshold": 0},
    "split": {"location": "w.data", "max_external_file_size": 5000},
    "aligned": {"location": "w.data", "alignment": 4096, "size_threshold": 0},
    "split and aligned": {"location": "w.data", "alignment": 512, "max_external_file_size": 9000, "checksum": True},
    "below": {"location": "sub/w.data", "durable": True},
    "inline": {},
}
THEIRS: dict[str, dict[str, Any]] = {
    "one file": {"save_as_external_data": True},
    "location": {"save_as_external_data": True, "location": "w.data"},
    "all tensors": {"save_as_external_data": True, "location": "w.data", "size_threshold": 0, "convert_attribute": True},
    "one file a tensor": {"save_as_external_data": True, "all_tensors_to_one_file": False, "size_threshold": 0},
    "inline": {},
}


@pytest.mark.parametrize("layout", OURS)
@pytest.mark.parametrize("suffix", ["onnx", "textproto", "json"])
def test_onnx_and_we_read_every_layout_that_we_write(tmp_path: Path, layout: str, suffix: str) -> None:
    (tmp_path / "sub").mkdir()
    model = make_model(onnxl)
    before = model.SerializeToString()
    path = tmp_path / f"m.{suffix}"
    onnxl.save(model, path, **OURS[layout])
    assert model.SerializeToString() == before
    assert values(onnx.load(path)) == EXPECTED
    assert values(onnxl.load(path)) == EXPECTED
    assert values(onnxl.load(path, no_copy=True)) == EXPECTED
    assert [name for name in names_in(tmp_path) if name.startswith(".")] == []


@pytest.mark.parametrize("layout", THEIRS)
@pytest.mark.parametrize("suffix", ["onnx", "textproto", "json"])
def test_we_read_every_layout_that_onnx_writes(tmp_path: Path, layout: str, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / f"m.{suffix}"
    onnx.save(make_model(onnx), path, **THEIRS[layout])
    for no_copy in (False, True):
        assert values(onnxl.load(path, no_copy=no_copy)) == EXPECTED
    stub = onnxl.load(path, load_external_data=False)
    assert {found.location for found in onnxl.list_external_data(path)} == {found.location for found in onnxl.list_external_data(stub)}
    onnxl.load_external_data_for_model(stub, tmp_path)
    assert values(stub) == EXPECTED


def test_what_a_load_leaves_of_a_reference_is_what_onnx_leaves(tmp_path: Path) -> None:
    onnx.save(make_model(onnx), tmp_path / "m.onnx", save_as_external_data=True, location="w.data")
    ours, theirs = onnxl.load(tmp_path / "m.onnx"), onnx.load(tmp_path / "m.onnx")
    assert ours.SerializeToString() == theirs.SerializeToString()


def test_a_structure_is_what_onnx_loads_without_weights(tmp_path: Path) -> None:
    onnxl.save(make_model(onnxl), tmp_path / "m.onnx", location="w.data")
    ours = onnxl.load(tmp_path / "m.onnx", load_external_data=False)
    assert ours.SerializeToString() == onnx.load(tmp_path / "m.onnx", load_external_data=False).SerializeToString()


KINDS: dict[str, Callable[[Path], Any]] = {"text": str, "bytes": os.fsencode, "Path": Path}


@pytest.mark.parametrize("kind", [*KINDS, "open file"])
def test_every_kind_of_path_means_the_same_place(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    path = tmp_path / "d" / "m.onnx"
    if kind == "open file":
        with path.open("wb") as out:
            onnxl.save(make_model(onnxl), out, location="w.data")
        with path.open("rb") as source:
            assert values(onnxl.load(source)) == EXPECTED
    else:
        onnxl.save(make_model(onnxl), KINDS[kind](path), location=KINDS[kind](Path("w.data")))
        assert values(onnxl.load(path if kind == "bytes" else KINDS[kind](path))) == EXPECTED
    assert names_in(tmp_path / "d") == ["m.onnx", "w.data"]
    assert names_in(tmp_path / "elsewhere") == []


def test_bytes_have_no_folder(tmp_path: Path) -> None:
    onnxl.save(make_model(onnxl), tmp_path / "m.onnx", location="w.data")
    data = (tmp_path / "m.onnx").read_bytes()
    for model in (onnxl.load(data), onnxl.load(io.BytesIO(data)), onnxl.load_from_string(data)):
        assert len(onnxl.list_external_data(model)) == 5
        onnxl.load_external_data_for_model(model, str(tmp_path))
        assert values(model) == EXPECTED
    assert values(onnxl.load(data, location=tmp_path / "w.data")) == EXPECTED
    with pytest.raises(ValueError, match="has no name"):
        onnxl.save(make_model(onnxl), io.BytesIO(), location="w.data")
    out = io.BytesIO()
    onnxl.save(make_model(onnxl), out)
    assert out.getvalue() == make_model(onnxl).SerializeToString()
    onnxl.save(make_model(onnxl).SerializeToString(), tmp_path / "n.onnx", location="v.data")
    assert values(onnxl.load(tmp_path / "n.onnx")) == EXPECTED


def test_the_location_can_be_overridden_and_a_split_follows(tmp_path: Path) -> None:
    onnxl.save(make_model(onnxl), tmp_path / "m.onnx", location="w.data", max_external_file_size=5000)
    (tmp_path / "moved").mkdir()
    parts = sorted(path for path in tmp_path.iterdir() if path.name.startswith("w.data"))
    assert len(parts) > 2
    for part in parts:
        part.rename(tmp_path / "moved" / part.name.replace("w.data", "weights.bin"))
    with pytest.raises(FileNotFoundError):
        onnxl.load(tmp_path / "m.onnx")
    assert values(onnxl.load(tmp_path / "m.onnx", location=tmp_path / "moved" / "weights.bin", load_external_data=True)) == EXPECTED


def test_chosen_tensors_are_hydrated_by_name(tmp_path: Path) -> None:
    onnxl.save(make_model(onnxl), tmp_path / "m.onnx", location="w.data")
    model = onnxl.load(tmp_path / "m.onnx", load_external_data=False)
    onnxl.load_external_data_for_model(model, tmp_path, names=["w2"])
    assert [found.tensor.name for found in onnxl.list_external_data(model)] == ["inner/w", "w1", "w3", "typed"]
    assert model.graph.initializer[2].raw_data == floats(1000, 2)
    onnxl.load_external_data_for_model(model, tmp_path, names=[])
    assert len(onnxl.list_external_data(model)) == 4
    with pytest.raises(ValueError, match='no tensor is called "nobody"'):
        onnxl.load_external_data_for_model(model, tmp_path, names=["w1", "nobody"])


def test_listing_needs_no_weights(tmp_path: Path) -> None:
    onnxl.save(make_model(onnxl), tmp_path / "m.onnx", location="w.data", checksum=True)
    (tmp_path / "w.data").unlink()
    listed = onnxl.list_external_data(str(tmp_path / "m.onnx"))
    assert [(found.place, found.location, found.offset, found.size) for found in listed] == [
        ("graph.node[0].attribute[0].g.initializer[0]", "w.data", 0, 2800),
        ("graph.initializer[1]", "w.data", 2800, 1200),
        ("graph.initializer[2]", "w.data", 4000, 4000),
        ("graph.initializer[3]", "w.data", 8000, 20000),
        ("graph.initializer[4]", "w.data", 28000, 1600),
    ]
    assert len(listed[0].checksum or "") == 40
    model = onnxl.load(tmp_path / "m.onnx", load_external_data=False)
    assert onnxl.list_external_data(model)[1].tensor is model.graph.initializer[1]


def test_mapped_weights_outlive_the_model_and_the_file(tmp_path: Path) -> None:
    onnxl.save(make_model(onnxl), tmp_path / "m.onnx", location="w.data")
    model = onnxl.load(tmp_path / "m.onnx", no_copy=True)
    tensor = model.graph.initializer[3]
    assert tensor.raw_data_view.is_borrowed
    view = memoryview(tensor.raw_data_view)
    (tmp_path / "w.data").unlink()
    del model, tensor
    assert bytes(view) == floats(5000, 3)


def test_a_model_is_saved_over_the_files_it_is_mapped_from(tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    onnxl.save(make_model(onnxl), path, location="w.data")
    layouts: tuple[dict[str, Any], ...] = ({"alignment": 64}, {"max_external_file_size": 6000}, {}, {"alignment": 4096})
    for arguments in layouts:
        model = onnxl.load(path, no_copy=True)
        onnxl.save(model, path, location="w.data", **arguments)
        assert values(model) == EXPECTED
        assert values(onnxl.load(path)) == EXPECTED
    assert names_in(tmp_path) == ["m.onnx", "w.data"]


def test_serialize_to_file_takes_options_and_a_location(tmp_path: Path) -> None:
    options = onnxl.SerializeOptions()
    options.alignment = 4096
    model = make_model(onnxl)
    model.SerializeToFile(str(tmp_path / "m.onnx"), options, "w.data")
    listed = onnxl.list_external_data(tmp_path / "m.onnx")
    assert [found.offset % 4096 for found in listed] == [0] * 5
    assert values(onnx.load(tmp_path / "m.onnx")) == EXPECTED
    model.SerializeToFile(tmp_path / "n.onnx", location="v.data")
    assert (tmp_path / "v.data").exists()
    model.SerializeToFile(tmp_path / "n.onnx", options, None)
    assert (tmp_path / "n.onnx").read_bytes() == model.SerializeToString()
    with pytest.raises(TypeError):
        model.graph.SerializeToFile(tmp_path / "g", options, "w.data")


def test_the_callback_sees_payloads_of_other_files(tmp_path: Path) -> None:
    onnxl.save(make_model(onnxl), tmp_path / "m.onnx", location="w.data")
    names = [name for name in EXPECTED if name != "text"]
    seen: list[tuple[str, int]] = []

    def look(tensor: onnxl.TensorProto, graph: Any) -> None:
        seen.append((tensor.name, len(tensor.raw_data)))

    onnxl.load(tmp_path / "m.onnx", raw_data_callback=look)
    assert sorted(seen) == sorted((name, len(EXPECTED[name])) for name in names)
    first = list(seen)
    seen.clear()
    with (tmp_path / "m.onnx").open("rb") as file:
        onnxl.load(file, raw_data_callback=look)
    assert seen == first

    def fail(tensor: onnxl.TensorProto, graph: Any) -> None:
        raise KeyError(tensor.name)

    with pytest.raises(KeyError):
        onnxl.load(tmp_path / "m.onnx", raw_data_callback=fail)


def test_checksums_are_verified_when_asked(tmp_path: Path) -> None:
    onnxl.save(make_model(onnxl), tmp_path / "m.onnx", location="w.data", checksum=True)
    assert values(onnxl.load(tmp_path / "m.onnx", verify_checksums=True)) == EXPECTED
    data = bytearray((tmp_path / "w.data").read_bytes())
    data[0] ^= 1
    (tmp_path / "w.data").write_bytes(data)
    with pytest.raises(ValueError, match="SHA-1"):
        onnxl.load(tmp_path / "m.onnx", verify_checksums=True)


def test_errors_are_what_callers_of_onnx_catch(tmp_path: Path) -> None:
    from onnx_light.onnx.checker import ValidationError

    onnxl.save(make_model(onnxl), tmp_path / "m.onnx", location="w.data")
    (tmp_path / "w.data").rename(tmp_path / "gone")
    for kind in (FileNotFoundError, ValidationError, ValueError, onnxl.ExternalDataError):
        with pytest.raises(kind) as caught:
            onnxl.load(tmp_path / "m.onnx")
    for part in ("inner/w", "w.data", str(tmp_path)):
        assert part in str(caught.value)
    model = onnxl.load(tmp_path / "m.onnx", load_external_data=False)
    (tmp_path / "b").mkdir()
    with pytest.raises(onnxl.ExternalDataNotFoundError):
        onnxl.save(model, tmp_path / "b" / "m.onnx")
    (tmp_path / "gone").rename(tmp_path / "w.data")
    onnxl.save(model, tmp_path / "b" / "m.onnx", base_dir=tmp_path)
    assert values(onnx.load(tmp_path / "b" / "m.onnx")) == EXPECTED
    with pytest.raises(ValueError, match="leaves the model's folder"):
        onnxl.save(make_model(onnxl), tmp_path / "b" / "m.onnx", location="../w.data")
    with pytest.raises(OSError, match="Is a directory"):
        onnxl.save(make_model(onnxl), tmp_path / "b")


def test_tensors_marked_external_are_written_where_they_say(tmp_path: Path) -> None:
    """As after onnx's convert_model_to_external_data."""
    model = make_model(onnx)
    onnx.external_data_helper.convert_model_to_external_data(model, location="w.data", size_threshold=0)
    ours = onnxl.ModelProto.FromString(model.SerializeToString())
    onnxl.save(ours, tmp_path / "m.onnx")
    assert values(onnx.load(tmp_path / "m.onnx")) == EXPECTED
    assert ours.graph.initializer[0].raw_data == floats(1)


def test_a_model_larger_than_memory_is_realigned_by_its_references(tmp_path: Path) -> None:
    """Nothing of the weights gets into this process: the new file is as sparse as the system copies it, and memory stays small."""
    size = 3 << 30
    with (tmp_path / "w.data").open("wb") as file:
        file.truncate(size)
        file.seek(size - 8)
        file.write(b"the end.")
    model = onnxl.ModelProto(ir_version=10)
    for index, (offset, length) in enumerate([(0, 5), (size - 8, 8)]):
        tensor = model.graph.initializer.add(name=f"w{index}", data_type=2, dims=[length], data_location=1)
        for key, value in {"location": "w.data", "offset": offset, "length": length}.items():
            tensor.external_data.add(key=key, value=str(value))
    onnxl.save(model, tmp_path / "n.onnx", location="n.data", alignment=64, size_threshold=0)
    assert values(onnxl.load(tmp_path / "n.onnx")) == {"w0": bytes(5), "w1": b"the end."}
    assert (tmp_path / "n.data").stat().st_size == 72
