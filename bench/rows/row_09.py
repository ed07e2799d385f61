"""Parse large tensors from bytes that the caller keeps: every payload points into them, only the structure is made."""

from harness.rows import Part, Peer, Row

ROW = Row(
    9,
    "parse W from bytes, no_copy",
    [Part("parse, borrowing", "W", "ours.parse_no_copy", [Peer("libprotobuf_arena.parse", 1 / 200, 1 / 100)], memory=0.01)],
)
