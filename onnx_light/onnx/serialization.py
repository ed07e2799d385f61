"""How messages become bytes and come from them, by format: "protobuf", "textproto", "json", "onnxtxt", and what others register.

The extension of a file chooses the format when nobody names one; an extension that is not known means protobuf.
"""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Callable, Collection
from typing import Any, Protocol, TypeVar

from onnx_light.onnx import _foreign
from onnx_light.onnx_py._onnxpy import ModelProto, files, text

__all__ = ["registry"]

_Proto = TypeVar("_Proto")
_DEFAULT_FORMAT = "protobuf"


class ProtoSerializer(Protocol):
    """A format: its name, the extensions of its files (with their dots), and both directions."""

    supported_format: str
    file_extensions: Collection[str]

    def serialize_proto(self, proto: Any) -> Any:
        """The message in this format."""

    def deserialize_proto(self, serialized: Any, proto: _Proto) -> _Proto:
        """The message that `serialized` holds; `proto` says of what type it is, and may become it."""


class _Registry:
    def __init__(self) -> None:
        self._serializers: dict[str, ProtoSerializer] = {}
        self._formats: dict[str, str] = {}

    def register(self, serializer: ProtoSerializer) -> None:
        """Adds a format, or replaces the one of that name."""
        self._serializers[serializer.supported_format] = serializer
        self._formats.update(dict.fromkeys(serializer.file_extensions, serializer.supported_format))

    def get(self, fmt: str) -> ProtoSerializer:
        """The serializer of a format. Raises ValueError."""
        try:
            return self._serializers[fmt]
        except KeyError:
            raise ValueError(f"format {fmt!r} is not known; these are: {', '.join(self._serializers)}") from None

    def get_format_from_file_extension(self, file_extension: str) -> str | None:
        """The format of files with this extension (with its dot), or None."""
        return self._formats.get(file_extension)


class _ProtobufSerializer(ProtoSerializer):
    supported_format = "protobuf"
    file_extensions = frozenset({".onnx", ".pb"})

    def serialize_proto(self, proto: Any) -> bytes:
        if not callable(getattr(proto, "SerializeToString", None)):
            raise TypeError(f"{type(proto)} has no SerializeToString: it is no message")
        data: bytes = proto.SerializeToString()
        return data

    def deserialize_proto(self, serialized: bytes, proto: _Proto) -> _Proto:
        if not isinstance(serialized, bytes):
            raise TypeError(f"a message in protobuf's wire format is bytes, not {type(serialized)}")
        proto.ParseFromString(serialized)  # type: ignore[attr-defined]
        return proto


class TextSerializer(ProtoSerializer):
    """One of our own text forms, which go to files piece by piece, and tell how far they have got."""

    def __init__(self, supported_format: str, file_extensions: Collection[str], read: Callable[..., Any]) -> None:
        self.supported_format, self.file_extensions, self._read = supported_format, file_extensions, read

    def serialize_proto(self, proto: Any) -> bytes:
        return text.encode(proto, self.supported_format)

    def deserialize_proto(self, serialized: Any, proto: Any, progress: Callable[[int], object] | None = None) -> Any:
        if not isinstance(serialized, (bytes, str)):
            raise TypeError(f"a message as text is str or bytes, not {type(serialized)}")
        return self._read(serialized, proto, progress=progress)


class _EncryptedSerializer(ProtoSerializer):
    """Known by its extension, so that nobody takes such a file for a broken model, or saves a plain one under its name."""

    supported_format = "encrypted"
    file_extensions = frozenset({".onnxc"})

    def serialize_proto(self, proto: Any) -> bytes:
        raise ValueError("an encrypted model needs a key: save_encrypted(model, path, key=...)")

    def deserialize_proto(self, serialized: bytes, proto: Any) -> Any:
        raise ValueError("an encrypted model needs a key: load_encrypted(path, key=...)")


registry = _Registry()
_PROTOBUF = _ProtobufSerializer()
for _serializer in (
    _PROTOBUF,
    TextSerializer("textproto", frozenset({".txtpb", ".textproto", ".prototxt", ".pbtxt"}), text.from_text_format),
    TextSerializer("json", frozenset({".json", ".onnxjson"}), text.from_json),
    TextSerializer("onnxtxt", frozenset({".onnxtxt", ".onnxtext"}), text.from_syntax),
    _EncryptedSerializer(),
):
    registry.register(_serializer)


