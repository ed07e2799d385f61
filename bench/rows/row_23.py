"""Compare two models of 100,000 nodes, weights included, as `onnx-light diff` does, printing to nowhere: with some changes here and there,
and with every name a new one, as another run of an exporter gives them.

Memory: at most 1 GB, of a file of 51 MB.
"""

from harness.rows import Part, Row, State, Within


def part(what: str, act: str) -> Part:
    return Part(what, "D", f"ours_py.{act}", [Within(5e9)], State.DEFAULT, memory=19)


ROW = Row(23, "diff of 100k nodes", [part("some changes", "diff_some"), part("every name is new", "diff_names"), part("none", "diff_none")])
