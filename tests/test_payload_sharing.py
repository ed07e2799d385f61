"""Who owns the bytes of one tensor: buffers that are shared, deleters, views, arrays, chains of all of them."""
# mypy: ignore-errors

import array
import functools
import gc
import subprocess
import sys
import threading
import weakref

import ml_dtypes
import numpy as np
import pytest

import onnx_light.onnx as onnxl
from onnx_light.onnx import numpy_helper


def payload(size):
    return np.random.default_rng(0).bytes(size)


# ---- buffers and deleters of one tensor


@pytest.mark.parametrize(
    "make",
    [
        bytes,
        bytearray,
        lambda data: memoryview(data),
        lambda data: np.frombuffer(data, np.float32),
        lambda data: np.frombuffer(data, np.uint8).reshape(4, -1).copy(),
        lambda data: array.array("B", data),
    ],
)
def test_a_tensor_shares_or_copies_any_buffer(make):
    data = payload(4000)
    buffer = make(data)
    tensor = onnxl.TensorProto()
    tensor.set_raw_data(buffer)
    assert (tensor.raw_data, tensor.raw_data_view.is_borrowed) == (data, False)
    tensor.set_raw_data(buffer, copy=False)
    assert (tensor.raw_data, tensor.raw_data_view.is_borrowed) == (data, True)
    del buffer
    gc.collect()
    assert tensor.raw_data == data


def test_what_is_no_contiguous_buffer_is_refused():
    tensor = onnxl.TensorProto(raw_data=b"as it was")
    for wrong in ("text", 3, None, np.zeros((4, 4))[:, 1], memoryview(b"12345678")[::2]):
        for copy in (False, True):
            with pytest.raises((TypeError, BufferError, ValueError)):
                tensor.set_raw_data(wrong, copy=copy)
    assert tensor.raw_data == b"as it was"


def test_a_shared_array_shows_later_changes_and_is_never_written():
    numbers = np.zeros(100, np.uint8)
    tensor = onnxl.TensorProto()
    tensor.set_raw_data(numbers, copy=False)
    numbers[3] = 7
    assert tensor.raw_data[3] == 7
    alive = weakref.ref(numbers)
    del numbers
    gc.collect()
    assert alive() is not None
    tensor.raw_data = b"other"
    gc.collect()
    assert alive() is None


def test_deleters_chain_newest_first_and_each_runs_once():
    order = []
    tensor = onnxl.TensorProto()
    tensor.set_raw_data_with_deleter(bytearray(b"12345678"), lambda: order.append("first"))
    tensor.attach_raw_data_deleter(lambda: order.append("second"))
    copy = onnxl.TensorProto()
    copy.CopyFrom(tensor)
    del tensor
    assert order == []
    copy.attach_raw_data_deleter(lambda: order.append("of the copy"))
    copy.Clear()
    assert order == ["of the copy", "second", "first"]
    with pytest.raises(TypeError):
        copy.attach_raw_data_deleter(None)
    with pytest.raises(TypeError):
        copy.set_raw_data_with_deleter(b"", 3)


def test_a_deleter_may_change_the_tree_that_its_payload_goes_from():
    model = onnxl.ModelProto()
    tensors = model.graph.initializer
    for i in range(5):
        tensors.add(name=f"w{i}").set_raw_data_with_deleter(b"1234", lambda: model.graph.ClearField("initializer"))
    tensors[2].raw_data = b"other"
    assert len(model.graph.initializer) == 0
    other = onnxl.ModelProto()
    tensor = other.graph.initializer.add(name="w", doc_string="doc")
    tensor.set_raw_data_with_deleter(b"1234", other.Clear)
    tensor.MergeFrom(onnxl.TensorProto(raw_data=b"x", doc_string="merged", metadata_props=[{"key": "k", "value": "v"}]))
    assert (tensor.raw_data, tensor.doc_string, len(tensor.metadata_props)) == (b"x", "merged", 1)
    assert other == onnxl.ModelProto()


