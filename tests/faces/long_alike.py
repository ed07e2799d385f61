"""Very many random messages of every type, held against `onnx`: what tests/test_messages_alike.py asks, at a fifth of its cost.

    python tests/faces/long_alike.py [EXAMPLES [FIRST_SEED [TYPE ...]]]

One example: a message is built from keywords by both packages; bytes, size, text, presence, ListFields and pickles are compared; each reads
the other's bytes; a copy with one field changed is compared with it; and its bytes, cut, with unknown fields or with one byte changed, are
read by both, with the same result or the same exception type. Exit code 1 at the first difference. The installed package is tested.
"""

from __future__ import annotations

import pickle
import random
import sys
import time
from typing import Any

from both import NAMES, OURS, THEIRS, built, recipe_for, unknown_field, value_for


def read(cls: Any, data: bytes) -> Any:
    try:
        return cls.FromString(data)
    except Exception as error:
        return type(error).__name__


def shown(value: Any) -> Any:
    if hasattr(value, "SerializeToString"):
        return value.SerializeToString()
    if hasattr(value, "MergeFrom"):
        return [item.SerializeToString() for item in value] if hasattr(value, "add") else repr(list(value))
    return repr(value)


class Type:
    def __init__(self, name: str) -> None:
        self.ours, self.theirs = OURS[name], THEIRS[name]
        self.descriptor = self.theirs.DESCRIPTOR
        fields = self.descriptor.fields
        self.singular = [field.name for field in fields if not field.is_repeated]
        self.oneofs = [oneof.name for oneof in self.descriptor.oneofs]
        self.values = [field for field in fields if not field.is_repeated and field.message_type is None]

    def facts(self, message: Any) -> Any:
        """All that can be asked, in a form that is the same for both packages."""
        return (
            message.SerializeToString(),
            message.ByteSize(),
            str(message),
            [message.HasField(name) for name in self.singular],
            [message.WhichOneof(name) for name in self.oneofs],
            [(field.name, shown(value)) for field, value in message.ListFields()],
        )

    def check(self, seed: int) -> None:
        rng = random.Random(seed)
        recipe = recipe_for(self.descriptor, rng)
        ours, theirs = built(self.ours, recipe), built(self.theirs, recipe)
        facts = self.facts(ours)
        assert facts == self.facts(theirs), recipe
        data = facts[0]
        again = self.ours.FromString(data)
        assert again == ours and self.theirs.FromString(data) == theirs and again.SerializeToString() == data, recipe
        assert pickle.loads(pickle.dumps(ours, seed % 6)) == ours, recipe
        other = self.theirs.FromString(data)
        if self.values:
            field = rng.choice(self.values)
            for message in (again, other):
                if seed % 3 == 0:
                    message.ClearField(field.name)
            if seed % 3:
                value = value_for(field, rng)
                setattr(again, field.name, value)
                setattr(other, field.name, value)
        assert (again == ours) is (other == theirs) and again.SerializeToString() == other.SerializeToString(), recipe
        self.check_bytes(data, rng)

    def check_bytes(self, data: bytes, rng: random.Random) -> None:
        kind = rng.randrange(4)
        if kind == 0:
            data = data[: rng.randrange(len(data) + 1)]
        elif kind == 1 and data:
            at = rng.randrange(len(data))
            data = data[:at] + bytes((rng.randrange(256),)) + data[at + 1 :]
        else:
            data = b"".join((unknown_field(rng), data, unknown_field(rng)))
        ours, theirs = read(self.ours, data), read(self.theirs, data)
        if isinstance(theirs, str) or isinstance(ours, str):
            assert ours == theirs, data
            return
        assert self.facts(ours) == self.facts(theirs), data


def check_all(name: str, seeds: range) -> bool:
    one, began = Type(name), time.process_time()
    seed = seeds.start
    try:
        for seed in seeds:
            one.check(seed)
    except AssertionError as error:
        print(f"{name}, seed {seed}: {str(error)[:2000]}", flush=True)
        return False
    print(f"{name}: {len(seeds)} agree, {1e6 * (time.process_time() - began) / len(seeds):.0f} us each", flush=True)
    return True


def main(examples: int, first: int, names: list[str]) -> int:
    if not all(check_all(name, range(first, first + examples)) for name in names):
        return 1
    print(f"{examples * len(names)} messages agree, {time.process_time():.0f} CPU seconds", flush=True)
    return 0


if __name__ == "__main__":
    arguments = sys.argv[1:]
    sys.exit(main(int(arguments[0]) if arguments else 1000, int(arguments[1]) if len(arguments) > 1 else 0, arguments[2:] or NAMES))
