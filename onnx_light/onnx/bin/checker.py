"""python -m onnx.bin.checker FILE: checks the model in a file."""

from __future__ import annotations

import argparse

from onnx_light.onnx import checker, load
from onnx_light.onnx_py._onnxpy import NodeProto


def _file(description: str) -> str:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("file")
    name: str = parser.parse_args().file
    return name


def check_model() -> None:
    """The program check-model: exits with an error if the model in a file breaks a rule."""
    checker.check_model(load(_file("Checks the model in a file.")))


def check_node() -> None:
    """The program check-node: exits with an error if the node in a file breaks a rule."""
    node = NodeProto()
    node.ParseFromFile(_file("Checks the node in a file."))
    checker.check_node(node)


if __name__ == "__main__":
    check_model()
