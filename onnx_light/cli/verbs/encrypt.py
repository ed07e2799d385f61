"""onnx-light encrypt."""

from __future__ import annotations

import argparse

from onnx_light.cli.arguments import add_format, add_model, add_output, output_of

HELP = "write a model, weights and all, as one encrypted file"
EXAMPLE = """
onnx-light encrypt model.onnx -o model.onnxc --key-file secret.txt
ONNX_LIGHT_KEY=... onnx-light encrypt model.onnx -o model.onnxc --encryption AES-256-GCM
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add_format(parser)
    add_key(parser)
    parser.add_argument(
        "--encryption", default="AES-256-CBC", choices=("AES-256-CBC", "AES-256-GCM", "ChaCha20-Poly1305"), help="default AES-256-CBC"
    )
    add_output(parser, inplace=False)


def add_key(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--key-file", metavar="FILE", help="its first line is the key; else $ONNX_LIGHT_KEY, else it is asked for on the terminal"
    )


def key_of(options: argparse.Namespace, *, twice: bool = False) -> bytes:
    """The key; never from the command line, which other users of the machine can read."""
    import getpass
    import os
    import sys

    if options.key_file is not None:
        with open(options.key_file, "rb") as file:
            key = file.readline().rstrip(b"\r\n")
    elif (given := os.environb.get(b"ONNX_LIGHT_KEY")) is not None:
        key = given
    else:
        if sys.stdin is None or not sys.stdin.isatty():  # never from a pipe: that may be a model
            raise ValueError("no key: say --key-file, set $ONNX_LIGHT_KEY, or run on a terminal")
        key = getpass.getpass("key: ").encode()
        if twice and getpass.getpass("key again: ").encode() != key:
            raise ValueError("the two keys differ")
    if not key:
        raise ValueError("the key is empty")
    return key


def run(options: argparse.Namespace) -> int:
    import onnx_light.onnx as onnxl
    from onnx_light.cli.output import print_json
    from onnx_light.cli.progress import read, writing
    from onnx_light.tools.reading import STANDARD, refuse_to_overwrite, standard_output

    target = output_of(options, options.model)
    refuse_to_overwrite(target, options.model, inplace=None, also=options.key_file)
    model = read(options.model, weights=True, format=options.format)
    key = key_of(options, twice=True)
    with writing(model, options.model, options.model, what="encrypting") as bar:
        if target == STANDARD:
            with standard_output() as output:
                onnxl.save_encrypted(model, output, key=key, encryption=options.encryption, progress=bar.add)
        else:
            onnxl.save_encrypted(model, target, key=key, encryption=options.encryption, progress=bar.add)
    if options.json and target != STANDARD:
        print_json({"output": target})
    return 0
