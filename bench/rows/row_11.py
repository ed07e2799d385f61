"""Save large tensors to a new file, straight from where they lie."""

from harness.rows import Floor, Part, Peer, Row, State

ROW = Row(
    11,
    "save W",
    [
        Part(
            "save",
            "W",
            "ours_py.save",
            [Peer("onnx.save", 1 / 4, 1 / 2.5), Floor("floor.allocate_and_write", 1.25)],
            State.DEFAULT,
            memory=0.02,
        )
    ],
)
