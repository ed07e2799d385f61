"""Import the package in a new Python."""

from harness.rows import Part, Peer, Row, State

ROW = Row(21, "import", [Part("import the package", "N", "ours_py.import", [Peer("onnx.import", 1.0, 1.0)], State.DEFAULT)])
