"""Stands in for google.protobuf.internal.containers: the lists that messages hold, under the names that annotations use."""

from __future__ import annotations

from onnx_light.onnx_py._onnxpy import RepeatedCompositeContainer, RepeatedScalarContainer

RepeatedScalarFieldContainer = RepeatedScalarContainer
RepeatedCompositeFieldContainer = RepeatedCompositeContainer

__all__ = ["RepeatedCompositeFieldContainer", "RepeatedScalarFieldContainer"]
