"""onnx.helper: every call gives what the official package gives for the same arguments, or fails with the same kind of exception."""

from __future__ import annotations

import importlib
import inspect
import math
import pickle
import warnings
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import onnx
import onnx.helper
import pytest

import onnx_light.onnx as onnxl

THEIRS = onnx
OURS = onnxl


def plain(value: Any) -> Any:
    """A result in a form that does not depend on the library: messages as name and bytes."""
    if hasattr(value, "SerializeToString"):
        return type(value).__name__, value.SerializeToString(deterministic=True)
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return value.shape, str(value.dtype), value.tobytes()
    if isinstance(value, float) and math.isnan(value):
        return "nan"
    return type(value).__name__, value


def outcome(call: Any, library: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return plain(call(library))
        except Exception as error:
            return type(error)


def agree(call: Any) -> None:
    theirs, ours = outcome(call, THEIRS), outcome(call, OURS)
    if theirs is AssertionError:  # a bare one, where onnx does not check what it is given
        assert ours in (TypeError, ValueError), ours
    elif isinstance(theirs, type):
        assert isinstance(ours, type) and issubclass(ours, theirs), (theirs, ours)
    else:
        assert ours == theirs


def public_functions(module: Any) -> dict[str, Any]:
    return {
        name: value
        for name, value in vars(module).items()
        if callable(value) and not name.startswith("_") and value.__module__ == module.__name__
    }


def test_every_public_function_is_there_with_the_same_parameters() -> None:
    theirs = public_functions(onnx.helper)
    assert len(theirs) == 44
    for name, function in theirs.items():
        ours = getattr(onnxl.helper, name)
        assert ours.__doc__
        expected = inspect.signature(function).parameters.values()
        got = inspect.signature(ours).parameters.values()
        assert [(p.name, p.kind, p.default) for p in got] == [(p.name, p.kind, p.default) for p in expected], name


def test_functions_say_that_they_are_of_the_module_they_are_called_from() -> None:
    assert onnxl.helper.make_node.__module__ == "onnx_light.onnx.helper"
    assert pickle.loads(pickle.dumps(onnxl.helper.make_tensor)) is onnxl.helper.make_tensor


def test_tables_of_versions_are_those_of_onnx() -> None:
    assert onnxl.helper.VERSION_TABLE == onnx.helper.VERSION_TABLE
    assert onnxl.helper.OP_SET_ID_VERSION_MAP == onnx.helper.OP_SET_ID_VERSION_MAP


def test_tables_of_types_are_those_of_onnx() -> None:
    ours, theirs = onnxl.helper, onnx.helper
    assert list(ours.get_all_tensor_dtypes()) == list(theirs.get_all_tensor_dtypes())
    for number in theirs.get_all_tensor_dtypes():
        for name in ("np_dtype", "storage_tensor_dtype", "string", "field"):
            assert getattr(ours, f"tensor_dtype_to_{name}")(number) == getattr(theirs, f"tensor_dtype_to_{name}")(number)
    for name in ("np_dtype", "storage_tensor_dtype", "string", "field"):
        for number in (0, 99):
            with pytest.raises(KeyError):
                getattr(ours, f"tensor_dtype_to_{name}")(number)


@pytest.mark.parametrize("dtype", ["float32", "<i8", "U3", "O", "M8[s]", ">f4", "longdouble", "longlong", "?"])
def test_numpy_types_have_the_element_types_of_onnx(dtype: str) -> None:
    agree(lambda o: o.helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))


def test_what_is_no_numpy_type_is_refused() -> None:
    for wrong in (np.float32, "float32", None, np.dtype(ml_dtypes.float8_e3m4)):
        with pytest.raises(ValueError):
            onnxl.helper.np_dtype_to_tensor_dtype(wrong)


def tensor(o: Any) -> Any:
    return o.TensorProto(name="t", data_type=1, dims=[1], float_data=[1])


