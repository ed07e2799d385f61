"""onnx-light bench."""

from __future__ import annotations

import argparse

HELP = "time loading and saving of a model here, and in the packages installed beside"
EXAMPLE = "onnx-light bench model.onnx"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="a path")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="the best of so many (default 5)")
    parser.add_argument("--no-peers", action="store_true", help="only this package")


def run(options: argparse.Namespace) -> int:
    import signal

    from onnx_light.cli.output import bytes_text, print_json, print_table
    from onnx_light.cli.progress import Progress
    from onnx_light.tools.timing import bench

    if options.rounds < 1:
        raise ValueError(f"--rounds {options.rounds}: at least 1")

    def end(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    # As Ctrl-C: no process and no folder stays behind.
    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        with Progress("loading and saving") as bar:
            timings = bench(options.model, rounds=options.rounds, peers=not options.no_peers, progress=bar.add)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if options.json:
        print_json(timings)
        return 0

    def seconds(value: float | None) -> str:
        return "-" if value is None else f"{value * 1000:.2f} ms"

    rows = ((t.package, seconds(t.load), seconds(t.save), bytes_text(t.peak_bytes) if t.peak_bytes else "-", t.note) for t in timings)
    print_table(("package", "load", "save", "peak memory", ""), rows, right=(1, 2, 3))
    return 0
