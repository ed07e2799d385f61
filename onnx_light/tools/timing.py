"""How long a model takes to load and to save here, and what the packages that are installed beside us need for the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import onnx_light.onnx as onnxl
from onnx_light.tools.reading import read

# Runs in a process of its own: what one package has in its caches or allocators is not the other's advantage.
_CHILD = """
import importlib, json, os, sys, time
package, path, folder, rounds = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
onnx = importlib.import_module("onnx_light.onnx" if package == "onnx_light" else package)
figures = {"load": [], "save": []}
for i in range(rounds):
    begin = time.perf_counter()
    model = onnx.load(path)
    figures["load"].append(time.perf_counter() - begin)
    print(flush=True)
    target = os.path.join(folder, "saved.onnx")
    begin = time.perf_counter()
    try:
        onnx.save(model, target)
        figures["save"].append(time.perf_counter() - begin)
    except Exception as error:
        figures["error"] = f"{type(error).__name__}: {error}"[:200]
    if os.path.exists(target):
        os.unlink(target)
    print(flush=True)
    del model
try:
    with open("/proc/self/status") as status:
        figures["peak"] = int(status.read().split("VmHWM:")[1].split()[0]) * 1024
except OSError:  # not Linux, whose ru_maxrss begins with what it was in the process that started this one
    import resource

    figures["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
print(json.dumps(figures))
"""
PEERS = ("onnx",)


@dataclass
class Timing:
    """Seconds are those of the best round, memory the highest of the process."""

    package: str
    load: float | None
    save: float | None
    peak_bytes: int
    note: str = ""


def bench(
    path: str | os.PathLike[str],
    *,
    rounds: int = 5,
    peers: bool = True,
    progress: Callable[[int], object] | None = None,
) -> list[Timing]:
    """Loads and saves a model with this package, and with each peer that is installed, in processes of their own.

    Args:
        path: the model. It is saved to a temporary folder, with its weights inside.
        rounds: how often; the first ones fill the file cache for all.
        peers: whether other packages are asked too.
        progress: called with the bytes of the model each time that it has been loaded or saved.

    Raises OSError where the file cannot be read, DecodeError where it is no model, and RuntimeError where this package's own process fails.
    """
    size = os.path.getsize(path) + sum(entry.size for entry in onnxl.list_external_data(read(path)))  # what is no model is told here
    packages = ["onnx_light", *(name for name in PEERS if peers and _installed(name))]
    timings = []
    with tempfile.TemporaryDirectory() as folder:
        for package in packages:
            command = [sys.executable, "-c", _CHILD, package, os.path.abspath(path), folder, str(max(rounds, 1))]
            code, answer, error = _run(command, folder, lambda: progress and progress(size))
            if code != 0:
                if package == "onnx_light":
                    raise RuntimeError(error or f"exit code {code}")
                timings.append(Timing(package, None, None, 0, error or f"exit code {code}"))
                continue
            figures = json.loads(answer)
            best = {act: min(figures[act]) if figures[act] else None for act in ("load", "save")}
            timings.append(Timing(package, best["load"], best["save"], figures["peak"], figures.get("error", "")))
    return timings


def _run(command: list[str], folder: str, on_line: Callable[[], object]) -> tuple[int, str, str]:
    """Exit code, last line and last line of the errors of a process; `on_line` is called for each empty line."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=folder) as process:
            assert process.stdout is not None
            last = ""
            try:
                for last in process.stdout:
                    if last == "\n":
                        on_line()
            except BaseException:
                process.kill()
                raise
        errors.seek(0)
        return process.returncode, last, (errors.read().strip().splitlines() or [""])[-1]


def _installed(name: str) -> bool:
    """Whether a package is there and is not an alias of this one."""
    found = find_spec(name)
    return found is not None and found.origin is not None and Path(found.origin).parent.name == name and "onnx_light" not in found.origin