ATTRIBUTE_VALUES = {
    "none": lambda o: None,
    "int": lambda o: 1,
    "bool": lambda o: True,
    "float": lambda o: 1.5,
    "complex": lambda o: 1j,
    "text": lambda o: "naïve",
    "bytes": lambda o: b"\xff",
    "lone surrogate": lambda o: "\ud800",
    "tensor": tensor,
    "sparse tensor": lambda o: o.SparseTensorProto(dims=[2]),
    "graph": lambda o: o.GraphProto(name="g"),
    "type": lambda o: o.TypeProto(denotation="d"),
    "node": lambda o: o.NodeProto(),
    "empty list": lambda o: [],
    "empty dict": lambda o: {},
    "ints": lambda o: [1, 2],
    "mixed": lambda o: [1, 2.5],
    "floats": lambda o: (1.0, 2.0),
    "texts": lambda o: ["a", b"b"],
    "tensors": lambda o: [tensor(o), tensor(o)],
    "tensor and int": lambda o: [tensor(o), 1],
    "graphs": lambda o: [o.GraphProto(name="a"), o.GraphProto(name="b")],
    "types": lambda o: [o.TypeProto(denotation="d")],
    "sparse tensors": lambda o: [o.SparseTensorProto(dims=[2])],
    "nodes": lambda o: [o.NodeProto()],
    "nones": lambda o: [None],
    "dict": lambda o: {"a": 1},
    "iterator": lambda o: iter([1, 2]),
    "int array": lambda o: np.array([1, 2]),
    "float array": lambda o: np.array([1.5]),
    "text array": lambda o: np.array(["a"]),
    "matrix": lambda o: np.zeros((2, 2)),
    "scalar array": lambda o: np.array(3),
    "numpy half": lambda o: np.float16(0.5),
    "numpy int": lambda o: np.uint8(3),
    "numpy text": lambda o: np.str_("a"),
    "huge": lambda o: 2**70,
    "huge in a list": lambda o: [2**70],
    "object": lambda o: object(),
    "range": lambda o: range(2),
    "bytearray": lambda o: bytearray(b"ab"),
    "text and int": lambda o: ["a", 1],
    "infinity": lambda o: [float("inf"), 1e39, -0.0],
}


@pytest.mark.parametrize("case", ATTRIBUTE_VALUES)
def test_attributes_are_made_of_values_as_in_onnx(case: str) -> None:
    value = ATTRIBUTE_VALUES[case]
    agree(lambda o: o.helper.make_attribute("k", value(o), "doc"))
    agree(lambda o: o.helper.make_attribute("k", value(o), attr_type=o.AttributeProto.FLOATS))
    agree(lambda o: o.helper.make_attribute("k", value(o), attr_type=o.AttributeProto.INT))
    agree(lambda o: o.helper.get_attribute_value(o.helper.make_attribute("k", value(o))))


@pytest.mark.parametrize("attr_type", ["INTS", "FLOATS", "STRINGS", "TENSORS", "GRAPHS", "SPARSE_TENSORS", "TYPE_PROTOS"])
def test_lists_are_of_the_type_that_is_asked_for(attr_type: str) -> None:
    for values in ([], [1], [1.5], ["a"]):
        agree(lambda o, values=values: o.helper.make_attribute("k", values, attr_type=getattr(o.AttributeProto, attr_type)))


def test_an_empty_list_of_a_type_that_is_no_list_is_an_error_with_a_reason() -> None:
    with pytest.raises(TypeError, match="INT"):
        onnxl.helper.make_attribute("k", [], attr_type=onnxl.AttributeProto.INT)


NUMBERS_THAT_ONNX_REFUSES = {
    "numpy truth value": (np.bool_(True), "INT", 1),
    "numpy truth values": ([np.bool_(True), np.bool_(False)], "INTS", [1, 0]),
    "numpy truth value among integers": ([1, np.bool_(True)], "INTS", [1, 1]),
    "truth values": (np.array([True, False]), "INTS", [1, 0]),
    "bfloat16": (ml_dtypes.bfloat16(1.5), "FLOAT", 1.5),
}


@pytest.mark.parametrize("case", NUMBERS_THAT_ONNX_REFUSES)
def test_numbers_of_numpy_that_onnx_refuses_are_numbers_here(case: str) -> None:
    given, type_name, expected = NUMBERS_THAT_ONNX_REFUSES[case]
    attribute = onnxl.helper.make_attribute("k", given)
    assert attribute.type == onnxl.AttributeProto.AttributeType.Value(type_name)
    assert onnxl.helper.get_attribute_value(attribute) == expected


