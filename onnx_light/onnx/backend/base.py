"""The interface of a runtime: Backend prepares a model on a device, BackendRep runs it."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from typing import Any

from onnx_light.onnx import checker
from onnx_light.onnx_py._onnxpy import ModelProto, NodeProto


class DeviceType:
    """The kinds of devices."""

    CPU = 0
    CUDA = 1


class Device:
    """A device, from a text such as "CPU" or "CUDA:1".

    Raises:
        AttributeError: there is no such kind.
        ValueError: what follows the colon is no number.
    """

    def __init__(self, device: str) -> None:
        kind, _, number = device.partition(":")
        self.type: int = getattr(DeviceType, kind)
        self.device_id = int(number) if number else 0


def namedtupledict(typename: str, field_names: Sequence[str], *args: Any, **kwargs: Any) -> type[tuple[Any, ...]]:
    """A class of named tuples whose entries are also found by name: `t["x"]`. The arguments are those of collections.namedtuple."""
    kwargs.setdefault("rename", True)
    places = {name: at for at, name in enumerate(field_names)}
    make: Any = namedtuple
    base: type[tuple[Any, ...]] = make(typename, field_names, *args, **kwargs)

    def get(self: Any, key: Any) -> Any:
        return tuple.__getitem__(self, places[key] if isinstance(key, str) else key)

    setattr(base, "__getitem__", get)  # noqa: B010  assigned on purpose
    return base


class BackendRep:
    """A model made ready to run."""

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """The outputs for these inputs. A runtime overrides this."""
        return (None,)


class Backend:
    """A runtime. A derived class overrides what it can do; what is here only checks its arguments."""

    @classmethod
    def is_compatible(cls, model: ModelProto, device: str = "CPU", **kwargs: Any) -> bool:
        """Whether the runtime can run a model."""
        return True

    @classmethod
    def prepare(cls, model: ModelProto, device: str = "CPU", **kwargs: Any) -> BackendRep | None:
        """Makes a model ready to run."""
        checker.check_model(model)
        return None

    @classmethod
    def run_model(cls, model: ModelProto, inputs: Any, device: str = "CPU", **kwargs: Any) -> tuple[Any, ...]:
        """Prepares a model and runs it once."""
        backend = cls.prepare(model, device, **kwargs)
        assert backend is not None, "prepare has to give a BackendRep"
        return backend.run(inputs)

    @classmethod
    def run_node(
        cls,
        node: NodeProto,
        inputs: Any,
        device: str = "CPU",
        outputs_info: Sequence[tuple[Any, tuple[int, ...]]] | None = None,
        **kwargs: Any,
    ) -> tuple[Any, ...] | None:
        """Runs one node."""
        checker.check_node(node)
        return None

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Whether the runtime can run on a device."""
        return True
