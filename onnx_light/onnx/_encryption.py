"""Models at rest: encrypted files and bytes."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import IO, Literal

from onnx_light.onnx import serialization
from onnx_light.onnx_py._onnxpy import ModelProto, crypt

Encryption = Literal["AES-256-CBC", "AES-256-GCM", "ChaCha20-Poly1305"]
Key = str | bytes | bytearray | memoryview


def save_encrypted(
    model: ModelProto,
    f: str | bytes | os.PathLike[str] | IO[bytes],
    key: Key,
    *,
    encryption: Encryption = "AES-256-CBC",
    kdf_iterations: int = 0,
    num_threads: int = -1,
    progress: Callable[[int], object] | None = None,
) -> None:
    """Writes a model to an encrypted file, usually called `*.onnxc`; the file appears whole or not at all.

    Args:
        model: with its weights at hand; it stays as it is.
        f: the path, or an object with `write`, which gets one piece after another.
        key: a passphrase (a str counts as UTF-8) or any bytes; the cipher's key is derived from it with PBKDF2-HMAC-SHA256.
        encryption: "AES-256-CBC" hides the model. "AES-256-GCM" and "ChaCha20-Poly1305" authenticate it as well: whatever is changed in the
            file is found.
        kdf_iterations: rounds of the key derivation of the authenticated formats; 0 for 600,000.
        num_threads: 1: what is encrypted is written before more is; else another thread writes it meanwhile.
        progress: as for `save`.

    Raises:
        OSError: the file cannot be written.
        EncodeError: weights lie in other files and were not loaded.
        NotImplementedError: this build has no OpenSSL.
        ValueError: the encryption is not known.
    """
    if hasattr(f, "write"):
        crypt.save_pieces(model, serialization.telling(f, progress), key, encryption, kdf_iterations)
    else:
        crypt.save(model, f, key, encryption, kdf_iterations, num_threads, progress)


def load_encrypted(
    f: str | bytes | os.PathLike[str],
    key: Key,
    *,
    num_threads: int = -1,
    progress: Callable[[int], object] | None = None,
) -> ModelProto:
    """The model in an encrypted file, of any of the formats.

    Args:
        f: the path.
        key: what it was saved with.
        num_threads: how many threads read and decrypt a large file; below 1: as many as pay.
        progress: called as `save` does it, with the bytes that are read of the file; what it raises ends the load.

    Raises:
        RuntimeError: the key is wrong, or the file is not an encrypted model, or not as it was written.
        OSError: the file cannot be read.
        NotImplementedError: this build has no OpenSSL.
    """
    model: ModelProto = crypt.load(f, key, num_threads, progress)
    return model


def save_encrypted_string(
    model: ModelProto,
    key: Key,
    *,
    encryption: Encryption = "AES-256-CBC",
    kdf_iterations: int = 0,
    num_threads: int = -1,
) -> bytes:
    """The bytes that `save_encrypted` would write. Raises as it does, but for OSError.

    `num_threads`: how many encrypt a large model in the authenticated formats; below 1: as many as pay.
    """
    blob: bytes = crypt.save_string(model, key, encryption, kdf_iterations, num_threads)
    return blob


def load_encrypted_string(blob: bytes | bytearray | memoryview, key: Key, *, num_threads: int = -1) -> ModelProto:
    """The model in the bytes of an encrypted file. Raises as `load_encrypted` does, but for OSError."""
    model: ModelProto = crypt.load_string(blob, key, num_threads)
    return model
