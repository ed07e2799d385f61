"""The Python twin of bench_proto: the same lines in, the same JSON lines out. Runs under the Python that has `onnx` and `onnx_light`.

    python bench/worker.py --serve [--keep] | --versions | <side.act> <file> [--memory]

A side is a package: `onnx` is the peer, `ours_py` is onnx_light.onnx. One process imports one side only.
"""

import ctypes
import gc
import importlib
import json
import os
import resource
import sys
import time
from pathlib import Path
from types import ModuleType

from regions import command_acts, python_acts, weights_acts
from regions.python_acts import Act

PACKAGES = {"onnx": "onnx", "ours_py": "onnx_light.onnx", "onnx_ir": "onnx_ir", "safetensors": "safetensors.numpy"}
ACTS = python_acts.ACTS | weights_acts.ACTS | command_acts.ACTS


def proc(name: str) -> bytes:
    with Path("/proc/self", name).open("rb", buffering=0) as file:
        return file.read(8192) or b""


def number(text: bytes, name: bytes) -> int:
    start = text.find(name)
    return int(text[start + len(name) :].split(None, 1)[0]) if start >= 0 else 0


def status_bytes(*names: bytes) -> int:
    text = proc("status")
    return 1024 * sum(number(text, name) for name in names)


def processor_ns() -> int:
    """Of this process and of the children that it has waited for: some acts are processes of their own."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time_ns() + round((children.ru_utime + children.ru_stime) * 1e9)


def measure(act: Act) -> dict[str, int]:
    """See measure.h for the memory figures."""
    gc.collect()
    with Path("/proc/self/clear_refs").open("wb", buffering=0) as peak:
        peak.write(b"5")
    resident, in_files = status_bytes(b"VmRSS:"), status_bytes(b"RssFile:", b"RssShmem:")
    io = proc("io")
    cpu = processor_ns()
    wall = time.perf_counter_ns()
    act.act()
    wall = time.perf_counter_ns() - wall
    cpu = processor_ns() - cpu
    io_after = proc("io")
    rss_peak = max(0, status_bytes(b"VmHWM:") - resident)
    file_growth = max(0, status_bytes(b"RssFile:", b"RssShmem:") - in_files)
    moved = sum(number(io_after, name) - number(io, name) for name in (b"rchar:", b"wchar:")) - len(io)
    return {"ns": wall, "cpu_ns": cpu, "bytes_moved": moved, "anon_peak": max(0, rss_peak - file_growth), "rss_peak": rss_peak}


class Worker:
    def __init__(self) -> None:
        self.made: dict[tuple[str, str], Act] = {}

    def at(self, name: str, path: str) -> Act:
        if (name, path) not in self.made:
            side, _, act = name.partition(".")
            if side not in PACKAGES or act not in ACTS:
                raise LookupError("no region of that name")
            try:
                package: ModuleType = importlib.import_module(PACKAGES[side])
            except ImportError as error:
                raise LookupError(f"not built: {error}") from error
            self.made[name, path] = ACTS[act](package, path)
        return self.made[name, path]

    def answer(self, mode: str, name: str, path: str) -> None:
        line: dict[str, object] = {"what": name}
        try:
            act = self.at(name, path)
            act.prepare()
            if mode == "memory":
                say({"ready": True})
                sys.stdin.readline()
            if mode == "check":
                act.act()
            else:
                line |= measure(act)
            if mode == "memory":
                say({"acted": True})
            line |= act.check()
            act.undo()
            line["resident_peak"] = status_bytes(b"VmHWM:")
        except Exception as error:  # whatever goes wrong belongs into the table, not into a traceback
            line = {"what": name, "error": f"{type(error).__name__}: {error}"}
        say(line)


def say(line: dict[str, object]) -> None:
    print(json.dumps(line), flush=True)


def keep_freed_memory() -> None:
    """As KeepFreedMemory in measure.h."""
    mallopt = ctypes.CDLL(None).mallopt
    m_trim_threshold, m_mmap_threshold = -1, -3
    mallopt(m_mmap_threshold, 1 << 30)
    mallopt(m_trim_threshold, 2**31 - 1)


def versions() -> dict[str, object]:
    def version(name: str) -> str | None:
        try:
            return str(getattr(importlib.import_module(name), "__version__", "?"))
        except ImportError:
            return None

    found: dict[str, object] = {"python": sys.version.split()[0]}
    found |= {name: version(name) for name in ("onnx", "google.protobuf", "onnx_light")}
    if found["google.protobuf"]:  # it comes in several implementations; the peer is the one called upb
        found["implementation"] = importlib.import_module("google.protobuf.internal.api_implementation").Type()
    return found


def main() -> None:
    worker = Worker()
    if sys.argv[1:] == ["--versions"]:
        say(versions())
    elif sys.argv[1:2] == ["--serve"]:
        if "--keep" in sys.argv:
            keep_freed_memory()
        for line in sys.stdin:
            mode, name, path = line.rstrip("\n").split("\t")
            worker.answer(mode, name, path)
    elif len(sys.argv) >= 3:
        worker.answer(sys.argv[3].removeprefix("--") if len(sys.argv) > 3 else "time", sys.argv[1], os.fspath(sys.argv[2]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
