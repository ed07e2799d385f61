"""Weights files that a model has left behind: saved in place with its weights inside, or under another name."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

import onnx_light.onnx as onnxl
from onnx_light.onnx_py._onnxpy import files as _files
from onnx_light.tools.reading import Source, read

_MOST_GAPS = 64 << 20  # bytes between weights that are looked at
_PIECE = 1 << 20


@dataclass
class Leftovers:
    """Files beside a model that it referred to before it was saved, and does not any more. Names are relative to its folder."""

    removed: list[str] = field(default_factory=list)  # nothing else was in them, and no other model of the folder reads them
    left: dict[str, str] = field(default_factory=dict)  # with the reason

    def __bool__(self) -> bool:
        return bool(self.removed or self.left)


Ranges = list[tuple[int, int]]  # of the weights in a file: where each begins and ends


def weights_files(path: Source) -> dict[str, Ranges]:
    """The files that the model at a path keeps weights in. Empty where there is no model, or its references make no sense."""
    ranges: dict[str, Ranges] = {}
    try:
        for entry in onnxl.list_external_data(read(path)):
            ranges.setdefault(entry.location, []).append((entry.offset, entry.offset + entry.size))
    except (onnxl.Error, ValueError, OSError):
        return {}
    return ranges


def _is_all(path: str, ranges: Ranges) -> bool:
    """Whether a file has nothing else in it but zeros between the weights."""
    try:
        with open(path, "rb") as file:
            size = file.seek(0, os.SEEK_END)
            gaps, end = [], 0
            for start, stop in sorted([*ranges, (size, size)]):
                if start > end:
                    gaps.append((end, start))
                end = max(end, stop)
            if end != size or sum(stop - start for start, stop in gaps) > _MOST_GAPS:
                return False
            for start, stop in gaps:
                file.seek(start)
                while start < stop:
                    piece = file.read(min(_PIECE, stop - start))
                    if not piece or any(piece):
                        return False
                    start += len(piece)
        return True
    except OSError:
        return False


def settle(path: Source, before: dict[str, Ranges], *, remove: bool) -> Leftovers:
    """What became of the weights files of a model that has been saved again.

    Args:
        path: of the model.
        before: as `weights_files` gave it before the save.
        remove: files that held its weights alone, and that no model of the folder reads now, go.

    Raises OSError where a file cannot be removed.
    """
    result = Leftovers()
    folder = os.path.dirname(os.path.abspath(path))
    unread = []
    for location, ranges in before.items():
        file = os.path.join(folder, location)
        reader = _files.reader_of_weights(path, location)
        if not os.path.exists(file) or reader == os.path.basename(path):
            continue
        result.left[location] = f"{reader} reads it" if reader else "no model here reads it now"
        if remove and not reader and _is_all(file, ranges):
            unread.append(location)
    if unread:
        result.removed = _files.remove_unread_weights(path, unread)
    for location in result.removed:
        del result.left[location]
    return result
