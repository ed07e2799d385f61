"""onnx-light decrypt."""

from __future__ import annotations

import argparse

from onnx_light.cli.arguments import add_output, output_of
from onnx_light.cli.verbs.encrypt import add_key, key_of

HELP = "write the model in an encrypted file as a plain one"
EXAMPLE = "onnx-light decrypt model.onnxc -o model.onnx --key-file secret.txt"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="an encrypted file")
    add_key(parser)
    add_output(parser, inplace=False)


def run(options: argparse.Namespace) -> int:
    import onnx_light.onnx as onnxl
    from onnx_light.cli.output import print_json
    from onnx_light.cli.progress import while_writing
    from onnx_light.tools.reading import STANDARD, refuse_to_overwrite, write

    if options.model == STANDARD:
        raise ValueError("an encrypted model is read from a file")
    target = output_of(options, options.model)
    refuse_to_overwrite(target, options.model, inplace=None)
    key = key_of(options)
    with while_writing("decrypting", options.model):
        write(onnxl.load_encrypted(options.model, key=key), target)
    if options.json and target != STANDARD:
        print_json({"output": target})
    return 0
