"""Load large tensors from a file beside the model: read once to where they stay, or as slices of a mapping."""

from harness.rows import Floor, Part, Peer, Row, State

ROW = Row(
    10,
    "load external W",
    [
        Part(
            "owned",
            "W",
            "ours_py.load_external",
            [
                Peer("onnx.load_external", 1 / 3.5, 1 / 2.5),
                Peer("safetensors.load_file", 1.0, 1.0, maps=True),
                Floor("floor.pread_huge", 1.3),
            ],
            State.DEFAULT,
            memory=1.02,
        ),
        Part(
            "no_copy",
            "W",
            "ours_py.load_external_mapped",
            [
                Peer("onnx.load_external", 1 / 150, 1 / 80),
                Peer("safetensors.open_file", 1.0, 1.0, maps=True),
                Floor("floor.touch", 3, maps=True),
            ],
            State.DEFAULT,
            memory=0.01,
        ),
    ],
)
