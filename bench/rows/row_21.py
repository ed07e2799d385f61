"""Import the package in a new Python; look into a small model with the command, from the start of its process to its end."""

from harness.rows import Part, Peer, Row, State, Within

LIMIT = Within(150e6)
ROW = Row(
    21,
    "import, and the command's start",
    [
        Part("import the package", "N", "ours_py.import", [Peer("onnx.import", 1.0, 1.0)], State.DEFAULT),
        Part("onnx-light inspect, small model", "S", "ours_py.command_inspect", [LIMIT], State.DEFAULT),
        Part("onnx-light --help", "S", "ours_py.command_help", [LIMIT], State.DEFAULT),
    ],
)