def test_what_a_deleter_raises_is_unraisable_and_the_error_on_its_way_stays(monkeypatch):
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", lambda caught: seen.append(caught.exc_type))

    def fail():
        raise LookupError("in the deleter")

    tensor = onnxl.TensorProto()
    tensor.set_raw_data_with_deleter(b"1234", fail)
    tensor.raw_data = b"other"

    def raise_while_a_payload_goes():
        local = onnxl.TensorProto()
        local.set_raw_data_with_deleter(b"1234", fail)
        raise OverflowError("on its way")

    with pytest.raises(OverflowError, match="on its way"):
        raise_while_a_payload_goes()
    gc.collect()
    assert seen == [LookupError, LookupError]


def test_a_deleter_runs_on_whichever_thread_lets_go_last():
    ran_on = []
    tensor = onnxl.TensorProto()
    tensor.set_raw_data_with_deleter(b"1234", lambda: ran_on.append(threading.get_ident()))
    box = [tensor]
    del tensor
    thread = threading.Thread(target=box.clear)
    thread.start()
    thread.join()
    assert ran_on == [thread.ident]


SHUTDOWN = """
import onnx_light.onnx as onnxl
import sys
tensor = onnxl.TensorProto()
tensor.set_raw_data_with_deleter(bytearray(100), lambda: print("too late"))
ended = onnxl.TensorProto()
ended.set_raw_data_with_deleter(bytearray(100), lambda: print("in time"))
ended.Clear()
model = onnxl.load(onnxl.ModelProto(graph={"name": "g"}).SerializeToString(), no_copy=True)
sys.keep = (tensor, model, tensor.raw_data_view)
"""


def test_what_is_still_held_when_the_interpreter_ends_is_leaked_not_called(tmp_path):
    command = [sys.executable, "-c", SHUTDOWN]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "in time\n", "")


# ---- views


def test_a_view_holds_the_bytes_as_they_were():
    tensor = onnxl.TensorProto(raw_data=payload(5000))
    view = tensor.raw_data_view
    assert (view.nbytes, len(view), bytes(view)) == (5000, 5000, payload(5000))
    assert memoryview(view).readonly
    numbers = np.frombuffer(view, np.uint8)
    assert not numbers.flags.writeable
    tensor.raw_data = b"other"
    del tensor, view
    gc.collect()
    assert numbers.tobytes() == payload(5000)
    with pytest.raises(TypeError):
        memoryview(onnxl.TensorProto(raw_data=b"1").raw_data_view)[0] = 1
    with pytest.raises(TypeError):
        onnxl.RawDataView()


def test_a_view_costs_no_copy_and_of_nothing_is_empty():
    tensor = onnxl.TensorProto(raw_data=payload(5000))
    first, second = (np.frombuffer(tensor.raw_data_view, np.uint8).ctypes.data for _ in range(2))
    assert first == second
    empty = onnxl.TensorProto().raw_data_view
    assert (bytes(empty), empty.nbytes, empty.is_borrowed) == (b"", 0, False)


# ---- arrays


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, np.uint8, np.bool_, np.complex64, ml_dtypes.bfloat16])
def test_an_array_views_the_payload_and_a_tensor_shares_an_array_that_is_read_only(dtype):
    array = np.arange(3000).reshape(30, 100).astype(dtype)
    copied = numpy_helper.from_array(array, "w")
    assert not copied.raw_data_view.is_borrowed
    view = numpy_helper.to_array(copied)
    assert address(view) == address(np.frombuffer(copied.raw_data_view, np.uint8))
    assert not view.flags.writeable
    array.flags.writeable = False
    shared = numpy_helper.from_array(array, "w")
    assert shared.raw_data_view.is_borrowed
    assert address(numpy_helper.to_array(shared)) == address(array)
    assert shared == copied
    assert not numpy_helper.from_array(array, copy=True).raw_data_view.is_borrowed
    del copied, shared
    gc.collect()
    assert (view == array).all()


