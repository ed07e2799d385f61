"""The C++ side of onnx.shape_inference: the exception, what callbacks of schemas get, and inference on serialised messages."""

from __future__ import annotations

from onnx_light.onnx._needs_schemas import needs_schemas
from onnx_light.onnx_py._onnxpy import AttributeProto, SparseTensorProto, TensorProto, TensorShapeProto, TypeProto


class InferenceError(Exception):
    """Types or shapes that contradict each other."""


class GraphInferencer:
    """Infers the outputs of a graph in an attribute."""

    @needs_schemas
    def do_inferencing(self, input_types: list[TypeProto], input_data: list[TensorProto | None]) -> list[TypeProto]:
        """The types of the outputs."""
        raise AssertionError


class InferenceContext:
    """What the inference of a node sees: attributes, types and known values of inputs; and where it puts types of outputs."""

    @needs_schemas
    def get_attribute(self, name: str) -> AttributeProto:
        raise AssertionError

    @needs_schemas
    def get_num_inputs(self) -> int:
        raise AssertionError

    @needs_schemas
    def get_input_type(self, idx: int) -> TypeProto:
        raise AssertionError

    @needs_schemas
    def has_input(self, idx: int) -> bool:
        raise AssertionError

    @needs_schemas
    def get_input_data(self, idx: int) -> TensorProto:
        raise AssertionError

    @needs_schemas
    def get_num_outputs(self) -> int:
        raise AssertionError

    @needs_schemas
    def get_output_type(self, idx: int) -> TypeProto:
        raise AssertionError

    @needs_schemas
    def set_output_type(self, idx: int, type_proto: TypeProto) -> bool:
        raise AssertionError

    @needs_schemas
    def has_output(self, idx: int) -> bool:
        raise AssertionError

    @needs_schemas
    def get_graph_attribute_inferencer(self, attr_name: str) -> GraphInferencer:
        raise AssertionError

    @needs_schemas
    def get_input_sparse_data(self, idx: int) -> SparseTensorProto:
        raise AssertionError

    @needs_schemas
    def get_symbolic_input(self, idx: int) -> TensorShapeProto:
        raise AssertionError

    @needs_schemas
    def get_display_name(self) -> str:
        raise AssertionError


@needs_schemas
def infer_shapes(b: bytes, check_type: bool, strict_mode: bool, data_prop: bool) -> bytes:
    """A model with the types that could be inferred."""
    raise AssertionError


@needs_schemas
def infer_shapes_path(model_path: str, output_path: str, check_type: bool, strict_mode: bool, data_prop: bool) -> None:
    """The same from file to file."""


@needs_schemas
def infer_function_output_types(b: bytes, input_types: list[bytes], attributes: list[bytes]) -> list[bytes]:
    """The types of the outputs of a function."""
    raise AssertionError
