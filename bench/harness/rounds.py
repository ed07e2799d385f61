"""Measures one row: every region is checked first, then all of them take turns in shuffled order, round after round.

Nothing is remembered between runs.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from harness.rows import Part, Peer, Row, State, model_of
from harness.workers import Answer, Crew, Programs, fresh, warm_the_host

LONG_NS = 5e9  # rows whose acts take longer need fewer rounds
ROUNDS_OF_LONG = 7
MEMORY_RUNS = 3


@dataclass(frozen=True)
class Timed:
    """What is timed: a region on a file, in a state."""

    region: str
    path: Path
    state: State


@dataclass
class Series:
    """All that was measured of one Timed."""

    samples: list[Answer] = field(default_factory=list)
    checked: Answer = field(default_factory=dict)

    @property
    def error(self) -> str | None:
        found = [answer["error"] for answer in (self.checked, *self.samples) if "error" in answer]
        return found[0] if found else None


@dataclass
class Measured:
    series: dict[Timed, Series]
    memory: dict[Timed, Answer]


PathOf = Callable[[str], Path]  # of a model, by its name


def sides_of(part: Part, path_of: PathOf) -> list[Timed]:
    others = [Timed(bound.region, path_of(model_of(part, bound)), part.state) for bound in part.against if isinstance(bound, Peer)]
    return [Timed(part.ours, path_of(part.model), part.state), *others]


def measure(row: Row, path_of: PathOf, programs: Programs, rounds: int, order: random.Random) -> Measured:
    series = check(row, path_of, programs)
    memory = _memory(row, path_of, programs, series)
    alive = [timed for timed, found in series.items() if not found.error]
    with Crew(programs) as crew:
        for timed in alive:
            if timed.state is not State.FRESH:  # this check is the round that is not counted: it fills what may be kept
                crew.ask(timed.region, timed.path, timed.state, "check")
        done = 0
        while done < rounds:
            order.shuffle(alive)
            for timed in alive:
                series[timed].samples.append(_time(timed, series[timed].checked, crew))
            done += 1
            longest = max((series[timed].samples[0].get("ns", 0) for timed in alive), default=0)
            if longest > LONG_NS:
                rounds = min(rounds, ROUNDS_OF_LONG)
    return Measured(series, memory)


def _time(timed: Timed, checked: Answer, crew: Crew) -> Answer:
    if timed.state is State.KEEPING:  # has the pages it needs; warming would only empty the processor's caches
        return crew.ask(timed.region, timed.path, timed.state)
    warm_the_host(crew.programs, checked["resident_peak"])
    if timed.state is State.FRESH:
        return fresh(crew.programs, timed.region, timed.path)
    return crew.ask(timed.region, timed.path, timed.state)


def check(row: Row, path_of: PathOf, programs: Programs) -> dict[Timed, Series]:
    """Each region once, in a fresh process; what they found must agree before any of them is timed: those that differ have an error."""
    series = {timed: Series() for part in row.parts for timed in sides_of(part, path_of)}
    for timed, found in series.items():
        found.checked = fresh(programs, timed.region, timed.path, "check")
    for what in ("items", "bytes", "sum"):
        sides: dict[tuple[Path, str], list[tuple[str, Answer]]] = {}
        for timed, found in series.items():
            if found.checked.get(what):
                kind = timed.region.partition(".")[2] if what == "sum" else ""
                sides.setdefault((timed.path, kind), []).append((timed.region, found.checked))
        for answers in sides.values():
            values = {region: answer[what] for region, answer in answers}
            if len(set(values.values())) > 1:
                for _, answer in answers:
                    answer["error"] = f"the sides do not do the same job, they differ in {what}: {values}"
    return series


def _memory(row: Row, path_of: PathOf, programs: Programs, series: dict[Timed, Series]) -> dict[Timed, Answer]:
    """The largest anonymous peak of a few fresh processes, by whichever of the two ways saw more."""
    found: dict[Timed, Answer] = {}
    for part in row.parts:
        timed = Timed(part.ours, path_of(part.model), part.state)
        if part.memory is None or series[timed].error:
            continue
        answers = [fresh(programs, timed.region, timed.path, "memory") for _ in range(MEMORY_RUNS)]
        found[timed] = max(answers, key=lambda answer: max(answer.get("anon_peak", 0), answer.get("anon_polled", 0)))
    return found