def test_an_array_that_can_be_written_is_shared_only_if_that_is_said():
    array = np.zeros(1000)
    shared, copied = numpy_helper.from_array(array, copy=False), numpy_helper.from_array(array)
    array[3] = 7
    assert (numpy_helper.to_array(shared)[3], numpy_helper.to_array(copied)[3]) == (7, 0)
    for layout in (array[::2], array.reshape(10, 100).T, array.astype(">f8"), np.float32(3), np.zeros((0, 4))):
        tensor = numpy_helper.from_array(layout, copy=False)
        assert numpy_helper.to_array(tensor).tolist() == layout.tolist()


def test_a_read_only_view_of_what_can_be_written_is_copied():
    array = np.zeros(1000)
    view = array[:]
    view.flags.writeable = False
    source = bytearray(8000)
    of_buffer = np.frombuffer(source, np.float64)
    of_buffer.flags.writeable = False
    for read_only in (view, view[:], np.broadcast_to(array, (1000,)), of_buffer, of_buffer.reshape(10, 100)):
        tensor = numpy_helper.from_array(read_only)
        array[:], source[:] = 7, bytes(range(250)) * 32
        assert (numpy_helper.to_array(tensor) == 0).all()
        array[:], source[:] = 0, bytes(8000)
    for read_only in (np.frombuffer(bytes(8000)), numpy_helper.to_array(numpy_helper.from_array(array))[5:]):
        assert numpy_helper.from_array(read_only).raw_data_view.is_borrowed


def test_a_payload_that_is_not_aligned_in_its_file_is_copied_for_an_array(tmp_path):
    model = onnxl.ModelProto()
    array = np.arange(5000, dtype=np.float64)
    for name in ("w", "ww", "www", "wwww", "wwwww", "wwwwww", "wwwwwww", "wwwwwwww"):
        model.graph.initializer.append(numpy_helper.from_array(array, name))
    onnxl.save(model, tmp_path / "m")
    loaded = onnxl.load(tmp_path / "m", no_copy=True, file_load_mode=onnxl.FileLoadMode.MMAP)
    for tensor in loaded.graph.initializer:
        made = numpy_helper.to_array(tensor)
        is_aligned = address(np.frombuffer(tensor.raw_data_view, np.uint8)) % 8 == 0
        assert (address(made) == address(np.frombuffer(tensor.raw_data_view, np.uint8))) == is_aligned
        assert made.flags.aligned
        assert not made.flags.writeable
        assert (made == array).all()


# ---- chains


def test_payloads_that_hold_each_other_end_one_after_the_other():
    """However many there are: a chain that ended by recursion would need as much stack."""

    def chain(link):
        first = onnxl.TensorProto(raw_data=b"x" * 2000)
        last = first
        for _ in range(100_000):
            fresh = onnxl.TensorProto()
            link(fresh, last)
            last = fresh
        return last.raw_data

    def by_view(fresh, last):
        fresh.set_raw_data(last.raw_data_view, copy=False)

    def by_deleter(fresh, last):
        fresh.set_raw_data_with_deleter(b"x" * 2000, functools.partial(id, last))

    for link in (by_view, by_deleter):
        assert chain(link) == b"x" * 2000


def test_a_tensor_that_goes_by_way_of_an_array_again_and_again_holds_no_more_for_it():
    tensor = numpy_helper.from_array(np.arange(1000.0))
    array = numpy_helper.to_array(tensor)
    for _ in range(20):
        tensor = numpy_helper.from_array(numpy_helper.to_array(tensor)[1:].reshape(-1), "w")
    before = sys.getallocatedblocks()
    for _ in range(500):
        tensor = numpy_helper.from_array(numpy_helper.to_array(tensor)[1:], "w")
    assert sys.getallocatedblocks() - before < 400  # a chain has more for each
    assert (numpy_helper.to_array(tensor) == array[520:]).all()
    assert address(numpy_helper.to_array(tensor)) == address(array[520:])
    part = onnxl.TensorProto()
    part.set_raw_data(memoryview(tensor.raw_data_view)[8:24], copy=False)
    assert part.raw_data == array[521:523].tobytes()