def test_a_value_that_cannot_be_an_attribute_is_not_dumped_into_the_error() -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        onnxl.helper.make_attribute("k", ["x" * 10_000, 1.0])
    assert len(str(caught.value)) < 300


def node(o: Any, **more: Any) -> Any:
    return o.helper.make_node(
        "Op", ["a", "", "b"], ["c"], name="n", doc_string="d", domain="q", overload="o", z=1, a=2.0, gone=None, **more
    )


BUILDERS = {
    "attribute reference": lambda o: o.helper.make_attribute_ref("n", 2),
    "attribute reference by another name": lambda o: o.helper.make_attribute_ref("n", 2, "d", ref_attr_name="r"),
    "attribute reference of no type": lambda o: o.helper.make_attribute_ref("n", 99),
    "attribute reference to nothing": lambda o: o.helper.make_attribute_ref("n", 2, ref_attr_name=""),
    "value of a reference": lambda o: o.helper.get_attribute_value(o.helper.make_attribute_ref("n", 2)),
    "value without a type": lambda o: o.helper.get_attribute_value(o.AttributeProto(name="x", i=3)),
    "value of a type and no value": lambda o: o.helper.get_attribute_value(o.AttributeProto(name="x", type=5)),
    "attribute of a node": lambda o: o.helper.get_node_attr_value(node(o), "z"),
    "no such attribute": lambda o: o.helper.get_node_attr_value(node(o), "zz"),
    "node": node,
    "node with empty strings": lambda o: o.helper.make_node("X", ["a"], ["b"], name="", doc_string="", domain="", overload=""),
    "node of iterables": lambda o: o.helper.make_node("X", (name for name in "ab"), "c"),
    "node without inputs": lambda o: o.helper.make_node("X", None, []),
    "node with None as input": lambda o: o.helper.make_node("X", [None], []),
    "node without an operator": lambda o: o.helper.make_node(None, [], []),
    "opset": lambda o: o.helper.make_opsetid("d", 3),
    "opset by the long name": lambda o: o.helper.make_operatorsetid("", 3),
    "opset of no number": lambda o: o.helper.make_opsetid("", "x"),
    "graph": lambda o: o.helper.make_graph(
        [node(o)],
        "g",
        [o.ValueInfoProto(name="i")],
        [o.ValueInfoProto(name="o")],
        [tensor(o)],
        "doc",
        [o.ValueInfoProto()],
        [o.SparseTensorProto()],
    ),
    "graph with an empty doc": lambda o: o.helper.make_graph([], "g", [], [], doc_string=""),
    "graph without a name": lambda o: o.helper.make_graph([], None, [], []),
    "function": lambda o: o.helper.make_function(
        "d",
        "f",
        ["a"],
        ["b"],
        [node(o)],
        [o.helper.make_opsetid("", 1)],
        ["at"],
        [o.AttributeProto(name="q")],
        "doc",
        "ov",
        [o.ValueInfoProto()],
    ),
    "function with empty strings": lambda o: o.helper.make_function("d", "f", ["a"], ["b"], [], [], doc_string="", overload=""),
    "model": lambda o: o.helper.make_model(o.GraphProto(name="g")),
    "model with everything": lambda o: o.helper.make_model(
        o.GraphProto(name="g"),
        opset_imports=[o.helper.make_opsetid("x", 1)],
        functions=[o.FunctionProto()],
        ir_version=3,
        producer_version="",
    ),
    "model with an unknown field": lambda o: o.helper.make_model(o.GraphProto(), nix=1),
    "model with a list": lambda o: o.helper.make_model(o.GraphProto(), metadata_props=[]),
    "model without imports": lambda o: o.helper.make_model(o.GraphProto(), opset_imports=[]),
    "model with None": lambda o: o.helper.make_model(o.GraphProto(), opset_imports=None, functions=None),
    "model of its version": lambda o: o.helper.make_model_gen_version(o.GraphProto(), opset_imports=[o.helper.make_opsetid("", 13)]),
    "model of no version": lambda o: o.helper.make_model_gen_version(o.GraphProto()),
    "model of an unknown domain": lambda o: o.helper.make_model_gen_version(
        o.GraphProto(), opset_imports=[o.helper.make_opsetid("zz", 13)]
    ),
    "model of a given version": lambda o: o.helper.make_model_gen_version(o.GraphProto(), ir_version=3),
    "sparse tensor": lambda o: o.helper.make_sparse_tensor(tensor(o), tensor(o), [3]),
    "sequence": lambda o: o.helper.make_sequence("n", 1, [tensor(o)]),
    "sequence of nothing": lambda o: o.helper.make_sequence("n", 0, [1]),
    "sequence of sequences": lambda o: o.helper.make_sequence("n", 3, [o.SequenceProto(name="s")]),
    "sequence of optionals": lambda o: o.helper.make_sequence("n", 5, [o.OptionalProto(name="s")]),
    "sequence of an unknown type": lambda o: o.helper.make_sequence("n", 9, []),
    "map": lambda o: o.helper.make_map("n", 7, [1, 2], o.SequenceProto()),
    "map of strings": lambda o: o.helper.make_map("n", 8, [b"a"], o.SequenceProto()),
    "map of text": lambda o: o.helper.make_map("n", 8, ["a"], o.SequenceProto()),
    "map of floats": lambda o: o.helper.make_map("n", 1, [1.5], o.SequenceProto()),
    "optional": lambda o: o.helper.make_optional("n", 1, tensor(o)),
    "optional of nothing": lambda o: o.helper.make_optional("n", 0, None),
    "optional of a map": lambda o: o.helper.make_optional("n", 4, o.MapProto(name="m")),
    "optional of an unknown type": lambda o: o.helper.make_optional("n", 77, o.MapProto()),
    "empty value": lambda o: o.helper.make_empty_tensor_value_info("n"),
    "value": lambda o: o.helper.make_tensor_value_info("n", 1, [1, "a", None], "doc", ["D", "E", ""]),
    "value of unknown rank": lambda o: o.helper.make_tensor_value_info("n", 1, None, ""),
    "sparse value": lambda o: o.helper.make_sparse_tensor_value_info("n", 1, [1, "a"], "doc", ["D", "E"]),
    "sequence value": lambda o: o.helper.make_tensor_sequence_value_info("n", 1, [1], "doc", ["D"]),
    "value of a type": lambda o: o.helper.make_value_info("n", o.helper.make_tensor_type_proto(1, []), "d"),
    "value of None": lambda o: o.helper.make_value_info("n", None),
    "sequence type": lambda o: o.helper.make_sequence_type_proto(o.TypeProto(denotation="d")),
    "optional type": lambda o: o.helper.make_optional_type_proto(o.TypeProto(denotation="d")),
    "map type": lambda o: o.helper.make_map_type_proto(7, o.TypeProto(denotation="d")),
    "training": lambda o: o.helper.make_training_info(o.GraphProto(name="a"), [("a", "b")], o.GraphProto(), [("c", "d")]),
    "training without start": lambda o: o.helper.make_training_info(o.GraphProto(name="a"), [("a", "b")], None, None),
    "training without bindings": lambda o: o.helper.make_training_info(o.GraphProto(), None, None, None),
}


