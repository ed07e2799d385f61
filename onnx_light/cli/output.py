"""What verbs print: tables for people, plain columns for pipes, JSON for machines. Colours only on a terminal, and never with NO_COLOR."""

from __future__ import annotations

import codecs
import dataclasses
import json
import math
import os
import sys
from collections.abc import Iterable, Sequence
from typing import IO, Any

_CODES = {"red": "31", "green": "32", "yellow": "33", "bold": "1", "dim": "2"}


def on_terminal() -> bool:
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def shows_colours() -> bool:
    return on_terminal() and not os.environ.get("NO_COLOR")


def plain(text: str, _: str) -> str:
    """What `paint` gives where no colours are shown."""
    return text


def paint(text: str, style: str) -> str:
    """The text in a colour, where colours are shown."""
    if not shows_colours():
        return text
    return f"\033[{_CODES[style]}m{text}\033[0m"


def print_json(value: Any) -> None:
    """Dataclasses as objects; NaN as null, infinities as text. All in ASCII: it passes any terminal and any pipe."""
    json.dump(_plain(value), sys.stdout, indent=2)
    print()


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value


def print_table(head: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int] = ()) -> None:
    """On a terminal a table (by `rich` where it is installed), else columns with a tab between, without a head.

    `right` are the columns of numbers.
    """
    rows = [[printable(cell) for cell in row] for row in rows]
    if not on_terminal():
        for row in rows:
            print("\t".join(row))
        return
    try:
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text
    except ImportError:
        _print_columns(head, rows, right)
        return
    table = Table(box=None, pad_edge=False)
    for i, name in enumerate(head):
        table.add_column(name, justify="right" if i in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console(no_color=bool(os.environ.get("NO_COLOR"))).print(table)


def _print_columns(head: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int]) -> None:
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    for row in (head, *rows):
        cells = (cell.rjust(width) if i in right else cell.ljust(width) for i, (cell, width) in enumerate(zip(row, widths, strict=False)))
        print("  ".join(cells).rstrip())


def printable(text: str) -> str:
    """Names come from files: what would steer a terminal, or break a line, is shown escaped."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def say(verb: str, text: str) -> None:
    """One line on standard error. Where it cannot go out, what the command does and its exit code stay the same."""
    if sys.stderr is None:
        return
    try:
        print(f"{f'onnx-light {verb}'.rstrip()}: {printable(text)}", file=sys.stderr)
    except OSError:
        discard(sys.stderr)


def discard(stream: IO[str]) -> None:
    """What is written there from now on goes nowhere, and so does what is still held back: the interpreter is not to try again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


class Escaping:
    """Where a text in UTF-8 is written to that is for a terminal: all but its line ends and tabs is shown as `printable` shows names."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")

    def __enter__(self) -> Escaping:
        return self

    def __exit__(self, *_: object) -> None:
        self._show(self._decoder.decode(b"", True))
        sys.stdout.flush()

    def write(self, data: bytes) -> int:
        self._show(self._decoder.decode(data))
        return len(data)

    def _show(self, text: str) -> None:
        sys.stdout.write("\n".join("\t".join(map(printable, line.split("\t"))) for line in text.split("\n")))


def bytes_text(size: int) -> str:
    """97.8 MiB; the exact number is in the JSON."""
    value = float(size)
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if value < 1024 or unit == "TiB":
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    raise AssertionError("the loop returns")


def count_text(count: int) -> str:
    return f"{count:,}"
