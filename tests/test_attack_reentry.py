"""Code of the caller's own that runs in the middle of a call: paths, callables, the garbage collector, other threads, other processes. It
may do with the message what it likes; the call goes on with what it finds then."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import onnx_light.onnx as onnxl
from onnx_light.onnx import compose, helper
from onnx_light.onnx.external_data_helper import load_external_data_for_tensor
from onnx_light.onnx_py import _onnxpy

SIZE = 5000


def model_of(fill: bytes, count: int = 3) -> onnxl.ModelProto:
    model = onnxl.ModelProto(ir_version=10, producer_name=fill.decode())
    model.graph.name = "g"
    for index in range(count):
        model.graph.initializer.add(name=f"{fill.decode()}{index}", data_type=2, dims=[SIZE], raw_data=fill * SIZE)
    return model


def loaded(path: Path) -> onnxl.ModelProto:
    """As before its weights went to a file."""
    model = onnxl.load(path)
    for tensor in model.graph.initializer:
        tensor.ClearField("data_location")
    return model


class Meddling:
    """A path that does something whenever it is asked what it is."""

    def __init__(self, path: Any, act: Callable[[], object]) -> None:
        self.path, self.act = path, act

    def __fspath__(self) -> Any:
        self.act()
        return os.fspath(self.path)


def replace(model: onnxl.ModelProto) -> None:
    model.CopyFrom(model_of(b"b"))
    onnxl.ModelProto.FromString(model_of(b"z", 9).SerializeToString())  # takes the memory that has become free


START = """
    import onnx_light.onnx as onnxl, os, signal, time
    signal.alarm(100)  # ends whoever waits for ever
