"""From one file to a model with its weights beside it, without reading them into memory."""

from harness.rows import Floor, Part, Peer, Row, State

ROW = Row(
    13,
    "convert W inline to external, mapped",
    [
        Part(
            "convert",
            "W",
            "ours_py.convert_mapped",
            [Peer("onnx.convert", 1 / 6, 1 / 4), Floor("floor.copy_file", 1.25)],
            State.DEFAULT,
            memory=0.02,
        )
    ],
)
