"""onnx-light diff."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from onnx_light.cli.arguments import add_format, add_model, distance, once

if TYPE_CHECKING:
    from collections.abc import Callable

    from onnx_light.tools.changes import Change

HELP = "what differs between two models; exit code 0: nothing, 1: something, 2: an error"
EXAMPLE = """
onnx-light diff before.onnx after.onnx
onnx-light diff --ignore name --ignore doc --atol 1e-6 a.onnx b.onnx
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser, "a")
    add_model(parser, "b")
    add_format(parser, what="of both models")
    parser.add_argument("--no-weights", action="store_true", help="compare type and shape of weights only, without reading them")
    parser.add_argument("--atol", type=distance, default=0.0, metavar="X", help="weights may differ by so much")
    parser.add_argument("--rtol", type=distance, default=0.0, metavar="X", help="... or by this part of the larger value")
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="KIND",
        help="model, opset, metadata, function, input, output, value, node, attribute, name, doc or weight; may be repeated",
    )
    parser.add_argument("-q", "--brief", action="store_true", help="only how many differences of each kind")


def run(options: argparse.Namespace) -> int:
    import gc

    collects = gc.isenabled()
    gc.disable()  # changes are all kept until they are printed: there is nothing to collect
    try:
        return _compare(options)
    finally:
        if collects:
            gc.enable()


def _compare(options: argparse.Namespace) -> int:
    from onnx_light.cli.output import paint, plain, print_json, shows_colours
    from onnx_light.cli.progress import over_weights, read
    from onnx_light.tools.difference import compare

    once((options.a, options.b))
    weights = not options.no_weights
    a, b = (read(path, weights=weights, format=options.format) for path in (options.a, options.b))
    with over_weights("comparing", a) as bar:
        found = compare(a, b, ignore=options.ignore, weights=weights, absolute=options.atol, relative=options.rtol, progress=bar.add)
    if options.json:
        print_json({"counts": found.counts(), "changes": found.changes})
    elif options.brief:
        for kind, count in found.counts().items():
            print(f"{kind}\t{count}")
    else:
        show = paint if shows_colours() else plain
        for change in found.changes:
            print(_text(change, show))
        if found:
            print(", ".join(f"{count} {kind}" for kind, count in found.counts().items()))
    return 1 if found else 0


def _text(change: Change, show: Callable[[str, str], str]) -> str:
    from onnx_light.cli.output import printable

    place = show(f" ({printable(change.place)})", "dim") if change.place else ""
    text = f"{show(change.kind, 'bold')} {printable(change.what)}{place}"
    if change.largest is not None:
        far = change.largest
        how_far = f"by at most {far.absolute:.6g} (relative {far.relative:.6g}), most at {far.at}"
        return f"{text}\n    {printable(str(change.a))}: {far.elements:,} elements differ, {how_far}"
    if change.a is not None:
        text += "\n" + show(f"  - {printable(change.a)}", "red")
    if change.b is not None:
        text += "\n" + show(f"  + {printable(change.b)}", "green")
    return text
