"""Loops that leave nothing behind: no memory, no Python objects, no descriptors, no threads, no names in the folder."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

FACES = Path(__file__).resolve().parent / "faces"
sys.path.insert(0, str(FACES))

import loops  # noqa: E402

PROGRAM = """
    import gc, os, sys, threading
    sys.path.insert(0, sys.argv[1])
    import loops
    from pathlib import Path

    def resident():
        if "libasan" in os.environ.get("LD_PRELOAD", ""):  # which keeps what was freed
            return 0
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) << 10 for line in status if line.startswith("RssAnon"))

    def facts():
        gc.collect()
        return sys.getallocatedblocks(), len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task")), sorted(os.listdir("."))

    loops.prepare(Path("."))
    act = loops.ACTS[sys.argv[2]]
    for _ in range(20):
        act()
    for turn in range(20):  # what is kept to be used again has its end, a leak has none
        before, resident_before = facts(), resident()
        for _ in range(60):
            act()
        after = facts()
        assert after[1:] == before[1:], (before, after)
        if after[0] - before[0] < 30 and resident() - resident_before < 30 * loops.SIZE:
            sys.exit()
    sys.exit(f"{before} {after} {resident() - resident_before}")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what a process has is told by /proc")
@pytest.mark.parametrize("act", loops.ACTS)
def test_what_is_done_again_and_again_leaves_nothing_behind(tmp_path: Path, act: str) -> None:
    command = [sys.executable, "-W", "error", "-c", textwrap.dedent(PROGRAM), str(FACES), act]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
