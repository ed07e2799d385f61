"""Read many small initializers."""

from harness.rows import Floor, Part, Peer, Row, State

ROW = Row(
    6,
    "parse K, load K",
    [
        Part(
            "parse",
            "K",
            "ours.parse",
            [Peer("libprotobuf_arena.parse", 1 / 4, 1 / 2), Peer("libprotobuf_large_blocks.parse"), Floor("protozero.scan")],
        ),
        Part("load, Python", "K", "ours_py.load", [Peer("onnx.load", 1 / 3, 1 / 2)], State.FRESH),
    ],
)
