"""One layout of a model into another: formats, weights in the file or beside it, split, aligned, narrower."""

from __future__ import annotations

import os
from typing import Any

import onnx_light.onnx as onnxl
from onnx_light.tools.reading import STANDARD, Source, read, refuse_foreign_weights, refuse_to_overwrite, write


def convert(
    source: Source,
    target: Source,
    *,
    format: str | None = None,
    external: bool | None = None,
    location: str | None = None,
    one_file: bool = True,
    split: int | None = None,
    alignment: int = 0,
    threshold: int = 1024,
    attributes: bool = False,
    checksums: bool = False,
    weights: str | None = None,
    inplace: bool = False,
    durable: bool = False,
) -> None:
    """Writes a model in another form. Payloads go from file to file: memory does not grow with them.

    Args:
        source: the model that is read; "-" is standard input.
        target: where it goes; "-" is standard output.
        format: of the target; None picks it by the extension.
        external: whether weights go to files beside the target. None leaves what is inside inside, and what is beside beside.
        location: the name of the weights file; None makes it from the target's name.
        one_file: all weights to one file, or each to its own.
        split: bytes a weights file may have; further ones are called location.1, location.2, …
        alignment: each weight starts at a multiple of this in its file.
        threshold: weights below so many bytes stay in the model.
        attributes: tensors in attributes go to files as well.
        checksums: each reference gets the SHA-1 of its file.
        weights: "float16" or "bfloat16" stores FLOAT weights so (see `store_weights_as`).
        inplace: the target may be the source.
        durable: the call returns when all is on the disk.

    Raises:
        ValueError: options that do not fit together, or a target that is the source.
        DecodeError, OSError: as in reading and writing; the target is as it was.
    """
    refuse_to_overwrite(target, source, inplace=inplace)
    beside = any(value for value in (location, split, alignment, checksums, attributes)) or not one_file
    if external is False and beside:
        raise ValueError("location, split, alignment, checksums, attributes and a file for each weight are about external weights")
    if os.fspath(target) == STANDARD and (external or beside):
        raise ValueError("standard output takes one file, not weights beside it")
    model = read(source, weights=True)
    if weights is not None:
        from onnx_light.tools.precision import store_weights_as

        store_weights_as(model, weights, threshold=threshold)
    if external is None:
        external = beside or (os.fspath(source) != STANDARD and os.fspath(target) != STANDARD and _has_external(source))
    keywords: dict[str, Any] = {}
    if external:
        refuse_foreign_weights(target, location, source)
        keywords = {
            "save_as_external_data": True,
            "all_tensors_to_one_file": one_file,
            "location": location,
            "size_threshold": threshold,
            "convert_attribute": attributes,
            "max_external_file_size": split or 0,
            "alignment": alignment,
            "checksum": checksums,
        }
    if durable:
        keywords["durable"] = True
    write(model, target, format=format, **keywords)


def _has_external(source: Source) -> bool:
    return bool(onnxl.list_external_data(read(source)))
