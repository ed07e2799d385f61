"""onnx-light hash."""

from __future__ import annotations

import argparse

from onnx_light.cli.arguments import add_format, once

HELP = "digests of a model's structure and of its weights, the same however the weights are stored"
EXAMPLE = "onnx-light hash model.onnx copy-with-external-data.onnx"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("models", nargs="+", metavar="MODEL", help="paths, or - for standard input")
    add_format(parser, what="of all models")
    parser.add_argument("--structure", action="store_true", help="only of the structure: no weights are read")


def run(options: argparse.Namespace) -> int:
    from onnx_light.cli.main import about
    from onnx_light.cli.notes import tell
    from onnx_light.cli.output import print_json, printable
    from onnx_light.cli.progress import over_weights, read
    from onnx_light.onnx import Error
    from onnx_light.tools.hashing import digest, structure_digest

    def entry_of(path: str) -> dict[str, str]:
        model = read(path, weights=not options.structure, format=options.format)
        if options.structure:
            return {"model": path, "structure": structure_digest(model)}
        with over_weights("hashing", model) as bar:
            both = digest(model, progress=bar.add)
        return {"model": path, "structure": both.structure, "weights": both.weights}

    once(options.models)
    found, failed = [], False
    for path in options.models:
        try:
            entry = entry_of(path)
        except (OSError, ValueError, Error) as error:  # one file that cannot be read does not end the walk over the others
            failed = True
            entry = {"model": path, "error": about(path, error)}
            if not options.json:
                tell(options, entry["error"])
        found.append(entry)
        if not options.json and "error" not in entry:
            print("\t".join(printable(entry[key]) for key in ("structure", "weights", "model") if key in entry))
    if options.json:
        print_json(found)
    return 2 if failed else 0
