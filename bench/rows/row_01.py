"""Parse many small nodes in C++, in a process that has done so before.

upb is reached by way of Python. It calls malloc_trim now and then, whatever malloc was told, and the rounds after that pay for fresh
pages: its times differ by a factor of two from round to round, and the best quarter takes the fast ones.
"""

from harness.rows import Floor, Part, Peer, Row, State

ROW = Row(
    1,
    "parse N in C++, warm",
    [
        Part(
            "parse",
            "N",
            "ours.parse",
            [
                Peer("libprotobuf_arena.parse", 1 / 5, 1 / 3),
                Peer("libprotobuf_large_blocks.parse"),
                Peer("onnx.parse", 1 / 3, 1 / 2),
                Floor("protozero.scan", 2),
            ],
            memory=3.5,
        ),
        Part("parse, default memory", "N", "ours.parse", [Peer("libprotobuf_arena.parse"), Peer("onnx.parse")], State.DEFAULT),
        Part("parse, fresh process", "N", "ours.parse", [Peer("libprotobuf_arena.parse"), Floor("protozero.scan")], State.FRESH),
        # Strings point into the caller's bytes.
        Part("parse, borrowing", "N", "ours.parse_no_copy", [Peer("libprotobuf_arena.parse"), Floor("protozero.scan")]),
    ],
)
