"""onnx-light completion."""

from __future__ import annotations

import argparse

HELP = "print a script that teaches a shell to complete this command"
EXAMPLE = """
eval "$(onnx-light completion bash)"
onnx-light completion fish > ~/.config/fish/completions/onnx-light.fish
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))


def run(options: argparse.Namespace) -> int:
    from onnx_light.cli.completion import script

    print(script(options.shell), end="")
    return 0
