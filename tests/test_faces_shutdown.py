"""The interpreter ends while faces are alive, threads are at work and handlers still run: the process ends quietly, with exit code 0."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

START = """
import atexit, builtins, gc, sys, threading, time
import onnx_light.onnx as onnxl

def model_of(count):
    model = onnxl.ModelProto(ir_version=10)
    for i in range(count):
        node = model.graph.node.add(name=f"n{i}", op_type="Add", input=[f"x{i}", "y"], output=[f"z{i}"])
        node.attribute.add(name="axis", i=i)
    return model

class Meddler:
    def __init__(self, message): self.message, self.me = message, self
    def __del__(self):
        self.message.input.append("late"); self.message.attribute.add(name="late"); str(self.message); self.message.Clear()
"""

PROGRAMS = {
    "faces of every kind in globals of the main module": """
model = model_of(3); graph = model.graph; nodes = graph.node; node = nodes[1]; names = node.input; walk = iter(nodes); words = iter(names)
next(walk), next(words); absent = onnxl.ModelProto().graph.node; detached = nodes.pop(0); held = nodes[0].attribute[0].ints
""",
    "faces whose roots are gone": """
kept = [model_of(3).graph.node[1].input, iter(model_of(2).graph.node), model_of(2).graph.node[0].attribute[0]]
""",
    "faces in other modules, in classes and in builtins": """
sys.kept = model_of(2).graph; builtins.kept = model_of(2).graph.node; onnxl.kept = iter(model_of(2).graph.node)
onnxl.NodeProto.kept = onnxl.NodeProto(name="kept"); onnxl._messages.kept = [onnxl.GraphProto()]; threading.kept = onnxl.TensorProto().dims
""",
    "objects in cycles that edit when they go": """
kept = [Meddler(model_of(3).graph.node[1]) for _ in range(5)]
onnxl.kept = Meddler(onnxl.NodeProto()); sys.kept = Meddler(onnxl.NodeProto())
""",
    "a generator that stands in the middle of a walk": """
def walk(model):
    try:
        for node in model.graph.node:
            for name in node.input:
                yield name
    finally:
        model.graph.node.add(name="at the end")
walks = [walk(model_of(3)) for _ in range(3)]
for each in walks: next(each)
""",
    "handlers at exit that edit, parse and write": """
kept = model_of(5)
def last(model=kept, module=onnxl):
    model.graph.node.add(name="last"); again = module.ModelProto.FromString(model.SerializeToString())
    assert again == model; sys.late = again
atexit.register(last); atexit.register(str, kept); atexit.register(kept.graph.node.clear)
""",
    "an error that holds a frame with faces": """
def fail(model):
    walk = iter(model.graph.node); next(walk)
    try: model.ParseFromString(b"\\xff")
    except onnxl.DecodeError as error: return error
sys.last_value = kept = fail(model_of(3)); onnxl.kept = kept
""",
    "classes with replaced methods": """
onnxl.NodeProto.__repr__ = lambda self: self.name; onnxl.NodeProto.__hash__ = lambda self: id(self)
kept = {node: node for node in model_of(3).graph.node}
onnxl.kept = kept
""",
    "without the module in sys.modules": """
kept = model_of(2).graph
for name in [name for name in sys.modules if name.startswith("onnx_light")]: del sys.modules[name]
""",
    "deleters that run after the handlers": """
class Buffer(bytearray):
    def __del__(self): sys.stdout and model_of(1)
kept = [onnxl.TensorProto(raw_data=bytes(100000)) for _ in range(3)]; copies = [onnxl.GraphProto(initializer=kept) for _ in range(3)]
""",
}

THREADS = {
    "that parse without the GIL": """
def work():
    while True: model.ParseFromString(data); onnxl.ModelProto.FromString(data)
""",
    "that load files": """
import tempfile, os
folder = tempfile.mkdtemp(); path = os.path.join(folder, "m.onnx"); onnxl.save(model, path)
def work():
    while True: onnxl.load(path); mine.ParseFromFile(path)
""",
    "that hand out pieces": """
long = onnxl.ModelProto(ir_version=10, doc_string="text " * 1_000_000)
class Sink:
    def write(self, piece): return len(piece)
def work():
    while True: onnxl.save(long, Sink(), "textproto", progress=lambda size: None)
""",
    "that hand out encrypted pieces": """
from onnx_light.onnx_py._onnxpy import crypt
long = onnxl.ModelProto(ir_version=10, doc_string="text " * 1_000_000)
class Sink:
    def write(self, piece): return len(piece)
