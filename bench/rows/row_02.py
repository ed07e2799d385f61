"""Parse many small nodes from Python, in a process that has done nothing before."""

from harness.rows import Floor, Part, Peer, Row, State

ROW = Row(
    2,
    "parse N from Python, fresh process",
    [
        Part(
            "ParseFromString",
            "N",
            "ours_py.parse",
            [Peer("onnx.parse", 1 / 3, 1 / 2), Floor("protozero.scan", 4)],
            State.FRESH,
            memory=3.5,
        )
    ],
)
