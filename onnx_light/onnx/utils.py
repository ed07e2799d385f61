"""Parts of models."""

from __future__ import annotations

import os
import tarfile
from typing import Any

from onnx_light.onnx import _files
from onnx_light.onnx._foreign import need
from onnx_light.onnx_py import _onnxpy
from onnx_light.onnx_py._onnxpy import ModelProto

__all__ = ["Extractor", "extract_model"]


class Extractor:
    """Takes parts out of a model, which stays as it is.

    part = Extractor(model).extract_model(["hidden"], ["y"])
    """

    def __init__(self, model: ModelProto) -> None:
        need(model, ModelProto, "model")
        self.model = model
        self.graph = model.graph

    def extract_model(self, input_names: list[str], output_names: list[str]) -> ModelProto:
        """A model of what computes some values from others: nodes, initializers, functions that are called, types and annotations.

        Values that graphs inside of nodes use count as used. All that need not change is kept. Takes time in proportion to the model.

        Args:
            input_names: values that are given to the part: inputs of the model, or any others.
            output_names: values that the part computes.

        Raises:
            ValueError: the model has no such value.
            ValidationError: the part would use a value that it is not given and does not compute. The error names it.
        """
        return self._part(input_names, output_names, True)

    def _part(self, input_names: list[str], output_names: list[str], whole: bool) -> ModelProto:
        part: ModelProto = _onnxpy.graph.extract_part(self.model, list(input_names), list(output_names), bool(whole))
        part.graph.name = f"Extracted from {{{self.graph.name}}}"
        return part


def extract_model(
    input_path: _files.Path,
    output_path: _files.Path,
    input_names: list[str],
    output_names: list[str],
    check_model: bool = True,
    infer_shapes: bool = True,
) -> None:
    """Extracts a part of the model in a file into another file; see Extractor.extract_model.

    Args:
        input_path: the file of the model.
        output_path: the file of the part.
        input_names, output_names: values that the part is given, and that it computes.
        check_model: the part has to keep the rules of ONNX, as far as they need no knowledge of operators.
        infer_shapes: kept for calls; types that the model does not state stay unknown.

    Raises:
        ValueError: there is no such file or value, or no name is given.
        ValidationError: with check_model, the part breaks a rule, for example because it depends on a value that is not given.
    """
    path = os.fsdecode(input_path)  # bytes are a path here, and not the model's
    if not os.path.exists(path):
        raise ValueError(f"there is no model at {path!r}")
    if not output_path:
        raise ValueError("output_path is empty: the part needs a file")
    if not input_names or not output_names:
        raise ValueError("input_names and output_names have to name at least one value each")
    part = Extractor(_files.load(path))._part(input_names, output_names, check_model)
    part.producer_name = "onnx.utils.extract_model"
    if check_model:
        _onnxpy.graph.verify_model(part)
    _files.save(part, output_path)


# ---- archives of models with their data, which tests of other projects unpack with these private functions


def _tar_members_filter(tar: tarfile.TarFile, base: str | os.PathLike[str]) -> list[tarfile.TarInfo]:
    """The members of an archive, if every one stays below `base`. Raises RuntimeError for links and for names that lead out of it."""
    root = os.path.realpath(base)
    members = []
    for member in tar:
        target = os.path.realpath(os.path.join(root, member.name))
        if os.path.commonpath([root, target]) != root:
            raise RuntimeError(f"the archive has the member {member.name!r}, which leads out of {root!r} (directory traversal)")
        if member.issym() or member.islnk():
            raise RuntimeError(f"the archive has the link {member.name!r}; links are not unpacked")
        members.append(member)
    return members


def _extract_model_safe(model_tar_path: str | os.PathLike[str], local_model_with_data_dir_path: str | os.PathLike[str]) -> None:
    """Unpacks an archive into a folder, and nothing outside of it. Raises RuntimeError."""
    with tarfile.open(model_tar_path) as archive:
        options: Any = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        archive.extractall(
            path=local_model_with_data_dir_path, members=_tar_members_filter(archive, local_model_with_data_dir_path), **options
        )
