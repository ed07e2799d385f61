"""The top level of the package: classes, constants, enums, files, and how messages are passed to C++."""

from __future__ import annotations

import array
import collections.abc
import copy
import io
import mmap
import operator
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import onnx
import pytest
from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

import onnx_light
import onnx_light.onnx as onnxl
from onnx_light.onnx_py._onnxpy import probes


@pytest.fixture
def model() -> onnxl.ModelProto:
    return onnxl.ModelProto(
        ir_version=10,
        opset_import=[{"domain": "", "version": 21}],
        graph={
            "name": "g",
            "node": [{"op_type": "Add", "input": ["x", "y"], "output": ["z"]}],
            "initializer": [{"name": "y", "raw_data": b"1"}],
        },
    )


def test_names_and_constants_are_those_of_onnx() -> None:
    for name in onnx.__all__:
        value = getattr(onnx, name)
        if isinstance(value, (int, str)) and name != "__version__":
            assert getattr(onnxl, name) == value, name
        elif isinstance(value, type) and hasattr(value, "DESCRIPTOR"):
            assert getattr(onnxl, name).DESCRIPTOR.full_name == value.DESCRIPTOR.full_name
    assert onnx_light.__version__ == onnxl.__version__


ENUMS = (
    "Version",
    "OperatorStatus",
    "TensorProto.DataType",
    "TensorProto.DataLocation",
    "AttributeProto.AttributeType",
    "SequenceProto.DataType",
    "OptionalProto.DataType",
)


@pytest.mark.parametrize("path", ENUMS)
def test_an_enum_wrapper_knows_what_protobufs_knows(path: str) -> None:
    wrappers: list[Any] = []
    for package in (onnxl, onnx):
        found: Any = package
        for part in path.split("."):
            found = getattr(found, part)
        wrappers.append(found)
    ours, theirs = wrappers
    assert (ours.keys(), ours.values(), ours.items()) == (theirs.keys(), theirs.values(), theirs.items())
    for name, number in theirs.items():
        assert ours.Name(number) == name and ours.Value(name) == number and getattr(ours, name) == number
    for act, argument in (("Name", 99), ("Name", "FLOAT"), ("Name", 1.0), ("Name", None), ("Value", "NO"), ("Value", 3)):
        errors = []
        for wrapper in (ours, theirs):
            with pytest.raises(Exception) as caught:
                getattr(wrapper, act)(argument)
            errors.append(caught.type)
        assert errors[0] is errors[1], (act, argument)
    with pytest.raises(AttributeError):
        _ = ours.NO_SUCH_NAME
    assert copy.copy(ours).Name(0) == theirs.Name(0)


def test_constants_of_enums_are_integers_of_the_classes() -> None:
    assert onnxl.TensorProto.FLOAT == 1 and onnxl.TensorProto().BFLOAT16 == 16 and onnxl.AttributeProto.GRAPHS == 10
    assert onnxl.TensorProto.EXTERNAL == 1 and onnxl.SequenceProto.MAP == 4


def test_lists_are_mutable_sequences_and_classes_are_final(model: onnxl.ModelProto) -> None:
    assert isinstance(model.graph.node, collections.abc.MutableSequence)
    assert isinstance(model.graph.node[0].input, collections.abc.MutableSequence)
    with pytest.raises(TypeError):
        type("Child", (onnxl.ModelProto,), {})
    with pytest.raises(TypeError):
        hash(model)
    for made_by_hand in (onnxl.RepeatedScalarContainer, onnxl.RepeatedCompositeContainer):
        with pytest.raises(RuntimeError):
            made_by_hand()


def test_attributes_of_classes_can_be_assigned() -> None:
    node = onnxl.NodeProto(name="n")
    with pytest.raises(TypeError):
        hash(node)
    onnxl.NodeProto.__hash__ = lambda self: 7  # type: ignore[method-assign,assignment]
    onnxl.NodeProto.shout = lambda self: self.name.upper()  # type: ignore[attr-defined]
    try:
        assert hash(node) == 7 and node.shout() == "N"  # type: ignore[attr-defined]
    finally:
        onnxl.NodeProto.__hash__ = None  # type: ignore[method-assign,assignment]
        del onnxl.NodeProto.shout  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        hash(node)


