"""What operators of one's own are derived from."""

from __future__ import annotations

import abc
from typing import Any

import numpy as np

from onnx_light.onnx._needs_schemas import needs_schemas
from onnx_light.onnx_py._onnxpy import NodeProto


class RuntimeTypeError(RuntimeError):
    """A value of a type that it cannot be of."""


class RuntimeContextError(RuntimeError):
    """A value that is needed from outside and missing."""


class RuntimeImplementationError(NotImplementedError):
    """An operator that has no implementation."""


class RefAttrName:
    """A reference to an attribute of the function that a node stands in."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"RefAttrName({self.name!r})"


class SparseTensor:
    """A sparse tensor as three arrays."""

    def __init__(self, values: np.ndarray[Any, Any], indices: np.ndarray[Any, Any], shape: tuple[int, ...]) -> None:
        self.values = values
        self.indices = indices
        self.shape = shape

    @property
    def dtype(self) -> np.dtype[Any]:
        dtype: np.dtype[Any] = self.values.dtype
        return dtype


class OpRun(abc.ABC):
    """The base of an operator: a derived class gives op_domain and _run."""

    op_domain = ""

    @needs_schemas
    def __init__(self, onnx_node: NodeProto, run_params: dict[str, Any], schema: Any = None) -> None:
        raise AssertionError

    @abc.abstractmethod
    def _run(self, *args: Any, **kwargs: Any) -> Any:
        """The outputs as a tuple."""

    @classmethod
    @needs_schemas
    def make_node(cls, n_inputs: int | None = None, n_outputs: int | None = None, **kwargs: Any) -> NodeProto:
        """A node of this operator."""
        raise AssertionError

    @classmethod
    @needs_schemas
    def create(cls, n_inputs: int | None = None, n_outputs: int | None = None, verbose: int = 0, **kwargs: Any) -> Any:
        """The operator for a node that make_node makes."""
        raise AssertionError

    @classmethod
    @needs_schemas
    def eval(cls, *args: Any, n_outputs: int | None = None, verbose: int = 0, **kwargs: Any) -> Any:
        """The outputs for these inputs and attributes."""
        raise AssertionError


class OpRunExpand(OpRun):
    """The base of an operator that is run by its function body."""


class OpFunction(OpRun):
    """An operator that is run by a function."""

    @needs_schemas
    def __init__(
        self, onnx_node: NodeProto, run_params: dict[str, Any] | None, impl: Any = None, attributes: dict[str, Any] | None = None
    ) -> None:
        pass
