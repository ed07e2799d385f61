"""Faces live as long as somebody holds them, whatever happens to the message they were reached from, and looking leaves nothing behind."""

from __future__ import annotations

import copy
import gc
import os
import resource
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import onnx_light.onnx as onnxl
from onnx_light.onnx_py._onnxpy import probes


def model_of(count: int) -> onnxl.ModelProto:
    model = onnxl.ModelProto(ir_version=10)
    for i in range(count):
        node = model.graph.node.add(name=f"n{i}", op_type="Add", input=[f"x{i}", "y"], output=[f"z{i}"])
        node.attribute.add(name="axis", i=i)
    return model


def parsed(count: int) -> onnxl.ModelProto:
    return onnxl.ModelProto.FromString(model_of(count).SerializeToString())


@pytest.mark.parametrize("make", [model_of, parsed])
def test_a_face_is_the_same_object_while_it_lives(make: Any) -> None:
    model = make(2)
    assert model.graph is model.graph
    graph = model.graph
    assert graph.node is graph.node and graph.node[0] is graph.node[0] and graph.node[0] is not graph.node[1]
    assert next(iter(graph.node)) is graph.node[0]
    absent = onnxl.ModelProto()
    assert absent.graph is absent.graph


@pytest.mark.parametrize("make", [model_of, parsed])
def test_an_element_outlives_its_list(make: Any) -> None:
    graph = make(3).graph
    kept, attribute = graph.node[0], graph.node[1].attribute[0]
    del graph.node[:]
    assert kept.name == "n0" and list(kept.input) == ["x0", "y"] and attribute.i == 1
    kept.name = "renamed"
    kept.input.append("more")
    attribute.i = 7
    assert len(graph.node) == 0 and kept.input == ["x0", "y", "more"] and attribute.i == 7
    del graph
    assert kept.attribute[0].name == "axis"


@pytest.mark.parametrize("make", [model_of, parsed])
def test_a_child_outlives_its_root(make: Any) -> None:
    inputs = make(1).graph.node[0].input
    inputs.append("late")
    assert inputs == ["x0", "y", "late"]


def test_a_held_list_lives_on_after_its_field_was_cleared() -> None:
    model = model_of(2)
    nodes = model.graph.node
    model.graph.ClearField("node")
    assert len(nodes) == 2 and nodes[1].name == "n1" and len(model.graph.node) == 0
    nodes.add(name="unseen")
    assert len(nodes) == 3 and len(model.graph.node) == 0


def test_what_was_held_of_a_root_stays_as_it_was_when_the_root_is_parsed_into() -> None:
    model = model_of(2)
    data = model.SerializeToString()
    node, graph = model.graph.node[1], model.graph
    model.ParseFromString(data)
    assert node.name == "n1" and graph.node[0].name == "n0"
    node.name = "old"
    assert model.graph.node[1].name == "n1" and model.graph is not graph
    with pytest.raises(onnxl.DecodeError, match=r"^ParseError: ModelProto\.graph"):
        model.ParseFromString(data[:-1])
    assert model.SerializeToString() == data


def test_presence_comes_through_children_that_were_reached_while_absent() -> None:
    info = onnxl.ValueInfoProto()
    shape = info.type.tensor_type.shape
    assert len(shape.dim) == 0 and not info.HasField("type")
    shape.dim.extend([])
    assert info.HasField("type") and info.type.HasField("tensor_type") and info.type.tensor_type.HasField("shape")
    assert shape is info.type.tensor_type.shape

    model = onnxl.ModelProto()
    model.graph.node.add(name="n")  # nothing but the list is held
    assert model.HasField("graph") and model.graph.node[0].name == "n"

    model = onnxl.ModelProto()
    graph = model.graph
    model.ClearField("graph")
    graph.name = "alone"
    assert not model.HasField("graph") and graph.name == "alone"


def test_what_was_reached_while_absent_stays_joined_when_its_parent_is_merged_into() -> None:
    info = onnxl.ValueInfoProto()
    shape = info.type.tensor_type.shape
    dims = shape.dim
    info.type.MergeFrom(onnxl.TypeProto(tensor_type={"shape": {"dim": [{"dim_value": 3}]}}))
    assert info.type.tensor_type.shape is shape and shape.dim is dims and dims[0].dim_value == 3
    dims.add(dim_value=4)
    assert [dim.dim_value for dim in info.type.tensor_type.shape.dim] == [3, 4]

    kind = onnxl.TypeProto(map_type={})
    reached = kind.tensor_type
    kind.ClearField("tensor_type")
    assert kind.WhichOneof("value") == "map_type" and reached == onnxl.TypeProto.Tensor()

    info = onnxl.ValueInfoProto()
    reached_type = info.type
    info.CopyFrom(onnxl.ValueInfoProto(type={"denotation": "copied"}))
    assert reached_type is not info.type and not reached_type.HasField("denotation")


