"""Load large tensors as slices of a mapping: only the structure is read. H is over 2 GiB, too much for the peer; E and F are
1 GiB and 4 GiB that take no room."""

from harness.rows import Floor, Part, Peer, Row, State

FLOOR = Floor("floor.touch", 3)

ROW = Row(
    8,
    "load W mapped, load H mapped",
    [
        Part("W", "W", "ours_py.load_mapped", [Peer("onnx.load", 1 / 200, 1 / 100), FLOOR], State.DEFAULT, memory=0.01),
        Part("H", "H", "ours_py.load_mapped", [FLOOR], State.DEFAULT, memory=0.01),
        Part("4 GiB as 1 GiB", "F", "ours_py.open_mapped", [Peer("ours_py.open_mapped", 1.2, 1.2, model="E")], State.DEFAULT),
    ],
)
