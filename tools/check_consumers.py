#!/usr/bin/env python3
"""Builds and runs examples/consumer in the three ways in which a C++ project can take this library.

    tools/check_consumers.py BUILD_DIR WORK_DIR [MODEL]

BUILD_DIR is a configured and built tree (static libraries). It is installed into WORK_DIR/prefix, the prefix is moved once (an install
must not remember where it was made), and the program is built against it by find_package and by pkg-config; by FetchContent it is built
against the sources, with shared libraries, which also proves that all that users need is exported. Exit code 0: all three built without a
warning and ran, and the shared library of messages is as small as promised.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "consumer"
MAX_PROTO_BYTES = 1_500_000  # libonnx_light_proto.so, stripped: 1 MB, and half of one for the text forms


def run(*command: str | Path, env: dict[str, str] | None = None) -> str:
    """Runs a command and gives its output; what it printed is shown only when it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env, check=False)
    if done.returncode != 0:
        sys.exit(f"{done.stdout}\nfailed ({done.returncode}): {' '.join(words)}")
    return done.stdout


def build_with_cmake(build: Path, *arguments: str) -> Path:
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    run("cmake", "-S", EXAMPLE, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *launcher, *arguments)
    run("cmake", "--build", build)
    return build / "consumer"


def install(build: Path, work: Path) -> Path:
    prefix, made_at = work / "prefix", work / "made-here"
    for folder in (prefix, made_at):
        shutil.rmtree(folder, ignore_errors=True)
    run("cmake", "--install", build, "--prefix", made_at, "--component", "development")
    made_at.rename(prefix)
    return prefix


def by_find_package(work: Path, prefix: Path) -> Path:
    return build_with_cmake(work / "find_package", f"-DCMAKE_PREFIX_PATH={prefix}")


def by_pkg_config(work: Path, prefix: Path) -> Path:
    folders = os.pathsep.join(str(path.parent) for path in prefix.rglob("onnx_light.pc"))
    flags = run("pkg-config", "--cflags", "--libs", "--static", "onnx_light", env={**os.environ, "PKG_CONFIG_PATH": folders})
    program = work / "pkg_config"
    compiler = os.environ.get("CXX", "c++")
    run(compiler, "-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", EXAMPLE / "main.cc", "-o", program, *flags.split())
    return program


def by_fetch_content(work: Path) -> Path:
    return build_with_cmake(work / "fetch_content", f"-DCONSUMER_SOURCE_DIR={ROOT}", "-DONNX_LIGHT_BUILD_SHARED=ON")


def check_size(work: Path) -> str:
    library = next((work / "fetch_content").rglob("libonnx_light_proto.so")).resolve()
    stripped = work / "stripped.so"
    run("strip", "-o", stripped, library)
    size = stripped.stat().st_size
    if size > MAX_PROTO_BYTES:
        sys.exit(f"{library.name}: {size} bytes stripped, {MAX_PROTO_BYTES} are promised")
    return f"{library.name}: {size} bytes stripped"


def main(build: Path, work: Path, *model: str) -> None:
    work.mkdir(parents=True, exist_ok=True)
    prefix = install(build, work)
    for way, program in (
        ("find_package", by_find_package(work, prefix)),
        ("pkg-config", by_pkg_config(work, prefix)),
        ("FetchContent, shared", by_fetch_content(work)),
    ):
        print(f"consumer by {way}: {run(program, *model).strip().splitlines()[-1]}", flush=True)
    print(check_size(work))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), *sys.argv[3:])
