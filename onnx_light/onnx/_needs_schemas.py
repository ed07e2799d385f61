"""Marks what cannot be done without knowing operators: it has its signature, and raises NotImplementedError when it is called.

tests/data/needs_schemas.txt lists everything that is marked, and a test holds the two equal.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

marked: set[str] = set()
"""Full names of all that is marked in the modules that have been imported."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


def needs_schemas(function: _Function) -> _Function:
    """The function with its own signature and documentation, raising NotImplementedError when called."""
    name = f"{function.__module__}.{function.__qualname__}".removeprefix("onnx_light.")
    marked.add(name)

    @functools.wraps(function)
    def refuse(*_: Any, **__: Any) -> Any:
        raise NotImplementedError(f"{name} needs the schemas of operators, which this version of onnx-light does not have")

    return refuse  # type: ignore[return-value]
