"""Models from files, or from standard input, and back: with or without their weights, never over a file that is read unless told so."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import onnx_light.onnx as onnxl

STANDARD = "-"  # standard input or output, where a path is asked for
Source = str | os.PathLike[str]


def read(source: Source, *, weights: bool = False, format: str | None = None) -> onnxl.ModelProto:
    """The model in a file.

    Args:
        source: a path, or "-" for standard input.
        weights: whether payloads in other files are to be at hand. Either way payloads are mapped, not read: a model of any size opens at
            once, and only what is looked at comes from the disk.
        format: as for `onnx_light.onnx.load`; None picks it by the extension, and the binary one for standard input.

    Raises:
        DecodeError: the file does not hold a model.
        OSError, ValueError: a file is missing or refused.
    """
    if os.fspath(source) == STANDARD:
        return onnxl.load(sys.stdin.buffer.read(), format=format or "protobuf", load_external_data=weights, no_copy=True)
    return onnxl.load(source, format=format, load_external_data=weights, no_copy=True, file_load_mode=onnxl.FileLoadMode.MMAP)


def refuse_to_overwrite(target: Source, *sources: Source, inplace: bool) -> None:
    """Raises ValueError where a target is one of the sources by whatever name, unless `inplace` says that this is meant."""
    if inplace or os.fspath(target) == STANDARD or not Path(target).exists():
        return
    for source in sources:
        if os.fspath(source) != STANDARD and Path(source).exists() and os.path.samefile(source, target):
            raise ValueError(f"{os.fspath(target)!r} is the file that is read: choose another, or say --inplace")


def refuse_foreign_weights(target: Source, location: str | None, *sources: Source) -> None:
    """Raises ValueError where saving a model with its weights beside it would take the place of a file that is not its own: one that a
    source reads, or one that the model that is replaced does not refer to."""
    path = Path(os.fspath(target))
    weights = path.parent / (location or f"{path.name}.data")
    if not weights.exists():
        return
    owner = _reads(path, weights)
    if not owner:
        raise ValueError(f"{os.fspath(weights)!r} exists and is not of {path.name!r}: choose another --location, or remove it")
    for source in sources:
        if os.fspath(source) != STANDARD and not (path.exists() and os.path.samefile(source, path)) and _reads(Path(source), weights):
            raise ValueError(f"{os.fspath(weights)!r} is read by {os.fspath(source)!r} as well: choose another --location")


def _reads(model: Path, weights: Path) -> bool:
    """Whether the model at a path, if there is one, has weights in a file."""
    if not model.exists():
        return False
    try:
        entries = onnxl.list_external_data(read(model))
    except (onnxl.Error, ValueError, OSError):
        return False
    files = {model.parent / entry.location for entry in entries}
    return any(file.exists() and os.path.samefile(file, weights) for file in files)


def write_beside(model: onnxl.ModelProto, source: Source, target: Source) -> None:
    """Writes a model that was read without its weights. In its own folder its references stay good, and are shared with the source; in
    another folder its weights are copied to a file named after the target. Standard output takes none: read it with its weights then."""
    if STANDARD in (os.fspath(source), os.fspath(target)) or not onnxl.list_external_data(model):
        write(model, target)
        return
    here, there = (Path(os.path.abspath(path)).parent for path in (source, target))
    if os.path.samefile(here, there):
        write(model, target)
        return
    refuse_foreign_weights(target, None, source)
    write(model, target, base_dir=os.fspath(here), save_as_external_data=True)


def write(model: onnxl.ModelProto, target: Source, *, format: str | None = None, **keywords: Any) -> None:
    """Writes a model to a path, atomically, or to standard output ("-").

    Args:
        model: stays as it is.
        target: a path or "-".
        format: as for `onnx_light.onnx.save`.
        **keywords: of `onnx_light.onnx.save`, for paths only.

    Raises:
        OSError: the file cannot be written; one that was there before is as it was.
        ValueError: the format is not known, or a keyword makes no sense.
    """
    if os.fspath(target) == STANDARD:
        onnxl.save(model, sys.stdout.buffer, format=format or "protobuf")
        sys.stdout.buffer.flush()
    else:
        onnxl.save(model, target, format=format, **keywords)
