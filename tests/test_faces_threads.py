"""Several threads on one model, in any interleaving, do no harm; on models of their own they get what they would get alone."""

from __future__ import annotations

import copy
import os
import pickle
import random
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import onnx_light.onnx as onnxl

STEPS = int(os.environ.get("ONNX_LIGHT_THREAD_STEPS", "300"))
THREADS = 4


def small_graph(rng: random.Random) -> dict[str, Any]:
    def node(i: int) -> dict[str, Any]:
        return {
            "name": f"n{i}",
            "op_type": rng.choice(("Add", "Relu")),
            "input": [f"x{i}", "y"],
            "attribute": [{"name": "axis", "ints": [i, 2]}],
        }

    tensor = {"name": "w", "dims": [3], "raw_data": b"abc" * rng.randrange(200)}
    return {"name": f"g{rng.randrange(9)}", "node": [node(i) for i in range(rng.randrange(6))], "initializer": [tensor]}


def large_bytes() -> bytes:
    nodes = [{"name": f"node {i}", "op_type": "Add", "input": ["a", "b"], "output": ["c"]} for i in range(2500)]
    data = onnxl.ModelProto(graph={"node": nodes}).SerializeToString()
    assert len(data) > 64 << 10  # so long that it is parsed without the GIL
    return data


LARGE = large_bytes()

# ---- what a thread does to a model, given a list of whatever has been reached so far


def pick(rng: random.Random, values: Any) -> Any:
    return values[rng.randrange(len(values))]


def keep(rng: random.Random, pool: list[Any], reached: Any) -> None:
    if len(pool) < 40:
        pool.append(reached)
    else:
        pool[rng.randrange(40)] = reached


def reach(model: Any, rng: random.Random, pool: list[Any]) -> Any:
    graph = model.graph
    keep(rng, pool, pick(rng, (graph, graph.node, graph.initializer, iter(graph.node), model.opset_import, graph.doc_string)))
    keep(rng, pool, pick(rng, graph.node))
    keep(rng, pool, pick(rng, graph.node).input)
    keep(rng, pool, iter(pick(rng, graph.node).attribute))
    return len(pool)


def edit_what_was_reached(model: Any, rng: random.Random, pool: list[Any]) -> Any:
    found = pick(rng, pool)
    if hasattr(found, "__next__"):
        return len([next(found, None), next(found, None)])
    if hasattr(found, "add"):
        return [found.add().SetInParent, found.reverse, lambda: found.extend(found[:2]), found.clear][rng.randrange(4)]()
    if hasattr(found, "sort"):
        return [lambda: found.append("z"), lambda: found.sort(key=len), lambda: found.__delitem__(slice(0, 1)), found.pop][
            rng.randrange(4)
        ]()
    if hasattr(found, "ListFields"):
        return [found.Clear, found.SerializeToString, lambda: str(found), lambda: found.MergeFrom(copy.deepcopy(found))][rng.randrange(4)]()
    return found


def walk(model: Any, rng: random.Random, pool: list[Any]) -> Any:
    total = 0
    for node in model.graph.node:
        node.name = node.name[:20] + "x"
        total += len(list(node.input)) + sum(len(attribute.ints) for attribute in node.attribute)
    return total


def replace(model: Any, rng: random.Random, pool: list[Any]) -> Any:
    other = onnxl.ModelProto(graph=small_graph(rng))
    data = other.SerializeToString()
    acts: tuple[Callable[[], Any], ...] = (
        lambda: model.CopyFrom(other),
        lambda: model.ParseFromString(data),
        lambda: model.graph.CopyFrom(other.graph),
        lambda: model.graph.ParseFromString(other.graph.SerializeToString()),
        lambda: model.MergeFromString(data),
        lambda: model.ClearField("graph"),
        lambda: model.ParseFromString(LARGE) and model.ParseFromString(data),
    )
    return pick(rng, acts)()


def grow_and_shrink(model: Any, rng: random.Random, pool: list[Any]) -> Any:
    nodes = model.graph.node
    nodes.extend(nodes[:3])
    nodes.add(**pick(rng, small_graph(rng)["node"] or [{}]))
    nodes.insert(0, onnxl.NodeProto(name="first"))
    nodes.sort(key=lambda node: node.name)
    del nodes[8:]
    return [node.name for node in nodes]


def copies(model: Any, rng: random.Random, pool: list[Any]) -> Any:
    again = pickle.loads(pickle.dumps(copy.deepcopy(model), 5))
    return again.SerializeToString(), str(again.graph)[:100]


def tensors(model: Any, rng: random.Random, pool: list[Any]) -> Any:
    tensor = pick(rng, model.graph.initializer)
    tensor.raw_data = tensor.raw_data[:1000] + b"z"
    tensor.dims.extend(tensor.dims[:2])
    del tensor.dims[3:]
    return tensor.raw_data


ACTS = (reach, edit_what_was_reached, edit_what_was_reached, walk, replace, grow_and_shrink, copies, tensors)


def work(model: Any, seed: int, pool: list[Any], steps: int) -> Iterator[Any]:
    rng = random.Random(seed)
    for _ in range(steps):
        act = rng.choice(ACTS)
        try:
            yield act.__name__, act(model, rng, pool)
        except (ValueError, IndexError, RuntimeError) as error:  # of what other threads have changed, or of empty lists
            yield act.__name__, type(error).__name__


@pytest.fixture
def hurried() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def in_threads(act: Callable[[int], None]) -> None:
    failures: list[BaseException] = []

    def guarded(number: int) -> None:
        try:
            act(number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_threads_that_edit_one_model_leave_a_whole_one(hurried: None) -> None:
    model = onnxl.ModelProto(graph=small_graph(random.Random(0)))
    pool: list[Any] = [model.graph]

    def one(number: int) -> None:
        for _ in work(model, number, pool, STEPS):
            pass

    in_threads(one)
    data = model.SerializeToString()
    again = onnxl.ModelProto.FromString(data)
    assert again == model and again.SerializeToString() == data and str(again) == str(model)
    for found in pool:
        str(found)


def test_threads_with_models_of_their_own_get_what_each_gets_alone(hurried: None) -> None:
    def alone(seed: int) -> Any:
        model = onnxl.ModelProto(graph=small_graph(random.Random(seed)))
        results = [repr(result) for result in work(model, seed, [model.graph], STEPS // 2) if "object at" not in repr(result)]
        return results, model.SerializeToString()

    expected = [alone(seed) for seed in range(THREADS)]
    found: list[Any] = [None] * THREADS

    def one(number: int) -> None:
        found[number] = alone(number)

    in_threads(one)
    assert found == expected


def test_threads_that_parse_one_bytes_object_into_messages_of_their_own_agree(hurried: None) -> None:
    def one(number: int) -> None:
        message = onnxl.ModelProto()
        for _ in range(max(STEPS // 30, 3)):
            assert message.ParseFromString(LARGE) == len(LARGE)
            assert onnxl.ModelProto.FromString(LARGE) == message and message.SerializeToString() == LARGE

    in_threads(one)
