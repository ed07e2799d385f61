"""What stands in for modules of protobuf; see onnx_light/as_onnx/_protobuf.py."""
