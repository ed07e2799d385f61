"""Load large tensors from a file, each payload read once to where it stays, by one thread and by two."""

from harness.rows import Floor, Part, Peer, Row, State

FLOOR = Floor("floor.pread_huge", 1.3)

ROW = Row(
    7,
    "load W, owned",
    [
        Part("one thread", "W", "ours_py.load_1_thread", [Peer("onnx.load", 1 / 5, 1 / 3.5), FLOOR], State.DEFAULT, memory=1.02),
        Part("two threads", "W", "ours_py.load_2_threads", [Peer("onnx.load", 1 / 7, 1 / 3.5), FLOOR], State.DEFAULT, memory=1.02),
    ],
)
