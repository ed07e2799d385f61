"""copy.deepcopy of a model with large tensors: copies share payloads."""

from harness.rows import Part, Peer, Row, State

ROW = Row(
    17,
    "deepcopy W",
    [Part("copy.deepcopy", "W", "ours_py.deepcopy", [Peer("onnx.deepcopy", 1 / 200, 1 / 50)], State.DEFAULT, memory=0.01)],
)
