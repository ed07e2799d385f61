"""python -m onnx_light.as_onnx enable|disable|status: the alias for every start of this Python, by a .pth file."""

from __future__ import annotations

import argparse
import subprocess
import sys
import sysconfig
from pathlib import Path

NAME = "onnx_light_as_onnx.pth"
# One line, as site reads it at every start. It says nothing when the package has been removed.
LINE = "import importlib.util; importlib.util.find_spec('onnx_light') and __import__('onnx_light.as_onnx')\n"


def pth_file() -> Path:
    """Where the file lies or would lie: among the packages of the Python that runs."""
    return Path(sysconfig.get_path("purelib")) / NAME


def where_onnx_comes_from() -> str:
    """What `import onnx` finds in a fresh process of this Python."""
    program = "import importlib.util as u; s = u.find_spec('onnx'); print(s.origin if s else 'nothing: there is no onnx')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    return done.stdout.strip() or done.stderr.strip()


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m onnx_light.as_onnx", description=__doc__)
    parser.add_argument("command", choices=("enable", "disable", "status"))
    command = parser.parse_args(arguments).command
    file = pth_file()
    try:
        if command == "enable":
            file.write_text(LINE, encoding="utf-8")
        elif command == "disable":
            file.unlink(missing_ok=True)
    except OSError as error:
        hint = "use a virtual environment, or `import onnx_light.as_onnx` before `import onnx`"
        print(f"{parser.prog}: cannot {command} the alias: {file}: {error.strerror}; {hint}", file=sys.stderr)
        return 1
    print(f"alias: {'enabled' if file.exists() else 'disabled'} ({file})")
    print(f"import onnx: {where_onnx_comes_from()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
