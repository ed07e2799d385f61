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
        among: whether what is printed meanwhile is for people too: where both go to one terminal, that is shown alone.
    """

    def __init__(self, what: str, total: int = 0, *, among: bool = False) -> None:
        self.begin(what, total)
        self._hidden = not is_shown() or (among and _is_one_terminal())
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._shown = False

    def begin(self, what: str, total: int = 0) -> None:
        """From now on it is this that is done, from its first byte on."""
        self.what, self.total, self.done = what, total, 0
        self._begun = time.monotonic()

    def add(self, size: int) -> None:
        """So many bytes more have been moved: what functions that take `progress=` call."""
        self.done += size

    def __enter__(self) -> Self:
        if not self._hidden:
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
        while not self._over.wait(wait):
            wait = _EVERY
            done = self.done
            line = f"{self.what} {bytes_text(done)}"
            if self.total:
                share = min(done / self.total, 1.0)
                bar = "#" * round(share * 30)
                line = f"{self.what} [{bar:<30}] {share:4.0%} of {bytes_text(self.total)}"
            line += f", {bytes_text(int(done / max(time.monotonic() - self._begun, 0.001)))}/s"
            sys.stderr.write(f"\r\033[K{line}")
            sys.stderr.flush()
            self._shown = True


def read(path: str, *, weights: bool = False, format: str | None = None) -> ModelProto:
    """As that of `onnx_light.tools`, with a line while standard input or a text is read."""
    from onnx_light.tools.reading import read

    with reading(path, format) as bar:
        return read(path, weights=weights, format=format, progress=bar.add)


def reading(path: str, format: str | None = None) -> Progress:
    """Of a command that reads a model; of files only texts take their time, and tell how far they are."""
    from onnx_light.tools.reading import is_text

    return of_file("reading", path) if is_text(path, format) else Progress("reading")


def of_file(what: str, path: str) -> Progress:
    """Of a command that reads all of a file."""
    return Progress(what, os.path.getsize(path) if is_shown() and os.path.isfile(path) else 0)


def is_shown() -> bool:
    return sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def _is_one_terminal() -> bool:
    try:
        return os.path.samestat(os.fstat(sys.stdout.fileno()), os.fstat(sys.stderr.fileno()))
    except (OSError, ValueError):  # not a file
        return False


def over_weights(what: str, model: ModelProto) -> Progress:
    """Of a command that reads all weights of a model."""
    if not is_shown():
        return Progress(what)
    from onnx_light.tools import walk

    return Progress(what, sum(walk.size_by_shape(tensor) or 0 for _, tensor, _ in walk.places(model)))


def writing(model: ModelProto, source: str, target: str, what: str = "writing") -> Progress:
    """Of a command that writes a model: to `target`, with the weights that are not at hand copied there from beside `source` where those
    are other folders."""
    from onnx_light.tools.reading import is_text

    if not is_shown() or is_text(target):
        return Progress(what)
    import onnx_light.onnx as onnxl

    total = model.ByteSize()
    if "-" not in (source, target) and os.path.dirname(os.path.abspath(source)) != os.path.dirname(os.path.abspath(target)):
        total += sum(entry.size for entry in onnxl.list_external_data(model))
    return Progress(what, total)
