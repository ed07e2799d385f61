"""protobuf's own text_format and json_format work on messages of this package, and give what they give for messages of `onnx`."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format, text_format
from google.protobuf.message import DecodeError, EncodeError

import onnx_light.onnx as onnxl
from onnx_light.onnx import parser

sys.path.insert(0, str(Path(__file__).resolve().parent / "faces"))
from both import NAMES, OURS, THEIRS, built, recipe_for  # type: ignore[import-not-found]


def samples(name: str) -> Any:
    for seed in range(10):
        recipe = recipe_for(THEIRS[name].DESCRIPTOR, random.Random(seed))
        yield built(OURS[name], recipe), built(THEIRS[name], recipe)


@pytest.mark.parametrize("name", NAMES)
def test_text_format_prints_and_parses(name: str) -> None:
    for ours, theirs in samples(name):
        text = text_format.MessageToString(theirs)
        assert text_format.MessageToString(ours) == text
        assert text_format.MessageToString(ours, as_one_line=True) == text_format.MessageToString(theirs, as_one_line=True)
        assert text_format.Parse(text, OURS[name]()) == ours


@pytest.mark.parametrize("name", NAMES)
def test_json_format_prints_and_parses(name: str) -> None:
    for ours, theirs in samples(name):
        text = json_format.MessageToJson(theirs)
        assert json_format.MessageToJson(ours) == text
        assert json_format.MessageToDict(ours, preserving_proto_field_name=True) == json_format.MessageToDict(
            theirs, preserving_proto_field_name=True
        )
        assert json_format.Parse(text, OURS[name]()).SerializeToString() == json_format.Parse(text, THEIRS[name]()).SerializeToString()


def test_errors_of_the_tools_are_theirs() -> None:
    with pytest.raises(text_format.ParseError):
        text_format.Parse("no_such_field: 1", onnxl.ModelProto())
    with pytest.raises(json_format.ParseError):
        json_format.Parse('{"noSuchField": 1}', onnxl.ModelProto())


def test_an_error_is_also_the_class_that_users_of_protobuf_catch() -> None:
    for kind in (DecodeError, onnxl.DecodeError):
        with pytest.raises(kind):
            onnxl.ModelProto.FromString(b"\x08")
    deep = onnxl.TypeProto()
    deepest = deep
    for _ in range(500):
        deepest = deepest.sequence_type.elem_type
    deepest.SetInParent()
    for kind in (EncodeError, onnxl.EncodeError):
        with pytest.raises(kind):
            deep.SerializeToString()


@pytest.mark.parametrize("name", NAMES)
def test_a_descriptor_says_what_protobufs_says(name: str) -> None:
    ours, theirs = OURS[name].DESCRIPTOR, THEIRS[name].DESCRIPTOR
    for attribute in ("name", "full_name", "has_options", "is_extendable"):
        assert getattr(ours, attribute) == getattr(theirs, attribute), attribute
    assert (ours.file.package, [o.name for o in ours.oneofs]) == (theirs.file.package, [o.name for o in theirs.oneofs])
    assert (ours.containing_type.full_name if ours.containing_type else None) == (
        theirs.containing_type.full_name if theirs.containing_type else None
    )
    assert sorted(n.full_name for n in ours.nested_types) == sorted(n.full_name for n in theirs.nested_types)
    assert sorted(ours.enum_types_by_name) == sorted(theirs.enum_types_by_name)
    for enum in theirs.enum_types:
        mine = ours.enum_types_by_name[enum.name]
        assert [(v.name, v.number, v.index) for v in mine.values] == [(v.name, v.number, v.index) for v in enum.values]
        assert mine.full_name == enum.full_name and mine.containing_type is ours
    assert [(field.name, field.index) for field in ours.fields] == [(field.name, field.index) for field in theirs.fields]
    for field in theirs.fields:
        mine = ours.fields_by_name[field.name]
        assert mine is ours.fields_by_number[field.number]
        for attribute in ("name", "full_name", "number", "type", "cpp_type", "is_repeated", "has_presence", "is_extension", "json_name",
                          "camelcase_name", "has_default_value", "is_packed", "is_required"):  # fmt: skip
            assert getattr(mine, attribute) == getattr(field, attribute), attribute
        if field.message_type is None:
            assert mine.default_value == field.default_value
        for attribute in ("message_type", "enum_type", "containing_type", "containing_oneof"):
            pair = [getattr(d, attribute).full_name if getattr(d, attribute) is not None else None for d in (mine, field)]
            assert pair[0] == pair[1], attribute
        assert getattr(OURS[name], f"{field.name.upper()}_FIELD_NUMBER") == field.number


def test_an_error_goes_to_other_processes_and_is_copied(tmp_path: Path) -> None:
    """Pools of processes pickle what their workers raise."""
    errors: list[Exception] = []
    for act in (
        lambda: onnxl.ModelProto.FromString(b"\x08"),
        lambda: onnxl.load_from_string("no_such_field: 1", "textproto"),
        lambda: onnxl.load_from_string("{]", "json"),
        lambda: onnxl.load(b"<html>"),
        lambda: parser.parse_node("y ="),
        lambda: onnxl.load(tmp_path / "none.onnx"),
        lambda: onnxl.load_external_data_for_model(model_with_missing_weights(), tmp_path),
    ):
        with pytest.raises(Exception) as caught:
            act()
        errors.append(caught.value)
    for error in errors:
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(error, protocol))
            assert type(again) is type(error) and str(again) == str(error) and again.__dict__ == error.__dict__
        assert type(copy.deepcopy(error)) is type(copy.copy(error)) is type(error)
    assert getattr(errors[1], "line", None) == 1 and isinstance(errors[1], text_format.ParseError)
    program = "import pickle, sys; print(*(type(error).__mro__[:2] for error in pickle.loads(sys.stdin.buffer.read())), sep='\\n')"
    done = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(errors[:2]), capture_output=True, check=True)
    assert [line.count(b"google") for line in done.stdout.splitlines()] == [0, 0]


def model_with_missing_weights() -> onnxl.ModelProto:
    model = onnxl.ModelProto()
    tensor = model.graph.initializer.add(name="w", data_type=1, dims=[1], data_location=1)
    tensor.external_data.add(key="location", value="missing")
    return model
