"""Random edits of nested messages, applied to this package and to the installed `onnx` step by step.

A `Pair` is the same thing in both packages: a message, a list or an iterator. Each kind of edit is a function that is given a pair and a
random generator, draws what it needs, and returns a call for each side. Results and exception types must agree after every step, and so
must the bytes of all messages that are held.

Where protobuf is left alone (docs/differences.md): a failed edit of ours changes nothing, one of protobuf's makes an absent message
present or leaves half a slice; so edits that will fail are applied to messages that are present, and slices take good values only. And
protobuf sometimes forgets that somebody holds an absent message or list when its parent becomes present, is merged into or a oneof is
cleared, and then loses data; so what is empty is let go before such an edit, and when it was forgotten.
"""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

from both import BYTES, FLOATS, INTEGERS, OURS, TEXTS, THEIRS, built, plain, recipe_for, unknown_field, value_for

BAD_VALUES = (None, "text", b"bytes", b"\xff", 1.5, 2**31, 2**64, -(2**70), [], {}, "\ud800", object())
Call = Callable[[Any], Any]


class Pair:
    """The same thing in both packages. `field` is that of a list, `descriptor` that of a message."""

    def __init__(self, ours: Any, theirs: Any, kind: str, descriptor: Any = None, field: Any = None, parent: Pair | None = None) -> None:
        self.ours = ours
        self.theirs = theirs
        self.kind = kind
        self.descriptor = descriptor
        self.field = field
        self.parent = parent

    def forgotten_by_protobuf(self) -> bool:
        """Empty, and no longer what its parent gives, though nothing cut it off: see the head of this file."""
        if self.parent is None or self.field is None or not is_empty(self):
            return False
        name = self.field.name
        return getattr(self.parent.ours, name) is self.ours and getattr(self.parent.theirs, name) is not self.theirs


def same(call: Call) -> tuple[Call, Call]:
    return call, call


def pick(rng: random.Random, fields: list[Any]) -> Any:
    return rng.choice(fields) if fields else None


def singular(pair: Pair) -> list[Any]:
    return [field for field in pair.descriptor.fields if not field.is_repeated and field.message_type is None]


def children(pair: Pair) -> list[Any]:
    return [field for field in pair.descriptor.fields if not field.is_repeated and field.message_type is not None]


def lists(pair: Pair) -> list[Any]:
    return [field for field in pair.descriptor.fields if field.is_repeated]


def small_recipe(descriptor: Any, rng: random.Random) -> dict[str, Any]:
    return recipe_for(descriptor, rng, depth=3)


def both_built(descriptor: Any, recipe: dict[str, Any]) -> tuple[Any, Any]:
    return built(OURS[descriptor.full_name], recipe), built(THEIRS[descriptor.full_name], recipe)


# ---- edits of messages


def set_value(pair: Pair, rng: random.Random) -> Any:
    if (field := pick(rng, singular(pair))) is None:
        return None
    value = value_for(field, rng)
    return same(lambda m: setattr(m, field.name, value))


def set_enum_by_name(pair: Pair, rng: random.Random) -> Any:
    if (field := pick(rng, [f for f in singular(pair) if f.enum_type is not None])) is None:
        return None
    value = rng.choice([*field.enum_type.values_by_name, "NO_SUCH_NAME"])

    def act(m: Any) -> None:
        m.SetInParent()
        setattr(m, field.name, value)

    return same(act)


def set_bad_value(pair: Pair, rng: random.Random) -> Any:
    if (field := pick(rng, singular(pair))) is None:
        return None
    value = rng.choice(BAD_VALUES)
    if field.enum_type is not None and value == "\ud800":
        return None  # protobuf crashes

    def act(m: Any) -> None:
        m.SetInParent()
        setattr(m, field.name, value)

    return same(act)


def assign_message_or_list(pair: Pair, rng: random.Random) -> Any:
    if (field := pick(rng, [*children(pair), *lists(pair)])) is None:
        return None
    value = rng.choice((None, 1, [], {}))

    def act(m: Any) -> None:
        m.SetInParent()
        setattr(m, field.name, value)

    return same(act)


def set_no_field(pair: Pair, rng: random.Random) -> Any:
    return same(lambda m: setattr(m, "no_such_field", 1))