def test_a_failed_edit_changes_nothing() -> None:
    info: Any = onnxl.ValueInfoProto()
    dims = info.type.tensor_type.shape.dim
    edits: list[Any] = [
        lambda: dims.append(3),
        lambda: dims.extend([onnxl.TensorShapeProto.Dimension(), 3]),
        lambda: dims.insert(0, onnxl.NodeProto()),
        lambda: dims.pop(),
        lambda: dims.remove(3),
        lambda: dims.__delitem__(0),
        lambda: setattr(info.type.tensor_type, "elem_type", "one"),
        lambda: setattr(info, "type", info.type),
        lambda: info.type.CopyFrom(info),
        lambda: info.type.ParseFromString(b"\x08"),
        lambda: info.type.MergeFromString(b"\x08"),
    ]
    for edit in edits:
        with pytest.raises((TypeError, ValueError, IndexError, AttributeError, onnxl.DecodeError)):
            edit()
        assert not info.HasField("type") and len(dims) == 0
    attribute: Any = onnxl.AttributeProto(ints=[1, 2, 3])
    for key, value in ((slice(0, 1), [7, "a"]), (slice(None, None, 2), [7, "a"]), (1, "a"), (9, 1)):
        with pytest.raises((TypeError, IndexError)):
            attribute.ints[key] = value
        assert attribute.ints == [1, 2, 3]


def test_lists_taken_from_themselves_are_taken_as_they_were_at_the_call() -> None:
    graph = model_of(3).graph
    graph.node.extend(graph.node)
    assert [node.name for node in graph.node] == ["n0", "n1", "n2"] * 2
    graph.node.extend(node for node in list(graph.node)[:1])
    graph.node[0].input.extend(graph.node[0].input)
    assert graph.node[0].input == ["x0", "y"] * 2
    graph.node[0].input[1:2] = graph.node[0].input
    assert graph.node[0].input == ["x0", "x0", "y", "x0", "y", "x0", "y"]
    graph.MergeFrom(graph)
    assert len(graph.node) == 14
    model = model_of(1)
    model.graph.node[0].attribute[0].g.name = "inner"
    model.graph.CopyFrom(model.graph.node[0].attribute[0].g)
    assert model.graph.name == "inner" and len(model.graph.node) == 0


class _Meddler:
    """An index, number or key that runs code of its own when it is asked for its value."""

    def __init__(self, act: Any, value: int = 0) -> None:
        self.act = act
        self.value = value

    def __index__(self) -> int:
        self.act()
        return self.value

    def __float__(self) -> float:
        self.act()
        return float(self.value)

    def __eq__(self, other: object) -> bool:
        self.act()
        return False

    __hash__ = None  # type: ignore[assignment]


def Meddler(act: Any, value: int = 0) -> Any:
    return _Meddler(act, value)


def test_code_that_runs_in_the_middle_of_an_edit_finds_and_leaves_a_whole_list() -> None:
    attribute = onnxl.AttributeProto(ints=[1, 2, 3], floats=[1, 2, 3])
    with pytest.raises(IndexError):
        attribute.ints[2] = Meddler(lambda: attribute.ints.clear())
    attribute.ints.extend([1, 2, 3])
    with pytest.raises(IndexError):
        attribute.ints[Meddler(lambda: attribute.ints.clear(), 2)]
    attribute.ints.extend([1, 2, 3])
    attribute.ints[:] = [Meddler(lambda: attribute.ints.clear(), 7), 8]
    assert attribute.ints == [7, 8]
    attribute.ints.extend(Meddler(lambda: attribute.ints.append(0), 5) for _ in range(3))
    assert attribute.ints == [7, 8, 0, 0, 0, 5, 5, 5]
    attribute.floats.append(Meddler(lambda: attribute.ParseFromString(b""), 1))
    with pytest.raises(ValueError):
        attribute.ints.remove(Meddler(lambda: attribute.ints.clear()))
    graph = model_of(3).graph
    with pytest.raises(ValueError, match="changed while it was sorted"):
        graph.node.sort(key=lambda node: str(graph.node.clear()))  # type: ignore[func-returns-value]
    graph = model_of(3).graph

    def meddling_items() -> Any:
        yield onnxl.NodeProto(name="one")
        graph.node.clear()
        yield onnxl.NodeProto(name="two")

    graph.node.extend(meddling_items())
    assert [node.name for node in graph.node] == ["one", "two"]
    made = graph.node.add(name="three", attribute=[{"i": Meddler(graph.node.clear, 3)}])
    assert len(graph.node) == 0 and made.attribute[0].i == 3


