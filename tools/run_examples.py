#!/usr/bin/env python3
"""Runs the commands that a page shows and puts their output under them: what a page says a command prints, it printed.

    ONNX_LIGHT_MODELS=folder tools/run_examples.py [--check] [PAGE]

A command is a line of a ```console block that begins with "$ "; all of a page run in one new folder, in their order. A line

    <!-- examples: vad.onnx = silero_vad_v5.onnx, ocr.onnx = ch_PP-OCRv4_det_infer.onnx -->

says which files of the collection lie there, and under which names. In a block behind the line <!-- figures vary --> digits may differ.
With --check nothing is written: exit code 1, and what differs, if the page is not what would be written.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "cli.md"
MOST_LINES = 64  # of one output
_EXAMPLES = re.compile(r"<!-- examples: (.*?) -->", re.DOTALL)
_BLOCK = re.compile(r"(?P<varies><!-- figures vary -->\n+)?^```console\n(?P<lines>.*?)^```$", re.DOTALL | re.MULTILINE)


def prepare(page: str, models: Path, folder: Path) -> None:
    """Copies the models that a page speaks of. Raises LookupError for one that the collection does not have."""
    found = _EXAMPLES.search(page)
    for pair in found[1].split(",") if found else []:
        name, _, source = (word.strip() for word in pair.partition("="))
        path = next(models.rglob(source), None)
        if path is None:
            raise LookupError(f"the collection has no {source}")
        shutil.copy(path, folder / name)


def output_of(command: str, folder: Path) -> list[str]:
    """What a command prints, to both of its outputs."""
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONSAFEPATH": "1",
        "ONNX_LIGHT_KEY": "open sesame",
        "LC_ALL": "C.UTF-8",
    }
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    lines = [line.rstrip() for line in done.stdout.rstrip("\n").splitlines()]
    return lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], "..."]


def refreshed(page: str, models: Path) -> str:
    """The page with what its commands print now."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(page, models, folder)

        def run(block: re.Match[str]) -> str:
            commands = [line for line in block["lines"].splitlines() if line.startswith("$ ")]
            lines = [line for command in commands for line in (command, *output_of(command[2:], folder))]
            return (block["varies"] or "") + "\n".join(["```console", *lines, "```"])

        return _BLOCK.sub(run, page)


def compared(page: str) -> str:
    """The page without what may differ from run to run: digits, units and the blanks between, in blocks that say so."""
    return _BLOCK.sub(lambda block: re.sub(r"[\d.]+[ \t]*(ms|s|[KMG]iB)?", "#", block[0]) if block["varies"] else block[0], page)


def differences(page: str, models: Path) -> list[str]:
    """Lines of a diff from the page to what it should be; empty if it is up to date."""
    old, new = (compared(text).splitlines() for text in (page, refreshed(page, models)))
    return list(difflib.unified_diff(old, new, "the page", "what the commands print", lineterm=""))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", nargs="?", type=Path, default=PAGE, metavar="PAGE")
    parser.add_argument("--check", action="store_true", help="only say whether the page is up to date")
    options = parser.parse_args()
    models = os.environ.get("ONNX_LIGHT_MODELS")
    if not models:
        parser.error("ONNX_LIGHT_MODELS names no collection of models")
    page = options.page.read_text(encoding="utf-8")
    if options.check:
        found = differences(page, Path(models))
        print("\n".join(found) or f"{options.page.name} is up to date")
        return 1 if found else 0
    options.page.write_text(refreshed(page, Path(models)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
