"""examples/plot_threads_load_save.py and examples/plot_raw_data_callback.py do what they say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path


def run_example(root: Path, name: str, *arguments: str | Path) -> str:
    command: list[str | Path] = [sys.executable, root / "examples" / name, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_loading_and_saving_is_timed_for_each_number_of_threads(root: Path) -> None:
    lines = run_example(root, "plot_threads_load_save.py", "8").splitlines()
    assert lines[0].startswith("2 tensors, 8,000,")
    assert len(lines) >= 5
    for line in lines[1:-1]:
        assert re.fullmatch(r"num_threads=[ -]?\d: load +\d+\.\d ms, save +\d+\.\d ms", line), line
    assert lines[-1].startswith("mapped:")


CALLBACK = """\
progress:
  w0: 10 bytes, 10 so far
  w1: 1,010 bytes, 1,020 so far
  w2: 2,010 bytes, 3,030 so far
  w3: 3,010 bytes, 6,040 so far
ownership:
  4 weights on the device, 6,040 bytes
  small/w0: released
  small/w1: released
  small/w2: released
  small/w3: released
  0 weights on the device
"""


def test_the_callback_sees_each_tensor_and_its_deleters_run_once(root: Path) -> None:
    lines = run_example(root, "plot_raw_data_callback.py").splitlines()
    expected = CALLBACK.splitlines()
    assert lines[:8] == expected[:8]
    assert sorted(lines[8:-1]) == expected[8:-1]  # in which order the last ones go is not said
    assert lines[-1] == expected[-1]
