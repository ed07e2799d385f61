"""What a command tells beside its result, on standard error."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from onnx_light.cli.output import say

if TYPE_CHECKING:
    from onnx_light.tools.leftovers import Leftovers


def tell(options: argparse.Namespace, text: str) -> None:
    say(options.verb, text)


def tell_leftovers(options: argparse.Namespace, leftovers: Leftovers) -> None:
    for name in leftovers.removed:
        tell(options, f"{name} is removed: nothing reads it any more")
    for name, reason in leftovers.left.items():
        tell(options, f"{name} is left: {reason}")
