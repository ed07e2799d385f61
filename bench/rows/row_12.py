"""Save a model of large tensors with its weights in another file, in one whose tensors are aligned to pages, in four.

The tensors of W would lie on pages without being asked to, as their sizes are pages: those of A do not."""

from harness.rows import Floor, Part, Peer, Row, State

AGAINST = [
    Peer("onnx.save_external", 1 / 2.5, 1 / 1.8),
    Peer("onnx_ir.save_ir", 1 / 1.3, 1.0),
    Floor("floor.allocate_and_write", 1.25),
]

ROW = Row(
    12,
    "save external W",
    [
        Part("one file", "W", "ours_py.save_external", AGAINST, State.DEFAULT, memory=0.02),
        Part("aligned", "A", "ours_py.save_external_aligned", AGAINST, State.DEFAULT, memory=0.02),
        Part("four shards", "W", "ours_py.save_external_shards", AGAINST, State.DEFAULT, memory=0.02),
    ],
)
