"""Random sequences of edits end, step by step, in the same state as with the installed `onnx`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent / "faces"))
import edits  # type: ignore[import-not-found]

SEQUENCES = int(os.environ.get("ONNX_LIGHT_EDIT_SEQUENCES", "40"))
STEPS = 400


def test_there_are_at_least_thirty_kinds_of_edits() -> None:
    assert len(edits.KINDS) >= 30


@pytest.mark.parametrize("seed", range(SEQUENCES))
def test_a_sequence_of_edits_agrees_with_onnx_at_every_step(seed: int) -> None:
    edits.run(seed, STEPS)
