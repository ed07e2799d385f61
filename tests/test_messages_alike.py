"""Random messages of every type, built and parsed by this package and by the installed `onnx`: nobody can tell them apart."""

from __future__ import annotations

import os
import pickle
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parent / "faces"))
from both import NAMES, OURS, THEIRS, built, outcome, plain, recipe_for, unknown_field  # type: ignore[import-not-found]

EXAMPLES = int(os.environ.get("ONNX_LIGHT_FACES_EXAMPLES", "40"))
fixed_number = settings(max_examples=EXAMPLES, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
seeds = st.integers(0, 2**64)


def assert_alike(ours: Any, theirs: Any) -> None:
    data = theirs.SerializeToString()
    assert ours.SerializeToString() == data
    assert ours.ByteSize() == theirs.ByteSize() == len(data)
    assert str(ours) == str(theirs)
    assert repr(ours) == repr(theirs)
    assert plain(ours.ListFields()) == plain(theirs.ListFields())
    for field in theirs.DESCRIPTOR.fields:
        assert outcome(ours.HasField, field.name) == outcome(theirs.HasField, field.name)
        assert plain(getattr(ours, field.name)) == plain(getattr(theirs, field.name))
    for oneof in theirs.DESCRIPTOR.oneofs:
        assert ours.WhichOneof(oneof.name) == theirs.WhichOneof(oneof.name)


@pytest.mark.parametrize("name", NAMES)
def test_a_message_built_from_keywords_is_the_same_in_both(name: str) -> None:
    @fixed_number
    @given(seeds)
    def check(seed: int) -> None:
        recipe = recipe_for(THEIRS[name].DESCRIPTOR, random.Random(seed))
        assert_alike(built(OURS[name], recipe), built(THEIRS[name], recipe))

    check()


@pytest.mark.parametrize("name", NAMES)
def test_bytes_with_unknown_fields_are_read_alike_and_given_back(name: str) -> None:
    @fixed_number
    @given(seeds)
    def check(seed: int) -> None:
        rng = random.Random(seed)
        data = built(THEIRS[name], recipe_for(THEIRS[name].DESCRIPTOR, rng)).SerializeToString()
        data = b"".join((unknown_field(rng), data, unknown_field(rng)))
        if rng.random() < 0.3:
            data = data[: rng.randrange(len(data))]
        results = [outcome(cls.FromString, data) for cls in (OURS[name], THEIRS[name])]
        assert results[0] == results[1]
        if "raises" not in results[0]:
            ours, theirs = OURS[name].FromString(data), THEIRS[name].FromString(data)
            assert_alike(ours, theirs)
            ours.DiscardUnknownFields()
            theirs.DiscardUnknownFields()
            assert_alike(ours, theirs)

    check()


@pytest.mark.parametrize("name", NAMES)
def test_two_messages_are_equal_or_not_in_both(name: str) -> None:
    @fixed_number
    @given(seeds)
    def check(seed: int) -> None:
        rng = random.Random(seed)
        one = recipe_for(THEIRS[name].DESCRIPTOR, rng)
        other = dict(one)
        for key in list(other):
            if rng.random() < 0.2:
                other[key] = recipe_for(THEIRS[name].DESCRIPTOR, rng).get(key)
        equal = [built(cls, one) == built(cls, other) for cls in (OURS[name], THEIRS[name])]
        assert equal[0] is equal[1]
        ours, theirs = built(OURS[name], one), built(THEIRS[name], one)
        ours.MergeFrom(built(OURS[name], other))
        theirs.MergeFrom(built(THEIRS[name], other))
        assert_alike(ours, theirs)

    check()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_gives_the_message_back(name: str, protocol: int) -> None:
    for seed in range(5):
        message = built(OURS[name], recipe_for(THEIRS[name].DESCRIPTOR, random.Random(seed)))
        again = pickle.loads(pickle.dumps(message, protocol))
        assert type(again) is type(message) and again == message
