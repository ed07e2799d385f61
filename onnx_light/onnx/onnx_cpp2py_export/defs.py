"""The C++ side of onnx.defs: the registry of operator schemas."""

from __future__ import annotations

from onnx_light.onnx._needs_schemas import needs_schemas
from onnx_light.onnx._op_schema import OpSchema, SchemaError

__all__ = [
    "OpSchema",
    "SchemaError",
    "deregister_schema",
    "get_all_schemas",
    "get_all_schemas_with_history",
    "get_schema",
    "has_schema",
    "register_schema",
    "schema_version_map",
    "set_domain_to_version",
]

_VERSIONS: dict[str, tuple[int, int]] = {
    "ai.onnx.preview.training": (1, 1),
    "ai.onnx.preview": (1, 1),
    "ai.onnx.training": (1, 1),
    "ai.onnx.ml": (1, 5),
    "": (1, 28),
}


def schema_version_map() -> dict[str, tuple[int, int]]:
    """Each domain with the first and the last version of its operators."""
    return dict(_VERSIONS)


def set_domain_to_version(domain: str, min_version: int, max_version: int, last_release_version: int = -1) -> None:
    """Makes a domain known, or gives it other versions.

    Raises:
        SchemaError: the versions are no range.
    """
    if not 0 < min_version <= max_version:
        raise SchemaError(f"domain {domain!r}: the versions {min_version} to {max_version} are no range")
    _VERSIONS[domain] = (min_version, max_version)


@needs_schemas
def has_schema(op_type: str, max_inclusive_version: int | str | None = None, domain: str = "") -> bool:
    """Whether a domain has an operator, in a version up to the one given."""
    raise AssertionError


@needs_schemas
def get_schema(op_type: str, max_inclusive_version: int | str | None = None, domain: str = "") -> OpSchema:
    """The schema of an operator, in the newest version up to the one given."""
    raise AssertionError


@needs_schemas
def get_all_schemas() -> list[OpSchema]:
    """The newest schema of every operator."""
    raise AssertionError


@needs_schemas
def get_all_schemas_with_history() -> list[OpSchema]:
    """Every version of the schema of every operator."""
    raise AssertionError


@needs_schemas
def register_schema(schema: OpSchema) -> None:
    """Adds a schema to the registry."""


@needs_schemas
def deregister_schema(op_type: str, version: int, domain: str) -> None:
    """Takes a schema out of the registry."""
