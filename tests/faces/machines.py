"""How long state machines run: shortly and always the same in a test run; at length and at random where ONNX_LIGHT_MACHINE_EXAMPLES says
how often.

ONNX_LIGHT_MACHINE_EXAMPLES=2000 .venv/bin/python -m pytest tests/test_state_machine_messages.py -n0
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

EXAMPLES = int(os.environ.get("ONNX_LIGHT_MACHINE_EXAMPLES", "0"))


def profile(examples: int, steps: int) -> settings:
    """Of a machine that a test run tries `examples` times."""
    return settings(
        max_examples=EXAMPLES or examples,
        stateful_step_count=steps * 2 if EXAMPLES else steps,
        derandomize=not EXAMPLES,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