def delete_attribute(pair: Pair, rng: random.Random) -> Any:
    field = pick(rng, list(pair.descriptor.fields))
    return same(lambda m: delattr(m, field.name))


def get_value(pair: Pair, rng: random.Random) -> Any:
    if (field := pick(rng, singular(pair))) is None:
        return None
    return same(lambda m: getattr(m, field.name))


def some_name(pair: Pair, rng: random.Random) -> Any:
    names = [field.name for field in pair.descriptor.fields] + [oneof.name for oneof in pair.descriptor.oneofs] + ["no_such_field", 3]
    return rng.choice(names)


def has_field(pair: Pair, rng: random.Random) -> Any:
    name = some_name(pair, rng)
    return same(lambda m: m.HasField(name))


def contains(pair: Pair, rng: random.Random) -> Any:
    name = some_name(pair, rng)
    return same(lambda m: name in m)


def clear_field(pair: Pair, rng: random.Random) -> Any:
    name = some_name(pair, rng)

    def act(m: Any) -> None:
        if name in ("no_such_field", 3):
            m.SetInParent()
        m.ClearField(name)

    return same(act)


def which_oneof(pair: Pair, rng: random.Random) -> Any:
    name = some_name(pair, rng)
    return same(lambda m: m.WhichOneof(name))


def clear(pair: Pair, rng: random.Random) -> Any:
    return same(lambda m: m.Clear())


def copy_from(pair: Pair, rng: random.Random) -> Any:
    ours, theirs = both_built(pair.descriptor, small_recipe(pair.descriptor, rng))
    return lambda m: m.CopyFrom(ours), lambda m: m.CopyFrom(theirs)


def merge_from(pair: Pair, rng: random.Random) -> Any:
    ours, theirs = both_built(pair.descriptor, small_recipe(pair.descriptor, rng))
    return lambda m: m.MergeFrom(ours), lambda m: m.MergeFrom(theirs)


def copy_wrong_class(pair: Pair, rng: random.Random) -> Any:
    other = rng.choice([name for name in OURS if name != pair.descriptor.full_name])
    verb = rng.choice(("CopyFrom", "MergeFrom"))
    return lambda m: getattr(m, verb)(OURS[other]()), lambda m: getattr(m, verb)(THEIRS[other]())


def some_bytes(pair: Pair, rng: random.Random) -> bytes:
    data = built(THEIRS[pair.descriptor.full_name], small_recipe(pair.descriptor, rng)).SerializeToString()
    return bytes(data + unknown_field(rng, (30, 31, 2000))) if rng.random() < 0.3 else bytes(data)


def parse(pair: Pair, rng: random.Random) -> Any:
    data = some_bytes(pair, rng)
    kind = rng.choice((bytes, bytearray, memoryview))
    return same(lambda m: m.ParseFromString(kind(data)))


def merge_bytes(pair: Pair, rng: random.Random) -> Any:
    data = some_bytes(pair, rng)
    return same(lambda m: m.MergeFromString(data))


def parse_garbage(pair: Pair, rng: random.Random) -> Any:
    data = rng.choice((b"\x08", b"\xff", b"\x0a\x05abc", b"\x07", "text", None, 3))
    return same(lambda m: type(m)().ParseFromString(data))


def list_fields(pair: Pair, rng: random.Random) -> Any:
    return same(lambda m: m.ListFields())


def text(pair: Pair, rng: random.Random) -> Any:
    return same(lambda m: (str(m), repr(m)))


def sizes(pair: Pair, rng: random.Random) -> Any:
    return same(lambda m: (m.ByteSize(), m.IsInitialized(), m.FindInitializationErrors(), m.SerializePartialToString()))


def set_in_parent(pair: Pair, rng: random.Random) -> Any:
    return same(lambda m: m.SetInParent())


def discard_unknown(pair: Pair, rng: random.Random) -> Any:
    return same(lambda m: m.DiscardUnknownFields())


def copied(pair: Pair, rng: random.Random) -> Any:
    act = rng.choice((copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))))
    return same(lambda m: (act(m) == m, act(m)))


