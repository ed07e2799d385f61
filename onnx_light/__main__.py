"""`python -m onnx_light`: the command `onnx-light`."""

import sys

from onnx_light.cli import main

if __name__ == "__main__":
    sys.exit(main())
