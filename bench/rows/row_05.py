"""Copy and compare many small nodes. libprotobuf copies onto an arena, as ours does; its heap, and an arena with large blocks, are told for
comparison."""

from harness.rows import Part, Peer, Row, State

ROW = Row(
    5,
    "deep copy N, compare N",
    [
        Part(
            "CopyFrom",
            "N",
            "ours.copy",
            [Peer("libprotobuf_arena.copy", 1 / 5, 1 / 3), Peer("libprotobuf_large_blocks.copy"), Peer("libprotobuf_heap.copy")],
        ),
        Part("operator==", "N", "ours.equal", [Peer("onnx.equal")]),
        Part("==, Python", "N", "ours_py.equal", [Peer("onnx.equal", 1 / 2, 1.0)], State.DEFAULT),
    ],
)