"""


def run(program: str, folder: Path) -> None:
    command = [sys.executable, "-c", textwrap.dedent(START) + textwrap.dedent(program)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])


# ---- paths


def test_a_path_that_replaces_the_model_is_the_path_of_the_new_one(tmp_path: Path) -> None:
    model = model_of(b"a")
    onnxl.save(model, tmp_path / "m.onnx", location=Meddling("w.data", lambda: replace(model)))
    assert loaded(tmp_path / "m.onnx") == model_of(b"b")
    model = model_of(b"a")
    onnxl.save(model, tmp_path / "m.json", location=Meddling("j.data", lambda: replace(model)))
    assert loaded(tmp_path / "m.json") == model_of(b"b")
    model = model_of(b"a")
    with (tmp_path / "f.onnx").open("wb") as file:
        onnxl.save(model, file, location=Meddling("v.data", lambda: replace(model)))
    assert onnxl.load(tmp_path / "f.onnx").graph.initializer[0].external_data == []
    model = model_of(b"a")
    onnxl.save(model, tmp_path / "m.onnx", base_dir=Meddling(tmp_path, lambda: replace(model)))
    assert loaded(tmp_path / "m.onnx") == model_of(b"b")
    if _onnxpy.crypt.available():
        model = model_of(b"a")
        onnxl.save_encrypted(model, Meddling(tmp_path / "m.onnxc", lambda: replace(model)), "key")
        assert onnxl.load_encrypted(tmp_path / "m.onnxc", "key") == model_of(b"b")


def test_a_folder_that_replaces_the_model_is_the_folder_of_the_new_one(tmp_path: Path) -> None:
    onnxl.save(model_of(b"b"), tmp_path / "m.onnx", location="w.data")
    bare = onnxl.load(tmp_path / "m.onnx", load_external_data=False)
    model = model_of(b"a")
    onnxl.load_external_data_for_model(model, Meddling(tmp_path, lambda: model.CopyFrom(bare)))
    assert [tensor.raw_data for tensor in model.graph.initializer] == [b"b" * SIZE] * 3
    tensor = onnxl.TensorProto(name="a")
    load_external_data_for_tensor(tensor, Meddling(tmp_path, lambda: tensor.CopyFrom(bare.graph.initializer[1])))
    assert (tensor.name, tensor.raw_data) == ("b1", b"b" * SIZE)


class Names(Sequence[str]):
    """Names that do something when they are read."""

    def __init__(self, names: list[str], act: Callable[[], object]) -> None:
        self.names, self.act = names, act

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, index: Any) -> Any:
        self.act()
        return self.names[index]


def test_names_that_replace_a_graph_are_names_of_the_new_one() -> None:
    def graph_of(name: str) -> onnxl.GraphProto:
        x, y = (helper.make_tensor_value_info(value, 1, [1]) for value in (f"{name}x", f"{name}y"))
        return helper.make_graph([helper.make_node("Neg", [f"{name}x"], [f"{name}y"], name=name)], name, [x], [y])

    first, second = graph_of("a"), graph_of("c")
    outputs: Any = Names(["by", "cy"], lambda: first.CopyFrom(graph_of("b")))
    merged = compose.merge_graphs(first, second, io_map=[], outputs=outputs)
    assert [node.name for node in merged.node] == ["b", "c"]
    extract: Any = _onnxpy.graph.merge_graphs  # what stands behind it does so as well
    first = graph_of("a")
    merged = extract(first, second, [], None, Names(["by", "cy"], lambda: first.CopyFrom(graph_of("b"))), None, None, None, None)
    assert [node.name for node in merged.node] == ["b", "c"]


# ---- the garbage collector


@pytest.fixture
def collecting() -> Iterator[list[Callable[[], object]]]:
    """Whatever is put into this list is called whenever the garbage collector runs, which is as often as can be."""
    acts: list[Callable[[], object]] = []

    def collected(phase: str, _: dict[str, int]) -> None:
        if phase == "start":
            for act in acts:
                act()

    before = gc.get_threshold()
    gc.callbacks.append(collected)
    gc.set_threshold(1, 1, 1)
    yield acts
    acts.clear()
    gc.set_threshold(*before)
    gc.callbacks.remove(collected)


@pytest.mark.parametrize(
    "tensors_of",
    [
        lambda model: [entry.tensor for entry in onnxl.list_external_data(model)],
        lambda model: [tensor for _, tensor, _ in _onnxpy.tensors.places(model)],
        lambda model: _onnxpy.files.tensors(model),
    ],
)
def test_the_garbage_collector_may_take_a_model_apart_while_its_tensors_are_listed(
    tensors_of: Callable[[onnxl.ModelProto], list[onnxl.TensorProto]], collecting: list[Callable[[], object]], tmp_path: Path
) -> None:
    onnxl.save(model_of(b"a", 40), tmp_path / "m.onnx", location="w.data")
    for _ in range(20):
        model = onnxl.load(tmp_path / "m.onnx", load_external_data=False)
        filler = model_of(b"z", 40)

        def take_apart(model: onnxl.ModelProto = model, filler: onnxl.ModelProto = filler) -> None:
            if model.graph.initializer:
                del model.graph.initializer[:]
                model.graph.node.add(name="n" * 2000)  # takes the memory that has become free
                model.CopyFrom(filler)

        collecting.append(take_apart)
        tensors = tensors_of(model)
        collecting.clear()
        names = [tensor.name for tensor in tensors]
        assert names in ([f"a{index}" for index in range(40)], [f"z{index}" for index in range(40)], []), names


# ---- callables


Parse = Callable[[bytes, onnxl.ParseOptions], onnxl.GraphProto]


def from_string(data: bytes, options: onnxl.ParseOptions) -> onnxl.GraphProto:
    return onnxl.GraphProto.FromString(data, options)


def parse_alone(data: bytes, options: onnxl.ParseOptions) -> onnxl.GraphProto:
    graph = onnxl.GraphProto()
    graph.ParseFromString(data, options)
    return graph


def merge(data: bytes, options: onnxl.ParseOptions) -> onnxl.GraphProto:
    graph = onnxl.GraphProto(doc_string="not fresh")
    graph.MergeFromString(data, options)
    return graph


def parse_inside(data: bytes, options: onnxl.ParseOptions) -> onnxl.GraphProto:
    model = onnxl.ModelProto()
    model.graph.ParseFromString(data, options)
    return model.graph


@pytest.mark.parametrize("parse", [from_string, parse_alone, merge, parse_inside])
@pytest.mark.parametrize("keep", [False, True])
def test_what_a_callback_makes_of_a_message_that_is_parsed_alone_is_the_result(parse: Parse, keep: bool) -> None:
    kept: list[Any] = []

    def callback(tensor: onnxl.TensorProto, graph: onnxl.GraphProto | None) -> None:
        assert graph is not None
        kept.extend([tensor, graph] if keep else [])
        graph.CopyFrom(onnxl.GraphProto(name="replaced", node=[{"name": "n"}]))

    options = onnxl.ParseOptions()
    options.raw_data_callback = callback
    data = model_of(b"a").graph.SerializeToString()
    for _ in range(3):
        parsed = parse(data, options)
        assert (parsed.name, [node.name for node in parsed.node], len(parsed.initializer)) == ("replaced", ["n"], 0)
    assert all(found.name in ("a0", "a1", "a2", "replaced") for found in kept)


@pytest.mark.parametrize("size", [10, 100_000])
def test_a_tensor_that_its_callback_replaces_is_what_it_was_replaced_by(size: int) -> None:
    def callback(tensor: onnxl.TensorProto, _: onnxl.GraphProto | None) -> None:
        tensor.ParseFromString(onnxl.TensorProto(name="other", raw_data=b"1").SerializeToString())

    options = onnxl.ParseOptions()
    options.raw_data_callback = callback
    data = onnxl.TensorProto(name="t", raw_data=bytes(size)).SerializeToString()
    assert onnxl.TensorProto.FromString(data, options) == onnxl.TensorProto(name="other", raw_data=b"1")
    tensor = onnxl.TensorProto()
    tensor.ParseFromString(data, options)
    assert tensor == onnxl.TensorProto(name="other", raw_data=b"1")


def test_options_that_another_thread_changes_are_those_of_the_next_parse() -> None:
    data = model_of(b"a", 4000).SerializeToString()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # nobody runs but while the parse lets go of the GIL
    try:
        for _ in range(20):
            options = onnxl.ParseOptions()
            called: list[str] = []
            begins = threading.Event()

            def change(options: onnxl.ParseOptions = options, called: list[str] = called, begins: threading.Event = begins) -> None:
                begins.wait()
                options.raw_data_callback = lambda tensor, graph: called.append(tensor.name)

            changer = threading.Thread(target=change)
            changer.start()
            begins.set()
            onnxl.ModelProto.FromString(data, options)
            changer.join()
            assert called == []
            assert options.raw_data_callback is not None
    finally:
        sys.setswitchinterval(interval)


# ---- classes


def test_options_that_were_not_initialized_are_refused() -> None:
    class Forgets(onnxl.ParseOptions):
        def __init__(self) -> None:
            pass

    class ForgetsToo(onnxl.SerializeOptions):
        def __init__(self) -> None:
            pass

    message = onnxl.ModelProto(ir_version=3)
    for act in (
        lambda: message.ParseFromString(b"", Forgets()),
        lambda: message.MergeFromString(b"", options=Forgets()),
        lambda: onnxl.ModelProto.FromString(b"", onnxl.ParseOptions.__new__(onnxl.ParseOptions)),
        lambda: message.SerializeToString(options=ForgetsToo()),
    ):
        with pytest.raises(TypeError, match="initialize"):
            act()
    assert message == onnxl.ModelProto(ir_version=3)


def test_objects_that_are_made_by_ways_of_their_own_are_whole_or_refused(tmp_path: Path) -> None:
    run(
        """
        onnxl.NodeProto.__new__ = lambda cls, **fields: object.__new__(cls)
        node = onnxl.NodeProto(op_type="Add", input=["x"])
        assert (node.op_type, list(node.input), str(node)) == ("Add", ["x"], 'input: "x"\\nop_type: "Add"\\n')
        assert onnxl.GraphProto(node=[node]).node[0] == node
        for kind in (onnxl.RepeatedScalarContainer, onnxl.RepeatedCompositeContainer, type(iter(node.input))):
            kind.__new__ = lambda cls: object.__new__(cls)
            try:
                kind()
            except RuntimeError as error:
                assert "made by messages only" in str(error)
            else:
                raise AssertionError(kind)
        """,
        tmp_path,
    )


def test_names_of_attributes_without_a_hash_of_their_own_are_an_error() -> None:
    class Odd(str):
        __slots__ = ()
        hashes = 0

        def __hash__(self) -> int:
            Odd.hashes += 1
            return Odd.hashes

    attributes: Any = {Odd("alpha"): 1.0}
    with pytest.raises(KeyError, match="alpha"):
        helper.make_node("Op", ["x"], ["y"], **attributes)


# ---- other processes


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a POSIX system")
def test_a_child_that_is_forked_during_a_save_does_not_keep_the_folder(tmp_path: Path) -> None:
    run(
        """
        weights = {"name": "w", "data_type": 2, "dims": [5000], "raw_data": bytes(5000)}
        model = onnxl.ModelProto(ir_version=10, graph={"name": "g", "initializer": [weights]})
        children = []

        def fork(written):
            if not children:
                children.append(os.fork())
                if children[0] == 0:
                    time.sleep(90)
                    os._exit(0)

        onnxl.save(model, "m.onnx", location="w.data", progress=fork)
        signal.alarm(20)
        onnxl.save(model, "m.onnx", location="w.data")
        onnxl.save(model, "other.onnx")
        assert os.waitpid(children[0], os.WNOHANG) == (0, 0)
        os.kill(children[0], signal.SIGKILL)
        """,
        tmp_path,
    )
