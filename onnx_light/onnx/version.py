"""The version, under the name of earlier releases of `onnx`; deprecated, `onnx.__version__` says the same."""

from __future__ import annotations

import warnings

from onnx_light.onnx import _identity

warnings.warn("onnx.version is deprecated: use onnx.__version__", DeprecationWarning, stacklevel=2)

version = _identity.version()
git_version = ""

__all__ = ["git_version", "version"]
