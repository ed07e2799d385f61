"""What a command tells beside its result, on standard error."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from onnx_light.cli.output import printable

if TYPE_CHECKING:
    from onnx_light.tools.leftovers import Leftovers


def tell(options: argparse.Namespace, text: str) -> None:
    if sys.stderr is not None:
        print(f"onnx-light {options.verb}: {printable(text)}", file=sys.stderr)


def tell_leftovers(options: argparse.Namespace, leftovers: Leftovers) -> None:
    for name in leftovers.removed:
        tell(options, f"{name} is removed: nothing reads it any more")
    for name, reason in leftovers.left.items():
        tell(options, f"{name} is left: {reason}")
