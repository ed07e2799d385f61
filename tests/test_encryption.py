"""Encrypted models: formats against ciphers outside of this library, keys, errors, files."""

import hashlib
import os
import shutil
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import onnx_light.onnx as onnxl
from onnx_light.onnx import helper, numpy_helper

ALL = ("AES-256-CBC", "AES-256-GCM", "ChaCha20-Poly1305")
AUTHENTICATED = ALL[1:]
QUICK: dict[str, Any] = {"kdf_iterations": 1000}
WRONG_KEYS = int(os.environ.get("ONNX_LIGHT_WRONG_KEYS", "40"))  # 2,000 of the common format take a minute or two


def little(payload=3000):
    weights = numpy_helper.from_array(np.arange(payload, dtype=np.uint8), "w")
    graph = helper.make_graph([], "g", [], [], [weights])
    return helper.make_model(graph, producer_name="tests", ir_version=10)


@pytest.mark.parametrize("encryption", ALL)
@pytest.mark.parametrize("key", ["passphrase", "pässword ✓", b"\x00\xff bytes", bytearray(b"mutable"), ""])
def test_models_come_back_from_strings_and_files_with_keys_of_every_kind(tmp_path, encryption, key):
    model = little()
    blob = onnxl.save_encrypted_string(model, key=key, encryption=encryption, **QUICK)
    assert onnxl.load_encrypted_string(blob, key=key) == model
    for path in (tmp_path / "m.onnxc", str(tmp_path / "n.onnxc"), os.fsencode(tmp_path / "o.onnxc")):
        onnxl.save_encrypted(model, path, key=key, encryption=encryption, **QUICK)
        assert onnxl.load_encrypted(path, key=key) == model
    assert onnxl.load_encrypted_string((tmp_path / "m.onnxc").read_bytes(), key=key) == model


def test_text_keys_are_their_utf8_bytes():
    blob = onnxl.save_encrypted_string(little(), key="ä")
    assert onnxl.load_encrypted_string(blob, key="ä".encode()) == little()
    with pytest.raises(TypeError, match="key"):
        onnxl.save_encrypted_string(little(), key=12)  # type: ignore[arg-type]


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs the openssl command")
def test_openssl_decrypts_the_common_format_and_we_read_what_it_encrypts():
    model = little()
    blob = onnxl.save_encrypted_string(model, key="secret")
    assert blob[:8] == b"ONNXCRY1"
    key = hashlib.pbkdf2_hmac("sha256", b"secret", blob[8:24], 100_000).hex()
    command = ["openssl", "enc", "-aes-256-cbc", "-K", key, "-iv", blob[24:40].hex()]
    plain = subprocess.run([*command, "-d"], input=blob[40:], capture_output=True, check=True).stdout
    assert plain == model.SerializeToString()
    other = subprocess.run(command, input=plain, capture_output=True, check=True).stdout
    assert onnxl.load_encrypted_string(blob[:40] + other, key="secret") == model


