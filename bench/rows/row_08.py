"""Load large tensors as slices of a mapping: only the structure is read. H is over 2 GiB, which the peer cannot load."""

from harness.rows import Floor, Part, Peer, Row, State

FLOOR = Floor("floor.touch", 3)

ROW = Row(
    8,
    "load W mapped, load H mapped",
    [
        Part("W", "W", "ours_py.load_mapped", [Peer("onnx.load", 1 / 200, 1 / 100), FLOOR], State.DEFAULT, memory=0.01),
        Part("H", "H", "ours_py.load_mapped", [FLOOR], State.DEFAULT, memory=0.01),
    ],
)
