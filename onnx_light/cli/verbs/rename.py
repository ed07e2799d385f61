"""onnx-light rename."""

from __future__ import annotations

import argparse

from onnx_light.cli.arguments import add_format, add_model, add_output, output_of, pair

HELP = "give values and nodes new names, one by one or with a prefix"
EXAMPLE = """
onnx-light rename model.onnx input.1=image 495=logits -o named.onnx
onnx-light rename model.onnx --prefix encoder/ -o encoder.onnx
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    parser.add_argument("names", nargs="*", type=pair, metavar="OLD=NEW", help="names to change, in every place that says them")
    add_format(parser)
    parser.add_argument("--map", metavar="FILE", help="a JSON object of old and new names")
    parser.add_argument("--prefix", default="", metavar="TEXT", help="put before every other name")
    parser.add_argument("--values-only", action="store_true", help="leave the names of nodes")
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    import json

    from onnx_light.cli.output import print_json
    from onnx_light.cli.progress import read, writing
    from onnx_light.tools.reading import STANDARD, refuse_to_overwrite, write_beside
    from onnx_light.tools.renaming import rename

    names = dict(options.names)
    if options.map is not None:
        with open(options.map, encoding="utf-8") as file:
            try:
                loaded = json.load(file)
            except ValueError as error:
                raise ValueError(f"{options.map}: no JSON: {error}") from None
        if not isinstance(loaded, dict) or not all(isinstance(name, str) for name in loaded.values()):
            raise ValueError(f"{options.map}: a JSON object of strings is needed")
        names = {**loaded, **names}
    if not names and not options.prefix:
        raise ValueError("nothing to rename: say OLD=NEW, --map or --prefix")
    target = output_of(options, options.model)
    refuse_to_overwrite(target, options.model, inplace=options.inplace, also=options.map)
    model = read(options.model, weights=target == STANDARD, format=options.format)
    count = rename(model, names, prefix=options.prefix, nodes=not options.values_only)
    with writing(model, options.model, target) as bar:
        write_beside(model, options.model, target, progress=bar.add)
    if target != STANDARD:
        if options.json:
            print_json({"output": target, "renamed": count})
        else:
            print(f"{count} names changed")
    return 0
