"""Serialise many small nodes, sizes included: nothing is cached between calls."""

from harness.rows import Floor, Part, Peer, Row, State

ROW = Row(
    3,
    "serialise N",
    [
        Part(
            "SerializeAsString",
            "N",
            "ours.serialise",
            [Peer("libprotobuf_arena.serialise", 1 / 5, 1 / 3), Peer("libprotobuf_large_blocks.serialise")],
        ),
        # Fresh memory is what the floor copies into, so ours must not have any in store either.
        Part("SerializeAsString, fresh", "N", "ours.serialise", [Peer("libprotobuf_arena.serialise"), Floor("floor.copy", 2)], State.FRESH),
        Part("SerializeToString, Python", "N", "ours_py.serialise", [Peer("onnx.serialise", 1 / 3, 1 / 2)], State.DEFAULT),
    ],
)
