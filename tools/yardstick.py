#!/usr/bin/env python3
"""Runs the Python tests of `onnx` itself against this library, and compares what fails with the committed list.

    tools/yardstick.py [--protobuf with|without] [--write] [FILE …]

The tests come from the source distribution of the `onnx` release that the tests pin, which pip downloads; they are unpacked below
build/yardstick and run unedited. Their environment has this library (as it is installed in the running Python), numpy, ml_dtypes and
pytest, and no `onnx`; `import onnx` means this library by `pytest -p onnx_light.as_onnx`. They run twice: with protobuf installed beside
it, and without.

tests/data/yardstick.txt lists the functions that fail, each with a reason from a closed set:

    schemas      needs the schemas of operators; its error has to say so, or a comment behind the name says why it does not
    protobuf     tests what protobuf is inside
    differences  shows a difference that docs/differences.md lists

Without FILE the files are those of FILES below. Anything that is not as listed is an error: a failure that is not listed or has another
reason, and a listed function that passes. --write brings the list's `schemas` part up to date and leaves the rest to people.
"""

from __future__ import annotations

import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "yardstick"
KNOWN = ROOT / "tests" / "data" / "yardstick.txt"
FILES = (
    "basic",
    "compose",
    "external_data",
    "helper",
    "model_container",
    "numpy_helper",
    "opaque_type",
    "parser",
    "printer",
    "serialization",
    "tools",
    "utils",
)
REASONS = ("schemas", "protobuf", "differences")
SAYS_SCHEMAS = "needs the schemas of operators"
# Of the functions whose reason is not `schemas`, so many pass at least; and so few may be listed for another reason.
SHARE_OUTSIDE_SCHEMAS = 0.95
MOST_OF_OTHER_REASONS = 10


class Outcome(NamedTuple):
    passed: bool
    says_schemas: bool
    text: str


def run(*command: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]
    assert isinstance(done, subprocess.CompletedProcess)
    return done


def must(*command: str | Path) -> None:
    done = run(*command)
    if done.returncode != 0:
        sys.exit(f"failed: {' '.join(map(str, command))}\n{done.stdout}{done.stderr}")


def pinned(name: str) -> str:
    """The requirement of the test extra for a package: "onnx==1.23.2"."""
    found = re.search(rf'"({name}==[^"]+)"', (ROOT / "pyproject.toml").read_text())
    if found is None:
        sys.exit(f"pyproject.toml pins no release of {name}")
    return found[1]


def unpack_tests() -> Path:
    """The folder tests/python of the source distribution."""
    requirement = pinned("onnx")
    folder = FOLDER / requirement.replace("==", "-")
    tests = folder / "tests" / "python"
    if tests.exists():
        return tests
    archives = FOLDER / "download"
    if not list(archives.glob(f"{folder.name}.tar.gz")):
        must(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "onnx", "--dest", archives, requirement)
    with tarfile.open(archives / f"{folder.name}.tar.gz") as archive:
        wanted = [member for member in archive if member.name.startswith(f"{folder.name}/tests/python/")]
        if hasattr(tarfile, "data_filter"):  # from Python 3.11.4 on
            archive.extraction_filter = staticmethod(tarfile.data_filter)
        elif any(not (member.isfile() or member.isdir()) or ".." in member.name.split("/") for member in wanted):
            sys.exit(f"{folder.name}.tar.gz holds more than files and folders")
        archive.extractall(FOLDER, wanted)
    return tests


