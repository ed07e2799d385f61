"""Who owns the bytes of a model's tensors: loading in every mode, sources that are borrowed from, callbacks, other threads."""
# mypy: ignore-errors

import gc
import mmap
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest

import onnx_light.onnx as onnxl

KIB = 1 << 10
SIZES = (3 << 20, 70 * KIB, 5000, 40, 0, 5 << 20)


def payload(size, seed=0):
    return np.random.default_rng(seed).bytes(size)


def make_model(sizes=SIZES):
    model = onnxl.ModelProto(ir_version=10)
    model.graph.name = "main"
    for seed, size in enumerate(sizes):
        model.graph.initializer.add(name=f"w{seed}", data_type=onnxl.TensorProto.UINT8, dims=[size], raw_data=payload(size, seed))
    node = model.graph.node.add(op_type="If", name="if")
    body = node.attribute.add(name="then_branch", type=onnxl.AttributeProto.GRAPH).g
    body.name = "then"
    body.initializer.add(name="inner", raw_data=payload(50 * KIB, 99))
    function = model.functions.add(name="f")
    function.node.add(op_type="Constant").attribute.add(name="value").t.CopyFrom(onnxl.TensorProto(name="constant", raw_data=b"12345678"))
    return model


@pytest.fixture(scope="module")
def model():
    return make_model()


