"""Enums as protobuf shows them: plain integers, and a wrapper that knows names."""

from __future__ import annotations

import operator
from typing import Any

from onnx_light.onnx._descriptors import EnumDescriptor


class EnumTypeWrapper:
    """Names and numbers of an enum: `TensorProto.DataType.Name(1)` is "FLOAT", `TensorProto.DataType.FLOAT` is 1."""

    ValueType = int
    """What annotations call a value of the enum."""

    def __init__(self, descriptor: EnumDescriptor) -> None:
        self.DESCRIPTOR = descriptor

    def Name(self, number: int) -> str:
        """The name of a number. Raises ValueError for a number that has none, TypeError for what is no integer."""
        try:
            value = self.DESCRIPTOR.values_by_number.get(operator.index(number))
        except TypeError:
            raise TypeError(f"{self.DESCRIPTOR.name}: a number is needed, not {number!r}") from None
        if value is None:
            raise ValueError(f"{self.DESCRIPTOR.name} has no name for {number!r}")
        return value.name

    def Value(self, name: str) -> int:
        """The number of a name. Raises ValueError for a name that does not exist."""
        value = self.DESCRIPTOR.values_by_name.get(name)
        if value is None:
            raise ValueError(f"{self.DESCRIPTOR.name} has no value {name!r}")
        return value.number

    def keys(self) -> list[str]:
        return [value.name for value in self.DESCRIPTOR.values]

    def values(self) -> list[int]:
        return [value.number for value in self.DESCRIPTOR.values]

    def items(self) -> list[tuple[str, int]]:
        return [(value.name, value.number) for value in self.DESCRIPTOR.values]

    def __getattr__(self, name: str) -> Any:
        descriptor = self.__dict__.get("DESCRIPTOR")
        if descriptor is None or name not in descriptor.values_by_name:
            raise AttributeError(f"no value {name!r}")
        return descriptor.values_by_name[name].number

    def __repr__(self) -> str:
        return f"<enum {self.DESCRIPTOR.full_name}>"
