"""A model whose large initializers are arrays beside it, so that building, changing and saving it copies none of them.

Such an initializer is a tensor that refers to a location beginning with "#"; the container knows the array for each location.
"""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Iterable, Iterator
from typing import IO, Any

import numpy as np

from onnx_light.onnx import _arrays, _files, checker, helper
from onnx_light.onnx import external_data_helper as ext_data
from onnx_light.onnx._foreign import need
from onnx_light.onnx_py._onnxpy import AttributeProto, GraphProto, ModelProto, TensorProto

__all__ = ["ModelContainer", "make_large_model", "make_large_tensor_proto"]


def make_large_tensor_proto(location: str, tensor_name: str, tensor_type: int, shape: tuple[int, ...]) -> TensorProto:
    """A tensor whose elements a ModelContainer knows.

    Args:
        location: how the container knows them: a name that begins with "#".
        tensor_name, tensor_type, shape: of the tensor; tensor_type is a TensorProto.DataType.
    """
    tensor = TensorProto()
    tensor.name = tensor_name
    tensor.data_type = tensor_type
    tensor.dims.extend(shape)
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value=location)
    return tensor


def make_large_model(graph: GraphProto, large_initializers: dict[str, np.ndarray[Any, Any]] | None = None, **kwargs: Any) -> ModelContainer:
    """A container with a model of a graph.

    Args:
        graph: its graph.
        large_initializers: arrays by location.
        kwargs: as for helper.make_model.

    Raises:
        ValueError: a location does not begin with "#".
        RuntimeError: the graph has an initializer with a location that large_initializers lacks.
    """
    container = ModelContainer()
    container.model_proto = helper.make_model(graph, **kwargs)
    if large_initializers:
        container.set_large_initializers(large_initializers)
        container.check_large_initializers()
    return container


class ModelContainer:
    """A model and the arrays of its large initializers."""

    def __init__(self) -> None:
        self.model_proto_: ModelProto | None = None
        self.large_initializers: dict[str, np.ndarray[Any, Any]] = {}

    @property
    def model_proto(self) -> ModelProto:
        """The model. Raises RuntimeError if there is none yet."""
        if self.model_proto_ is None:
            raise RuntimeError("the ModelContainer has no model yet: load one, or set model_proto")
        return self.model_proto_

    @model_proto.setter
    def model_proto(self, model_proto: ModelProto) -> None:
        need(model_proto, ModelProto, "model_proto")
        self.model_proto_ = model_proto

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        """The array at a location. Raises ValueError if there is none."""
        if name not in self.large_initializers:
            raise ValueError(f"there is no large initializer at {name!r}, only at {sorted(self.large_initializers)}")
        return self.large_initializers[name]

    def check_model(self) -> None:
        """Checks the model; large initializers are not looked at."""
        checker.check_model(self.model_proto)

    def enumerate_graph_protos(self) -> Iterable[GraphProto]:
        """The model's graph and all graphs inside of it."""
        waiting = [self.model_proto.graph]
        while waiting:
            graph = waiting.pop()
            yield graph
            for node in graph.node:
                for attribute in node.attribute:
                    if attribute.type == AttributeProto.GRAPH:
                        waiting.append(attribute.g)
                    waiting.extend(attribute.graphs)

    def is_in_memory_external_initializer(self, name: str) -> bool:
        """Whether a location is one that the container knows the elements of, and no file."""
        return name.startswith("#")

    def set_large_initializers(self, large_initializers: dict[str, np.ndarray[Any, Any]]) -> None:
        """Sets the arrays, by location. Raises ValueError for a location that does not begin with "#"."""
        for location in large_initializers:
            if not self.is_in_memory_external_initializer(location):
                raise ValueError(f"location {location!r} has to begin with '#', so that nobody takes it for a file")
        self.large_initializers = large_initializers

    def _in_memory(self, model: ModelProto) -> Iterator[tuple[TensorProto, str]]:
        for tensor in ext_data._get_all_tensors(model):
            if ext_data.uses_external_data(tensor):
                location = next((entry.value for entry in tensor.external_data if entry.key == "location"), "")
                if self.is_in_memory_external_initializer(location):
                    yield tensor, location

    def check_large_initializers(self) -> None:
        """Raises RuntimeError if an initializer has a location that the container does not know."""
        for tensor, location in self._in_memory(self.model_proto):
            if location not in self.large_initializers:
                raise RuntimeError(f"tensor {tensor.name!r} is at {location!r}; there are arrays at {sorted(self.large_initializers)} only")

    def save(self, file_path: _files.Path, all_tensors_to_one_file: bool = False) -> ModelProto:
        """Writes the model, and its large initializers to files beside it.

        Args:
            file_path: the model's file.
            all_tensors_to_one_file: one file for all large initializers, or one for each.

        Returns:
            The model that has been written: like this one, with references to the files.

        Raises:
            RuntimeError: there is no model, or an array is missing.
            FileNotFoundError: there is no such folder.
        """
        path = os.fsdecode(file_path)
        folder = os.path.dirname(path)
        if folder and not os.path.isdir(folder):
            raise FileNotFoundError(f"there is no folder {folder!r}")
        copy = ModelProto()
        copy.CopyFrom(self.model_proto)
        with _Files(folder) as files:
            self._write(copy, files, os.path.basename(path), all_tensors_to_one_file)
        _files.save(copy, path)
        return copy

    def _write(self, model: ModelProto, files: _Files, name: str, all_tensors_to_one_file: bool) -> None:
        written: dict[str, list[tuple[str, str]]] = {}
        stem = os.path.splitext(name)[0]
        for number, (tensor, location) in enumerate(self._in_memory(model)):
            if location not in self.large_initializers:
                raise RuntimeError(f"tensor {tensor.name!r} is at {location!r}; there are arrays at {sorted(self.large_initializers)} only")
            if location not in written:
                file = f"{name}.weight" if all_tensors_to_one_file else _file_for(stem, location, number)
                offset, size = files.append(file, _payload(self.large_initializers[location]))
                entries = [("location", file)]
                written[location] = [*entries, ("offset", str(offset)), ("length", str(size))] if all_tensors_to_one_file else entries
            del tensor.external_data[:]
            for key, value in written[location]:
                tensor.external_data.add(key=key, value=value)

    def load(self, file_path: _files.Path, load_large_initializers: bool = True) -> None:
        """Loads a model.

        Args:
            file_path: the model's file.
            load_large_initializers: read what lies in files beside it, as arrays of the container.
        """
        path = os.fsdecode(file_path)
        model = _files.load(path, load_external_data=False)
        arrays = _take_arrays(model, path) if load_large_initializers else {}
        self.model_proto = model
        self.large_initializers = arrays

    def _load_large_initializers(self, file_path: _files.Path) -> None:
        """What `load` leaves out where it is told to. A private name, by which `onnx` tells programs to do it later."""
        self.large_initializers = _take_arrays(self.model_proto, os.fsdecode(file_path))