def test_an_iterator_goes_on_at_its_place_whatever_is_done_to_the_list() -> None:
    model = model_of(4)
    graph = model.graph
    iterator = iter(graph.node)
    assert next(iterator).name == "n0"
    del graph.node[0]
    assert next(iterator).name == "n2"
    graph.node.add(name="last")
    model.ParseFromString(b"")
    assert [node.name for node in iterator] == ["n3", "last"]
    graph.node.add(name="after the end")
    assert list(iterator) == []


def resident_bytes() -> int:
    """As of now: the highest so far may be that of an earlier test."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * resource.getpagesize()


def test_walking_twice_leaves_memory_as_it_was() -> None:
    model = parsed(2000)
    absent = onnxl.ModelProto()

    def walk() -> None:
        for node in model.graph.node:
            assert node.op_type and [*node.input, *node.output]
            for attribute in node.attribute:
                # An absent message beside a value takes a place among the rare fields, and gives it back.
                assert attribute.name and not attribute.t.dims and not attribute.HasField("t") and len(attribute.floats) == 0
            assert node.metadata_props == [] and node.doc_string == ""
        assert absent.graph.node == [] and absent.training_info == []

    walk()
    gc.collect()
    before = probes.arena_bytes(model), probes.arena_bytes(absent)
    blocks, resident = sys.getallocatedblocks(), resident_bytes()
    for _ in range(3):
        walk()
    gc.collect()
    assert (probes.arena_bytes(model), probes.arena_bytes(absent)) == before
    assert abs(sys.getallocatedblocks() - blocks) < 100
    if "libasan" not in os.environ.get("LD_PRELOAD", ""):  # which keeps what was freed, to see it used
        assert resident_bytes() - resident < 1 << 20


def test_parsing_and_copying_again_and_again_does_not_grow_a_root() -> None:
    model = model_of(100)
    data, other = model.SerializeToString(), copy.deepcopy(model)
    model.ParseFromString(data)
    model.CopyFrom(other)
    after_one = probes.arena_bytes(model)
    for _ in range(20):
        model.ParseFromString(data)
        model.CopyFrom(other)
    assert probes.arena_bytes(model) == after_one


def test_threads_on_one_model_and_on_many_end_without_harm() -> None:
    shared = model_of(200)
    data = parsed(3000).SerializeToString()
    assert len(data) > 64 << 10  # long enough to be parsed without the GIL
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(6):
                for node in shared.graph.node:
                    node.name += "x"
                    list(node.input)
                if turn % 4 == number % 4:
                    shared.graph.node.extend(shared.graph.node[:3])
                    del shared.graph.node[:3]
                    shared.ParseFromString(data)
                    shared.CopyFrom(model_of(20))
                mine = onnxl.ModelProto.FromString(data)
                assert mine.SerializeToString() == data
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_faces_that_live_until_the_interpreter_ends_do_no_harm(tmp_path: Path) -> None:
    program = """
import onnx_light.onnx as onnxl
class Keeper:
    def __init__(self): self.me = self; self.node = onnxl.GraphProto(node=[{"name": "n"}]).node[0]; self.it = iter(self.node.input)
    def __del__(self): self.node.input.append("late"); self.node.Clear()
kept = Keeper(); model = onnxl.ModelProto(); graph = model.graph; names = graph.node
onnxl.kept = Keeper()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_deep_nesting_ends_in_a_typed_error() -> None:
    kind = onnxl.TypeProto()
    deepest = kind
    for _ in range(1000):
        deepest = deepest.sequence_type.elem_type
    deepest.denotation = "deep"
    with pytest.raises(onnxl.EncodeError):
        kind.SerializeToString()
    for act in (
        copy.deepcopy,
        str,
        onnxl.TypeProto.ByteSize,
        lambda k: onnxl.TypeProto().CopyFrom(k),
        lambda k: onnxl.TypeProto().MergeFrom(k),
    ):
        with pytest.raises(RecursionError):
            act(kind)
    kind.Clear()
    assert deepest.denotation == "deep" and kind.SerializeToString() == b""
