"""onnx-light verify."""

from __future__ import annotations

import argparse

from onnx_light.cli.arguments import add_format, once

HELP = "check that every byte of every tensor is there, and as many as its shape says; exit code 1 if not"
EXAMPLE = "onnx-light verify downloads/*.onnx && echo all whole"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("models", nargs="+", metavar="MODEL", help="paths, or - for standard input")
    add_format(parser, what="of all models")
    parser.add_argument("-q", "--quiet", action="store_true", help="say nothing, only the exit code")


def run(options: argparse.Namespace) -> int:
    from onnx_light.cli.main import about, one_line
    from onnx_light.cli.notes import tell
    from onnx_light.cli.output import paint, print_json, printable
    from onnx_light.cli.progress import Progress
    from onnx_light.onnx import DecodeError
    from onnx_light.tools.wholeness import Problem, verify

    found: dict[str, list[Problem]] = {}
    unreadable: list[str] = []

    def check(path: str) -> None:  # one file that cannot be read does not end the walk over the others
        try:
            with Progress("reading") as bar:
                found[path] = verify(path, format=options.format, progress=bar.add)
        except DecodeError as error:  # cut, or no model at all
            found[path] = [Problem("", "", one_line(error).removeprefix(f"{path}: "))]
        except (OSError, ValueError) as error:
            unreadable.append(about(path, error))

    once(options.models)
    for path in options.models:
        check(path)
    if options.json:
        print_json({"problems": found, "errors": unreadable})
    elif not options.quiet:
        for path, problems in found.items():
            for problem in problems:
                print(f"{printable(path)}: {printable(str(problem))}")
            if not problems:
                print(f"{printable(path)}: {paint('whole', 'green')}")
        for text in unreadable:
            tell(options, text)
    return 2 if unreadable else 1 if any(found.values()) else 0
