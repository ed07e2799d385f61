"""Shows lines: a table for people, JSON for programs, a plot of all ratios."""

import json
import platform
import sys
from pathlib import Path
from typing import Any

from harness.rows import Row
from harness.verdict import Line

COLUMNS = ("row", "what", "against", "ours", "peer", "ratio", "cpu", "goal", "gate", "verdict")


def time_text(ns: float, items: int) -> str:
    whole = f"{digits(ns / 1e6)} ms" if ns < 1e9 else f"{digits(ns / 1e9)} s"
    return f"{whole} ({digits(ns / items)} ns each)" if items else whole


def digits(value: float) -> str:
    """Three that count, never an exponent."""
    return f"{value:.0f}" if value >= 99.95 else f"{value:.3g}"


def ratio_text(ratio: float | None) -> str:
    """0.2 as 1/5, because that is how the bounds are said."""
    if ratio is None:
        return ""
    if ratio >= 0.995 or ratio <= 0:
        return f"{ratio:.3g}"
    return f"1/{digits(1 / ratio)}"


def plain_text(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.3g}"


def cells(line: Line) -> tuple[str, ...]:
    if line.error:
        times = ["-", "-"]
    elif line.against == "file size":
        times = [f"{value / 2**20:.4g} MiB" if value is not None else "-" for value in (line.ours, line.peer)]
    else:
        times = [time_text(value, line.items) if value is not None else "-" for value in (line.ours, line.peer)]
    verdict = line.verdict + (", moved more bytes" if line.moved_more else "")
    show = plain_text if line.against == "file size" else ratio_text
    ratios = [show(value) for value in (line.wall, line.cpu, line.goal, line.gate)]
    return (str(line.row), line.what, line.against, *times, *ratios, verdict)


def table(lines: list[Line]) -> str:
    """Markdown, so that it can be pasted into bench/README.md as it is."""
    rows = [COLUMNS, *(cells(line) for line in lines)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(COLUMNS))]
    drawn = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows]
    return "\n".join([drawn[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *drawn[1:]])


def errors(lines: list[Line]) -> list[str]:
    return sorted({f"row {line.row}, {line.what}: {line.error}" for line in lines if line.error})


def machine() -> dict[str, Any]:
    def first(path: str, key: str) -> str:
        try:
            text = Path(path).read_text()
        except OSError:
            return "?"
        return next((entry.partition(":")[2].strip() for entry in text.splitlines() if entry.startswith(key)), "?")

    return {
        "processor": first("/proc/cpuinfo", "model name"),
        "processors": sum(entry.startswith("processor") for entry in Path("/proc/cpuinfo").read_text().splitlines()),
        "memory": first("/proc/meminfo", "MemTotal"),
        "kernel": platform.release(),
        "load": Path("/proc/loadavg").read_text().split()[:3],
        "huge_pages": Path("/sys/kernel/mm/transparent_hugepage/enabled").read_text().strip(),
    }


def write_json(path: Path, about: dict[str, Any], lines: list[Line], rows: list[tuple[Row, Any]]) -> None:
    """Every line and every sample behind it."""
    samples = [
        {"row": row.number, "region": timed.region, "state": timed.state.value, "model": timed.path.name, "samples": series.samples}
        for row, measured in rows
        for timed, series in measured.series.items()
    ]
    path.write_text(json.dumps({"about": about, "lines": [line.as_json() for line in lines], "samples": samples}, indent=1) + "\n")


def write_plot(path: Path, lines: list[Line]) -> None:
    """One dot a ratio on a logarithmic axis, with its goal and its gate."""
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        print("no plot: matplotlib is not installed", file=sys.stderr)
        return
    shown = [line for line in lines if line.ratio is not None and line.ratio > 0]
    figure, axes = pyplot.subplots(figsize=(10, 1 + 0.3 * len(shown)))
    colours = {"goal": "tab:green", "gate": "tab:olive", "short": "tab:orange", "FAIL": "tab:red"}
    for y, line in enumerate(reversed(shown)):
        axes.plot([line.ratio or 0], [y], "o", color=colours.get(line.verdict, "tab:grey"))
        for bound, mark in ((line.goal, "|"), (line.gate, "x")):
            if bound is not None:
                axes.plot([bound], [y], mark, color="black", markersize=10)
    axes.set_yticks(range(len(shown)), [f"{line.row}  {line.what} ÷ {line.against}" for line in reversed(shown)], fontsize=8)
    axes.set_xscale("log")
    axes.axvline(1, color="lightgrey", zorder=0)
    axes.set_xlabel("ours ÷ other, lower is better; | the goal, x the gate")
    figure.tight_layout()
    figure.savefig(path, dpi=120)
