"""Options of parsing and serialising: names, defaults, subclasses, what they may hold."""
# mypy: disable-error-code="arg-type, valid-type, misc, attr-defined"

import gc
import weakref
from typing import Any

import pytest

import onnx_light.onnx as onnxl

PARSE_DEFAULTS = {
    "raw_data_threshold": 1024,
    "alignment": 0,
    "num_threads": 1,
    "min_parallel_block_size": 4 << 20,
    "no_copy": False,
    "skip_raw_data": False,
    "raw_data_callback": None,
    "file_load_mode": onnxl.FileLoadMode.AUTO,
    "max_recursion_depth": 400,
    "max_tensor_size_bytes": -1,
    "max_total_size_bytes": -1,
}
SERIALIZE_DEFAULTS = {
    "raw_data_threshold": 64,
    "alignment": 0,
    "num_threads": 1,
    "max_external_file_size": 0,
    "skip_raw_data": False,
    "max_recursion_depth": 400,
    "max_serialized_size_bytes": -1,
}


def values(options):
    return {name: getattr(options, name) for name in dir(options) if not name.startswith("_")}


def test_options_have_these_names_and_defaults():
    assert values(onnxl.TensorBufferOptions()) == {"raw_data_threshold": 0, "alignment": 0}
    assert values(onnxl.ParseOptions()) == PARSE_DEFAULTS
    assert values(onnxl.SerializeOptions()) == SERIALIZE_DEFAULTS


@pytest.mark.parametrize("cls", [onnxl.ParseOptions, onnxl.SerializeOptions])
def test_options_of_a_call_are_tensor_buffer_options_and_may_be_derived_from(cls: Any) -> None:
    class Own(cls):  # type: ignore[misc]
        def __init__(self):
            super().__init__()
            self.raw_data_threshold = 7
            self.extra = "mine"

    options = Own()
    assert isinstance(options, onnxl.TensorBufferOptions)
    assert (options.raw_data_threshold, options.extra, options.max_recursion_depth) == (7, "mine", 400)


def test_file_load_modes_are_numbers_with_names():
    assert [(mode.name, int(mode)) for mode in onnxl.FileLoadMode] == [("AUTO", 0), ("MMAP", 1), ("IFSTREAM", 2)]


def test_values_of_a_wrong_type_are_refused():
    options = onnxl.ParseOptions()
    for name, value in [("num_threads", "2"), ("file_load_mode", "MMAP"), ("raw_data_callback", 3), ("max_tensor_size_bytes", 1 << 70)]:
        with pytest.raises((TypeError, OverflowError)):
            setattr(options, name, value)
    assert values(options) == PARSE_DEFAULTS


def test_a_callback_is_given_back_as_it_was_set_and_may_hold_its_options():
    class Callback:
        options: Any = None

        def __call__(self, tensor, graph):
            return None

    options, callback = onnxl.ParseOptions(), Callback()
    callback.options = options
    options.raw_data_callback = callback
    assert options.raw_data_callback is callback
    alive = weakref.ref(callback)
    del options, callback
    gc.collect()
    assert alive() is None
    with pytest.raises(TypeError, match="on_tensor"):
        onnxl.RawDataCallback(None)  # type: ignore[arg-type]
