"""onnx-light inspect."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from onnx_light.cli.arguments import add_format, add_model

if TYPE_CHECKING:
    from collections.abc import Iterator

    from onnx_light.tools.summary import Summary

HELP = "show what is in a model: inputs, outputs, operators, weights, files; weights are not read"
EXAMPLE = "onnx-light inspect model.onnx"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    add_format(parser)
    parser.add_argument("--largest", type=int, default=5, metavar="N", help="how many of the largest tensors are named (default 5)")


def run(options: argparse.Namespace) -> int:
    from onnx_light.cli.output import print_json
    from onnx_light.cli.progress import read
    from onnx_light.tools.reading import STANDARD
    from onnx_light.tools.summary import summarize

    if options.largest < 0:
        raise ValueError(f"--largest {options.largest}: a number from 0 on")
    path = None if options.model == STANDARD else options.model
    summary = summarize(read(options.model, format=options.format), path, largest=options.largest)
    if options.json:
        print_json(summary)
    else:
        for label, text in lines(summary):
            _print(label, text)
    return 0


def _print(label: str, text: str) -> None:
    from onnx_light.cli.output import paint, printable

    print(f"{paint(f'{label:<11}', 'bold')} {printable(text)}".rstrip())


def lines(summary: Summary) -> Iterator[tuple[str, str]]:
    """A summary as people read it: pairs of a label, empty where it goes on, and a text."""
    from onnx_light.cli.output import bytes_text, count_text

    yield "name", summary.name or "(none)"
    if summary.producer:
        yield "producer", summary.producer
    yield "IR version", str(summary.ir_version)
    yield "opsets", ", ".join(f"{domain} {version}" for domain, version in summary.opsets.items())
    for label, values in (("inputs", summary.inputs), ("outputs", summary.outputs)):
        for i, value in enumerate(values):
            yield label if i == 0 else "", f"{value.name}: {value.type}"
    yield "operators", f"{count_text(summary.nodes)} nodes of {len(summary.operators)} kinds"
    for name, count in summary.operators.items():
        yield "", f"{count_text(count):>8}  {name}"
    for i, name in enumerate(summary.functions):
        yield "functions" if i == 0 else "", name
    yield "parameters", f"{count_text(summary.parameters)} in {count_text(summary.tensors)} tensors, {bytes_text(summary.bytes)}"
    for kind, row in summary.types.items():
        yield "", f"{kind}: {count_text(row['parameters'])} in {count_text(row['tensors'])} tensors, {bytes_text(row['bytes'])}"
    for i, tensor in enumerate(summary.largest):
        text = f"{bytes_text(tensor.bytes):>10}  {tensor.name or tensor.place}: {tensor.type}{tensor.shape}"
        yield "largest" if i == 0 else "", text
    for i, file in enumerate(summary.external):
        size = "missing" if file.size is None else bytes_text(file.size)
        state = "" if file.state in ("ok", "missing") else f", {file.state} (needs {bytes_text(file.end)})"
        yield "external" if i == 0 else "", f"{file.location}: {count_text(file.tensors)} tensors, {size}{state}"
    told = sum(file.state != "ok" for file in summary.external)
    for i, text in enumerate(summary.problems[: len(summary.problems) - told]):
        yield "problems" if i == 0 else "", text
    for i, (key, text) in enumerate(summary.metadata.items()):
        yield "metadata" if i == 0 else "", f"{key} = {text if len(text) <= 100 else text[:99] + '…'}"
    if summary.file_bytes is not None:
        yield "file", f"{count_text(summary.file_bytes)} bytes"
