"""In `onnx` the script that writes its .proto files; here there are none, and the name only exists to be imported."""
