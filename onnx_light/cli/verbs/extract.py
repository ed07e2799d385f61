"""onnx-light extract."""

from __future__ import annotations

import argparse

from onnx_light.cli.arguments import add_format, add_model, add_output, output_of

HELP = "cut the part of a model out that leads from some values to others"
EXAMPLE = "onnx-light extract model.onnx --inputs image --outputs features -o backbone.onnx"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add_format(parser)
    parser.add_argument("--inputs", nargs="+", required=True, metavar="NAME", help="values that the part is given")
    parser.add_argument("--outputs", nargs="+", required=True, metavar="NAME", help="values that it makes")
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    from onnx_light.cli.notes import tell_leftovers
    from onnx_light.cli.output import print_json
    from onnx_light.cli.progress import read, writing
    from onnx_light.onnx.utils import Extractor
    from onnx_light.tools.leftovers import settle, weights_files
    from onnx_light.tools.reading import STANDARD, refuse_to_overwrite, write

    target = output_of(options, options.model)
    refuse_to_overwrite(target, options.model, inplace=options.inplace)
    part = Extractor(read(options.model, weights=True, format=options.format)).extract_model(options.inputs, options.outputs)
    before = weights_files(target) if options.inplace else {}
    with writing(part, options.model, target) as bar:
        write(part, target, progress=bar.add)
    tell_leftovers(options, settle(target, before, remove=False))
    if options.json and target != STANDARD:
        print_json({"output": target, "nodes": len(part.graph.node), "initializers": len(part.graph.initializer)})
    return 0
