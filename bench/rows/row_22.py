"""Put models together and take parts out of them, 100,000 nodes in a row: prefixes, two halves merged, the whole extracted."""

from harness.rows import Part, Peer, Row, State


def part(what: str, act: str) -> Part:
    return Part(what, "N", f"ours_py.{act}", [Peer(f"onnx.{act}", 1 / 3, 1 / 3)], State.DEFAULT)


PARTS = [part("add_prefix", "add_prefix"), part("merge_models", "merge"), part("extract", "extract")]
ROW = Row(22, "compose and extract 100k nodes", PARTS)