def compared(pair: Pair, rng: random.Random) -> Any:
    ours, theirs = both_built(pair.descriptor, small_recipe(pair.descriptor, rng))
    return lambda m: (m == ours, m != ours, m == m, m == 3), lambda m: (m == theirs, m != theirs, m == m, m == 3)


def init_again(pair: Pair, rng: random.Random) -> Any:
    recipe = small_recipe(pair.descriptor, rng)
    return same(lambda m: m.__init__(**recipe))


def hashed(pair: Pair, rng: random.Random) -> Any:
    return same(hash)


MESSAGE_EDITS = [
    set_value, set_value, set_value, set_enum_by_name, set_bad_value, assign_message_or_list, set_no_field, delete_attribute, get_value,
    has_field, contains, clear_field, clear_field, which_oneof, clear, copy_from, merge_from, copy_wrong_class, parse, merge_bytes,
    parse_garbage, list_fields, text, sizes, set_in_parent, discard_unknown, copied, compared, init_again, hashed,
]  # fmt: skip

# ---- edits of lists


def element_for(pair: Pair, rng: random.Random) -> tuple[Any, Any]:
    if pair.field.message_type is None:
        value = value_for(pair.field, rng)
        return value, value
    return both_built(pair.field.message_type, small_recipe(pair.field.message_type, rng))


def elements_for(pair: Pair, rng: random.Random, most: int = 4) -> tuple[list[Any], list[Any]]:
    pairs = [element_for(pair, rng) for _ in range(rng.randrange(most))]
    return [ours for ours, _ in pairs], [theirs for _, theirs in pairs]


def some_index(rng: random.Random) -> Any:
    return rng.choice((0, 0, 1, -1, 2, -2, 5, -7, 100, True, "1", 1.0, None, 2**70))


def some_slice(rng: random.Random) -> slice:
    bounds = (None, 0, 1, 2, -1, -2, 5, -9, 100)
    return slice(rng.choice(bounds), rng.choice(bounds), rng.choice((None, None, 1, 2, -1, -2)))


def append(pair: Pair, rng: random.Random) -> Any:
    ours, theirs = element_for(pair, rng)
    return lambda s: s.append(ours), lambda s: s.append(theirs)


def append_bad(pair: Pair, rng: random.Random) -> Any:
    value = rng.choice(BAD_VALUES)

    def act(s: Any) -> Any:
        s.extend([])
        if hasattr(s, "add"):
            return s.insert(0, value)
        return s.append(value)

    return same(act)


def extend(pair: Pair, rng: random.Random) -> Any:
    ours, theirs = elements_for(pair, rng)
    form = rng.choice((list, tuple, iter))
    verb = rng.choice(("extend", "extend", "MergeFrom"))
    return lambda s: getattr(s, verb)(form(ours)), lambda s: getattr(s, verb)(form(theirs))


def extend_bad(pair: Pair, rng: random.Random) -> Any:
    value = rng.choice((None, 3, object()))

    def act(s: Any) -> Any:
        s.extend([])
        return s.extend(value)

    return same(act)


def extend_half_good(pair: Pair, rng: random.Random) -> Any:
    ours, theirs = elements_for(pair, rng)
    bad = object()

    def act(s: Any, values: list[Any]) -> Any:
        s.extend([])
        return s.extend([*values, bad])

    return lambda s: act(s, ours), lambda s: act(s, theirs)


def insert(pair: Pair, rng: random.Random) -> Any:
    ours, theirs = element_for(pair, rng)
    index = some_index(rng)

    def act(s: Any, value: Any) -> Any:
        if not isinstance(index, int):
            s.extend([])
        return s.insert(index, value)

    return lambda s: act(s, ours), lambda s: act(s, theirs)


def add(pair: Pair, rng: random.Random) -> Any:
    if pair.field.message_type is None:
        return same(lambda s: s.add())
    recipe = small_recipe(pair.field.message_type, rng)
    return same(lambda s: s.add(**recipe))


def add_bad(pair: Pair, rng: random.Random) -> Any:
    recipe = rng.choice(({"no_such_field": 1}, {"name": object()}, {"doc_string": 3}))
    return same(lambda s: s.add(**recipe))


def pop(pair: Pair, rng: random.Random) -> Any:
    index = rng.choice(((), (0,), (-1,), (1,), (9,), (-9,), ("1",)))

    def act(s: Any) -> Any:
        s.extend([])
        return s.pop(*index)

    return same(act)