@pytest.mark.parametrize("case", BUILDERS)
def test_builders_give_what_onnx_gives(case: str) -> None:
    agree(BUILDERS[case])


@pytest.mark.parametrize("shape", [None, [], (), [1, "N", None], [1.5], 3, "ab", [-1], [b"x"], [True], [np.int64(3)]], ids=repr)
@pytest.mark.parametrize("denotation", [None, ["D"], ["D", "E", "F"]], ids=repr)
def test_shapes_are_taken_as_in_onnx(shape: Any, denotation: Any) -> None:
    agree(lambda o: o.helper.make_tensor_type_proto(1, shape, denotation))
    agree(lambda o: o.helper.make_sparse_tensor_type_proto(1, shape, denotation))


@pytest.mark.parametrize(
    "imports",
    [[], [("ai.onnx", 9)], [("", 9)], [("q", 9)], [("", 99)], [("", 2)], [("", 9), ("ai.onnx.ml", 3)], [("ai.onnx.preview.training", 1)]],
    ids=repr,
)
@pytest.mark.parametrize("ignore_unknown", [False, True])
def test_the_smallest_ir_version_is_that_of_onnx(imports: Any, ignore_unknown: bool) -> None:
    agree(lambda o: o.helper.find_min_ir_version_for([o.helper.make_opsetid(*entry) for entry in imports], ignore_unknown))


