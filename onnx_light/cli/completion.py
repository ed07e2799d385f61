"""Completion scripts, made from the parser itself: what it knows is what is completed."""

from __future__ import annotations

import argparse
import shlex

from onnx_light.cli.main import build_parser


def _verbs() -> dict[str, argparse.ArgumentParser]:
    for action in build_parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    raise AssertionError("the parser has verbs")


def _words(parser: argparse.ArgumentParser) -> list[str]:
    return sorted(option for action in parser._actions for option in action.option_strings if option.startswith("--"))


def script(shell: str) -> str:
    """The script for bash, zsh or fish. Verbs, options and their choices are completed, everything else as file names."""
    verbs = _verbs()
    if shell == "fish":
        return _fish(verbs)
    lines = ["autoload -U +X bashcompinit && bashcompinit"] if shell == "zsh" else []
    lines += ["_onnx_light() {", '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"']
    lines.append('  if [ "$COMP_CWORD" -eq 1 ]; then')
    lines.append(f'    COMPREPLY=($(compgen -W "{" ".join(verbs)} --help --version" -- "$word")); return')
    lines.append("  fi")
    lines.append('  case "${COMP_WORDS[1]}:$before" in')
    for name, parser in verbs.items():
        for action in parser._actions:
            if action.choices and action.option_strings:
                where = "|".join(f"{name}:{option}" for option in action.option_strings)
                lines.append(f'    {where}) COMPREPLY=($(compgen -W "{" ".join(map(str, action.choices))}" -- "$word")); return ;;')
    lines.append("  esac")
    lines.append('  case "${COMP_WORDS[1]}" in')
    for name, parser in verbs.items():
        lines.append(f'    {name}) [[ "$word" == -* ]] && COMPREPLY=($(compgen -W "{" ".join(_words(parser))}" -- "$word")) ;;')
    lines += ["  esac", "}", "complete -o default -F _onnx_light onnx-light", ""]
    return "\n".join(lines)


def _fish(verbs: dict[str, argparse.ArgumentParser]) -> str:
    lines = []
    for name, parser in verbs.items():
        about = shlex.quote((parser.description or "").rstrip("."))
        lines.append(f"complete -c onnx-light -n __fish_use_subcommand -a {name} -d {about}")
        for action in parser._actions:
            for option in action.option_strings:
                if not option.startswith("--"):
                    continue
                line = f"complete -c onnx-light -n '__fish_seen_subcommand_from {name}' -l {option[2:]}"
                if action.choices:
                    line += f" -x -a {shlex.quote(' '.join(map(str, action.choices)))}"
                lines.append(line + (f" -d {shlex.quote(action.help)}" if action.help else ""))
    return "\n".join(lines) + "\n"
