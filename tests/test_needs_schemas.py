"""What needs operator schemas raises NotImplementedError, has its signature all the same, and is listed; nothing else is a placeholder."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import onnx
import onnx.backend.base
import onnx.backend.test
import onnx.checker
import onnx.inliner
import onnx.shape_inference
import onnx.version_converter
import pytest

import onnx_light.onnx as onnxl
from onnx_light.onnx import _needs_schemas

LIST = Path(__file__).parent / "data" / "needs_schemas.txt"


def import_all() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for info in pkgutil.walk_packages(onnxl.__path__, "onnx_light.onnx."):
            importlib.import_module(info.name)


def test_the_committed_list_is_what_the_code_marks() -> None:
    import_all()
    assert LIST.read_text(encoding="utf-8").split() == sorted(_needs_schemas.marked)


def resolve(name: str) -> Any:
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(["onnx_light", *parts[:cut]]))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:]:
            found = getattr(found, part)
        return found
    raise AssertionError(name)


@pytest.mark.parametrize("name", LIST.read_text(encoding="utf-8").split())
def test_each_says_what_it_needs_and_has_a_signature(name: str) -> None:
    function = resolve(name)
    assert str(inspect.signature(function)) != "(*_, **__)"
    with pytest.raises(NotImplementedError, match="schemas") as caught:
        function()
    assert name in str(caught.value)


SAME: dict[str, list[str]] = {
    "checker": [
        "check_attribute",
        "check_function",
        "check_graph",
        "check_model",
        "check_node",
        "check_sparse_tensor",
        "check_tensor",
        "check_value_info",
    ],
    "inliner": ["inline_local_functions", "inline_selected_functions"],
    "version_converter": ["convert_version"],
    "shape_inference": ["infer_shapes", "infer_shapes_path", "infer_node_outputs", "infer_function_output_types"],
}


@pytest.mark.parametrize("module", SAME)
def test_signatures_are_those_of_onnx(module: str) -> None:
    theirs, ours = importlib.import_module(f"onnx.{module}"), importlib.import_module(f"onnx_light.onnx.{module}")
    for name in SAME[module]:
        expected = [(p.name, p.kind) for p in inspect.signature(getattr(theirs, name)).parameters.values()]
        assert [(p.name, p.kind) for p in inspect.signature(getattr(ours, name)).parameters.values()] == expected, name


EXCEPTIONS = {
    "checker": "ValidationError",
    "shape_inference": "InferenceError",
    "version_converter": "ConvertError",
    "defs": "SchemaError",
}


@pytest.mark.parametrize("module", EXCEPTIONS)
def test_exception_classes_are_where_programs_import_them_from(module: str) -> None:
    name = EXCEPTIONS[module]
    ours = getattr(importlib.import_module(f"onnx_light.onnx.{module}"), name)
    assert issubclass(ours, Exception)
    assert getattr(importlib.import_module(f"onnx_light.onnx.onnx_cpp2py_export.{module}"), name) is ours


def test_constants_are_those_of_onnx() -> None:
    assert onnxl.checker.MAXIMUM_PROTOBUF == onnx.checker.MAXIMUM_PROTOBUF
    assert (onnxl.checker.DEFAULT_CONTEXT.ir_version, onnxl.checker.DEFAULT_CONTEXT.opset_imports) == (14, {"": 28})
    for name in ("ONNX_DOMAIN", "ONNX_ML_DOMAIN", "AI_ONNX_PREVIEW_DOMAIN", "AI_ONNX_PREVIEW_TRAINING_DOMAIN"):
        assert getattr(onnxl.defs, name) == getattr(onnx.defs, name)
    assert onnxl.defs.onnx_opset_version() == onnx.defs.onnx_opset_version()
    assert onnxl.defs.onnx_ml_opset_version() == onnx.defs.onnx_ml_opset_version()
    assert onnxl.defs.C.schema_version_map() == onnx.defs.C.schema_version_map()
    theirs: Any = onnx.defs.OpSchema
    ours: Any = onnxl.defs.OpSchema
    for enum in ("FormalParameterOption", "DifferentiationCategory", "NodeDeterminism", "AttrType", "SupportType"):
        expected = {name: member.value for name, member in getattr(theirs, enum).__members__.items()}
        assert {name: member.value for name, member in getattr(ours, enum).__members__.items()} == expected


def test_every_name_of_the_official_modules_is_there() -> None:
    import_all()
    modules = ("", "checker", "compose", "defs", "external_data_helper", "helper", "inliner", "model_container", "numpy_helper")
    for module in (*modules, "shape_inference", "utils", "version_converter"):
        theirs = importlib.import_module(f"onnx.{module}".rstrip("."))
        ours = importlib.import_module(f"onnx_light.onnx.{module}".rstrip("."))
        names = getattr(theirs, "__all__", None) or [
            name
            for name, value in vars(theirs).items()
            if not name.startswith("_") and getattr(value, "__module__", "").startswith(f"onnx.{module}".rstrip("."))
        ]
        missing = [name for name in names if not hasattr(ours, name)]
        assert missing == [], module


@pytest.mark.parametrize("name", ["onnx_pb", "onnx_ml_pb2", "onnx_data_pb", "onnx_data_pb2", "onnx_operators_pb", "onnx_operators_ml_pb2"])
def test_modules_of_messages_have_the_names_of_onnx(name: str) -> None:
    theirs, ours = importlib.import_module(f"onnx.{name}"), importlib.import_module(f"onnx_light.onnx.{name}")
    members: dict[str, Any] = vars(theirs)
    for member, value in members.items():
        if not member.startswith("_") and isinstance(value, (int, type)):
            found = getattr(ours, member)
            if isinstance(value, int):
                assert found == value, member
            else:
                assert found.DESCRIPTOR.full_name == getattr(value, "DESCRIPTOR").full_name, member  # noqa: B009  protobuf's classes
    assert ours.DESCRIPTOR.name == theirs.DESCRIPTOR.name


def test_private_names_that_programs_use_are_there() -> None:
    from onnx_light.onnx import _mapping, checker, numpy_helper

    assert onnxl._get_serializer(None, "m.json").supported_format == "json"
    assert onnxl._get_serializer("protobuf").supported_format == "protobuf"
    with pytest.raises(ValueError):
        onnxl._get_serializer("nix")
    assert _mapping.TENSOR_TYPE_MAP[1].name == "TensorProto.FLOAT"
    assert checker.C.CheckerContext is type(checker.DEFAULT_CONTEXT)
    assert callable(numpy_helper._pack_4bitx2)


def test_devices_and_named_tuples_of_runtimes_are_those_of_onnx() -> None:
    from onnx_light.onnx.backend import base

    for text in ("CPU", "CUDA:3"):
        assert vars(base.Device(text)) == vars(onnx.backend.base.Device(text))
    with pytest.raises(AttributeError):
        base.Device("ABACUS")
    outputs: Any = base.namedtupledict("Outputs", ["a", "1"])
    pair = outputs(3, 4)
    assert (pair["a"], pair[1], pair["1"], len(pair)) == (3, 4, 4, 2)

    class Runtime(base.Backend):
        @classmethod
        def prepare(cls, model: Any, device: str = "CPU", **kwargs: Any) -> base.BackendRep:
            return base.BackendRep()

    assert Runtime.run_model(onnxl.ModelProto(), []) == (None,)
    assert Runtime.is_compatible(onnxl.ModelProto())
    assert Runtime.supports_device("CPU")


def test_checks_that_need_no_schemas_check() -> None:
    tensor = onnxl.helper.make_tensor("t", 1, [2], [1, 2])
    onnxl.checker.check_tensor(tensor)
    onnxl.checker.check_value_info(onnxl.helper.make_tensor_value_info("v", 1, [2]))
    onnxl.checker.check_attribute(onnxl.helper.make_attribute("a", [1, 2]))
    indices = onnxl.helper.make_tensor("i", 7, [2], [0, 2])
    onnxl.checker.check_sparse_tensor(onnxl.helper.make_sparse_tensor(tensor, indices, [3]))
    onnxl.checker.C.check_tensor(tensor.SerializeToString(), onnxl.checker.DEFAULT_CONTEXT)
    faults: list[tuple[Any, Any, str]] = [
        (onnxl.checker.check_tensor, onnxl.TensorProto(name="t", data_type=1, dims=[3], float_data=[1]), "3 elements"),
        (onnxl.checker.check_value_info, onnxl.ValueInfoProto(), "name"),
        (onnxl.checker.check_attribute, onnxl.AttributeProto(name="a", i=1, type=onnxl.AttributeProto.FLOAT), "FLOAT"),
        (onnxl.checker.check_sparse_tensor, onnxl.helper.make_sparse_tensor(tensor, indices, [2]), "outside"),
    ]
    for check, message, text in faults:
        with pytest.raises(onnxl.checker.ValidationError, match=text):
            check(message)
    with pytest.raises(TypeError, match="TensorProto"):
        onnxl.checker.check_tensor(onnxl.NodeProto())  # type: ignore[arg-type]


def test_the_old_version_module_warns(tmp_path: Path) -> None:
    code = "import onnx_light, onnx_light.onnx.version as v\nprint(v.version == onnx_light.__version__)"
    done = subprocess.run([sys.executable, "-W", "always", "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "True\n"
    assert "DeprecationWarning" in done.stderr
