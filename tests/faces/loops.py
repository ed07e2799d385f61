"""What programs do again and again, errors included: none of it leaves memory, Python objects or descriptors behind.

    python tests/faces/loops.py FOLDER

runs each act for a while and asks LeakSanitizer, if it is there, what nobody can reach any more (tests/faces/under_asan.sh).
tests/test_attack_leaks.py measures the same acts in a process without sanitizers.
"""

from __future__ import annotations

import copy
import ctypes
import os
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

import onnx_light.onnx as onnxl
from onnx_light.onnx import compose, helper, numpy_helper
from onnx_light.onnx_py import _onnxpy

SIZE = 96 << 10  # of a payload: what keeps one each time is seen
TEXT = _onnxpy.text
ERRORS: Any = (
    *(onnxl.DecodeError, TypeError, ValueError, OSError, RuntimeError),
    *(_onnxpy.TextParseError, _onnxpy.JsonParseError, _onnxpy.SyntaxParseError),
)


def made() -> Any:
    model = onnxl.ModelProto(ir_version=10)
    model.opset_import.add(domain="", version=21)
    graph = model.graph
    graph.name = "g"
    for name in ("w", "v"):
        graph.initializer.add(name=name, data_type=2, dims=[SIZE], raw_data=bytes(SIZE))
    for index in range(20):
        node = graph.node.add(op_type="If", name=f"n{index}", input=["w"], output=[f"y{index}"])
        node.attribute.add(name="a", type=6, floats=[1.5] * 10)
        node.attribute.add(name="then_branch", type=5).g.node.add(op_type="Neg", doc_string="text " * 20)
        node.metadata_props.add(key="k", value="v" * 40)
    return model


def prepare(folder: Path) -> None:
    os.chdir(folder)
    model = made()
    onnxl.save(model, "m.onnx")
    onnxl.save(model, "e.onnx", location="w.data")
    for extension in ("textproto", "json", "onnxtxt"):
        onnxl.save(model, f"m.{extension}")
    onnxl.save_encrypted(model, "m.onnxc", "key", encryption="AES-256-GCM", kdf_iterations=1000)


def load_edit_save() -> None:
    for keywords in ({}, {"no_copy": True}, {"num_threads": 2}):
        model = onnxl.load("e.onnx", **keywords)
        model.graph.node[3].op_type = "Abs"
        model.graph.node[4].attribute[0].floats.extend([2.0] * 30)
        del model.graph.node[5:9]
        model.graph.node.insert(2, helper.make_node("Add", ["a", "b"], ["c"]))
        model.graph.initializer[0].raw_data = bytes(SIZE)
        onnxl.save(model, "saved.onnx")
        onnxl.save(model, "saved_e.onnx", location="saved.data")


def load_in_every_way() -> None:
    data = Path("m.onnx").read_bytes()
    for mode in (onnxl.FileLoadMode.AUTO, onnxl.FileLoadMode.MMAP, onnxl.FileLoadMode.IFSTREAM):
        for no_copy in (False, True):
            model = onnxl.load("m.onnx", file_load_mode=mode, no_copy=no_copy)
            assert model.graph.initializer[1].raw_data_view.nbytes == SIZE
    model = onnxl.load(data, no_copy=True)
    bare = onnxl.load("e.onnx", load_external_data=False)
    onnxl.load_external_data_for_model(bare, ".")
    assert bare.graph.initializer[0].raw_data == model.graph.initializer[0].raw_data
    assert len(onnxl.list_external_data("e.onnx")) == 2


def go_through_texts() -> None:
    for extension in ("textproto", "json", "onnxtxt"):
        model = onnxl.load(f"m.{extension}")
        onnxl.save(model, f"saved.{extension}")
        str(model.graph.node[0]), repr(model)


def encrypt() -> None:
    model = onnxl.load_encrypted("m.onnxc", "key")
    onnxl.save_encrypted(model, "saved.onnxc", "key", encryption="AES-256-GCM", kdf_iterations=1000)
    blob = onnxl.save_encrypted_string(model, "key", encryption="AES-256-GCM", kdf_iterations=1000)
    assert onnxl.load_encrypted_string(blob, "key") == model
    with suppress(RuntimeError):
        onnxl.load_encrypted("m.onnxc", "wrong")
    with suppress(RuntimeError):
        onnxl.load_encrypted_string(blob[:-1], "key")


