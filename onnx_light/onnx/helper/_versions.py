"""Which release of ONNX brought which IR version and which operator sets."""

from __future__ import annotations

from collections.abc import Sequence

from onnx_light.onnx_py import _onnxpy
from onnx_light.onnx_py._onnxpy import OperatorSetIdProto

VersionRowType = tuple[str, int, int, int] | tuple[str, int, int, int, int]
VersionTableType = list[VersionRowType]
VersionMapType = dict[tuple[str, int], int]

# (release, IR version, opsets of ai.onnx, ai.onnx.ml and, where it existed, ai.onnx.preview.training); the library holds the facts
VERSION_TABLE: VersionTableType = [
    (name, ir, onnx, ml, training) if training else (name, ir, onnx, ml) for name, ir, onnx, ml, training in _onnxpy.releases()
]


def _smallest_ir_versions(table: VersionTableType) -> VersionMapType:
    found: VersionMapType = {}
    for _, ir_version, onnx, ml, *training in table:
        entries = [("ai.onnx", onnx), ("ai.onnx.preview", onnx), ("ai.onnx.ml", ml)]
        for version in training:
            entries += [("ai.onnx.training", version), ("ai.onnx.preview.training", version)]
        for entry in entries:
            found.setdefault(entry, ir_version)
    return found


OP_SET_ID_VERSION_MAP: VersionMapType = _smallest_ir_versions(VERSION_TABLE)
"""(domain, opset version) -> the smallest IR version of a release that had it."""


def find_min_ir_version_for(opsetidlist: Sequence[OperatorSetIdProto], ignore_unknown: bool = False) -> int:
    """The smallest IR version that came with all of these operator sets, 3 at least.

    Args:
        opsetidlist: imports of a model; the domain "" is "ai.onnx".
        ignore_unknown: leave out what no release of ONNX had, instead of raising.

    Raises:
        ValueError: an import is none of ONNX's own.
    """
    smallest = 3
    for entry in opsetidlist:
        ir_version = OP_SET_ID_VERSION_MAP.get((entry.domain or "ai.onnx", entry.version))
        if ir_version is not None:
            smallest = max(smallest, ir_version)
        elif not ignore_unknown:
            raise ValueError(f"no release of ONNX has version {entry.version} of domain {entry.domain or 'ai.onnx'!r}")
    return smallest
