"""Messages and lists, held and edited in every way, with the installed `onnx` as oracle: what hypothesis finds, it makes short.

A step is a rule: something new, something that is reached from what is held, an edit, or a deed of two things that are held. Results and
types of exceptions are the same in both packages, and after each step so are the bytes of everything that is held. The edits are those of
tests/faces/edits.py, which says where protobuf is left alone.
"""

from __future__ import annotations

import copy
import pickle
import random
import sys
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

sys.path.insert(0, str(Path(__file__).resolve().parent / "faces"))
import edits  # type: ignore[import-not-found]
from both import OURS, THEIRS  # type: ignore[import-not-found]
from edits import Pair, Walk, is_empty
from machines import profile  # type: ignore[import-not-found]

PLACES = st.integers(0, 1 << 16)
RANDOM = st.randoms(use_true_random=False)
MESSAGE_EDITS = sorted({edit.__name__: edit for edit in edits.MESSAGE_EDITS}.items())
LIST_EDITS = sorted({edit.__name__: edit for edit in edits.LIST_EDITS}.items())


class Messages(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.walk = Walk(0)

    @property
    def held(self) -> list[Pair]:
        return self.walk.held

    def of_kind(self, kind: str, place: int) -> Pair | None:
        found = [pair for pair in self.held if pair.kind == kind]
        return found[place % len(found)] if found else None

    def keep(self, pair: Pair) -> None:
        self.held.append(pair)
        if len(self.held) > Walk.MOST_HELD:
            del self.held[0]

    def same(self, ours: Any, theirs: Any) -> None:
        """Calls both, and holds the results against each other."""
        results = [self.walk.result(lambda act: act(), act) for act in (ours, theirs)]
        assert results[0] == results[1], results

    @initialize(rng=RANDOM)
    def begin(self, rng: random.Random) -> None:
        self.make_one(rng)

    @rule(rng=RANDOM)
    def make(self, rng: random.Random) -> None:
        self.make_one(rng)

    def make_one(self, rng: random.Random) -> None:
        self.walk.rng = rng
        self.keep(self.walk.new_root())

    @precondition(lambda self: bool(self.held))
    @rule(place=PLACES, rng=RANDOM)
    def reach(self, place: int, rng: random.Random) -> None:
        self.walk.rng = rng
        if (found := self.walk.reached(self.held[place % len(self.held)])) is not None:
            self.keep(found)

    @precondition(lambda self: bool(self.held))
    @rule(place=PLACES)
    def let_go(self, place: int) -> None:
        del self.held[place % len(self.held)]

    @precondition(lambda self: bool(self.held))
    @rule(place=PLACES, edit=st.sampled_from(MESSAGE_EDITS), rng=RANDOM)
    def edit_message(self, place: int, edit: Any, rng: random.Random) -> None:
        self.apply("message", place, edit, rng)

    @precondition(lambda self: bool(self.held))
    @rule(place=PLACES, edit=st.sampled_from(LIST_EDITS), rng=RANDOM)
    def edit_list(self, place: int, edit: Any, rng: random.Random) -> None:
        self.apply("list", place, edit, rng)

    def apply(self, kind: str, place: int, edit: Any, rng: random.Random) -> None:
        self.walk.rng = rng
        if (pair := self.of_kind(kind, place)) is not None:
            self.walk.apply(edit[1], pair)

    @precondition(lambda self: bool(self.held))
    @rule(place=PLACES)
    def advance(self, place: int) -> None:
        if (pair := self.of_kind("iterator", place)) is not None:
            self.walk.apply(edits.advance, pair)

    # ---- deeds of two things that are held

    def two_of_one_type(self, place: int, other: int) -> tuple[Pair, Pair] | None:
        one = self.of_kind("message", place)
        if one is None:
            return None
        alike = [pair for pair in self.held if pair.kind == "message" and pair.descriptor is one.descriptor]
        return one, alike[other % len(alike)]

    @staticmethod
    def related(one: Pair, other: Pair) -> bool:
        """Whether one of them was reached from the other: protobuf keeps an absent one joined to its parent when that is copied into, not
        this package (docs/differences.md)."""

        def above(pair: Pair) -> set[int]:
            found = set()
            parent: Pair | None = pair
            while parent is not None:
                found.add(id(parent.ours))
                parent = parent.parent
            return found

        return one.ours is not other.ours and (id(one.ours) in above(other) or id(other.ours) in above(one))

    def alone(self, *pairs: Pair) -> None:
        """Lets go of what is empty: protobuf may forget that it is held."""
        self.walk.held = [pair for pair in self.held if pair in pairs or not is_empty(pair)]

    @precondition(lambda self: bool(self.held))
    @rule(place=PLACES, other=PLACES, verb=st.sampled_from(["CopyFrom", "MergeFrom"]))
    def take_from_held(self, place: int, other: int, verb: str) -> None:
        if (two := self.two_of_one_type(place, other)) is None:
            return
        target, source = two
        if self.related(target, source):
            return
        self.alone(target, source)
        ours, theirs = source.ours, source.theirs
        if target is not source:
            ours, theirs = copy.deepcopy(ours), copy.deepcopy(theirs)
        self.same(lambda: getattr(target.ours, verb)(ours), lambda: getattr(target.theirs, verb)(theirs))

    @precondition(lambda self: bool(self.held))
    @rule(place=PLACES, other=PLACES)
    def swap_contents(self, place: int, other: int) -> None:
        if (two := self.two_of_one_type(place, other)) is None or self.related(*two):
            return
        self.alone(*two)
        for side in ("ours", "theirs"):
            one, another = (getattr(pair, side) for pair in two)
            first, second = copy.deepcopy(one), copy.deepcopy(another)
            one.CopyFrom(second)
            another.CopyFrom(first)

    @precondition(lambda self: bool(self.held))
    @rule(place=PLACES, one=st.integers(-4, 4), other=st.integers(-4, 4))
    def swap_elements(self, place: int, one: int, other: int) -> None:
        if (pair := self.of_kind("list", place)) is None or pair.field.message_type is not None:
            return

        def swap(values: Any) -> None:
            values[one], values[other] = values[other], values[one]

        self.same(lambda: swap(pair.ours), lambda: swap(pair.theirs))

    @precondition(lambda self: bool(self.held))
    @rule(place=PLACES, other=PLACES, verb=st.sampled_from(["extend", "slice", "MergeFrom", "insert"]))
    def take_elements_from_held(self, place: int, other: int, verb: str) -> None:
        if (pair := self.of_kind("list", place)) is None:
            return
        alike = [
            each
            for each in self.held
            if each.kind == "list" and each.field.type == pair.field.type and each.field.message_type is pair.field.message_type
        ]
        source = alike[other % len(alike)]
        if source.field.enum_type is not pair.field.enum_type or len(pair.theirs) + len(source.theirs) > 200:
            return

        def act(target: Any, values: Any) -> None:
            values = list(values)
            if verb == "slice" and not hasattr(target, "add"):
                target[1:3] = values
            elif verb == "insert":
                for value in values[:2]:
                    target.insert(1, value)
            elif verb == "MergeFrom":
                target.MergeFrom(values)
            else:
                target.extend(values)

        self.same(lambda: act(pair.ours, source.ours), lambda: act(pair.theirs, source.theirs))

    @precondition(lambda self: bool(self.held))
    @rule(place=PLACES, other=PLACES, verb=st.sampled_from(["ParseFromString", "MergeFromString"]))
    def parse_bytes_of_held(self, place: int, other: int, verb: str) -> None:
        """Into a message that is held, from the bytes of another of its type, which may lie inside of it."""
        if (two := self.two_of_one_type(place, other)) is None:
            return
        target, source = two
        self.alone(target)
        data = source.theirs.SerializeToString()
        assert source.ours.SerializeToString() == data
        self.same(lambda: getattr(target.ours, verb)(data), lambda: getattr(target.theirs, verb)(data))

    @precondition(lambda self: bool(self.held))
    @rule(place=PLACES, protocol=st.integers(0, pickle.HIGHEST_PROTOCOL))
    def go_through_a_pickle(self, place: int, protocol: int) -> None:
        if (pair := self.of_kind("message", place)) is None:
            return
        name = pair.descriptor.full_name
        ours = pickle.loads(pickle.dumps(pair.ours, protocol))
        assert ours == pair.ours
        assert type(ours) is OURS[name]
        self.keep(Pair(ours, THEIRS[name].FromString(pair.theirs.SerializeToString()), "message", descriptor=pair.descriptor))

    # ---- what always holds

    @invariant()
    def both_hold_the_same(self) -> None:
        self.walk.held = [pair for pair in self.held if not pair.forgotten_by_protobuf()]
        for pair in self.held:
            if pair.kind == "message" and pair.theirs.ByteSize() > 4000:  # nothing may grow without end
                pair.theirs.Clear()
                pair.ours.Clear()
        self.walk.compare_all()


TestMessages = Messages.TestCase
TestMessages.settings = profile(examples=40, steps=40)
