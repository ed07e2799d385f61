"""Runs the benchmark: builds bench_proto, writes the models, measures rows, prints one table of ratios. Exit code 1 if a gate is missed.

    python bench/run.py [--rows 1,3,4] [--quick | --check] [--json out.json] [--plot out.png] [--model file.onnx]

The rule, the rows and how to add one: bench/README.md.
"""

import argparse
import random
import subprocess
import sys
import time
from collections.abc import Generator, Iterable
from dataclasses import replace
from pathlib import Path

import models
from harness import report, verdict
from harness.rounds import Measured, PathOf, check, measure
from harness.rows import Part, Peer, Row, all_rows
from harness.workers import Programs, fresh_versions

ROOT = Path(__file__).resolve().parent.parent
ROUNDS, QUICK_ROUNDS = 15, 5


def numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=numbers, help="numbers with commas between; all when not given")
    parser.add_argument("--list", action="store_true", help="say which rows there are, and stop")
    parser.add_argument("--quick", action="store_true", help="models a tenth as large, fewer rounds: a smoke test, no claim")
    parser.add_argument("--check", action="store_true", help="each act once, on the models of --quick, its result looked at: no times")
    parser.add_argument("--rounds", type=int, help=f"how often each act is timed, {ROUNDS} when not given")
    parser.add_argument("--seed", type=int, default=None, help="of the order in which sides take turns")
    parser.add_argument("--model", type=Path, help="measure on this file instead of the generated ones; bounds do not apply to it")
    parser.add_argument("--json", type=Path, default=ROOT / "build" / "bench.json", help="where every line and every sample is written")
    parser.add_argument("--plot", type=Path, default=ROOT / "build" / "bench.png", help="where all ratios are drawn")
    parser.add_argument("--python", default=sys.executable, help="the Python that has onnx and onnx_light installed")
    parser.add_argument("--build-dir", type=Path, default=ROOT / "build" / "bench", help="where bench_proto is built")
    parser.add_argument("--bench-proto", type=Path, help="take this program instead of building it")
    return parser.parse_args()


def build(folder: Path, python: str) -> Path:
    """bench_proto, up to date. The output is shown only if it fails."""
    configure = ["cmake", "--preset", "bench", "-B", str(folder), f"-DONNX_LIGHT_BENCH_PYTHON={python}"]
    for command in (configure, ["cmake", "--build", str(folder), "--target", "bench_proto"]):
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            sys.exit(f"{done.stdout}\nbench: {' '.join(command)} failed")
    return folder / "bench" / "bench_proto"


def without_bounds(row: Row) -> Row:
    """For a model of the user's: the bounds are said of the generated ones."""

    def bare(part: Part) -> Part:
        bounds = [replace(bound, goal=None, gate=None) for bound in part.against if isinstance(bound, Peer)]
        return replace(part, against=bounds, memory=None)

    return replace(row, parts=[bare(part) for part in row.parts])


def in_turn(rows: list[Row], files: models.ModelFiles) -> Generator[Row, None, None]:
    """Row after row; a model goes when no later one needs it."""
    try:
        for done, row in enumerate(rows, 1):
            print(f"row {row.number}: {row.what}", file=sys.stderr, flush=True)
            yield row
            files.keep_only({name for later in rows[done:] for name in later.models()})
    finally:
        files.keep_only(set())


def check_all(rows: Iterable[Row], path_of: PathOf, programs: Programs) -> int:
    """Whether every act still does its job. Exit code 1 if one does not, or is not there."""
    errors = []
    for row in rows:
        found = check(row, path_of, programs)
        errors += [f"row {row.number}, {timed.region}: {series.error}" for timed, series in found.items() if series.error]
    print("\n".join(errors) or "all acts do their jobs")
    return 1 if errors else 0


def main() -> int:
    asked = arguments()
    rows = all_rows()
    if asked.list:
        print("\n".join(f"{number:3} {row.what}" for number, row in rows.items()))
        return 0
    chosen = asked.rows or list(rows)
    if unknown := [number for number in chosen if number not in rows]:
        sys.exit(f"bench: no row {unknown[0]}; there are {', '.join(map(str, rows))}")
    if asked.model and not asked.model.is_file():
        sys.exit(f"bench: {asked.model} is no file")
    programs = Programs(asked.bench_proto or build(asked.build_dir, asked.python), asked.python)
    rounds = asked.rounds or (QUICK_ROUNDS if asked.quick else ROUNDS)

    files = models.ModelFiles(asked.quick or asked.check)

    def path_of(model: str) -> Path:
        return asked.model or files.path_of(model)

    turns = in_turn([without_bounds(rows[number]) if asked.model else rows[number] for number in chosen], files)
    if asked.check:
        return check_all(turns, path_of, programs)
    seed = time.time_ns() % 1_000_000 if asked.seed is None else asked.seed
    about = {
        "command": " ".join(sys.argv),
        "machine": report.machine(),
        "versions": fresh_versions(programs),
        "rounds": rounds,
        "seed": seed,
        "quick": asked.quick,
    }
    for name, value in about.items():
        print(f"{name}: {value}")

    for path in (asked.json, asked.plot):
        path.parent.mkdir(parents=True, exist_ok=True)
    order = random.Random(seed)
    lines: list[verdict.Line] = []
    kept: list[tuple[Row, Measured]] = []
    try:
        for row in turns:
            measured = measure(row, path_of, programs, rounds, order)
            kept.append((row, measured))
            for part in row.parts:
                lines += verdict.lines_of(row.number, part, path_of, measured)
    finally:  # a run that is stopped says what it has measured until then
        turns.close()
        print("\n" + report.table(lines))
        for error in report.errors(lines):
            print(error)
        report.write_json(asked.json, about, lines, kept)
        report.write_plot(asked.plot, lines)
    return 1 if any(line.failed for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
