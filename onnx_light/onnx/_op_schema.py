"""OpSchema and what it is made of: names, enums and signatures. Making and reading one needs the registry."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

from onnx_light.onnx._needs_schemas import needs_schemas


class SchemaError(Exception):
    """An operator, or a version of it, that the registry does not have; or a schema that contradicts itself."""


class OpSchema:
    """The schema of one version of an operator."""

    class FormalParameterOption(enum.IntEnum):
        """How often an input or output occurs."""

        Single = 0
        Optional = 1
        Variadic = 2

    class DifferentiationCategory(enum.IntEnum):
        """Whether gradients pass through an input or output."""

        Unknown = 0
        Differentiable = 1
        NonDifferentiable = 2

    class NodeDeterminism(enum.Enum):
        """Whether the same inputs always give the same outputs."""

        Unknown = 0
        NonDeterministic = 1
        Deterministic = 2

    class AttrType(enum.IntEnum):
        """The types of attributes, numbered as AttributeProto.AttributeType."""

        FLOAT = 1
        INT = 2
        STRING = 3
        TENSOR = 4
        GRAPH = 5
        FLOATS = 6
        INTS = 7
        STRINGS = 8
        TENSORS = 9
        GRAPHS = 10
        SPARSE_TENSOR = 11
        SPARSE_TENSORS = 12
        TYPE_PROTO = 13
        TYPE_PROTOS = 14

    class SupportType(enum.IntEnum):
        """How settled an operator is."""

        COMMON = 0
        EXPERIMENTAL = 1

    class FormalParameter:
        """An input or output."""

        @needs_schemas
        def __init__(
            self,
            name: str,
            type_str: str,
            description: str = "",
            *,
            param_option: OpSchema.FormalParameterOption | None = None,
            is_homogeneous: bool = True,
            min_arity: int = 1,
            differentiation_category: OpSchema.DifferentiationCategory | None = None,
        ) -> None:
            pass

    class TypeConstraintParam:
        """The types that a type parameter may stand for."""

        @needs_schemas
        def __init__(self, type_param_str: str, allowed_type_strs: Sequence[str], description: str = "") -> None:
            pass

    class Attribute:
        """An attribute."""

        @needs_schemas
        def __init__(
            self,
            name: str,
            type: OpSchema.AttrType | None = None,
            description: str = "",
            *,
            required: bool = True,
            default_value: Any = None,
        ) -> None:
            pass

    @needs_schemas
    def __init__(
        self,
        name: str,
        domain: str,
        since_version: int,
        doc: str = "",
        *,
        inputs: Sequence[OpSchema.FormalParameter] = (),
        outputs: Sequence[OpSchema.FormalParameter] = (),
        type_constraints: Sequence[tuple[str, Sequence[str], str]] = (),
        attributes: Sequence[OpSchema.Attribute] = (),
        node_determinism: OpSchema.NodeDeterminism | None = None,
    ) -> None:
        pass

    @staticmethod
    def is_infinite(v: int) -> bool:
        """Whether a number of inputs or outputs stands for "as many as you like"."""
        return v == 2**31 - 1
