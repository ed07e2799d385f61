"""One layout of a model into another: formats, weights in the file or beside it, split, aligned, narrower."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import onnx_light.onnx as onnxl
from onnx_light.tools import walk
from onnx_light.tools.leftovers import Leftovers, settle, weights_files
from onnx_light.tools.reading import (
    STANDARD,
    Source,
    is_same_file,
    is_text,
    load_weights,
    read,
    refuse_foreign_weights,
    refuse_to_overwrite,
    write,
)

_THRESHOLD = 1024  # bytes


@dataclass
class Conversion(Leftovers):
    """What became of the weights: of files that the model had before it was converted in place (those that held nothing else are removed,
    unless another model of the folder reads them), and of weights that were to be narrower."""

    wide: list[str] = field(default_factory=list)  # the names of those that stayed FLOAT, as in `Narrowing`


def convert(
    source: Source,
    target: Source,
    *,
    source_format: str | None = None,
    format: str | None = None,
    external: bool | None = None,
    location: str | None = None,
    one_file: bool = True,
    split: int | None = None,
    alignment: int = 0,
    threshold: int | None = None,
    attributes: bool = False,
    checksums: bool = False,
    weights: str | None = None,
    inplace: bool = False,
    durable: bool = False,
    progress: Callable[[int], object] | None = None,
    before_writing: Callable[[int], object] | None = None,
) -> Conversion:
    """Writes a model in another form. Payloads go from file to file: memory does not grow with them.

    Args:
        source: the model that is read; "-" is standard input.
        target: where it goes; "-" is standard output.
        source_format: of the source; None picks it by the extension, and the binary one for standard input.
        format: of the target, likewise.
        external: whether weights go to files beside the target. None leaves what is inside inside, and what is beside beside. What
            follows, up to `checksums`, is about weights beside the target, and needs it for a model that has none there yet.
        location: the name of the weights file; None makes it from the target's name.
        one_file: all weights to one file, or each to its own.
        split: bytes a weights file may have; further ones are called location.1, location.2, …
        alignment: each weight starts at a multiple of this in its file.
        threshold: weights below so many bytes stay in the model, or with `weights` as they are; 1024 if it is not given.
        attributes: tensors in attributes go to files as well.
        checksums: each reference gets the SHA-1 of its file.
        weights: "float16" or "bfloat16" stores FLOAT weights so (see `store_weights_as`).
        inplace: the target may be the source.
        durable: the call returns when all is on the disk.
        progress: called with the number of bytes after each piece that is read, as `read` does, and then that is written, as
            `onnx_light.onnx.save` does.
        before_writing: called between the two, with how many bytes will be written but for the references to weights outside, or 0 where
            that shows only then: of text.

    Returns:
        What became of the weights.

    Raises:
        ValueError: options that do not fit together, or a target that is the source.
        DecodeError, OSError: as in reading and writing; the target is as it was.
    """
    refuse_to_overwrite(target, source, inplace=inplace)
    layout = {"location": location, "split": split, "alignment": alignment, "attributes": attributes, "checksums": checksums}
    asked = [name for name, value in layout.items() if value] + ([] if one_file else ["a file for each weight"])
    if threshold is not None and weights is None:
        asked.append("threshold")
    if not one_file and (location or split):
        raise ValueError("with a file for each weight there is none to name or to split")
    to_stream = os.fspath(target) == STANDARD
    model = None
    if external is None and (to_stream or os.fspath(source) == STANDARD):
        external = False
    elif external is None:
        model = read(source, format=source_format, progress=progress)
        external = bool(onnxl.list_external_data(model))
    if asked and not external:
        raise ValueError(f"{asked[0]} is about weights beside the model, and these go inside: ask for external ones (--external)")
    if external and to_stream:
        raise ValueError("standard output takes one file, not weights beside it")
    least = _THRESHOLD if threshold is None else threshold
    if model is None:
        model = read(source, format=source_format, progress=progress)
    if os.fspath(source) != STANDARD:
        load_weights(model, source)
    wide: list[str] = []
    if weights is not None:
        from onnx_light.tools.precision import store_weights_as

        wide = store_weights_as(model, weights, threshold=least).wide
    keywords: dict[str, Any] = {}
    if external:
        if one_file:  # saving itself refuses to replace what nobody has named
            refuse_foreign_weights(target, location, split=bool(split))
        keywords = {
            "save_as_external_data": True,
            "all_tensors_to_one_file": one_file,
            "location": location,
            "size_threshold": least,
            "convert_attribute": attributes,
            "max_external_file_size": split or 0,
            "alignment": alignment,
            "checksum": checksums,
        }
    if durable:
        keywords["durable"] = True
    before = weights_files(target) if is_same_file(source, target) else {}
    if before_writing is not None:
        before_writing(0 if is_text(target, format) else model.ByteSize() + (_padding(model, least, alignment) if external else 0))
    write(model, target, format=format, progress=progress, **keywords)
    leftovers = settle(target, before, remove=True)
    return Conversion(leftovers.removed, leftovers.left, wide)


def _padding(model: onnxl.ModelProto, threshold: int, alignment: int) -> int:
    """About how many bytes lie between weights that are aligned."""
    if alignment < 2:
        return 0
    sizes = (walk.size_by_shape(tensor) or 0 for _, tensor, _ in walk.places(model))
    return sum(-size % alignment for size in sizes if size >= threshold)
