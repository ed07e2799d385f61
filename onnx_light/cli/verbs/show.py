"""onnx-light show."""

from __future__ import annotations

import argparse

from onnx_light.cli.arguments import add_format, add_model

HELP = "print a model as text: ONNX syntax, protobuf text or JSON"
EXAMPLE = """
onnx-light show model.onnx | less
onnx-light show model.onnx --as json | jq .graph.name
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add_format(parser)
    parser.add_argument("--as", dest="form", choices=("onnxtxt", "textproto", "json"), help="default: onnxtxt, or json with --json")
    parser.add_argument("--all", action="store_true", help="weights of any size in full; by default long ones are left out")
    parser.add_argument("--json", action="store_true", help="the same as --as json")


def run(options: argparse.Namespace) -> int:
    import sys
    from contextlib import nullcontext
    from typing import IO, cast

    import onnx_light.onnx as onnxl
    from onnx_light.cli.notes import tell
    from onnx_light.cli.output import Escaping, on_terminal
    from onnx_light.cli.progress import Progress, read
    from onnx_light.tools.strip import strip_weights

    form = options.form or ("json" if options.json else "onnxtxt")
    model = read(options.model, format=options.format)
    if not options.all:
        left_out = strip_weights(model, threshold=1024)
        if left_out:
            tell(options, f"the elements of {left_out} weights of 1024 bytes and more are left out (--all)")
    sys.stdout.flush()
    with Escaping() if on_terminal() else nullcontext(sys.stdout.buffer) as output, Progress("writing", among=True) as bar:
        onnxl.save(model, cast(IO[bytes], output), format=form, progress=bar.add)
    sys.stdout.buffer.write(b"\n")
    return 0