def remove(pair: Pair, rng: random.Random) -> Any:
    ours, theirs = element_for(pair, rng)
    first = rng.random() < 0.7

    def act(s: Any, other: Any) -> Any:
        s.extend([])
        return s.remove(s[len(s) // 2] if len(s) and first else other)

    return lambda s: act(s, ours), lambda s: act(s, theirs)


def delete(pair: Pair, rng: random.Random) -> Any:
    key = some_index(rng) if rng.random() < 0.5 else some_slice(rng)
    if isinstance(key, slice) and key.step not in (None, 1) and not range(*key.indices(len(pair.theirs))):
        return None  # protobuf's loop over no elements does not end

    def act(s: Any) -> None:
        s.extend([])
        del s[key]

    return same(act)


def set_item(pair: Pair, rng: random.Random) -> Any:
    value = element_for(pair, rng)[0] if pair.field.message_type is None and rng.random() < 0.8 else rng.choice(BAD_VALUES)
    index = some_index(rng)

    def act(s: Any) -> None:
        s.extend([])
        s[index] = value

    return same(act)


def set_slice(pair: Pair, rng: random.Random) -> Any:
    ours, theirs = elements_for(pair, rng)
    key = some_slice(rng)

    def act(s: Any, values: list[Any]) -> None:
        s.extend([])
        s[key] = values

    return lambda s: act(s, ours), lambda s: act(s, theirs)


def reverse(pair: Pair, rng: random.Random) -> Any:
    return same(lambda s: s.reverse())


def sort(pair: Pair, rng: random.Random) -> Any:
    backwards = rng.random() < 0.5
    key = (lambda m: m.SerializeToString()) if pair.field.message_type is not None else rng.choice((None, repr))
    return same(lambda s: s.sort(key=key, reverse=backwards))


def clear_list(pair: Pair, rng: random.Random) -> Any:
    return same(lambda s: s.clear())


def get_item(pair: Pair, rng: random.Random) -> Any:
    key = some_index(rng) if rng.random() < 0.5 else some_slice(rng)
    return same(lambda s: s[key])


def read_list(pair: Pair, rng: random.Random) -> Any:
    return same(lambda s: (len(s), bool(s), list(s), list(reversed(s)), repr(s) if not hasattr(s, "add") else None))


def compare_list(pair: Pair, rng: random.Random) -> Any:
    ours, theirs = elements_for(pair, rng)
    return lambda s: (s == ours, s == s, s == list(s), s != ours, s == 3), lambda s: (
        s == theirs,
        s == s,
        s == list(s),
        s != theirs,
        s == 3,
    )


def search(pair: Pair, rng: random.Random) -> Any:
    ours, theirs = element_for(pair, rng)
    return lambda s: (ours in s, [x in s for x in s][:3]), lambda s: (theirs in s, [x in s for x in s][:3])


def copy_list(pair: Pair, rng: random.Random) -> Any:
    return same(copy.deepcopy)


def pickle_list(pair: Pair, rng: random.Random) -> Any:
    return same(pickle.dumps)


LIST_EDITS = [
    append, append, append_bad, extend, extend, extend_bad, extend_half_good, insert, insert, add, add, add_bad, pop, pop, remove, delete,
    delete, set_item, set_item, set_slice, set_slice, reverse, sort, clear_list, get_item, read_list, compare_list, search, copy_list,
    pickle_list, hashed,
]  # fmt: skip


def advance(pair: Pair, rng: random.Random) -> Any:
    return same(lambda iterator: next(iterator, "ended"))


ITERATOR_EDITS = [advance]
LET_GO_OF_EMPTY_BEFORE = {copy_from, merge_from, merge_bytes, init_again, clear_field, clear, parse}
EDITS = {"message": MESSAGE_EDITS, "list": LIST_EDITS, "iterator": ITERATOR_EDITS}
KINDS = {edit.__name__ for edits in EDITS.values() for edit in edits}  # type: ignore[attr-defined]


def is_empty(pair: Pair) -> bool:
    return pair.kind == "iterator" or len(pair.theirs if pair.kind == "list" else pair.theirs.SerializeToString()) == 0


class Walk:
    """One random sequence: the pairs that are held, and the steps."""

    MOST_HELD = 24  # others are let go, so that what they stood for is recycled

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.held: list[Pair] = []
        self.log: list[str] = []

    def new_root(self) -> Pair:
        name = self.rng.choice(("onnx.ModelProto", "onnx.GraphProto", "onnx.NodeProto", "onnx.ValueInfoProto", self.rng.choice(list(OURS))))
        descriptor = THEIRS[name].DESCRIPTOR
        ours, theirs = both_built(descriptor, recipe_for(descriptor, self.rng, depth=self.rng.choice((1, 2, 3))))
        return Pair(ours, theirs, "message", descriptor=descriptor)

    def reached(self, pair: Pair) -> Pair | None:
        """Something that is reached from a pair: a child, a list, an element, an iterator. Identity must agree."""
        rng = self.rng
        if pair.kind == "message":
            if (field := pick(rng, [*children(pair), *lists(pair)])) is None:
                return None
            kind = "list" if field.is_repeated else "message"
            ours, theirs = getattr(pair.ours, field.name), getattr(pair.theirs, field.name)
            assert ours is getattr(pair.ours, field.name)
            return Pair(ours, theirs, kind, descriptor=field.message_type, field=field, parent=pair)
        if pair.kind == "list" and len(pair.theirs):
            if rng.random() < 0.3:
                return Pair(iter(pair.ours), iter(pair.theirs), "iterator")
            if pair.field.message_type is not None:
                index = rng.randrange(len(pair.theirs))
                assert pair.ours[index] is pair.ours[index]
                return Pair(pair.ours[index], pair.theirs[index], "message", descriptor=pair.field.message_type)
        return None

    def step(self) -> None:
        rng = self.rng
        if not self.held or rng.random() < 0.03:
            self.hold(self.new_root())
            return
        self.held = [other for other in self.held if not other.forgotten_by_protobuf()]
        pair = rng.choice(self.held or [self.new_root()])
        if rng.random() < 0.35:
            if (found := self.reached(pair)) is not None:
                self.log.append(f"reach {found.field.name if found.field else found.kind}")
                self.hold(found)
            return
        self.apply(rng.choice(EDITS[pair.kind]), pair)

    def apply(self, edit: Callable[[Pair, random.Random], Any], pair: Pair) -> None:
        """One edit of one pair, on both sides."""
        if edit in LET_GO_OF_EMPTY_BEFORE:
            self.held = [other for other in self.held if other is pair or not is_empty(other)]
        if (acts := edit(pair, self.rng)) is None:
            return
        label = pair.field.full_name if pair.field is not None else pair.descriptor.full_name if pair.descriptor is not None else pair.kind
        self.log.append(f"{edit.__name__} on {label}")
        results = [self.result(act, side) for act, side in zip(acts, (pair.ours, pair.theirs), strict=True)]
        assert results[0] == results[1], (results, self.log[-5:])
        self.compare(pair)

    @staticmethod
    def result(act: Call, side: Any) -> Any:
        try:
            return plain(act(side))
        except Exception as error:
            return f"raises {type(error).__name__}"

    def hold(self, pair: Pair) -> None:
        self.held.append(pair)
        if len(self.held) > self.MOST_HELD or (len(self.held) > 4 and self.rng.random() < 0.1):
            del self.held[self.rng.randrange(len(self.held))]
        # Nothing may grow without end.
        if pair.kind == "message" and pair.theirs.ByteSize() > 4000:
            pair.theirs.Clear()
            pair.ours.Clear()

    def compare(self, pair: Pair) -> None:
        if pair.kind != "iterator":
            assert plain(pair.ours) == plain(pair.theirs), self.log[-8:]

    def compare_all(self) -> None:
        for pair in self.held:
            self.compare(pair)


def run(seed: int, steps: int) -> int:
    """A sequence of so many steps; an AssertionError names the last ones."""
    walk = Walk(seed)
    for number in range(steps):
        walk.step()
        if number % 7 == 0:
            walk.compare_all()
    walk.compare_all()
    return steps


__all__ = ["BYTES", "FLOATS", "INTEGERS", "KINDS", "TEXTS", "run"]