def work():
    while crypt.available(): onnxl.save_encrypted(long, Sink(), "key"); onnxl.save_encrypted_string(long, "key")
    time.sleep(60)
""",
    "that are in callables": """
import numpy as np, os, tempfile
from onnx_light.onnx import helper
options = onnxl.ParseOptions(); options.raw_data_callback = lambda tensor, graph: sum(range(50)) and None
weights = onnxl.TensorProto(raw_data=bytes(10)).SerializeToString(); folder = tempfile.mkdtemp()
def work():
    while True:
        helper.make_node("A", (f"x{i}" for i in range(20)), [], value=np.ones(3)); onnxl.TensorProto.FromString(weights, options)
        onnxl.save(mine, os.path.join(folder, "m.onnx"), progress=lambda size: sum(range(50)))
        kept = onnxl.TensorProto(); kept.set_raw_data_with_deleter(b"bytes", lambda: sum(range(50)))
""",
    "that walk and edit one model": """
def work():
    while True:
        for node in mine.graph.node: node.name += "x"; list(node.input); len(node.name) > 100 and node.Clear()
        mine.graph.node.add(name="new"); del mine.graph.node[0]
""",
}


def run(program: str, folder: Path) -> tuple[int, str, str]:
    done = subprocess.run([sys.executable, "-c", START + program], capture_output=True, text=True, check=False, cwd=folder, timeout=120)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("what", PROGRAMS)
def test_the_process_ends_quietly_with(what: str, tmp_path: Path) -> None:
    assert run(PROGRAMS[what], tmp_path) == (0, "", "")


@pytest.mark.parametrize("what", THREADS)
def test_the_process_ends_quietly_with_daemon_threads(what: str, tmp_path: Path) -> None:
    prepare = "model = model_of(2000); data = model.SerializeToString(); mine = model_of(50)\n"
    start = "for _ in range(5): threading.Thread(target=work, daemon=True).start()\ntime.sleep(0.05)\n"
    for _ in range(3):
        assert run(prepare + THREADS[what] + start, tmp_path) == (0, "", "")


def test_threads_that_are_waited_for_find_everything_in_place(tmp_path: Path) -> None:
    program = """
def work():
    time.sleep(0.1); assert onnxl.ModelProto.FromString(model.SerializeToString()) == model; sys.stdout.write("found\\n")
model = model_of(20)
for _ in range(3): threading.Thread(target=work).start()
"""
    assert run(program, tmp_path) == (0, "found\n" * 3, "")


def test_a_child_process_may_go_on_with_the_models_of_its_parent(tmp_path: Path) -> None:
    program = """
import os
model = model_of(500); graph = model.graph; walk = iter(graph.node); next(walk); data = model.SerializeToString()
child = os.fork()
for node in walk: node.name += "x"
graph.node.add(name="new"); assert onnxl.ModelProto.FromString(model.SerializeToString()) == model != onnxl.ModelProto.FromString(data)
if child: assert os.waitpid(child, 0)[1] == 0
"""
    assert run(program, tmp_path) == (0, "", "")


def test_another_interpreter_of_the_process_is_refused(tmp_path: Path) -> None:
    program = """
try: import _interpreters as interpreters
except ImportError: import _xxsubinterpreters as interpreters
model = model_of(3)
other = interpreters.create()
inner = '''
try: import onnx_light.onnx
except ImportError as error: assert "main interpreter" in str(error), error
else: raise AssertionError("imported")
'''
failure = interpreters.run_string(other, inner)
assert failure is None, failure
interpreters.destroy(other)
assert onnxl.ModelProto.FromString(model.SerializeToString()) == model
"""
    assert run(program, tmp_path) == (0, "", "")


def test_a_second_import_gives_the_same_classes(tmp_path: Path) -> None:
    program = """
model = model_of(2)
for name in [name for name in sys.modules if name.startswith("onnx_light")]: del sys.modules[name]
import onnx_light.onnx as again
assert again is not onnxl and again.ModelProto is onnxl.ModelProto and again.DecodeError is onnxl.DecodeError
assert again.ModelProto.FromString(model.SerializeToString()) == model
assert [f.name for f, _ in model.ListFields()] == ["ir_version", "graph"]
import copy, pickle
assert pickle.loads(pickle.dumps(model)) == model == copy.deepcopy(model)
"""
    assert run(program, tmp_path) == (0, "", "")
