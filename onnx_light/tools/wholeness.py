"""Whether every byte of every tensor is there, and as many as its shape says. Needs no operator knowledge and reads no weights."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, cast

import onnx_light.onnx as onnxl
from onnx_light.tools import walk
from onnx_light.tools.reading import STANDARD, read


@dataclass
class ExternalFile:
    """A file that tensors refer to."""

    location: str  # as the model says it, relative to its folder
    tensors: int
    bytes: int  # of all ranges; tensors that share a range count each
    end: int  # where the last range ends
    size: int | None  # of the file; None where it is missing
    state: str  # "ok", "missing", "too short", or why it is refused


@dataclass
class Problem:
    """Something that is not there, or not as long as it has to be."""

    place: str  # "graph.initializer[3]", or the file
    name: str
    text: str

    def __str__(self) -> str:
        where = f"{self.place}" + (f" {self.name!r}" if self.name else "")
        return f"{where}: {self.text}" if where else self.text


def references(model: onnxl.ModelProto) -> tuple[list[onnxl.ExternalDataRange], list[Problem]]:
    """Where a model's tensors lie in other files, in order, and the references that make no sense: no location, negative numbers, a length
    that contradicts the shape, or a location outside of the model's folder. Opens no file."""
    try:
        return onnxl.list_external_data(model), []
    except ValueError:  # one makes no sense: each is looked at by itself
        found = [_reference(place, tensor) for place, tensor, _ in walk.places(model) if walk.is_external(tensor)]
    return [each for each in found if not isinstance(each, Problem)], [each for each in found if isinstance(each, Problem)]


def _reference(place: str, tensor: onnxl.TensorProto) -> onnxl.ExternalDataRange | Problem:
    try:
        (entry,) = onnxl.list_external_data(cast(Any, tensor))  # any message will do
    except ValueError as error:
        return Problem(place, walk.text(tensor.name), str(error))
    return entry._replace(place=place)


def external_files(entries: Iterable[onnxl.ExternalDataRange], path: str | os.PathLike[str]) -> list[ExternalFile]:
    """The files that these are in, in order of first mention, with their sizes. Opens none of them for reading."""
    files: dict[str, ExternalFile] = {}
    for entry in entries:
        file = files.setdefault(entry.location, ExternalFile(entry.location, 0, 0, 0, None, "missing"))
        file.tensors += 1
        file.bytes += entry.size
        file.end = max(file.end, entry.offset + entry.size)
    for file in files.values():
        try:
            file.size = walk.external_file_size(path, file.location)
        except FileNotFoundError:
            continue
        except (OSError, ValueError) as error:
            file.state = str(error)
            continue
        file.state = "ok" if file.size >= file.end else "too short"
    return list(files.values())


def verify(path: str | os.PathLike[str], *, format: str | None = None, progress: Callable[[int], object] | None = None) -> list[Problem]:
    """Every fault of a model's payloads: files that are missing, refused or too short, references that make no sense, and elements whose
    number or size is not what shape and type say. An empty list means that each tensor is whole. `format` and `progress` are as `read`
    takes them.

    Raises DecodeError where the file holds no model, and OSError where it cannot be read.
    """
    model = read(path, format=format, progress=progress)
    entries, problems = references(model)
    for place, tensor, _ in walk.places(model):
        if not walk.is_external(tensor):
            problems += _inline_problem(place, tensor)
    if entries and os.fspath(path) == STANDARD:
        raise ValueError("standard input has no folder in which its weights could be looked for")
    ranges: dict[str, list[tuple[int, str, str]]] = {}
    for entry in entries:
        ranges.setdefault(entry.location, []).append((entry.offset + entry.size, entry.place, walk.text(entry.tensor.name)))
    for location, ends in ranges.items():
        problems += _file_problems(path, location, ends)
    return problems


def _inline_problem(place: str, tensor: onnxl.TensorProto) -> list[Problem]:
    name = walk.text(tensor.name)
    if any(dim < 0 for dim in tensor.dims):
        return [Problem(place, name, f"shape {walk.shape_text(tensor.dims)} has a negative dimension")]
    kind = walk.type_name(tensor.data_type)
    if tensor.data_type == onnxl.TensorProto.STRING:
        wanted, found, unit = walk.element_count(tensor), len(tensor.string_data), "strings"
        if wanted == found:
            return []
    else:
        if walk.element_count(tensor) == 0 and not walk.has_elements(tensor):
            return []
        if walk.bytes_of(tensor) is not None:
            return []
        by_shape = walk.size_by_shape(tensor)
        if by_shape is None:
            return [Problem(place, name, f"type {kind} with shape {walk.shape_text(tensor.dims)} has no size")]
        wanted, found, unit = by_shape, len(tensor.raw_data), "bytes"
        if not tensor.HasField("raw_data"):
            text = "its elements are not" if walk.has_elements(tensor) else "it has no elements:"
            return [Problem(place, name, f"{text} what shape {walk.shape_text(tensor.dims)} of type {kind} asks for")]
    return [Problem(place, name, f"shape {walk.shape_text(tensor.dims)} of type {kind} asks for {wanted} {unit}, there are {found}")]


def _file_problems(path: str | os.PathLike[str], location: str, ends: list[tuple[int, str, str]]) -> list[Problem]:
    try:
        size = walk.external_file_size(path, location)
    except FileNotFoundError:
        return [Problem(location, "", f"the file is missing; {len(ends)} tensors are in it")]
    except (OSError, ValueError) as error:
        return [Problem(location, "", f"the file is refused: {error}")]
    return [Problem(place, name, f"ends at byte {end} of {location!r}, which has {size}") for end, place, name in ends if end > size]
