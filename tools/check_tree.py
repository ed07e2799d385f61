#!/usr/bin/env python3
"""Cheap facts about the files of the tree: nothing large, nothing built, no path of one machine, no mark of unfinished work.

    tools/check_tree.py [ROOT]

Looks at files that git tracks or would track. Prints one line for each fault; exit code 1 if there is one.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

MAX_BYTES = 1_000_000
BUILT = re.compile(r"\.(o|a|so|pyc|gcda|profraw|log|onnx_data|whl)$|^build/|/build/|a\.out$")
# Written so that this file does not find itself.
MACHINE_PATHS = re.compile(r"/(wor[k]|far[m]|roo[t]|tm[p]|hom[e])/")
REGISTRY_HOSTS = re.compile(r"pyp[i]\.|python[h]osted|npm[j]s\.")
UNFINISHED = re.compile(r"\b(TOD[O]|FIXM[E]|XX[X]|HAC[K])\b|not implemented ye[t]")


def listed_files(root: Path) -> list[str]:
    done = subprocess.run(["git", "ls-files", "-coz", "--exclude-standard"], cwd=root, capture_output=True, text=True, check=True)
    return sorted(name for name in set(done.stdout.split("\0")) if name and (root / name).is_file())


def faults_in_text(name: str, text: str) -> Iterator[str]:
    patterns = {"names a path of one machine": MACHINE_PATHS, "names a registry host": REGISTRY_HOSTS}
    if not name.startswith("docs/"):
        patterns["is marked as unfinished"] = UNFINISHED
    for number, line in enumerate(text.splitlines(), start=1):
        for what, pattern in patterns.items():
            if found := pattern.search(line):
                yield f"{name}:{number}: {what}: {found.group()}"


def faults(root: Path) -> list[str]:
    found = []
    for name in listed_files(root):
        data = (root / name).read_bytes()
        if len(data) > MAX_BYTES:
            found.append(f"{name}: {len(data)} bytes, at most {MAX_BYTES} are kept in the tree")
        if BUILT.search(name):
            found.append(f"{name}: looks like build output")
        if b"\0" not in data[:8192]:
            found.extend(faults_in_text(name, data.decode("utf-8", errors="replace")))
    return found


def main(root: Path) -> int:
    found = faults(root)
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent))
