"""onnx-light merge."""

from __future__ import annotations

import argparse

from onnx_light.cli.arguments import add_format, add_model, add_output, once, output_of, pair

HELP = "join two models: outputs of the first become inputs of the second"
EXAMPLE = "onnx-light merge encoder.onnx decoder.onnx --connect hidden=states -o whole.onnx"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser, "first")
    add_model(parser, "second")
    add_format(parser, what="of both models")
    parser.add_argument(
        "--connect",
        nargs="+",
        type=pair,
        required=True,
        metavar="OUT=IN",
        help="an output of the first and the input it feeds",
    )
    parser.add_argument("--inputs", nargs="+", metavar="NAME", help="inputs to keep; by default all that are not fed")
    parser.add_argument("--outputs", nargs="+", metavar="NAME", help="outputs to keep; by default all that feed nothing")
    parser.add_argument("--prefix1", metavar="TEXT", help="put before the names of the first")
    parser.add_argument("--prefix2", metavar="TEXT", help="put before the names of the second")
    parser.add_argument("--name", help="of the joined graph")
    add_output(parser, inplace=False)


def run(options: argparse.Namespace) -> int:
    from onnx_light.cli.output import print_json
    from onnx_light.cli.progress import read, writing
    from onnx_light.onnx.compose import merge_models
    from onnx_light.tools.reading import STANDARD, refuse_to_overwrite, write

    once((options.first, options.second))
    target = output_of(options, options.first)
    refuse_to_overwrite(target, options.first, options.second, inplace=None)
    first, second = (read(path, weights=True, format=options.format) for path in (options.first, options.second))
    merged = merge_models(
        first,
        second,
        io_map=options.connect,
        inputs=options.inputs,
        outputs=options.outputs,
        prefix1=options.prefix1,
        prefix2=options.prefix2,
        name=options.name,
    )
    with writing(merged, options.first, target) as bar:
        write(merged, target, progress=bar.add)
    if options.json and target != STANDARD:
        print_json({"output": target, "nodes": len(merged.graph.node)})
    return 0