def fail() -> None:
    data = Path("m.onnx").read_bytes()
    model = made()
    wrong: Any = ["a", 1]
    acts: list[Callable[[], Any]] = [
        lambda: onnxl.ModelProto.FromString(data[:-1]),
        lambda: model.ParseFromString(data[:5000] + b"\xff" * 20),
        lambda: model.graph.MergeFromString(data[:1000]),
        lambda: onnxl.load(data[: len(data) // 2], no_copy=True),
        lambda: onnxl.load("none.onnx"),
        lambda: onnxl.save(model, "no/such/folder/m.onnx", location="w"),
        lambda: TEXT.from_text_format("graph { node { op_type: 'A' } node { x", onnxl.ModelProto()),
        lambda: TEXT.from_json('{"graph": {"node": [{"opType": "A"}, {]}}', onnxl.ModelProto()),
        lambda: TEXT.from_syntax("g () => () <float[2] w = {1, 2}> { y = A (x) y = ", onnxl.GraphProto()),
        lambda: TEXT.from_text_format("g { node { attribute { " * 500, onnxl.AttributeProto()),
        lambda: onnxl.NodeProto(input=wrong),
        lambda: model.graph.node.extend([onnxl.NodeProto(), 1]),
        lambda: setattr(model.graph, "name", 1),
        lambda: helper.make_node("A", ["x"], ["y"], value=object()),
    ]
    for act in acts:
        try:
            act()
        except ERRORS:
            continue
        raise AssertionError(act)


def hold_and_detach() -> None:
    model = made()
    nodes, first, name = model.graph.node, model.graph.node[0], model.graph.node[0].attribute
    iterator = iter(nodes)
    next(iterator)
    view = memoryview(model.graph.initializer[0].raw_data_view)
    array = numpy_helper.to_array(model.graph.initializer[1])
    child = onnxl.ModelProto().graph.node.add().attribute.add().t
    child.dims.extend([1, 2])
    model.Clear()
    assert len(name) == 2 and first.op_type == "If" and len(view) == array.size == SIZE
    nodes.extend(nodes)
    nodes.add(op_type="B")
    other = onnxl.GraphProto()
    other.node.extend([first] * 10)
    other.node.sort(key=lambda node: node.name)
    del other.node[::2]


def copy_and_merge() -> None:
    model = made()
    other = copy.deepcopy(model)
    for _ in range(3):
        model.MergeFrom(other)
        model.CopyFrom(other)
        model.ParseFromString(other.SerializeToString())
    assert pickle.loads(pickle.dumps(model, protocol=5)) == copy.copy(model)
    compose.add_prefix(model, "p_")
    helper.make_tensor("w", 1, [3], [1.0, 2.0, 3.0])
    onnxl.consolidate_tensors_to_buffer(model)


def call_back() -> None:
    options = onnxl.ParseOptions()
    kept: list[Any] = []

    def callback(tensor: Any, _: Any) -> Callable[[], None]:
        kept.append(options)  # a cycle through what the options hold
        tensor.set_raw_data(bytearray(SIZE), copy=False)
        return lambda: None

    options.raw_data_callback = callback
    data = Path("m.onnx").read_bytes()
    onnxl.ModelProto().ParseFromString(data, options)

    def raises(*_: Any) -> None:
        raise ValueError("no")

    options.raw_data_callback = raises
    with suppress(ValueError):
        onnxl.ModelProto().ParseFromString(data, options)
    options.raw_data_callback = callback
    tensor = onnxl.TensorProto()
    for _ in range(3):
        tensor.set_raw_data_with_deleter(np.zeros(SIZE, np.uint8), lambda: None)
        tensor.attach_raw_data_deleter(lambda: None)


ACTS: dict[str, Callable[[], None]] = {
    act.__name__: act
    for act in (load_edit_save, load_in_every_way, go_through_texts, encrypt, fail, hold_and_detach, copy_and_merge, call_back)
}


def main(folder: str) -> None:
    prepare(Path(folder))
    leaked = False
    for name, act in ACTS.items():
        for _ in range(5):
            act()
        leaked |= unreachable() != 0
        print(f"{name}: {'leaks' if leaked else 'clean'}", flush=True)
        if leaked:
            break
    sys.stdout.flush()
    os._exit(int(leaked))  # the interpreter's own end leaves a lot


def unreachable() -> int:
    """Not 0 if there is memory that nobody points to; LeakSanitizer has said where it comes from."""
    try:
        check = ctypes.CDLL(None).__lsan_do_recoverable_leak_check
    except AttributeError:
        sys.exit("LeakSanitizer is not there")
    return int(check())


if __name__ == "__main__":
    main(sys.argv[1])
