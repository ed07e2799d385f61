"""Between tensors and arrays. Where the array can look at the tensor's bytes, or the tensor at the array's, the time does not depend on
the size; an array that is written to would be copied. Of the small tensor a hundred conversions are timed."""

from harness.rows import Part, Peer, Row, State

ROW = Row(
    16,
    "to_array, from_array",
    [
        Part(f"{act}, {size}", model, f"ours_py.{act}", [Peer(f"onnx.{act}", 1 / 20, 1 / 5)], State.DEFAULT)
        for act in ("to_array", "from_array")
        for model, size in (("S", "1 MiB"), ("L", "1 GiB"))
    ],
)
