"""Destroy many small nodes of which nobody holds any."""

from harness.rows import Part, Peer, PerItem, Row, State

HEAP = Peer("libprotobuf_heap.destroy", 1 / 15, 1 / 8)

ROW = Row(
    4,
    "destroy N",
    [
        Part("destroy", "N", "ours.destroy", [HEAP, PerItem(40), Peer("libprotobuf_arena.destroy")]),
        Part("destroy, fresh", "N", "ours.destroy", [HEAP, PerItem(40)], State.FRESH),
        Part("del model", "N", "ours_py.destroy", [HEAP, PerItem(40), Peer("onnx.destroy")], State.DEFAULT),
    ],
)
