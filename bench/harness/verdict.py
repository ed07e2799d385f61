"""Turns samples into ratios and ratios into verdicts: the rule of DESIGN.md, section 6, and nothing else.

A figure is the mean of the best quarter of its rounds. A bound is met if wall time or processor time meets it and no more bytes were
moved than the peer moved. Memory is anonymous peak ÷ file size, and its goal is its gate.
"""

from dataclasses import asdict, dataclass
from math import ceil
from typing import Any

from harness.rounds import Measured, PathOf, Series, Timed
from harness.rows import Bound, Floor, Part, Peer, PerItem, model_of

MOVED_SLACK = 1 << 16  # a program that reads a small file of its own meanwhile does not move more than its peer


@dataclass
class Line:
    """One line of the table."""

    row: int
    what: str
    against: str
    ours: float | None = None  # ns, or bytes for memory
    peer: float | None = None
    items: int = 0
    wall: float | None = None  # ours ÷ peer
    cpu: float | None = None
    goal: float | None = None
    gate: float | None = None
    moved_more: bool = False
    error: str | None = None

    @property
    def ratio(self) -> float | None:
        """The better of the two: what the bound is held against."""
        return None if self.wall is None else min(self.wall, self.wall if self.cpu is None else self.cpu)

    @property
    def verdict(self) -> str:
        if self.error:
            return "not built" if "not built" in self.error or "no region" in self.error else "error"
        if self.goal is None or self.ratio is None:
            return "-"
        if self.ratio <= self.goal and not self.moved_more:
            return "goal"
        if self.gate is None:
            return "short"
        return "gate" if self.ratio <= self.gate and not self.moved_more else "FAIL"

    @property
    def failed(self) -> bool:
        return self.verdict in ("FAIL", "error")

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"ratio": self.ratio, "verdict": self.verdict}


def best_quarter(values: list[float]) -> float:
    best = sorted(values)[: ceil(len(values) / 4)]
    return sum(best) / len(best)


def figure(series: Series, key: str) -> float:
    return best_quarter([answer[key] for answer in series.samples])


def lines_of(number: int, part: Part, path_of: PathOf, measured: Measured) -> list[Line]:
    timed = Timed(part.ours, path_of(part.model), part.state)
    ours = measured.series[timed]
    lines = [_line(number, part, bound, ours, measured, path_of) for bound in part.against]
    if part.memory is not None:
        lines.append(_memory_line(number, part, measured.memory.get(timed), ours.error))
    return lines


def _line(number: int, part: Part, bound: Bound, ours: Series, measured: Measured, path_of: PathOf) -> Line:
    if not isinstance(bound, Peer):
        name = f"{bound.ns:g} ns each" if isinstance(bound, PerItem) else f"{bound.ns / 1e6:g} ms"
        line = Line(number, part.what, name, goal=bound.goal, gate=bound.gate)
    else:
        name = f"floor: {bound.region}" if isinstance(bound, Floor) else bound.region
        line = Line(number, part.what, name, goal=bound.goal, gate=bound.gate)
    line.error = ours.error
    if line.error:
        return line
    line.ours = figure(ours, "ns")
    line.items = int(ours.checked.get("items", 0))
    if not isinstance(bound, Peer):
        line.peer = bound.ns * line.items if isinstance(bound, PerItem) else bound.ns
        line.wall = line.ours / line.peer
        line.cpu = figure(ours, "cpu_ns") / line.peer
        return line
    peer = measured.series[Timed(bound.region, path_of(model_of(part, bound)), part.state)]
    if peer.error:
        line.error = f"{bound.region}: {peer.error}"
        return line
    line.peer = figure(peer, "ns")
    line.wall = line.ours / max(line.peer, 1.0)
    line.cpu = figure(ours, "cpu_ns") / max(figure(peer, "cpu_ns"), 1.0)
    moved, moved_by_peer = (min(sample["bytes_moved"] for sample in side.samples) for side in (ours, peer))
    line.moved_more = not bound.maps and moved > moved_by_peer + MOVED_SLACK
    return line


def _memory_line(number: int, part: Part, answer: dict[str, Any] | None, error: str | None) -> Line:
    line = Line(number, f"{part.what}: memory", "file size", goal=part.memory, gate=part.memory, error=error)
    if answer and "error" in answer:
        line.error = answer["error"]
    elif answer:
        line.ours = max(answer["anon_peak"], answer.get("anon_polled", 0))
        line.peer = answer["bytes"]
        line.wall = line.ours / line.peer
    return line
