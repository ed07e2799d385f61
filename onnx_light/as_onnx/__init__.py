"""After `import onnx_light.as_onnx`, `import onnx` means this library, in every form and for every submodule.

    pytest -p onnx_light.as_onnx tests        # for one run of pytest
    python -m onnx_light.as_onnx enable       # for every start of this Python; disable and status go with it

`onnx.x` and `onnx_light.onnx.x` are then one module object, and `onnx.__version__` is the version that this library stands in for.
Where protobuf is not installed, the four of its modules that users of `onnx` import are served by stand-ins (see _protobuf.py).

Raises ImportError if another `onnx` has been imported already: two libraries under one name would be mixed up silently.
"""

from onnx_light.as_onnx import _finder, _protobuf

_finder.install()
_protobuf.install()