@pytest.mark.parametrize("encryption", AUTHENTICATED)
def test_authenticated_formats_are_what_the_page_says(encryption):
    """Built and opened here, from docs/design/encryption.md, with the ciphers of another package."""
    aead = pytest.importorskip("cryptography.hazmat.primitives.ciphers.aead")
    cipher = aead.AESGCM if encryption == "AES-256-GCM" else aead.ChaCha20Poly1305
    model = little(100_000)
    plain = model.SerializeToString()
    chunk = 4096

    def nonces(prefix):
        count = max(1, -(-len(plain) // chunk))
        return [prefix + i.to_bytes(4, "big") + bytes([i == count - 1]) for i in range(count)]

    magic = b"ONNXGCM1" if encryption == "AES-256-GCM" else b"ONNXCCP1"
    salt, prefix = bytes(range(16)), bytes(range(100, 107))
    header = magic + (1).to_bytes(4, "little") + (2000).to_bytes(4, "little") + salt + chunk.to_bytes(4, "little") + prefix + bytes(5)
    box = cipher(hashlib.pbkdf2_hmac("sha256", b"secret", salt, 2000))
    body = b"".join(box.encrypt(nonce, plain[i * chunk : (i + 1) * chunk], header) for i, nonce in enumerate(nonces(prefix)))
    assert onnxl.load_encrypted_string(header + body, key="secret") == model

    blob = onnxl.save_encrypted_string(model, key="secret", encryption=encryption, kdf_iterations=2000)
    header = blob[:48]
    assert header[:16] == magic + (1).to_bytes(4, "little") + (2000).to_bytes(4, "little")
    assert int.from_bytes(header[32:36], "little") == 1 << 20
    box = cipher(hashlib.pbkdf2_hmac("sha256", b"secret", header[16:32], 2000))
    assert box.decrypt(header[36:43] + bytes(4) + b"\1", blob[48:], header) == plain


@pytest.mark.parametrize("encryption", ALL)
def test_a_wrong_key_a_cut_and_another_file_are_runtime_errors(tmp_path, encryption):
    blob = onnxl.save_encrypted_string(little(), key="right", encryption=encryption, **QUICK)
    path = tmp_path / "m.onnxc"
    for wrong, key in (
        (blob, "wrong"),
        (blob[:-1], "right"),
        (blob[:50], "right"),
        (blob[:7], "right"),
        (b"", "right"),
        (b"x" * 99, "right"),
    ):
        with pytest.raises(RuntimeError):
            onnxl.load_encrypted_string(wrong, key=key)
        path.write_bytes(wrong)
        with pytest.raises(RuntimeError, match=r"m\.onnxc"):
            onnxl.load_encrypted(path, key=key)
    path.write_bytes(little().SerializeToString())
    with pytest.raises(RuntimeError, match="does not begin like an encrypted model"):
        onnxl.load_encrypted(path, key="right")


@pytest.mark.parametrize("encryption", ALL)
def test_wrong_keys_raise(encryption):
    blob = onnxl.save_encrypted_string(little(), key="right", encryption=encryption, **QUICK)
    for i in range(WRONG_KEYS):
        with pytest.raises(RuntimeError):
            onnxl.load_encrypted_string(blob, key=f"wrong{i}")


@pytest.mark.parametrize("key", [None, 12, ["k"]])
def test_what_is_no_key_is_a_type_error_that_says_what_one_is(tmp_path, key):
    for act in (
        lambda: onnxl.save_encrypted_string(little(), key=key),
        lambda: onnxl.save_encrypted(little(), tmp_path / "m.onnxc", key=key),
        lambda: onnxl.load_encrypted_string(b"ONNXCRY1", key=key),
    ):
        with pytest.raises(TypeError, match=f"a key is a str or bytes, not {type(key).__name__}"):
            act()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("encryption", AUTHENTICATED)
def test_a_model_beyond_2_gib_comes_back(tmp_path, encryption):
    size = (2 << 30) + 12345
    free = dict(line.split(":") for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines())["MemAvailable"]
    if int(free.split()[0]) << 10 < 4 * size or shutil.disk_usage(tmp_path).free < 2 * size:
        pytest.skip("needs 9 GB of memory and 5 GB of disk")
    model = onnxl.ModelProto(ir_version=10)
    weights = model.graph.initializer.add(name="w", data_type=onnxl.TensorProto.UINT8, dims=[size])
    payload = np.zeros(size, np.uint8)
    payload[:: 1 << 20] = np.arange(len(payload[:: 1 << 20]), dtype=np.uint32).astype(np.uint8)
    weights.set_raw_data(payload, copy=False)
    path = tmp_path / "m.onnxc"
    onnxl.save_encrypted(model, path, key="k", encryption=encryption, **QUICK)
    assert path.stat().st_size > size
    read = onnxl.load_encrypted(path, key="k")
    path.unlink()
    assert read == model


def test_files_that_cannot_be_read_or_written_are_os_errors(tmp_path):
    with pytest.raises(FileNotFoundError):
        onnxl.load_encrypted(tmp_path / "none.onnxc", key="k")
    with pytest.raises(FileNotFoundError):
        onnxl.save_encrypted(little(), tmp_path / "no folder" / "m.onnxc", key="k")
    with pytest.raises(ValueError, match="one of AES-256-CBC"):
        onnxl.save_encrypted(little(), tmp_path / "m.onnxc", key="k", encryption="ROT13")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_a_model_with_external_weights_becomes_one_file(tmp_path):
    onnxl.save(little(), tmp_path / "m.onnx", location="w.bin", size_threshold=0)
    with pytest.raises(onnxl.EncodeError, match="load them before"):
        onnxl.save_encrypted(onnxl.load(tmp_path / "m.onnx", load_external_data=False), tmp_path / "m.onnxc", key="k")
    onnxl.save_encrypted(onnxl.load(tmp_path / "m.onnx"), tmp_path / "m.onnxc", key="k", encryption="AES-256-GCM", **QUICK)
    (tmp_path / "w.bin").unlink()
    (tensor,) = onnxl.load_encrypted(tmp_path / "m.onnxc", key="k").graph.initializer
    assert tensor.raw_data == little().graph.initializer[0].raw_data


def test_loading_by_extension_tells_what_to_call(tmp_path):
    onnxl.save_encrypted(little(), tmp_path / "m.onnxc", key="k")
    with pytest.raises(ValueError, match="load_encrypted"):
        onnxl.load(tmp_path / "m.onnxc")
    with pytest.raises(ValueError, match="save_encrypted"):
        onnxl.save(little(), tmp_path / "n.onnxc")


@pytest.mark.parametrize("num_threads", [1, -1])
@pytest.mark.parametrize("encryption", ALL)
def test_a_large_model_costs_no_second_copy_to_save_and_one_to_load(tmp_path, encryption, num_threads):
    size = 200 << 20
    make = (
        "import onnx_light.onnx as o; m = o.ModelProto(ir_version=10)\n"
        f"t = m.graph.initializer.add(name='w', data_type=2, dims=[{size}]); t.raw_data = bytes({size})\n"
    )
    save = f"o.save_encrypted(m, 'm.onnxc', key='k', encryption={encryption!r}, kdf_iterations=1000, num_threads={num_threads})\n"
    load = f"n = o.load_encrypted('m.onnxc', key='k', num_threads={num_threads})\n"

    def peak(code: str) -> int:
        code += "print(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])"  # ru_maxrss would begin with what it is here
        return int(subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=True).stdout) << 10

    before = peak(make)
    assert peak(make + save) - before < 64 << 20
    assert size <= peak(make + load) - before < size + (64 << 20)


@pytest.mark.parametrize("num_threads", [1, 2, -1])
@pytest.mark.parametrize("encryption", ALL)
def test_any_number_of_threads_gives_the_same_model(tmp_path, encryption, num_threads):
    model = little(1 << 20)
    onnxl.save_encrypted(model, tmp_path / "m.onnxc", key="k", encryption=encryption, **QUICK, num_threads=num_threads)
    assert onnxl.load_encrypted(tmp_path / "m.onnxc", key="k", num_threads=num_threads) == model
    assert onnxl.load_encrypted_string((tmp_path / "m.onnxc").read_bytes(), key="k", num_threads=num_threads) == model
    blob = onnxl.save_encrypted_string(model, key="k", encryption=encryption, **QUICK, num_threads=num_threads)
    assert onnxl.load_encrypted_string(blob, key="k", num_threads=num_threads) == model


def test_nothing_of_the_call_stays_in_python(tmp_path):
    model = little()
    tracemalloc.start()
    for _ in range(3):
        onnxl.load_encrypted_string(onnxl.save_encrypted_string(model, key="k", encryption="AES-256-GCM", **QUICK), key="k")
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(20):
        onnxl.load_encrypted_string(onnxl.save_encrypted_string(model, key="k", encryption="AES-256-GCM", **QUICK), key="k")
    assert tracemalloc.get_traced_memory()[0] - before < 2000
    tracemalloc.stop()
