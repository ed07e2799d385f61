"""The extension module. What it holds is public under `onnx_light.onnx`."""
