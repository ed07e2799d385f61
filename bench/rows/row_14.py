"""Walk many small nodes in Python: all that a node says, or its name only."""

from harness.rows import Part, Peer, Row, State

ROW = Row(
    14,
    "walk N in Python",
    [
        Part("all", "N", "ours_py.walk_all", [Peer("onnx.walk_all", 1 / 4, 1 / 2)], State.DEFAULT),
        Part("names only", "N", "ours_py.walk_names", [Peer("onnx.walk_names", 1 / 8, 1 / 4)], State.DEFAULT),
    ],
)
