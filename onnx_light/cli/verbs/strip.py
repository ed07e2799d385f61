"""onnx-light strip."""

from __future__ import annotations

import argparse

from onnx_light.cli.arguments import add_format, add_model, add_output, output_of, size

HELP = "take doc strings out of a model, or its weights, so that it can be shared or shown"
EXAMPLE = """
onnx-light strip model.onnx --docs -o clean.onnx
onnx-light strip model.onnx --weights constant -o skeleton.onnx
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add_format(parser)
    parser.add_argument("--docs", action="store_true", help="remove all doc strings")
    parser.add_argument(
        "--weights",
        choices=("constant", "drop"),
        help="constant: each weight becomes a node that makes zeros, so the model still runs; drop: only name, type and shape stay",
    )
    parser.add_argument("--threshold", type=size, default=1024, metavar="SIZE", help="smaller weights stay (default 1024)")
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    from onnx_light.cli.notes import tell_leftovers
    from onnx_light.cli.output import print_json
    from onnx_light.cli.progress import read, writing
    from onnx_light.tools.leftovers import settle, weights_files
    from onnx_light.tools.reading import STANDARD, refuse_to_overwrite, write_beside
    from onnx_light.tools.strip import strip_docs, strip_weights

    if not options.docs and options.weights is None:
        raise ValueError("nothing to strip: say --docs, --weights or both")
    target = output_of(options, options.model)
    refuse_to_overwrite(target, options.model, inplace=options.inplace)
    model = read(options.model, weights=target == STANDARD, format=options.format)
    docs = strip_docs(model) if options.docs else 0
    weights = 0
    if options.weights is not None:
        weights = strip_weights(model, threshold=options.threshold, constant=options.weights == "constant")
    before = weights_files(target) if options.inplace else {}
    with writing(model, options.model, target) as bar:
        write_beside(model, options.model, target, progress=bar.add)
    tell_leftovers(options, settle(target, before, remove=False))
    if target != STANDARD:
        if options.json:
            print_json({"output": target, "doc_strings": docs, "weights": weights})
        else:
            print(f"{docs} doc strings and {weights} weights removed")
    return 0