def test_a_class_whose_init_was_replaced_calls_it() -> None:
    plain = onnxl.NodeProto.__init__

    def with_domain(self: Any, *arguments: Any, **fields: Any) -> None:
        plain(self, **{"domain": "com.example", "doc_string": repr(arguments), **fields})

    onnxl.NodeProto.__init__ = with_domain  # type: ignore[method-assign,assignment]
    try:
        made: Any = onnxl.NodeProto
        assert made(1, name="n") == onnxl.GraphProto(node=[{"name": "n", "domain": "com.example", "doc_string": "(1,)"}]).node[0]
    finally:
        onnxl.NodeProto.__init__ = plain  # type: ignore[method-assign]
    assert onnxl.NodeProto(name="n").domain == ""
    with pytest.raises(TypeError):
        made(1)


@pytest.mark.parametrize("package", [onnxl, onnx])
def test_a_field_is_not_hidden_by_what_is_assigned_to_the_class(package: Any) -> None:
    node = package.NodeProto(name="n")
    before = package.NodeProto.__dict__.get("name")
    package.NodeProto.name = "of the class"
    try:
        assert node.name == "n" and getattr(node, "".join(["na", "me"])) == "n"
        node.name = "m"
        assert node.SerializeToString() == package.NodeProto(name="m").SerializeToString()
    finally:
        del package.NodeProto.name
        if before is not None:
            package.NodeProto.name = before
    assert node.name == "m"


@pytest.mark.parametrize("package", [onnxl, onnx])
def test_iterators_tell_how_much_is_left_and_can_be_copied(package: Any) -> None:
    node = package.NodeProto(input=["a", "b", "c"], attribute=[{"name": "x"}, {"name": "y"}])
    for values in (node.input, node.attribute):
        walk = iter(values)
        next(walk)
        again = copy.copy(walk)
        assert operator.length_hint(walk) == operator.length_hint(again) == len(values) - 1
        assert list(again) == list(walk) == values[1:] and operator.length_hint(walk) == 0
        assert list(copy.copy(walk)) == []
        with pytest.raises(pickle.PickleError if values is node.input else Exception):
            pickle.dumps(iter(values))


@pytest.mark.parametrize("package", [onnxl, onnx])
def test_messages_have_a_state_and_no_extensions(package: Any) -> None:
    node = package.NodeProto(name="n")
    assert node.__getstate__() == {"serialized": node.SerializeToString()}
    other = package.NodeProto(op_type="gone")
    other.__setstate__(node.__getstate__())
    assert other == node == node.__deepcopy__() and node.input.__deepcopy__(None) == []
    for ask in (node.HasExtension, node.ClearExtension):
        with pytest.raises(KeyError):
            ask(3)
    assert package.TensorProto.DESCRIPTOR.EnumValueName("DataType", 1) == "FLOAT"
    for enum, number in (("DataType", 99), ("NoSuchEnum", 1)):
        with pytest.raises(KeyError):
            package.TensorProto.DESCRIPTOR.EnumValueName(enum, number)
    assert issubclass(package.TensorProto.DataType.ValueType, int)


def test_a_face_cannot_become_one_of_another_class() -> None:
    node: Any = onnxl.NodeProto(name="n", input=["a"])
    graph: Any = onnxl.GraphProto(node=[node])
    set_class = object.__dict__["__class__"].__set__
    everything: list[Any] = [node, graph, node.input, graph.node, iter(node.input)]
    for one in everything:
        for other in everything:
            if type(one) is not type(other):
                with pytest.raises(TypeError):
                    set_class(one, type(other))
        with pytest.raises(TypeError):
            object.__new__(type(one))
        with pytest.raises(TypeError):
            type(one).__bases__ = (onnxl.ModelProto,)
    for wrong in (
        lambda: onnxl.NodeProto.__dict__["input"].__get__(graph),
        lambda: onnxl.NodeProto.__getattribute__(graph, "name"),
        lambda: onnxl.NodeProto.__setattr__(graph, "name", "x"),
        lambda: type(node.input).append(graph.node, "x"),
        lambda: type(graph.node).add(node.input),
        lambda: onnxl.NodeProto.CopyFrom(graph, graph),
    ):
        with pytest.raises(TypeError):
            wrong()
    assert node.input == ["a"] and graph.node[0] == node


