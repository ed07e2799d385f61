"""Arguments that several verbs have, and sizes as people write them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

_UNITS = {"": 1, "k": 1000, "m": 1000**2, "g": 1000**3, "ki": 1 << 10, "mi": 1 << 20, "gi": 1 << 30, "t": 1000**4, "ti": 1 << 40}
FORMATS = ("protobuf", "textproto", "json", "onnxtxt")


def size(text: str) -> int:
    """4096, 64KiB, 2GB: a number of bytes. Raises argparse.ArgumentTypeError."""
    digits = text.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
    unit = text[len(digits) :].strip().lower().removesuffix("b")
    try:
        value = float(digits) * _UNITS[unit]
    except (ValueError, KeyError):
        raise argparse.ArgumentTypeError(f"{text!r} is no size: 4096, 64KiB, 2GB") from None
    if not 0 <= value < 2**63 or value != int(value):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of bytes")
    return int(value)


def number(text: str) -> int:
    """A number of 64 bits, as messages have them. Raises argparse.ArgumentTypeError."""
    try:
        value = int(text)
    except ValueError:
        value = 2**63
    if not -(2**63) <= value < 2**63:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of 64 bits")
    return value


def distance(text: str) -> float:
    """How far numbers may be apart. Raises argparse.ArgumentTypeError."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not value >= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 on")
    return value


def pair(text: str) -> tuple[str, str]:
    """name=value. Raises argparse.ArgumentTypeError."""
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise argparse.ArgumentTypeError(f"{text!r}: write name=value")
    return name, value


def add_model(parser: argparse.ArgumentParser, name: str = "model") -> None:
    parser.add_argument(name, metavar=name.upper(), help="a path, or - for standard input")


def once(paths: Sequence[str]) -> None:
    """Raises ValueError where standard input would be read twice."""
    if list(paths).count("-") > 1:
        raise ValueError("standard input (-) can be read once only")


def add_format(parser: argparse.ArgumentParser, flag: str = "--format", what: str = "of the model that is read") -> None:
    parser.add_argument(flag, choices=FORMATS, help=f"{what}; by default the extension tells")


def add_output(parser: argparse.ArgumentParser, *, inplace: bool = True) -> None:
    parser.add_argument("-o", "--output", metavar="FILE", help="where the result goes; - for standard output")
    if inplace:
        parser.add_argument("--inplace", action="store_true", help="write over the model that is read (whole, or not at all)")


def output_of(options: argparse.Namespace, source: str) -> str:
    """Where the result goes. Raises ValueError where nothing says so."""
    if options.output is not None:
        if getattr(options, "inplace", False):
            raise ValueError("-o and --inplace both say where the result goes: say one of them")
        return str(options.output)
    if getattr(options, "inplace", False):
        if source == "-":
            raise ValueError("--inplace needs a file, not standard input")
        return source
    raise ValueError("say where the result goes: -o FILE" + (", or --inplace" if hasattr(options, "inplace") else ""))
