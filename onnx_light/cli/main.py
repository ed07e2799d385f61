"""From the words of a command line to a verb, and from its errors to one line and an exit code."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from importlib import import_module

VERBS = (
    *("inspect", "ls", "show", "diff", "convert", "extract", "merge", "rename"),
    *("set", "strip", "hash", "verify", "encrypt", "decrypt", "bench", "completion"),
)

OK, NO, FAILED, INTERRUPTED = 0, 1, 2, 130

_DESCRIPTION = "Look into ONNX models, compare them, rework them."
_EPILOG = """\
A model is a path, or - for standard input; the extension tells the format (.onnx, .textproto, .json, .onnxtxt, ...).
Nothing is overwritten that is read, unless --inplace says so. `onnx-light VERB --help` shows an example of each verb.

exit codes: 0 all is well; 1 the answer is no (models differ, a model is not whole); 2 an error, or a wrong command line; 130 interrupted
"""


def build_parser() -> argparse.ArgumentParser:
    """The parser with all verbs; each verb's module adds its own."""
    from onnx_light import __version__

    parser = argparse.ArgumentParser(
        prog="onnx-light", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"onnx-light {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name in VERBS:
        module = import_module(f"onnx_light.cli.verbs.{name}")
        verb = verbs.add_parser(
            name,
            help=module.HELP,
            description=module.HELP[0].upper() + module.HELP[1:] + ".",
            epilog="example:\n" + "\n".join(f"  {line}" for line in module.EXAMPLE.strip().splitlines()),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(verb)
        if not any("--json" in action.option_strings for action in verb._actions) and name != "completion":
            verb.add_argument("--json", action="store_true", help="machine-readable output")
        verb.set_defaults(run=module.run)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    try:
        options = build_parser().parse_args(arguments)
    except SystemExit as end:  # --help, --version, or a wrong command line, which argparse has told about
        return end.code if isinstance(end.code, int) else FAILED
    try:
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return _fail(options, "interrupted", INTERRUPTED)
    except BrokenPipeError:  # the reader has seen enough: `onnx-light ls model | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except (OSError, ValueError, RuntimeError, NotImplementedError) as error:
        return _fail(options, one_line(error))
    except Exception as error:
        from onnx_light.onnx import Error

        if not isinstance(error, Error):
            raise  # a fault of ours, which its traceback helps to mend
        return _fail(options, one_line(error))


def one_line(error: Exception) -> str:
    """An error as people read it: what, where, and a hint if there is one."""
    text = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, FileNotFoundError) and error.filename is not None:
        return f"{os.fsdecode(error.filename)}: no such file"
    if "save_encrypted(" in text or "load_encrypted(" in text:  # what Python is told to call is a verb here
        return "an encrypted model needs a key: see onnx-light encrypt --help and onnx-light decrypt --help"
    if type(error).__name__ == "DecodeError":
        return f"{text.removeprefix('ParseError: ')} (a text model needs its extension, or --format)"
    return text


def _fail(options: argparse.Namespace, text: str, code: int = FAILED) -> int:
    if getattr(options, "json", False):
        print(json.dumps({"error": text}))
    print(f"onnx-light {options.verb}: {text}", file=sys.stderr)
    return code
