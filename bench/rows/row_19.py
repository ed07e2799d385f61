"""Many small nodes in the ONNX syntax, out and in again.

onnx prints and parses in C++, with the message as bytes on the way from and to Python.
"""

from harness.rows import Part, Peer, Row, State

ROW = Row(
    19,
    "ONNX syntax print and parse N",
    [
        Part("print", "N", "ours_py.print_syntax", [Peer("onnx.print_syntax", 1 / 2, 1.0)], State.DEFAULT),
        Part("parse", "N", "ours_py.read_syntax", [Peer("onnx.read_syntax", 1 / 2, 1.0)], State.DEFAULT),
    ],
)
