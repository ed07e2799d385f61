"""onnx-light decrypt."""

from __future__ import annotations

import argparse

from onnx_light.cli.arguments import add_model, add_output, output_of
from onnx_light.cli.verbs.encrypt import add_key, key_of

HELP = "write the model in an encrypted file as a plain one"
EXAMPLE = "onnx-light decrypt model.onnxc -o model.onnx --key-file secret.txt"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add_key(parser)
    add_output(parser, inplace=False)


def run(options: argparse.Namespace) -> int:
    import onnx_light.onnx as onnxl
    from onnx_light.cli.output import print_json
    from onnx_light.cli.progress import of_file, writing
    from onnx_light.tools.reading import STANDARD, read_bytes, refuse_to_overwrite, write

    target = output_of(options, options.model)
    refuse_to_overwrite(target, options.model, inplace=None, also=options.key_file)
    key = key_of(options)
    with of_file("decrypting", options.model) as bar:
        if options.model == STANDARD:
            model = onnxl.load_encrypted_string(read_bytes(progress=bar.add), key=key)
        else:
            model = onnxl.load_encrypted(options.model, key=key, progress=bar.add)
    with writing(model, target, target) as bar:
        write(model, target, progress=bar.add)
    if options.json and target != STANDARD:
        print_json({"output": target})
    return 0