def test_what_a_descriptor_cannot_do() -> None:
    descriptor: Any = onnxl.ModelProto.DESCRIPTOR
    for name in ("CopyToProto", "pool", "serialized_pb"):
        assert not hasattr(descriptor, name) and not hasattr(descriptor.file, name)
    with pytest.raises(TypeError):
        UnknownFieldSet(onnxl.ModelProto())
    assert not isinstance(onnxl.ModelProto(), Message)
    with pytest.raises(AttributeError):
        _ = onnx.NodeProto.name


def test_properties_say_what_they_hold() -> None:
    assert "operator" in (onnxl.NodeProto.op_type.__doc__ or "").lower()
    assert onnxl.TypeProto.Tensor.__qualname__ == "TypeProto.Tensor" and onnxl.ModelProto.__module__ == "onnx_light.onnx"
    assert onnxl.ModelProto.__doc__


def test_a_model_goes_to_a_file_and_comes_back(model: onnxl.ModelProto, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    onnxl.save(model, path)
    assert path.read_bytes() == model.SerializeToString()
    with path.open("rb") as file:
        from_file = onnxl.load(file)
    memory = io.BytesIO()
    onnxl.save_model(model, memory)
    data = path.read_bytes()
    read = [onnxl.load(path), onnxl.load_model(str(path)), onnxl.load(data), onnxl.load_from_string(data), from_file]
    read += [onnxl.load_model_from_string(data), onnxl.load(io.BytesIO(memory.getvalue()))]
    read += [onnxl.load(form(data)) for form in (bytearray, memoryview)]
    assert all(other == model for other in read)
    onnxl.save(data, tmp_path / "bytes.onnx")
    assert (tmp_path / "bytes.onnx").read_bytes() == data
    again = onnxl.ModelProto(producer_name="gone")
    again.ParseFromFile(path)
    again.SerializeToFile(path)
    assert again == model and path.read_bytes() == data and again.SerializeSize() == len(data)


def test_bytes_are_taken_from_any_buffer(model: onnxl.ModelProto, tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    onnxl.save(model, path)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert onnxl.ModelProto.FromString(mapped) == model
        other = onnxl.ModelProto()
        assert other.ParseFromString(array.array("B", mapped[:])) == len(mapped) and other == model
    for wrong in ("text", None, 3, [1], memoryview(b"abcd")[::2]):
        with pytest.raises(TypeError):
            onnxl.ModelProto.FromString(wrong)  # type: ignore[arg-type]


def test_a_tensor_goes_to_a_file_and_comes_back(tmp_path: Path) -> None:
    tensor = onnxl.TensorProto(dims=[2], data_type=1, raw_data=b"12345678")
    onnxl.save_tensor(tensor, tmp_path / "t.pb")
    assert onnxl.load_tensor(tmp_path / "t.pb") == tensor
    assert onnxl.load_tensor_from_string(tensor.SerializeToString()) == tensor


def test_files_that_cannot_be_read_say_why(tmp_path: Path, model: onnxl.ModelProto) -> None:
    with pytest.raises(FileNotFoundError, match=r"missing\.onnx"):
        onnxl.load(tmp_path / "missing.onnx")
    with pytest.raises(IsADirectoryError):
        onnxl.load(tmp_path)
    (tmp_path / "bad.onnx").write_bytes(model.SerializeToString()[:-1])
    with pytest.raises(onnxl.DecodeError, match=r"needs \d+ byte"):
        onnxl.load(tmp_path / "bad.onnx")
    with pytest.raises(OSError):
        onnxl.save(model, tmp_path / "no" / "folder.onnx")
    with pytest.raises(ValueError, match="format"):
        onnxl.load(tmp_path / "bad.onnx", format="no such format")
    model.graph.initializer[0].data_location = onnxl.TensorProto.EXTERNAL
    for key, value in {"location": "gone.data", "length": "4"}.items():
        model.graph.initializer[0].external_data.add(key=key, value=value)
    (tmp_path / "external.onnx").write_bytes(model.SerializeToString())
    with pytest.raises(FileNotFoundError, match=r"gone\.data"):
        onnxl.load(tmp_path / "external.onnx")
    assert onnxl.load(tmp_path / "external.onnx", load_external_data=False) == model


@pytest.mark.parametrize("what", ["missing", "a folder", "below a file", "too long", "a name that is not UTF-8"])
@pytest.mark.parametrize("verb", ["load", "save", "ParseFromFile", "SerializeToFile"])
def test_an_error_of_the_system_says_its_number_and_the_name_of_the_file(what: str, verb: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    name = {
        "missing": "missing/model.onnx",
        "a folder": "",
        "below a file": "file/model.onnx",
        "too long": "x" * 300,
        "a name that is not UTF-8": "missing\udcff/model.onnx",
    }[what]
    path = str(tmp_path / name) if name else str(tmp_path)
    raised: list[OSError] = []
    for package in (onnxl, onnx):
        model: Any = package.ModelProto()
        acts: dict[str, Any] = {"load": package.load, "save": lambda path: package.save(model, path)}  # noqa: B023  called at once
        if package is onnxl:
            acts |= {"ParseFromFile": model.ParseFromFile, "SerializeToFile": model.SerializeToFile}
        with pytest.raises(OSError) as caught:
            acts.get(verb, acts["load" if verb.startswith("Parse") else "save"])(path)
        raised.append(caught.value)
    ours, theirs = raised
    assert (type(ours), ours.errno, ours.filename) == (type(theirs), theirs.errno, theirs.filename)
    assert str(ours.strerror).endswith(str(theirs.strerror))


def test_real_models_come_back_as_the_bytes_that_onnx_gives(binary_file: Any) -> None:
    data = binary_file.path.read_bytes()
    ours, theirs = getattr(onnxl, binary_file.message).FromString(data), getattr(onnx, binary_file.message).FromString(data)
    assert ours.SerializeToString() == (data if binary_file.canonical else theirs.SerializeToString())
    if len(data) < 1 << 20:
        assert str(ours) == str(theirs)


def test_a_deep_copy_shares_the_bytes_of_tensors() -> None:
    tensor = onnxl.TensorProto(raw_data=bytes(1 << 20))
    copies = [copy.deepcopy(tensor) for _ in range(20)]
    assert sum(probes.arena_bytes(other) for other in copies) < 1 << 16
    copies[0].raw_data = b"other"
    assert copies[1] == tensor and copies[0] != tensor


def test_a_pickle_carries_bytes_out_of_band(model: onnxl.ModelProto) -> None:
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(model, 5, buffer_callback=buffers.append)
    assert len(buffers) == 1 and len(data) < 200
    assert pickle.loads(data, buffers=buffers) == model


def test_functions_of_the_extension_take_and_return_the_very_objects(model: onnxl.ModelProto) -> None:
    graph = model.graph
    assert probes.graph_of(model) is graph
    assert probes.first_node(graph) is graph.node[0]
    assert probes.first_node(onnxl.GraphProto()) is None
    made = probes.new_node("Relu")
    assert made == onnxl.NodeProto(op_type="Relu") and probes.op_type_or(made, "none") == "Relu"
    assert probes.op_type_or(None, "none") == "none"
    with pytest.raises(TypeError):
        probes.first_node(model)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        probes.graph_of(None)  # type: ignore[arg-type]


def test_words_that_repeat_are_one_str() -> None:
    nodes = onnxl.GraphProto.FromString(onnxl.GraphProto(node=[{"op_type": "Convolution"}] * 2).SerializeToString()).node
    assert nodes[0].op_type is nodes[1].op_type


def test_the_package_does_not_import_onnx_or_protobuf(tmp_path: Path) -> None:
    program = "import sys, onnx_light.onnx; print([name for name in ('onnx', 'google.protobuf', 'numpy') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "[]\n"
