"""Small changes to a model's own facts: metadata, versions, names of dimensions. In place."""

from __future__ import annotations

from collections.abc import Sequence

import onnx_light.onnx as onnxl


def add_metadata(model: onnxl.ModelProto, key: str, value: str | None) -> None:
    """Sets a metadata entry, or removes it where the value is None (a key that is not there is no error)."""
    entries = model.metadata_props
    found = [entry for entry in entries if entry.key == key]
    if value is None:
        for entry in found:
            entries.remove(entry)
    elif found:
        found[0].value = value
        for entry in found[1:]:
            entries.remove(entry)
    else:
        entries.add(key=key, value=value)


def set_opset(model: onnxl.ModelProto, domain: str, version: int) -> None:
    """Sets the number of an opset import, adding it if it is missing. Nodes are not converted.

    Both names of the default domain mean the same. Raises ValueError for a number below 1 or beyond 63 bits.
    """
    if not 1 <= version < 2**63:
        raise ValueError(f"opset {version} of {domain or 'ai.onnx'!r}: versions start at 1 and have 63 bits")
    same = ("", "ai.onnx") if domain in ("", "ai.onnx") else (domain,)
    found = [entry for entry in model.opset_import if entry.domain in same]
    for entry in found:
        entry.version = version
    if not found:
        model.opset_import.add(domain="" if domain == "ai.onnx" else domain, version=version)


def set_dims(model: onnxl.ModelProto, name: str, dims: Sequence[int | str | None]) -> None:
    """Sets the shape of an input or output of the main graph.

    Args:
        model: changed.
        name: of the input or output.
        dims: a size, a name for one that is only known later, or None for one that nobody knows.

    Raises ValueError where no input or output has the name, where it is no tensor, and for a size that is negative or beyond 63 bits.
    """
    found = [value for value in (*model.graph.input, *model.graph.output) if value.name == name]
    if not found:
        raise ValueError(f"no input or output is called {name!r}")
    for dim in dims:
        if isinstance(dim, int) and dim < 0:
            raise ValueError(f"{name!r}: size {dim} is negative; a name stands for a size that is not known")
        if isinstance(dim, int) and dim >= 2**63:
            raise ValueError(f"{name!r}: size {dim} has more than 63 bits")
    for value in found:
        kind = value.type.WhichOneof("value")
        if kind not in ("tensor_type", "sparse_tensor_type"):
            raise ValueError(f"{name!r} is a {kind or 'value without a type'}, and has no shape")
        shape = getattr(value.type, kind).shape
        shape.ClearField("dim")
        shape.SetInParent()
        for dim in dims:
            added = shape.dim.add()
            if isinstance(dim, int):
                added.dim_value = dim
            elif dim is not None:
                added.dim_param = dim