def make_environment() -> tuple[Path, Path]:
    """The Python of the environment without `onnx` and protobuf, and the folder with protobuf alone."""
    python = FOLDER / "env" / "bin" / "python"
    protobuf = FOLDER / "protobuf"
    if not (protobuf / "google").exists():
        must(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", protobuf, pinned("protobuf"))
    if not python.exists():
        must(sys.executable, "-m", "venv", FOLDER / "env")
        must(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "numpy", "ml_dtypes", "pytest", "packaging")
    import onnx_light

    assert onnx_light.__file__ is not None
    source = Path(onnx_light.__file__).parent
    target = next((FOLDER / "env" / "lib").glob("python*/site-packages")) / "onnx_light"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    found = run(python, "-c", "import importlib.util as u; print(u.find_spec('onnx'), u.find_spec('google'))", cwd=FOLDER)
    if found.stdout.split() != ["None", "None"]:
        sys.exit(f"the environment is not clean: {found.stdout}{found.stderr}")
    return python, protobuf


def results(report: Path) -> dict[str, Outcome]:
    """What became of each case, from pytest's report."""
    found = {}
    for case in ElementTree.parse(report).iter("testcase"):
        if case.find("skipped") is not None:
            continue
        file, *classes = case.get("classname", "").split(".")
        name = "::".join([file, *classes, case.get("name", "")])
        faults = [*case.findall("failure"), *case.findall("error")]
        text = "\n".join((fault.get("message") or "") + "\n" + (fault.text or "") for fault in faults)
        found[name] = Outcome(not faults, SAYS_SCHEMAS in text, text.strip().splitlines()[0] if text.strip() else "")
    return found


def run_tests(python: Path, tests: Path, files: list[str], protobuf: Path | None) -> dict[str, Outcome]:
    report = FOLDER / f"report-{'with' if protobuf else 'without'}.xml"
    report.unlink(missing_ok=True)
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PYTEST"))}
    if protobuf:
        environment["PYTHONPATH"] = str(protobuf)
    (FOLDER / "pytest.ini").write_text("[pytest]\n")
    paths = [f"{name}_test.py" for name in files]
    options = (
        "-q",
        "--continue-on-collection-errors",
        "-c",
        FOLDER / "pytest.ini",
        "--rootdir",
        tests,
        "-p",
        "onnx_light.as_onnx",
        "-p",
        "no:cacheprovider",
    )
    done = run(python, "-m", "pytest", *options, f"--junitxml={report}", *paths, cwd=tests, env=environment)
    if not report.exists():
        sys.exit(f"pytest did not run:\n{done.stdout}{done.stderr}")
    return results(report)


def by_function(cases: dict[str, Outcome]) -> dict[str, Outcome]:
    """One outcome a function: that of its first case that fails, or that it passes."""
    functions: dict[str, Outcome] = {}
    for name, outcome in cases.items():
        function = name.partition("[")[0]
        if function not in functions or (functions[function].passed and not outcome.passed):
            functions[function] = outcome
    return functions


def read_known() -> dict[str, str]:
    """The listed functions and their reasons; "schemas, explained" where a comment says why the error does not speak of schemas."""
    known = {}
    for line in KNOWN.read_text().splitlines() if KNOWN.exists() else []:
        if line and not line.startswith("#"):
            reason, name = line.split(maxsplit=1)
            if reason not in REASONS:
                sys.exit(f"{KNOWN.name}: {reason!r} is none of {', '.join(REASONS)}")
            name, _, comment = name.partition("#")
            known[name.strip()] = f"{reason}, explained" if comment and reason == "schemas" else reason
    return known


def compare(functions: dict[str, Outcome], known: dict[str, str], files: list[str], mode: str) -> list[str]:
    faults = []
    for name, outcome in functions.items():
        reason = known.get(name)
        if outcome.passed and reason is not None:
            faults.append(f"passes, and is listed ({reason}): {name}")
        elif not outcome.passed and reason is None:
            faults.append(f"fails, and is not listed: {name}: {outcome.text[:200]}")
        elif not outcome.passed and reason == "schemas" and not outcome.says_schemas:
            faults.append(f"fails for another reason than schemas: {name}: {outcome.text[:200]}")
    here = tuple(f"{name}_test::" for name in files)
    faults += [f"is listed, and does not exist: {name}" for name in known if name.startswith(here) and name not in functions]
    return [f"{mode} protobuf: {fault}" for fault in faults]


def write_known(functions: dict[str, Outcome], files: list[str]) -> None:
    """Replaces the lines of these files that say no more than `schemas`."""
    here = tuple(f"schemas {name}_test::" for name in files)
    lines = KNOWN.read_text().splitlines() if KNOWN.exists() else []
    head = [line for line in lines if line.startswith("#")]
    kept = [line for line in lines if line and not line.startswith("#") and ("#" in line or not line.startswith(here))]
    listed = {line.split()[1] for line in kept}
    kept += [f"schemas {name}" for name, outcome in functions.items() if not outcome.passed and outcome.says_schemas and name not in listed]
    KNOWN.write_text("\n".join([*head, *sorted(kept)]) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--protobuf", choices=("with", "without"), help="only one of the two runs")
    parser.add_argument("--write", action="store_true", help="bring the list's schemas part up to date")
    parser.add_argument("files", nargs="*", metavar="FILE", help='names without "_test.py"')
    options = parser.parse_args()
    files = options.files or list(FILES)
    FOLDER.mkdir(parents=True, exist_ok=True)
    tests = unpack_tests()
    python, protobuf = make_environment()
    faults = []
    for mode in ("with", "without") if options.protobuf is None else (options.protobuf,):
        functions = by_function(run_tests(python, tests, files, protobuf if mode == "with" else None))
        if options.write:
            write_known(functions, files)
        known = read_known()
        faults += compare(functions, known, files, mode)
        reasons = collections.Counter(known[name].partition(",")[0] for name in functions if name in known)
        outside = [outcome for name, outcome in functions.items() if not known.get(name, "").startswith("schemas")]
        passed = sum(outcome.passed for outcome in outside)
        others = sum(count for reason, count in reasons.items() if reason != "schemas")
        print(
            f"yardstick, {mode} protobuf: {len(functions)} functions, {reasons['schemas']} need schemas, "
            f"of the other {len(outside)} pass {passed} ({passed / max(len(outside), 1):.1%})"
        )
        if passed < SHARE_OUTSIDE_SCHEMAS * len(outside):
            faults.append(f"{mode} protobuf: fewer than {SHARE_OUTSIDE_SCHEMAS:.0%} of the functions that need no schemas pass")
        if others > MOST_OF_OTHER_REASONS:
            faults.append(
                f"{mode} protobuf: {others} functions are listed for reasons other than schemas, at most {MOST_OF_OTHER_REASONS} may be"
            )
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
