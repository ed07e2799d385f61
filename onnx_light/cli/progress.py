"""A line on standard error about how far a command has got, by bytes, once it takes more than a second."""

from __future__ import annotations

import os
import sys
import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING

from onnx_light.cli.output import bytes_text

if TYPE_CHECKING:
    from typing_extensions import Self

    from onnx_light.onnx import ModelProto

_DELAY = 1.0  # seconds that pass in silence
_EVERY = 0.2


class Progress:
    """Shows what `add` was told while the block runs; nothing where standard error is no terminal.

    Args:
        what: the first word of the line.
        total: of how many bytes; 0 where nobody knows.
    """

    def __init__(self, what: str, total: int = 0) -> None:
        self.what, self.total, self.done = what, total, 0
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._shown = False

    def add(self, size: int) -> None:
        """So many bytes more have been moved: what functions that take `progress=` call."""
        self.done += size

    def __enter__(self) -> Self:
        if is_shown():
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
            done = self.done
            line = f"{self.what} {bytes_text(done)}"
            if self.total:
                share = min(done / self.total, 1.0)
                bar = "#" * round(share * 30)
                line = f"{self.what} [{bar:<30}] {share:4.0%} of {bytes_text(self.total)}"
            line += f", {bytes_text(int(done / (time.monotonic() - begin)))}/s"
            sys.stderr.write(f"\r\033[K{line}")
            sys.stderr.flush()
            self._shown = True


def read(path: str, *, weights: bool = False, format: str | None = None) -> ModelProto:
    """As that of `onnx_light.tools`, with a line while standard input is read."""
    from onnx_light.tools.reading import read

    with Progress("reading") as bar:
        return read(path, weights=weights, format=format, progress=bar.add)


def is_shown() -> bool:
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def over_weights(what: str, model: ModelProto) -> Progress:
    """Of a command that reads all weights of a model."""
    if not is_shown():
        return Progress(what)
    from onnx_light.tools import walk

    return Progress(what, sum(walk.size_by_shape(tensor) or 0 for _, tensor, _ in walk.places(model)))


def writing(model: ModelProto, source: str, target: str, what: str = "writing") -> Progress:
    """Of a command that writes a model: to `target`, with the weights that are not at hand copied there from beside `source` where those
    are other folders."""
    if not is_shown() or _is_text(target):
        return Progress(what)
    import onnx_light.onnx as onnxl

    total = model.ByteSize()
    if "-" not in (source, target) and os.path.dirname(os.path.abspath(source)) != os.path.dirname(os.path.abspath(target)):
        total += sum(entry.size for entry in onnxl.list_external_data(model))
    return Progress(what, total)


def of_file(what: str, path: str, target: str = "") -> Progress:
    """Of a command that reads a model, with the weights beside it, and writes about as much."""
    if not is_shown() or path == "-" or _is_text(target):
        return Progress(what)
    import onnx_light.onnx as onnxl

    size = os.path.getsize(path) if os.path.isfile(path) else 0
    try:
        return Progress(what, size + sum(entry.size for entry in onnxl.list_external_data(path)))
    except (onnxl.Error, ValueError, OSError):  # what is wrong with it is told by whoever reads it
        return Progress(what, size)


def _is_text(path: str) -> bool:
    """Whether a model goes there as text, whose size nobody knows before."""
    from onnx_light.onnx import serialization

    return serialization.registry.get_format_from_file_extension(os.path.splitext(path)[1]) not in (None, "protobuf", "encrypted")
