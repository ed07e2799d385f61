"""onnx-light set."""

from __future__ import annotations

import argparse

from onnx_light.cli.arguments import add_format, add_model, add_output, number, output_of, pair

HELP = "change a model's own facts: metadata, producer, versions, shapes of inputs and outputs"
EXAMPLE = """
onnx-light set model.onnx --metadata author=me --dims image=N,3,224,224 --inplace
onnx-light set model.onnx --opset ai.onnx=21 --ir 10 -o new.onnx
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add_format(parser)
    parser.add_argument("--metadata", action="append", default=[], type=pair, metavar="KEY=VALUE", help="add or change an entry")
    parser.add_argument("--remove-metadata", action="append", default=[], metavar="KEY", help="remove an entry")
    parser.add_argument("--name", help="of the graph")
    parser.add_argument("--producer", metavar="NAME")
    parser.add_argument("--producer-version", metavar="TEXT")
    parser.add_argument("--domain", metavar="TEXT", help="of the model")
    parser.add_argument("--model-version", type=number, metavar="N")
    parser.add_argument("--doc", metavar="TEXT", help="doc string of the model")
    parser.add_argument("--ir", type=number, metavar="N", help="IR version (the number only: nothing is converted)")
    parser.add_argument("--opset", action="append", default=[], type=pair, metavar="DOMAIN=N", help="the number only: no node is converted")
    parser.add_argument(
        "--dims",
        action="append",
        default=[],
        type=pair,
        metavar="VALUE=D,D,..",
        help="shape of an input or output: N,3,224; ? for unknown",
    )
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    from onnx_light.cli.output import print_json
    from onnx_light.cli.progress import read, writing
    from onnx_light.tools.edit import add_metadata, set_dims, set_opset
    from onnx_light.tools.reading import STANDARD, refuse_to_overwrite, write_beside

    if not any(getattr(options, name) not in (None, []) for name in (*_FIELDS, "metadata", "remove_metadata", "name", "opset", "dims")):
        raise ValueError("nothing to set: see --help")
    if options.ir is not None and options.ir < 1:
        raise ValueError(f"--ir {options.ir}: versions start at 1")
    target = output_of(options, options.model)
    refuse_to_overwrite(target, options.model, inplace=options.inplace)
    model = read(options.model, weights=target == STANDARD, format=options.format)
    for key, value in options.metadata:
        add_metadata(model, key, value)
    for key in options.remove_metadata:
        add_metadata(model, key, None)
    for option, field in _FIELDS.items():
        if (value := getattr(options, option)) is not None:
            setattr(model, field, value)
    if options.name is not None:
        model.graph.name = options.name
    for domain, version in options.opset:
        if not version.isdecimal():
            raise ValueError(f"--opset {domain}={version}: a number is needed")
        set_opset(model, domain, int(version))
    for name, dims in options.dims:
        set_dims(model, name, [_dim(text.strip()) for text in dims.split(",")] if dims else [])
    with writing(model, options.model, target) as bar:
        write_beside(model, options.model, target, progress=bar.add)
    if options.json and target != STANDARD:
        print_json({"output": target})
    return 0


_FIELDS = {
    "producer": "producer_name",
    "producer_version": "producer_version",
    "domain": "domain",
    "model_version": "model_version",
    "doc": "doc_string",
    "ir": "ir_version",
}


def _dim(text: str) -> int | str | None:
    if text in ("", "?"):
        return None
    try:
        return int(text)
    except ValueError:
        return text
