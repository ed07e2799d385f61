"""onnx-light hash."""

from __future__ import annotations

import argparse

from onnx_light.cli.arguments import add_format

HELP = "digests of a model's structure and of its weights, the same however the weights are stored"
EXAMPLE = "onnx-light hash model.onnx copy-with-external-data.onnx"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("models", nargs="+", metavar="MODEL", help="paths, or - for standard input")
    add_format(parser, what="of all models")
    parser.add_argument("--structure", action="store_true", help="only of the structure: no weights are read")


def run(options: argparse.Namespace) -> int:
    from onnx_light.cli.output import print_json
    from onnx_light.tools.hashing import digest, structure_digest
    from onnx_light.tools.reading import read

    found = []
    for path in options.models:
        model = read(path, weights=not options.structure, format=options.format)
        if options.structure:
            found.append({"model": path, "structure": structure_digest(model)})
        else:
            both = digest(model)
            found.append({"model": path, "structure": both.structure, "weights": both.weights})
    if options.json:
        print_json(found)
    else:
        for entry in found:
            print("\t".join(entry[key] for key in ("structure", "weights", "model") if key in entry))
    return 0
