"""What runtimes implement to be tested with ONNX's cases."""
