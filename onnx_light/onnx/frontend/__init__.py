"""Empty, as in `onnx`: the name only exists to be imported."""
