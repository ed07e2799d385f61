"""Models from files, or from standard input, and back: with or without their weights, never over a file that is read unless told so."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import onnx_light.onnx as onnxl
from onnx_light.onnx import serialization
from onnx_light.onnx_py._onnxpy import files as _files

_PIECE = 1 << 20
STANDARD = "-"  # standard input or output, where a path is asked for
Source = str | os.PathLike[str]


def read(
    source: Source,
    *,
    weights: bool = False,
    format: str | None = None,
    progress: Callable[[int], object] | None = None,
) -> onnxl.ModelProto:
    """The model in a file.

    Args:
        source: a path, or "-" for standard input.
        weights: whether payloads in other files are to be at hand. Either way payloads are mapped, not read: a model of any size opens at
            once, and only what is looked at comes from the disk.
        format: as for `onnx_light.onnx.load`; None picks it by the extension, and the binary one for standard input.
        progress: called with the number of bytes after each piece that standard input gives, or that is read of a file that holds text.

    Raises:
        DecodeError: the file does not hold a model.
        OSError, ValueError: a file is missing or refused.
    """
    try:
        if os.fspath(source) == STANDARD:
            return onnxl.load(read_bytes(progress=progress), format=format or "protobuf", load_external_data=weights, no_copy=True)
        return onnxl.load(
            source,
            format=format,
            load_external_data=weights,
            no_copy=True,
            file_load_mode=onnxl.FileLoadMode.MMAP,
            progress=progress,
        )
    except onnxl.DecodeError as error:
        raise _naming(source, error) from None


def load_weights(model: onnxl.ModelProto, source: Source) -> None:
    """Maps the payloads in other files of a model that was read from a path without them. Raises OSError, ValueError."""
    options = onnxl.ParseOptions()
    options.no_copy = True
    _files.load_external_data(model, os.fspath(source), options, is_model_path=True)


def is_text(path: Source, format: str | None = None) -> bool:
    """Whether a model in a format, or at a path whose extension tells it, is text."""
    if format is None and os.fspath(path) == STANDARD:
        return False
    return isinstance(serialization.other_than_protobuf(format, path), serialization.TextSerializer)


def _naming(source: Source, error: onnxl.DecodeError) -> onnxl.DecodeError:
    """The error, which begins with the name of the file."""
    text = str(error)
    name = "standard input" if os.fspath(source) == STANDARD else os.fspath(source)
    for prefix in (f"{os.fspath(source)!r}: ", "the bytes: "):
        text = text.removeprefix(prefix)
    named = type(error)(f"{name}: {text}")
    vars(named).update(vars(error))  # the line and the column of a text
    return named


def is_same_file(a: Source, b: Source) -> bool:
    """Whether two paths lead to one file, by whatever names."""
    if STANDARD in (os.fspath(a), os.fspath(b)):
        return False
    return os.path.exists(a) and os.path.exists(b) and os.path.samefile(a, b)


def refuse_to_overwrite(target: Source, *models: Source, inplace: bool | None, also: Source | None = None) -> None:
    """Raises ValueError where a target is, by whatever name, a file that is read.

    Args:
        target: a path or "-".
        models: what is read. They may not be the target unless `inplace` says that this is meant (None: where nobody can mean it); the
            files that they, or other models in the target's folder, have weights in may never be.
        also: another file that is read.
    """
    if os.fspath(target) == STANDARD or not os.path.isfile(target):  # a pipe or device is not replaced
        return
    hint = "" if inplace is None else ", or say --inplace"
    for model in models:
        if is_same_file(model, target):
            if not inplace:
                raise ValueError(f"{os.fspath(target)!r} is the file that is read: choose another{hint}")
        elif any(is_same_file(file, target) for file in _weights_of(model)):
            raise ValueError(f"{os.fspath(target)!r} has weights of {os.fspath(model)!r}: choose another")
    if not any(is_same_file(model, target) for model in models) and (reader := _reader_of(target)):
        raise ValueError(f"{os.fspath(target)!r} has weights of {reader!r}: choose another")
    if also is not None and is_same_file(also, target):
        raise ValueError(f"{os.fspath(target)!r} is a file that is read: choose another")


def refuse_foreign_weights(target: Source, location: str | None, *, split: bool = False) -> None:
    """Raises ValueError where saving a model with its weights beside it would take the place of a file that the model which is replaced
    does not refer to. (What other models of the folder read, saving itself refuses to replace.)"""
    path = Path(os.fspath(target))
    weights = path.parent / (location or f"{path.name}.data")
    wanted = [weights] if weights.exists() else []
    if split and weights.parent.is_dir():
        start = f"{weights.name}."
        wanted += [file for file in weights.parent.iterdir() if file.name.startswith(start) and file.name[len(start) :].isdecimal()]
    own = _weights_of(target) if wanted else []
    for file in wanted:
        if not any(os.path.samefile(file, each) for each in own):
            raise ValueError(f"{os.fspath(file)!r} exists and is not of {path.name!r}: choose another --location, or remove it")


def _reader_of(target: Source) -> str:
    """The name of a model in the folder of a file that has weights in it, or ""."""
    path = os.fspath(target)
    try:
        return str(_files.reader_of_weights(path, os.path.basename(path)))
    except ValueError:  # no location can be called so
        return ""


def _weights_of(model: Source) -> list[Path]:
    """The files that the model at a path, if there is one, has weights in. What can be read once only is not read."""
    if os.fspath(model) == STANDARD or not os.path.isfile(model):
        return []
    try:
        entries = onnxl.list_external_data(read(model))
    except (onnxl.Error, ValueError, OSError):
        return []
    folder = Path(os.fspath(model)).parent
    return [file for file in {folder / entry.location for entry in entries} if file.exists()]


def write_beside(model: onnxl.ModelProto, source: Source, target: Source, *, progress: Callable[[int], object] | None = None) -> None:
    """Writes a model that was read without its weights. In its own folder its references stay good, and are shared with the source; in
    another folder its weights are copied to a file named after the target. Standard output takes none: read it with its weights then."""
    if STANDARD in (os.fspath(source), os.fspath(target)) or not onnxl.list_external_data(model):
        write(model, target, progress=progress)
        return
    here, there = (Path(os.path.abspath(path)).parent for path in (source, target))
    if os.path.samefile(here, there):
        write(model, target, progress=progress)
        return
    refuse_foreign_weights(target, None)
    write(model, target, progress=progress, base_dir=os.fspath(here), save_as_external_data=True)


def write(
    model: onnxl.ModelProto,
    target: Source,
    *,
    format: str | None = None,
    progress: Callable[[int], object] | None = None,
    **keywords: Any,
) -> None:
    """Writes a model to a path, atomically, or to standard output ("-").

    Args:
        model: stays as it is.
        target: a path or "-".
        format: as for `onnx_light.onnx.save`.
        progress: called with the number of bytes after each piece that is written, as `onnx_light.onnx.save` does.
        **keywords: of `onnx_light.onnx.save`, for paths only.

    Raises:
        OSError: the file cannot be written; one that was there before is as it was.
        ValueError: the format is not known, or a keyword makes no sense.
    """
    if os.fspath(target) == STANDARD:
        with standard_output() as output:
            onnxl.save(model, output, format=format or "protobuf", progress=progress)
    else:
        onnxl.save(model, target, format=format, progress=progress, **keywords)


def read_bytes(*, progress: Callable[[int], object] | None = None) -> bytes:
    """All of standard input. Raises OSError where it is closed."""
    if sys.stdin is None:
        raise OSError("standard input is closed")
    pieces = []
    while piece := sys.stdin.buffer.read(_PIECE):
        pieces.append(piece)
        if progress is not None:
            progress(len(piece))
    return b"".join(pieces)


@contextmanager
def standard_output() -> Iterator[IO[bytes]]:
    """Where bytes are written to. Raises OSError where it is closed, or does not take all of them."""
    if sys.stdout.name == os.devnull:  # which stands for one that was closed
        raise OSError("standard output is closed")
    yield sys.stdout.buffer
    sys.stdout.buffer.flush()
