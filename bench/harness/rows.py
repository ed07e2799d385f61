"""What a row of BENCH says, as data. Each file of rows/ makes one ROW of these; nothing else has to know it."""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path


class State(Enum):
    """In what process an act is timed. All sides of a comparison are in the same."""

    KEEPING = "keeping"  # one that repeats the act, and may keep the memory that it freed
    DEFAULT = "default"  # one that repeats the act, with the memory settings that it was born with
    FRESH = "fresh"  # a new one for each figure


@dataclass(frozen=True)
class Peer:
    """Another library doing the same job. `goal` is what we want, `gate` is what fails a run; ours ÷ peer, lower is better.

    Without a gate the comparison cannot fail a run; without a goal it is printed for the reader only. Both sides act on the part's model,
    unless `model` names another one for this side. `maps`: the peer reads files through mappings, which the kernel's counters of moved
    bytes do not see, so they are not compared.
    """

    region: str
    goal: float | None = None
    gate: float | None = None
    model: str | None = None
    maps: bool = False


@dataclass(frozen=True)
class Floor(Peer):
    """A small program of our own that does the least the job needs. Floors have goals only."""


@dataclass(frozen=True)
class PerItem:
    """A fixed figure: so many nanoseconds for each node or initializer."""

    ns: float
    goal: float = 1.0
    gate: None = None


@dataclass(frozen=True)
class Within:
    """A fixed figure: so many nanoseconds for the whole act, which fails a run that takes longer."""

    ns: float
    goal: float = 1.0
    gate: float = 1.0


Bound = Peer | PerItem | Within


@dataclass(frozen=True)
class Part:
    """One act of ours and what it is held against, on one model.

    `memory`: the largest anonymous peak allowed, as a multiple of the file's size.
    """

    what: str
    model: str
    ours: str
    against: Sequence[Bound] = ()
    state: State = State.KEEPING
    memory: float | None = None


def model_of(part: Part, bound: Bound | None = None) -> str:
    """The model that a side of a part acts on: ours, or that of a bound."""
    return (bound.model if isinstance(bound, Peer) else None) or part.model


@dataclass(frozen=True)
class Row:
    number: int
    what: str
    parts: Sequence[Part] = field(default_factory=tuple)

    def models(self) -> set[str]:
        return {model_of(part, bound) for part in self.parts for bound in (None, *part.against)}


def all_rows() -> dict[int, Row]:
    """Every row of the folder rows/, in order."""
    names = sorted(path.stem for path in (Path(__file__).parent.parent / "rows").glob("row_*.py"))
    rows = [importlib.import_module(f"rows.{name}").ROW for name in names]
    return {row.number: row for row in rows}