def other_than_protobuf(format: str | None, f: Any = None) -> ProtoSerializer | None:
    """What reads and writes `f` in a format that is named, or chosen by the extension of its name; None for our own protobuf."""
    if format is None:
        name = f if isinstance(f, (str, os.PathLike)) else getattr(f, "name", None)
        extension = os.path.splitext(os.fsdecode(name))[1] if isinstance(name, (str, bytes, os.PathLike)) else ""
        format = registry.get_format_from_file_extension(extension)
    serializer = registry.get(format or _DEFAULT_FORMAT)
    return None if serializer is _PROTOBUF else serializer


def serializer_of(format: str | None, f: Any = None) -> ProtoSerializer:
    """What reads and writes `f` in a format that is named, or chosen by the extension of its name. Raises ValueError."""
    return other_than_protobuf(format, f) or _PROTOBUF


def load_with(serializer: ProtoSerializer, f: Any, message: _Proto, progress: Callable[[int], object] | None = None) -> _Proto:
    """The message in `f`: a path, an object with `read`, or bytes. Of our own text forms `progress` is told."""
    if _foreign.is_bytes(f):
        serialized = bytes(f)
    elif hasattr(f, "read"):
        serialized = f.read()
    else:
        with open(f, "rb") as file:
            serialized = b"" if isinstance(serializer, _EncryptedSerializer) else file.read()  # which refuses any, however large
    if progress is not None and isinstance(serializer, TextSerializer):
        found: _Proto = serializer.deserialize_proto(serialized, message, progress)
        return found
    return serializer.deserialize_proto(serialized, message)


def save_with(serializer: ProtoSerializer, proto: Any, f: Any, progress: Callable[[int], object] | None = None) -> None:
    """Writes a message, or the wire bytes of a model, to `f`: a path or an object with `write`. Files appear whole or not."""
    message = ModelProto.FromString(proto) if isinstance(proto, bytes) else proto
    if hasattr(f, "write"):
        if progress is not None and isinstance(serializer, TextSerializer):
            text.write_pieces(message, serializer.supported_format, telling(f, progress))
        else:
            write_to(f, serializer.serialize_proto(message), progress)
    elif isinstance(serializer, TextSerializer):
        text.write_file(message, f, serializer.supported_format, progress)
    else:
        files.write_bytes(f, serializer.serialize_proto(message), progress)


_PIECE = 4 << 20


def write_to(f: Any, data: Any, progress: Callable[[int], object] | None = None) -> None:
    """Writes to an object with `write`: at once, or in pieces where somebody is to be told of each.

    What `write` returns may say that it took less, as raw streams do: then it gets the rest. Raises OSError if it takes nothing.
    """
    try:
        view = memoryview(data)
    except TypeError:  # text
        f.write(data)
        return
    size = view.nbytes
    done = _taken(f, data, size) if progress is None or not size else 0
    bytewise = view.cast("B") if done < size else view
    write = telling(f, progress)
    for start in range(done, size, _PIECE):
        write(bytes(bytewise[start : start + _PIECE]))


def telling(f: Any, progress: Callable[[int], object] | None) -> Callable[[bytes], object]:
    """The `write` of an object until it has taken all, which tells how many bytes it has written."""

    def write(piece: bytes) -> None:
        rest: bytes | memoryview = piece
        while rest:
            taken = _taken(f, rest, len(rest))
            rest = memoryview(rest)[taken:]
            if progress is not None:
                progress(taken)

    return write


def _taken(f: Any, piece: Any, size: int) -> int:
    """How many bytes of a piece `f.write` took: all, if it does not say."""
    taken = f.write(piece)
    if taken is None and isinstance(f, io.FileIO):
        raise BlockingIOError(errno.EAGAIN, "write would have to wait", f.name)
    if not isinstance(taken, int) or isinstance(taken, bool):
        return size
    if taken <= 0 < size:
        raise OSError(errno.EIO, f"write took {taken} of {size} bytes", getattr(f, "name", None))
    return min(taken, size)
