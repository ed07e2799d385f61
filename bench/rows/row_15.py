"""Build a graph of 100,000 nodes with helper: make_node with names and two attributes, then make_graph and make_model."""

from harness.rows import Part, Peer, Row, State

ROW = Row(15, "build 100k nodes with helper", [Part("build", "N", "ours_py.build", [Peer("onnx.build", 1 / 3, 1 / 2)], State.DEFAULT)])