@pytest.fixture(scope="module")
def path(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("zero_copy") / "m.onnx"
    onnxl.save(model, path)
    return path


def views(model):
    return [tensor.raw_data_view for tensor in model.graph.initializer if tensor.raw_data_view.nbytes]


# ---- the loading table


@pytest.mark.parametrize("num_threads", [1, 2, -1])
@pytest.mark.parametrize("mode", list(onnxl.FileLoadMode))
@pytest.mark.parametrize("no_copy", [False, True])
def test_a_file_is_loaded_as_owned_copies_unless_a_mapping_is_asked_for(path, model, mode, no_copy, num_threads):
    loaded = onnxl.load(path, no_copy=no_copy, file_load_mode=mode, num_threads=num_threads)
    assert loaded == model
    is_mapped = no_copy and mode is onnxl.FileLoadMode.MMAP
    assert {view.is_borrowed for view in views(loaded)} == {is_mapped}


@pytest.mark.parametrize("make", [bytes, bytearray, memoryview, lambda data: memoryview(bytearray(data))])
@pytest.mark.parametrize("no_copy", [False, True])
def test_bytes_are_borrowed_only_with_no_copy(model, make, no_copy):
    source = make(model.SerializeToString())
    loaded = onnxl.load(source, no_copy=no_copy)
    assert {view.is_borrowed for view in views(loaded)} == {no_copy}
    del source
    gc.collect()
    assert loaded == model
    assert loaded.SerializeToString() == model.SerializeToString()


def test_consolidated_tensors_borrow_from_one_buffer_that_they_keep(model):
    loaded = make_model()
    options = onnxl.TensorBufferOptions()
    options.alignment, options.raw_data_threshold = 64, 1024
    onnxl.consolidate_tensors_to_buffer(loaded, options)
    assert loaded == model
    addresses = {view.nbytes: np.frombuffer(view, np.uint8).ctypes.data for view in views(loaded)}
    assert {view.nbytes: view.is_borrowed for view in views(loaded)} == {size: size >= 1024 for size in SIZES if size}
    assert addresses[70 * KIB] - addresses[3 << 20] == 3 << 20
    assert addresses[5000] % 64 == 0
    last = loaded.graph.initializer[5]
    del loaded
    gc.collect()
    assert last.raw_data == payload(5 << 20, 5)
    options.alignment = -1
    with pytest.raises(ValueError, match="alignment -1"):
        onnxl.consolidate_tensors_to_buffer(make_model(), options)


# ---- nothing dangles


def test_a_source_that_is_borrowed_from_cannot_be_resized(model):
    source = bytearray(model.SerializeToString())
    loaded = onnxl.load(source, no_copy=True)
    with pytest.raises(BufferError):
        source.append(0)
    kept = loaded.graph.initializer[1]
    view = loaded.graph.initializer[2].raw_data_view
    del loaded
    with pytest.raises(BufferError):
        source.clear()
    kept.raw_data = b"own"
    with pytest.raises(BufferError):
        source.clear()
    assert bytes(view) == payload(5000, 2)
    del view, kept
    gc.collect()
    source.clear()


def test_names_of_a_model_that_borrows_from_a_writable_buffer_are_its_own(model):
    source = bytearray(model.SerializeToString())
    loaded = onnxl.load(source, no_copy=True)
    source[:] = bytes(len(source))
    assert [tensor.name for tensor in loaded.graph.initializer] == [f"w{i}" for i in range(len(SIZES))]
    assert loaded.graph.initializer[2].raw_data == bytes(5000)  # payloads show what was written, as documented
    assert loaded.functions[0].node[0].op_type == "Constant"


def test_a_map_and_an_array_are_kept_by_what_borrows_from_them(model, tmp_path):
    file = tmp_path / "m"
    file.write_bytes(model.SerializeToString())
    with file.open("rb") as opened:
        mapped = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
    options = onnxl.ParseOptions()
    options.no_copy = True
    loaded = onnxl.ModelProto()
    loaded.ParseFromString(mapped, options)
    with pytest.raises(BufferError):
        mapped.close()
    assert loaded == model
    del loaded
    mapped.close()

    numbers = np.frombuffer(model.SerializeToString(), np.uint8).copy()
    alive = weakref.ref(numbers)
    loaded = onnxl.ModelProto.FromString(numbers, options)
    del numbers
    assert alive() is not None
    assert loaded == model
    del loaded
    gc.collect()
    assert alive() is None


def test_part_of_a_message_that_was_parsed_without_copies_keeps_the_source(model):
    source = bytearray(model.graph.SerializeToString())
    options = onnxl.ParseOptions()
    options.no_copy = True
    target = onnxl.ModelProto()
    graph = target.graph
    graph.SetInParent()
    graph.ParseFromString(source, options)
    assert target.graph == model.graph
    merged = onnxl.GraphProto(name="before")
    merged.MergeFromString(source, options)
    del target, graph
    gc.collect()
    with pytest.raises(BufferError):
        source.clear()
    assert merged == model.graph
    assert merged.initializer[0].raw_data_view.is_borrowed
    del merged
    gc.collect()
    source.clear()


def test_copies_share_payloads_and_a_changed_one_is_alone(model):
    source = bytearray(model.SerializeToString())
    loaded = onnxl.load(source, no_copy=True)
    copy = onnxl.ModelProto()
    copy.CopyFrom(loaded)
    del loaded
    gc.collect()
    assert copy == model
    assert copy.graph.initializer[0].raw_data_view.is_borrowed
    copy.graph.initializer[0].raw_data = b"changed"
    assert copy.graph.initializer[0].raw_data == b"changed"
    assert bytes(source) == model.SerializeToString()


# ---- mapped files


def test_a_mapped_model_outlives_its_file_and_can_be_saved_over_it(model, tmp_path):
    file = tmp_path / "m.onnx"
    onnxl.save(model, file)
    loaded = onnxl.load(file, no_copy=True, file_load_mode=onnxl.FileLoadMode.MMAP)
    loaded.graph.initializer[1].name = "renamed"
    onnxl.save(loaded, file)
    again = onnxl.load(file)
    assert loaded == again
    file.unlink()
    assert loaded == again
    assert loaded.graph.initializer[0].raw_data_view.is_borrowed


def test_a_mapped_file_that_was_shortened_is_an_error_that_names_it(model, tmp_path):
    file = tmp_path / "m.onnx"
    onnxl.save(model, file)
    loaded = onnxl.load(file, no_copy=True, file_load_mode=onnxl.FileLoadMode.MMAP)
    with file.open("r+b") as opened:
        opened.truncate(1000)
    for act in (
        lambda: loaded.graph.initializer[5].raw_data,
        loaded.SerializeToString,
        lambda: onnxl.save(loaded, tmp_path / "copy"),
        lambda: loaded == model,
        lambda: str(loaded),
        lambda: onnxl.consolidate_tensors_to_buffer(loaded),
    ):
        with pytest.raises(OSError, match=r"m\.onnx"):
            act()
    assert [file.name for file in tmp_path.iterdir()] == ["m.onnx"]


def test_release_weights_drops_the_mapping(path, model):
    loaded = onnxl.load(path, no_copy=True, file_load_mode=onnxl.FileLoadMode.MMAP)

    def maps():
        return str(path) in Path("/proc/self/maps").read_text()

    assert maps()
    assert loaded.release_weights() == sum(SIZES) + 50 * KIB + 8
    assert not maps()
    assert not loaded.graph.initializer[0].HasField("raw_data")
    assert loaded.graph.initializer[0].dims == [3 << 20]
    assert make_model().release_weights() == 0


# ---- options


def test_limits_are_typed_errors_and_leave_the_target(path, model):
    data = model.SerializeToString()
    for name, value in [("max_tensor_size_bytes", 1 << 20), ("max_total_size_bytes", 1 << 20), ("max_recursion_depth", 3)]:
        options = onnxl.ParseOptions()
        setattr(options, name, value)
        target = onnxl.ModelProto(producer_name="as it was")
        for parse, source in ((onnxl.ModelProto.ParseFromString, data), (onnxl.ModelProto.ParseFromFile, path)):
            with pytest.raises(onnxl.DecodeError):
                parse(target, source, options)
        assert target == onnxl.ModelProto(producer_name="as it was")
    options = onnxl.SerializeOptions()
    options.max_serialized_size_bytes = 100
    with pytest.raises(onnxl.EncodeError, match="100 are allowed"):
        model.SerializeToString(options)
    with pytest.raises(onnxl.EncodeError):
        model.SerializeToFile(path.with_name("never"), options=options)
    assert not path.with_name("never").exists()


def test_payloads_can_be_left_out_by_size(path, model):
    options = onnxl.ParseOptions()
    options.skip_raw_data, options.raw_data_threshold = True, 5000
    loaded = onnxl.ModelProto()
    for parse in (lambda: loaded.ParseFromFile(path, options), lambda: loaded.ParseFromString(model.SerializeToString(), options=options)):
        parse()
        assert [tensor.HasField("raw_data") for tensor in loaded.graph.initializer] == [False, False, False, True, True, False]
        assert [tensor.name for tensor in loaded.graph.initializer] == [f"w{i}" for i in range(6)]
    options = onnxl.SerializeOptions()
    options.skip_raw_data = True
    small = onnxl.ModelProto.FromString(model.SerializeToString(options))
    assert [len(tensor.raw_data) for tensor in small.graph.initializer] == [0, 0, 0, 40, 0, 0]


def test_wrong_options_are_type_errors(model):
    for act in (
        lambda: onnxl.ModelProto().ParseFromString(b"", onnxl.SerializeOptions()),
        lambda: onnxl.ModelProto().ParseFromString(b"", 3),
        lambda: onnxl.ModelProto().ParseFromString(b"", option=None),
        lambda: onnxl.ModelProto().ParseFromString(),
        lambda: onnxl.ModelProto.FromString(b"", None, None),
        lambda: model.SerializeToFile("never", onnxl.ParseOptions()),
        lambda: model.SerializeToString(options=onnxl.ParseOptions()),
    ):
        with pytest.raises(TypeError):
            act()
    assert onnxl.ModelProto().ParseFromString(b"", None) == 0


# ---- the callback


def test_the_callback_is_told_of_every_payload_in_order_with_its_graph(path, model):
    expected = [("inner", "then"), *((f"w{i}", "main") for i in range(6)), ("constant", None)]
    for source in (path, model.SerializeToString(), bytearray(model.SerializeToString())):
        seen = []
        loaded = onnxl.load(source, raw_data_callback=lambda tensor, graph, seen=seen: seen.append((tensor.name, graph and graph.name)))
        assert seen == expected
        assert loaded == model
    names = []
    onnxl.load(path, raw_data_callback=onnxl.RawDataCallback(lambda tensor: names.append(tensor.name)))
    assert names == [name for name, _ in expected]


def test_a_tensor_alone_has_no_graph(model):
    seen = []
    options = onnxl.ParseOptions()
    options.raw_data_callback = lambda tensor, graph: seen.append((tensor, graph))
    tensor = onnxl.TensorProto.FromString(model.graph.initializer[0].SerializeToString(), options)
    assert seen == [(tensor, None)]
    assert seen[0][0] is tensor


def test_a_part_of_a_model_can_be_parsed_with_a_callback_as_well(model):
    options = onnxl.ParseOptions()
    seen = []
    options.raw_data_callback = lambda tensor, graph: seen.append(tensor.name)
    data = model.graph.SerializeToString()
    names = ["inner", *(f"w{i}" for i in range(6))]
    target = onnxl.ModelProto()
    target.graph.name = "attached"
    target.graph.ParseFromString(data, options)
    alone = onnxl.GraphProto(name="alone")
    alone.ParseFromString(data, options)
    merged = onnxl.GraphProto(doc_string="merged")
    merged.MergeFromString(data, options)
    merged.ClearField("doc_string")
    assert target.graph == alone == merged == model.graph == onnxl.GraphProto.FromString(data, options)
    assert seen == names * 4


@pytest.mark.parametrize("no_copy", [False, True])
def test_deleters_that_the_callback_returns_run_once(path, model, no_copy):
    ended = []
    source = model.SerializeToString() if no_copy else path
    loaded = onnxl.load(source, no_copy=no_copy, raw_data_callback=lambda tensor, graph: lambda name=tensor.name: ended.append(name))
    copy = onnxl.ModelProto()
    copy.CopyFrom(loaded)
    view = loaded.graph.initializer[2].raw_data_view
    del loaded
    gc.collect()
    assert ended == []
    copy.graph.initializer[0].raw_data = b"overwritten"
    assert ended == ["w0"]
    copy.graph.initializer[1].ClearField("raw_data")
    del copy.graph.initializer[5]
    assert ended == ["w0", "w1", "w5"]
    del copy
    gc.collect()
    assert sorted(ended) == ["constant", "inner", "w0", "w1", "w3", "w4", "w5"]
    del view
    assert sorted(ended) == ["constant", "inner", "w0", "w1", "w2", "w3", "w4", "w5"]


def test_what_the_callback_raises_ends_the_load(path, model):
    class Stop(Exception):
        pass

    ended = []

    def callback(tensor, graph):
        if tensor.name == "w2":
            raise Stop(tensor.name)
        return lambda name=tensor.name: ended.append(name)

    options = onnxl.ParseOptions()
    options.raw_data_callback = callback
    target = onnxl.ModelProto(producer_name="as it was")
    with pytest.raises(Stop, match="w2"):
        onnxl.load(path, raw_data_callback=callback)
    with pytest.raises(Stop, match="w2"):
        target.ParseFromString(model.SerializeToString(), options)
    with pytest.raises(Stop, match="w2"):
        target.graph.ParseFromString(model.graph.SerializeToString(), options)
    gc.collect()
    assert target == onnxl.ModelProto(producer_name="as it was")
    assert ended.count("inner") == 3
    with pytest.raises(TypeError, match="None or a callable"):
        onnxl.load(path, raw_data_callback=lambda tensor, graph: 3)


def test_the_callback_may_take_the_model_apart(path, model):
    kept = []

    def callback(tensor, graph):
        kept.append(tensor)
        if graph is not None:
            graph.ClearField("initializer")
            graph.ClearField("node")
        tensor.raw_data = b"changed"

    for source in (path, model.SerializeToString()):
        loaded = onnxl.load(source, raw_data_callback=callback)
        assert len(loaded.graph.initializer) == 0
        assert loaded.functions[0].node[0].attribute[0].t.raw_data == b"changed"
    assert [tensor.name for tensor in kept[:3]] == ["inner", "w0", "w1"]
    outer = onnxl.ModelProto()
    outer.graph.name = "outer"

    def clear_outer(tensor, graph):
        outer.Clear()

    options = onnxl.ParseOptions()
    options.raw_data_callback = clear_outer
    graph = outer.graph
    graph.ParseFromString(model.graph.SerializeToString(), options)
    assert graph == model.graph


# ---- other threads


def test_other_threads_run_and_may_edit_while_a_file_is_loaded_or_saved(model, path, tmp_path):
    loaded = onnxl.load(path)
    expected = loaded.SerializeToString()
    stop = threading.Event()
    failures = []

    def edit():
        while not stop.is_set():
            for tensor in loaded.graph.initializer:
                data = tensor.raw_data
                tensor.raw_data = data

    def save_and_load(i):
        try:
            for _ in range(5):
                file = tmp_path / f"{i}.onnx"
                onnxl.save(loaded, file)
                if file.read_bytes() != expected or onnxl.load(file) != model:
                    failures.append(i)
        except Exception as error:
            failures.append(error)

    editor = threading.Thread(target=edit)
    editor.start()
    savers = [threading.Thread(target=save_and_load, args=(i,)) for i in range(3)]
    for saver in savers:
        saver.start()
    for saver in savers:
        saver.join()
    stop.set()
    editor.join()
    assert failures == []
