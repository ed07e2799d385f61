"""A line on standard error about how far a command has got, by bytes, once it takes more than a second."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

from onnx_light.cli.output import bytes_text

if TYPE_CHECKING:
    from typing_extensions import Self

    from onnx_light.onnx import ModelProto

_DELAY = 1.0  # seconds that pass in silence
_EVERY = 0.2


class Progress:
    """Shows what `done()` gives while the block runs; nothing where standard error is no terminal.

    Args:
        what: the first word of the line.
        done: how many bytes have been moved so far.
        total: of how many; None where nobody knows.
    """

    def __init__(self, what: str, done: Callable[[], int], total: int | None = None) -> None:
        self.what, self.done, self.total = what, done, total
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._shown = False

    def __enter__(self) -> Self:
        if sys.stderr is not None and sys.stderr.isatty():
            self._thread = threading.Thread(target=self._show, daemon=True)
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()
        if self._shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()

    def _show(self) -> None:
        wait = _DELAY
        begin = time.monotonic()
        while not self._over.wait(wait):
            wait = _EVERY
            done = self.done()
            line = f"{self.what} {bytes_text(done)}"
            if self.total:
                share = min(done / self.total, 1.0)
                bar = "#" * round(share * 30)
                line = f"{self.what} [{bar:<30}] {share:4.0%} of {bytes_text(self.total)}"
            line += f", {bytes_text(int(done / (time.monotonic() - begin)))}/s"
            sys.stderr.write(f"\r\033[K{line}")
            sys.stderr.flush()
            self._shown = True


def bytes_moved() -> int:
    """What this process has read and written so far, by the kernel's count; 0 where it does not tell."""
    try:
        with open("/proc/self/io") as file:
            fields = dict(line.split(": ") for line in file.read().splitlines())
        return max(int(fields["wchar"]), int(fields["write_bytes"]))
    except (OSError, KeyError, ValueError):
        return 0


class Reading(Progress):
    """Of a command that reads the weights of a model piece by piece, and tells each to `add`."""

    def __init__(self, what: str, model: ModelProto) -> None:
        self._read = 0
        total = None
        if sys.stderr is not None and sys.stderr.isatty():
            from onnx_light.tools import walk

            total = sum(walk.size_by_shape(tensor) or 0 for _, tensor, _ in walk.places(model))
        super().__init__(what, lambda: self._read, total)

    def add(self, size: int) -> None:
        self._read += size


def while_writing(what: str, *sources: str | os.PathLike[str]) -> Progress:
    """Of a command that reads these files and writes about as much."""
    start = bytes_moved()
    total = sum(map(_size, sources)) if sys.stderr is not None and sys.stderr.isatty() else 0
    return Progress(what, lambda: bytes_moved() - start, total or None)


def _size(source: str | os.PathLike[str]) -> int:
    """Bytes of a model's file and of the weights beside it; 0 where that is not known."""
    import onnx_light.onnx as onnxl

    if os.fspath(source) == "-" or not os.path.isfile(source):
        return 0
    size = os.path.getsize(source)
    try:
        return size + sum(entry.size for entry in onnxl.list_external_data(source))
    except (onnxl.Error, ValueError, OSError):  # what is wrong with it is told by whoever reads it
        return size
