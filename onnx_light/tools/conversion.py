"""One layout of a model into another: formats, weights in the file or beside it, split, aligned, narrower."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import onnx_light.onnx as onnxl
from onnx_light.tools.leftovers import Leftovers, settle, weights_files
from onnx_light.tools.reading import STANDARD, Source, is_same_file, read, refuse_foreign_weights, refuse_to_overwrite, write

_THRESHOLD = 1024  # bytes


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
) -> Leftovers:
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
        progress: called with the number of bytes after each piece that is written, as `onnx_light.onnx.save` does, or that standard input
            gives.

    Returns:
        What became of weights files that the model had before it was converted in place: those that held nothing else are removed, unless
        another model of the folder reads them.

    Raises:
        ValueError: options that do not fit together, or a target that is the source.
        DecodeError, OSError: as in reading and writing; the target is as it was.
    """
    refuse_to_overwrite(target, source, inplace=inplace)
    layout = {"location": location, "split": split, "alignment": alignment, "attributes": attributes, "checksums": checksums}
    asked = [name for name, value in layout.items() if value] + ([] if one_file else ["a file for each weight"])
    if threshold is not None and weights is None:
        asked.append("threshold")
    to_stream = os.fspath(target) == STANDARD
    if external is None:
        external = os.fspath(source) != STANDARD and not to_stream and _has_external(source, source_format)
    if asked and not external:
        raise ValueError(f"{asked[0]} is about weights beside the model, and these go inside: ask for external ones (--external)")
    if external and to_stream:
        raise ValueError("standard output takes one file, not weights beside it")
    least = _THRESHOLD if threshold is None else threshold
    model = read(source, weights=True, format=source_format, progress=progress)
    if weights is not None:
        from onnx_light.tools.precision import store_weights_as

        store_weights_as(model, weights, threshold=least)
    keywords: dict[str, Any] = {}
    if external:
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
    write(model, target, format=format, progress=progress, **keywords)
    return settle(target, before, remove=True)


def _has_external(source: Source, format: str | None) -> bool:
    return bool(onnxl.list_external_data(read(source, format=format)))