def _take_arrays(model: ModelProto, path: str) -> dict[str, np.ndarray[Any, Any]]:
    """The elements that lie in files beside the model's, by location; the tensors refer to these then. All or nothing."""
    from onnx_light.onnx import numpy_helper

    outside = [tensor for tensor in ext_data._get_all_tensors(model) if ext_data.uses_external_data(tensor)]
    arrays = {f"#t{number}": numpy_helper.to_array(tensor, os.path.dirname(path)) for number, tensor in enumerate(outside)}
    for tensor, location in zip(outside, arrays, strict=True):
        del tensor.external_data[:]
        tensor.external_data.add(key="location", value=location)
    return arrays


class _Files:
    """Files of a folder that take their names when all are written: what maps older ones keeps their bytes, and a failure leaves them."""

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._streams: dict[str, IO[bytes]] = {}

    def __enter__(self) -> _Files:
        return self

    def append(self, file: str, data: bytes | memoryview) -> tuple[int, int]:
        """Offset and size of what has been written to a file."""
        if file not in self._streams:
            self._streams[file] = open(os.path.join(self._folder, f".weight-{uuid.uuid4().hex}"), "xb")  # noqa: SIM115
        stream = self._streams[file]
        offset = stream.tell()
        stream.write(data)
        return offset, len(data)

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        try:
            for stream in self._streams.values():
                stream.close()
            if kind is None:
                for file, stream in self._streams.items():
                    os.replace(stream.name, os.path.join(self._folder, file))
        finally:
            for stream in self._streams.values():
                with contextlib.suppress(FileNotFoundError):
                    os.remove(stream.name)


def _payload(array: np.ndarray[Any, Any]) -> bytes | memoryview:
    """What raw_data would hold; the array's own memory where that is it."""
    if _arrays.packed_bits(array.dtype):
        return _arrays.raw_bytes_of(array)
    return np.ascontiguousarray(_arrays.little_endian(array)).reshape(-1).view(np.uint8).data


def _file_for(stem: str, location: str, number: int) -> str:
    """The file of one initializer."""
    file = f"{stem}-{location}.weight"
    return file if "/" not in file and "\\" not in file and "\0" not in file and len(file.encode()) <= 250 else f"{stem}-{number}.weight"
