"""Talks to bench_proto and worker.py: one act, one JSON line, in a fresh process or in one that repeats.

Promise: a fresh process is over before `fresh` returns, and `Crew` ends every process it started. All belong to the runner's process group.
"""

import json
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.rows import State

PYTHON_SIDES = ("onnx", "ours_py", "onnx_ir", "safetensors")
Answer = dict[str, Any]


@dataclass(frozen=True)
class Programs:
    bench_proto: Path
    python: str
    worker: Path = Path(__file__).parent.parent / "worker.py"

    def of(self, side: str) -> list[str]:
        return [self.python, str(self.worker)] if side in PYTHON_SIDES else [str(self.bench_proto)]


def side_of(region: str) -> str:
    return region.partition(".")[0]


def warm_the_host(programs: Programs, working_set: int) -> None:
    """A throw-away process touches and frees 1.1 times the working set: nobody pays for host pages that another one has had before."""
    subprocess.run([str(programs.bench_proto), "--touch", str(working_set * 11 // 10)], check=True)


def fresh(programs: Programs, region: str, path: Path, mode: str = "time") -> Answer:
    """The answer of a process that does nothing else."""
    command = [*programs.of(side_of(region)), region, str(path)] + ([] if mode == "time" else [f"--{mode}"])
    if mode == "memory":
        return _watched(command, region)
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return _answer(done.stdout, done.stderr, region)


class Crew:
    """One process for each side and state that repeats its acts. One that dies (of its memory, perhaps) costs a figure, not the run."""

    def __init__(self, programs: Programs) -> None:
        self.programs = programs
        self.processes: dict[tuple[str, State], subprocess.Popen[str]] = {}

    def __enter__(self) -> "Crew":
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes.values():
            process.communicate()

    def ask(self, region: str, path: Path, state: State, mode: str = "time") -> Answer:
        side = side_of(region)
        if (side, state) not in self.processes:
            command = [*self.programs.of(side), "--serve"] + (["--keep"] if state is State.KEEPING else [])
            self.processes[side, state] = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        process = self.processes[side, state]
        assert process.stdin and process.stdout
        try:
            process.stdin.write(f"{mode}\t{region}\t{path}\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:  # it is gone: that is said of this act, and the next one gets a new process
            self.processes.pop((side, state)).communicate()
        return _answer(line, line or f"the process of {side} ended with {process.returncode}", region)


def _answer(line: str, otherwise: str, region: str) -> Answer:
    try:
        answer: Answer = json.loads(line.strip().splitlines()[-1])
    except (IndexError, json.JSONDecodeError):
        answer = {"what": region, "error": f"no answer: {otherwise.strip()[-200:]}"}
    return answer


def _watched(command: list[str], region: str) -> Answer:
    """Polls RssAnon of the process every millisecond while it acts, from outside: a thread of its own would wait for Python's lock.

    The process's own figure comes from the kernel's high-water mark, which misses nothing but counts file pages; see measure.h.
    """
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin and process.stdout
        first = process.stdout.readline()
        if "ready" not in first:
            return _answer(first, f"ended with {process.wait()}", region)
        before = peak = _rss_anon(process.pid)
        over = threading.Event()

        def watch() -> None:
            nonlocal peak
            while not over.is_set():
                peak = max(peak, _rss_anon(process.pid))
                time.sleep(0.001)

        watcher = threading.Thread(target=watch)
        watcher.start()
        process.stdin.write("go\n")
        process.stdin.flush()
        acted = process.stdout.readline()
        over.set()
        watcher.join()
        answer = _answer(process.stdout.readline() or acted, "ended early", region)
    answer["anon_polled"] = peak - before
    return answer


def _rss_anon(pid: int) -> int:
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    start = text.find("RssAnon:")
    return int(text[start + 8 :].split(None, 1)[0]) * 1024 if start >= 0 else 0


def fresh_versions(programs: Programs) -> Answer:
    """Of Python and the packages that are measured in it."""
    done = subprocess.run([programs.python, str(programs.worker), "--versions"], capture_output=True, text=True, check=False)
    return _answer(done.stdout, done.stderr, "versions")
