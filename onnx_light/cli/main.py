"""From the words of a command line to a verb, and from its errors to one line and an exit code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

VERBS = (
    *("inspect", "ls", "show", "diff", "convert", "extract", "merge", "rename"),
    *("set", "strip", "hash", "verify", "encrypt", "decrypt", "bench", "completion"),
)

OK, NO, FAILED, INTERRUPTED, UNHEARD = 0, 1, 2, 130, 141

_DESCRIPTION = "Look into ONNX models, compare them, rework them."
_EPILOG = """\
A model is a path, or - for standard input; the extension tells the format (.onnx, .textproto, .json, .onnxtxt, ...).
Nothing is overwritten that is read, unless --inplace says so. `onnx-light VERB --help` shows an example of each verb.

exit codes: 0 all is well; 1 the answer is no (models differ, a model is not whole); 2 an error, or a wrong command line;
130 interrupted; 141 the reader of the output went away
"""


class WrongWordsError(SystemExit):
    """A command line that is not understood, and what about it."""

    def __init__(self, program: str, text: str) -> None:
        super().__init__(FAILED)
        self.verb, self.text = program.removeprefix("onnx-light").strip(), f"{text}; see `{program} --help`"


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line; the whole usage is what --help is for."""

    def _print_message(self, message: str, file: Any = None) -> None:
        file = file or sys.stderr
        if message and file is not None:
            file.write(message)  # argparse would keep quiet about a reader that went away

    def error(self, message: str) -> NoReturn:
        raise WrongWordsError(self.prog, message)


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from onnx_light import __version__

        print(f"onnx-light {__version__}")
        parser.exit()


def build_parser(verbs: Sequence[str] = VERBS) -> argparse.ArgumentParser:
    """The parser with these verbs; each verb's module adds its own."""
    parser = _Parser(prog="onnx-light", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    found = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name in verbs:
        module = import_module(f"onnx_light.cli.verbs.{name}")
        verb = found.add_parser(
            name,
            help=module.HELP,
            description=module.HELP[0].upper() + module.HELP[1:] + ".",
            epilog="example:\n" + "\n".join(f"  {line}" for line in module.EXAMPLE.strip().splitlines()),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(verb)
        if not any("--json" in action.option_strings for action in verb._actions) and name != "completion":
            verb.add_argument("--json", action="store_true", help="machine-readable output")
        verb.set_defaults(run=module.run, parser=verb)
    return parser


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The options of a command line. Raises SystemExit where it asks for help, WrongWordsError where it is wrong."""
    if words and words[0] == "help":  # as with git and others
        words = [*words[1:2], "--help"]
    word = next((word for word in words if not word.startswith("-")), "")
    if word and word not in VERBS:
        from difflib import get_close_matches

        near = get_close_matches(word, VERBS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"one of {', '.join(VERBS)}"
        _Parser(prog="onnx-light").error(f"no verb {word!r}: {hint}")
    options, rest = build_parser((word,) if word else VERBS).parse_known_args(words)
    if rest:
        options.parser.error(f"unrecognized arguments: {' '.join(rest)}")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    _prepare_output()
    words = sys.argv[1:] if arguments is None else arguments
    options = argparse.Namespace(verb="", json="--json" in words)
    try:
        options = parse(words)
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except WrongWordsError as error:
        options.verb = error.verb
        return _fail(options, error.text)
    except SystemExit as end:  # --help, --version
        return _flushed(end.code if isinstance(end.code, int) else FAILED)
    except KeyboardInterrupt:
        return _fail(options, "interrupted", INTERRUPTED)
    except BrokenPipeError:  # the reader has seen enough: `onnx-light ls model | head`
        return _flushed(UNHEARD)
    except EOFError:
        return _fail(options, "the input ended before there was an answer")
    except MemoryError:
        return _fail(options, "there is not enough memory for this")
    except (OSError, ValueError, RuntimeError, NotImplementedError) as error:
        return _fail(options, one_line(error))
    except Exception as error:
        from onnx_light.onnx import Error

        if not isinstance(error, Error):
            raise  # a fault of ours, which its traceback helps to mend
        return _fail(options, one_line(error))


def one_line(error: Exception) -> str:
    """An error as people read it: what, where, and a hint if there is one."""
    text = str(error) or type(error).__name__  # what breaks a line is shown escaped
    if isinstance(error, OSError) and error.strerror is not None:
        text = str(error.strerror)
        if error.filename is not None:
            path = os.fsdecode(error.filename)
            missing = isinstance(error, FileNotFoundError) and os.path.isdir(os.path.dirname(path) or ".")
            text = f"{path}: {'no such file' if missing else text}"
    said, call, _ = text.partition(" save_encrypted(" if " save_encrypted(" in text else " load_encrypted(")
    if call:  # what Python is told to call is a verb here
        return f"{said} see onnx-light encrypt --help and onnx-light decrypt --help"
    if type(error).__name__.endswith(("DecodeError", "ParseError")):
        text = text.replace("JsonParseError: ", "").replace("ParseError: ", "", 1)
        if (start := text.partition("it starts with ")[2]) and "\\x" not in start.partition(": ")[0]:
            return f"{text} (a text model needs its extension, or --format)"
    return text


def about(path: str, error: Exception) -> str:
    """One line about a file, which it begins with."""
    text = one_line(error)
    return text if text.startswith(f"{path}: ") else f"{path}: {text}"


def _fail(options: argparse.Namespace, text: str, code: int = FAILED) -> int:
    if getattr(options, "json", False):
        import json

        print(json.dumps({"error": text}))
    from onnx_light.cli.output import say

    code = _flushed(code)
    say(options.verb, text)
    return code


def _prepare_output() -> None:
    """Whatever a name has in it can be printed, and a program that has no standard output at all prints nowhere."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  as long as the process
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _flushed(code: int) -> int:
    """The exit code, once what was printed is out. Where it cannot go out, that has been told, and the interpreter is not to try again."""
    try:
        sys.stdout.flush()
    except OSError as error:
        from onnx_light.cli.output import discard

        discard(sys.stdout)
        return UNHEARD if isinstance(error, BrokenPipeError) else code or FAILED
    return code
