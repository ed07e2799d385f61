"""Many random sequences of edits, each in a process of its own, because protobuf's own library crashes on some of them.

    python tests/faces/long_run.py FIRST LAST [STEPS]

Exit code 1 if a sequence differs, or if a process ends while this package is at work. The installed package is tested.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections import Counter
from typing import Any

import edits


def watched(seeds: range, steps: int, at_work: Any, done: Any) -> None:
    plain_result = edits.Walk.result

    def result(act: Any, side: Any) -> Any:
        at_work.value = type(side).__module__.startswith("onnx_light") or "onnx_light" in repr(type(side))
        try:
            return plain_result(act, side)
        finally:
            at_work.value = True

    edits.Walk.result = staticmethod(result)
    for seed in seeds:
        at_work.value = True
        done.value = seed
        try:
            edits.run(seed, steps)
        except AssertionError as error:
            print(f"seed {seed}: {str(error)[:500]}", flush=True)
            os._exit(3)
    done.value = seeds.stop
    os._exit(0)


def main(first: int, last: int, steps: int) -> int:
    context = multiprocessing.get_context("fork")
    at_work, done = context.Value("b", True), context.Value("q", first)
    ends: Counter[str] = Counter()
    started = time.monotonic()
    seed = first
    while seed < last:
        process = context.Process(target=watched, args=(range(seed, min(seed + 200, last)), steps, at_work, done))
        process.start()
        process.join(300)
        if process.is_alive():
            process.kill()
            process.join()
        ends["agreed"] += done.value - seed
        if process.exitcode != 0:
            kind = "differed" if process.exitcode == 3 else "we ended" if at_work.value else "protobuf crashed"
            ends[kind] += 1
            print(f"seed {done.value}: {kind}, exit code {process.exitcode}", flush=True)
            seed = done.value + 1
        else:
            seed = done.value
    print(f"{ends['agreed'] * steps} steps in {time.monotonic() - started:.0f} s: {dict(ends)}", flush=True)
    return 1 if ends["differed"] or ends["we ended"] else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 400))
