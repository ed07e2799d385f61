"""Many small nodes as protobuf's text format and as JSON, out and in again, in Python: what save and load do in these formats.

onnx leaves both to protobuf's Python, and str(model), which is text format as well, to its C implementation.
"""

from harness.rows import Part, Peer, Row, State


def part(what: str, act: str, goal: float = 1 / 20, gate: float = 1 / 10) -> Part:
    return Part(what, "N", f"ours_py.{act}", [Peer(f"onnx.{act}", goal, gate)], State.DEFAULT)


ROW = Row(
    18,
    "text format, JSON write and read N",
    [
        part("text format, write", "print_text"),
        part("text format, read", "read_text"),
        part("JSON, write", "print_json"),
        part("JSON, read", "read_json"),
        part("str(model)", "str", 1.0, 1.0),
    ],
)