def test_metadata_is_replaced() -> None:
    def call(o: Any) -> Any:
        model = o.ModelProto()
        o.helper.set_model_props(model, {"a": "b", "c": "d"})
        o.helper.set_model_props(model, {"a": "z"})
        tensor_proto = tensor(o)
        o.helper.set_metadata_props(tensor_proto, {"k": "v"})
        return [model, tensor_proto]

    agree(call)


def test_doc_strings_are_removed_at_any_depth() -> None:
    def call(o: Any) -> Any:
        inner = o.helper.make_graph([node(o)], "in", [o.ValueInfoProto(name="i", doc_string="x")], [], doc_string="y")
        model = o.helper.make_model(
            o.helper.make_graph([node(o, body=inner, bodies=[inner])], "g", [], [], [tensor(o)], "z"), doc_string="q"
        )
        o.helper.strip_doc_string(model)
        return model

    agree(call)
    with pytest.raises(TypeError):
        onnxl.helper.strip_doc_string("text")


DATA_TYPES = [name for name in list(onnx.TensorProto.DataType.keys()) if name != "STRING"]
VALUES: dict[str, Any] = {
    "small": [0, 1, 1],
    "signed": [-1, 0, 1],
    "large": [300, -300, 1],
    "floats": [1.5, 1e9, -2.5],
    "not finite": [float("inf"), float("nan"), -float("inf")],
    "complex": [1 + 2j, 3, 0],
    "matrix": [[0, 1, 1]],
    "array of bytes": np.array([0, 1, 3], np.uint8),
    "array of floats": np.array([0, 1, 1], np.float32),
    "too few": [1],
    "scalar": 1,
    "text": ["a", "b", "c"],
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("type_name", DATA_TYPES)
def test_tensors_are_made_of_values_as_in_onnx(type_name: str, values: str) -> None:
    data_type = onnx.TensorProto.DataType.Value(type_name)
    if type_name.startswith("FLOAT") and values == "complex":  # refused here for every type, taken for some by onnx
        with pytest.raises(TypeError):
            onnxl.helper.make_tensor("n", data_type, [3], VALUES[values])
    elif (type_name, values) == ("FLOAT8E8M0", "scalar"):  # onnx fails in numpy
        with pytest.raises(ValueError, match="Number of values"):
            onnxl.helper.make_tensor("n", data_type, [3], VALUES[values])
    else:
        agree(lambda o: o.helper.make_tensor("n", data_type, [3], VALUES[values]))


@pytest.mark.parametrize("type_name", [*DATA_TYPES, "STRING"])
def test_raw_tensors_have_exactly_the_bytes_that_their_shape_needs(type_name: str) -> None:
    data_type = onnx.TensorProto.DataType.Value(type_name)
    for size in range(50):
        agree(lambda o, size=size: o.helper.make_tensor("n", data_type, [3], bytes(size), raw=True))


@pytest.mark.parametrize("type_name", ["UINT4", "INT4", "FLOAT4E2M1", "UINT2", "INT2", "FLOAT6E2M3", "FLOAT6E3M2"])
def test_arrays_of_bytes_are_packed_for_types_of_less_than_a_byte(type_name: str) -> None:
    data_type = onnx.TensorProto.DataType.Value(type_name)
    for dtype in (np.uint8, np.int8):
        for count in range(1, 9):
            codes = np.arange(count, dtype=dtype) - (dtype == np.int8)
            agree(lambda o, codes=codes, count=count: o.helper.make_tensor("n", data_type, [count], codes, raw=True))
            agree(lambda o, codes=codes, count=count: o.helper.make_tensor("n", data_type, [1, count], codes.reshape(1, -1), raw=True))


OTHER_TENSORS: dict[str, Any] = {
    "raw list": ((1, [2], [1, 2]), {"raw": True}),
    "raw bytearray": ((1, [2], bytearray(8)), {"raw": True}),
    "raw array": ((1, [2], np.array([1, 2], np.float32)), {"raw": True}),
    "strings": ((8, [2], ["a", b"b"]), {}),
    "string array": ((8, [2], np.array(["a", "b"])), {}),
    "string objects": ((8, [2], np.array(["a", b"b"], object)), {}),
    "one string": ((8, [1], "ab"), {}),
    "numbers as strings": ((8, [1], [1]), {}),
    "wide int32": ((6, [1], [2**40]), {}),
    "largest uint64": ((13, [1], [2**64 - 1]), {}),
    "largest uint32": ((12, [1], [2**32 - 1]), {}),
    "generator": ((1, [2], (number for number in (1, 2))), {}),
    "empty": ((1, [0], []), {}),
    "negative dimension": ((1, [-1], [1]), {}),
    "unknown type": ((99, [1], [1]), {}),
    "packed array": ((22, [3], np.array([1, -2, 3]).astype(ml_dtypes.int4)), {}),
}


@pytest.mark.parametrize("case", OTHER_TENSORS)
def test_tensors_of_other_kinds_are_made_as_in_onnx(case: str) -> None:
    arguments, keywords = OTHER_TENSORS[case]
    agree(lambda o: o.helper.make_tensor("n", *arguments, **keywords))


def printed(o: Any) -> SimpleNamespace:
    """Messages of every kind that is printed."""
    make = o.helper
    inner = make.make_graph([make.make_node("Neg", ["x"], ["y"])], "inner", [], [make.make_tensor_value_info("y", 1, [2])])
    scalar = make.make_tensor("s", 1, [], [2.5])
    sparse = make.make_sparse_tensor(make.make_tensor("v", 1, [1], [1]), make.make_tensor("i", 7, [1], [0]), [3])
    tensor_type = make.make_tensor_type_proto(1, [1, "N", None])
    values = [1, 2.5, 0.1, 1e30, "a", b"\xff", 'a"b\n', "x" * 300, [1, 2], [1.0, 0.1], ["a", "b"], [b"\xff"], scalar, tensor(o)]
    values += [[scalar, scalar], inner, [inner, inner], sparse, [sparse], tensor_type, [tensor_type]]
    attributes = [make.make_attribute("k", value) for value in values]
    attributes += [o.AttributeProto(name="q"), o.AttributeProto(name="q", type=o.AttributeProto.INTS), make.make_attribute_ref("q", 2)]
    types = [tensor_type, make.make_tensor_type_proto(1, []), make.make_tensor_type_proto(1, None), o.TypeProto()]
    types += [make.make_sequence_type_proto(tensor_type), make.make_tensor_type_proto(99, [1])]
    first = make.make_node("Op", ["a", ""], ["c", "d"], name="nn", domain="dd", z=1, aa=[1, 2], g=inner, t=scalar)
    nodes = [first, make.make_node("Op", [], []), make.make_node("Op2", ["a"], ["b"], gs=[inner, inner])]
    inputs = [make.make_tensor_value_info("a", 1, [2]), make.make_tensor_value_info("w", 1, None)]
    constants = [make.make_tensor("w", 1, [1], [1]), make.make_tensor("w2", 1, [1], [1])]
    graphs = [
        make.make_graph(nodes, "main", inputs, inputs[:1], constants),
        make.make_graph([], "e", inputs[:1], []),
        make.make_graph([], "e", [], inputs, constants),
        make.make_graph([], "e", inputs[1:], inputs, constants),
        o.GraphProto(),
    ]
    return SimpleNamespace(attributes=attributes, types=types, nodes=nodes, graphs=graphs, tensors=constants)


def test_what_is_printed_is_what_onnx_prints() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for at in range(len(printed(onnx).attributes)):
            agree(lambda o, at=at: o.helper.printable_attribute(printed(o).attributes[at]))
            agree(lambda o, at=at: o.helper.printable_attribute(printed(o).attributes[at], subgraphs=True))
        for at in range(len(printed(onnx).types)):
            agree(lambda o, at=at: o.helper.printable_type(printed(o).types[at]))
            agree(lambda o, at=at: o.helper.printable_value_info(o.ValueInfoProto(name="v", type=printed(o).types[at])))
        for at in range(3):
            agree(lambda o, at=at: o.helper.printable_node(printed(o).nodes[at], ">"))
            agree(lambda o, at=at: o.helper.printable_node(printed(o).nodes[at], subgraphs=True))
        for at in range(5):
            agree(lambda o, at=at: o.helper.printable_graph(printed(o).graphs[at]))
            agree(lambda o, at=at: o.helper.printable_graph(printed(o).graphs[at], ">>"))
        agree(lambda o: [o.helper.printable_tensor_proto(entry) for entry in printed(o).tensors])
        agree(lambda o: o.helper.printable_value_info(o.ValueInfoProto()))


def test_printing_a_graph_warns_that_it_is_old() -> None:
    with pytest.warns(DeprecationWarning, match="to_text"):
        onnxl.helper.printable_graph(onnxl.GraphProto())


def test_raw_scalars_are_printed_with_their_value() -> None:
    attribute = onnxl.helper.make_attribute("k", onnxl.helper.make_tensor("t", 1, [], np.array(2.5, np.float32), raw=True))
    assert onnxl.helper.printable_attribute(attribute) == "k = <Scalar Tensor 2.5>"


OLD_FUNCTIONS: dict[str, Any] = {
    "float32_to_bfloat16": ((1.0,), 0x3F80),
    "float32_to_float8e4m3": ((1e9,), 0x7E),
    "float32_to_float8e5m2": ((1.0,), 0x3C),
    "split_complex_to_pairs": (([1 + 2j, 3 - 4j],), [1.0, 2.0, 3.0, -4.0]),
}


@pytest.mark.parametrize("name", OLD_FUNCTIONS)
def test_functions_of_earlier_releases_work_and_warn(name: str) -> None:
    arguments, expected = OLD_FUNCTIONS[name]
    with pytest.warns(DeprecationWarning, match=name):
        assert getattr(onnxl.helper, name)(*arguments) == expected


def test_the_old_name_of_the_sequence_builder_works_and_warns() -> None:
    with pytest.warns(DeprecationWarning):
        old = onnxl.helper.make_sequence_value_info("s", 1, [2])
    assert old == onnxl.helper.make_tensor_sequence_value_info("s", 1, [2])


def test_the_tables_of_earlier_releases_are_there_and_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mapping = importlib.import_module("onnx_light.onnx.mapping")
    with pytest.warns(DeprecationWarning, match="helper"):
        importlib.reload(mapping)
    assert mapping.TENSOR_TYPE_TO_NP_TYPE[onnxl.TensorProto.FLOAT] == np.dtype("float32")
    assert mapping.NP_TYPE_TO_TENSOR_TYPE[np.dtype("int64")] == onnxl.TensorProto.INT64
    assert mapping.TENSOR_TYPE_TO_STORAGE_TENSOR_TYPE[onnxl.TensorProto.BOOL] == onnxl.TensorProto.INT32
    assert mapping.STORAGE_TENSOR_TYPE_TO_FIELD[onnxl.TensorProto.INT64] == "int64_data"


def test_attributes_of_nodes_are_those_that_make_attribute_makes() -> None:
    for case, value in ATTRIBUTE_VALUES.items():
        if case == "none":
            continue
        agree(lambda o, value=value: o.helper.make_node("Op", ("a", ""), [], z=value(o), a=1, b=None))


def test_a_node_that_cannot_be_made_says_why_and_leaves_nothing_behind() -> None:
    class Odd:
        def __bool__(self) -> bool:
            raise RuntimeError("odd")

    with pytest.raises(RuntimeError, match="odd"):
        onnxl.helper.make_node("Op", [], [], name=Odd())  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="odd"):
        onnxl.helper.make_node("Op", (1 // 0 if name == "b" else name for name in "a"), Raises())  # type: ignore[arg-type]
    for value in ([1, 2**70], [2**70], "\ud800", ["a", "\ud800"]):
        with pytest.raises(ValueError):
            onnxl.helper.make_node("Op", [], [], a=value)


class Raises:
    def __iter__(self) -> Any:
        raise RuntimeError("odd")
