"""Load and save by several threads: never slower than by one, at 1 MiB, 64 MiB and 1 GiB; as often as makes a time
that can be told from the next."""

from harness.rows import Part, Peer, Row, State

SIZES = {"S": "1 MiB", "C": "64 MiB", "W": "1 GiB"}
COUNTS = {"2_threads": "2 threads", "4_threads": "4 threads", "any_threads": "automatic"}


def part(verb: str, model: str, count: str) -> Part:
    what = f"{verb} {SIZES[model]}, {COUNTS[count]}"
    return Part(what, model, f"ours_py.{verb}_again_{count}", [Peer(f"ours_py.{verb}_again_1_thread", 1.05, 1.05)], State.DEFAULT)


ROW = Row(24, "threads, as one thread", [part(verb, model, count) for verb in ("load", "save") for model in SIZES for count in COUNTS])
