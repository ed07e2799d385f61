"""Encrypt and decrypt a model in memory, against the cipher alone as `openssl speed -evp` runs it (key derivation in both).

And to and from a file, against a plain save or load and then the cipher alone.
"""

from harness.rows import Floor, Part, Peer, Row, State

CIPHERS = {"cbc": "AES-256-CBC", "gcm": "AES-256-GCM", "chacha": "ChaCha20-Poly1305"}
GOALS = {"cbc": 1 / 0.8, "gcm": 1 / 0.5, "chacha": 1 / 0.5}  # of the cipher's bytes per second 0.8 and 0.5
THREADS = {"": ", one thread", "_threads": ", all threads"}
OF_FILES = 1.2
EXTRA = 1 / 16  # of W: 64 MiB


def in_memory(act: str, cipher: str, threads: str = "", how: str = "") -> Part:
    return Part(f"{act} {CIPHERS[cipher]}{how}", "W", f"ours.{act}{threads}_{cipher}", [Floor(f"floor.{act}_{cipher}", GOALS[cipher])])


def of_file(act: str, cipher: str, threads: str, plain: str, memory: float) -> Part:
    bounds = [Peer(f"plain.{plain}_and_{cipher}", OF_FILES, OF_FILES)]
    return Part(f"{act} {CIPHERS[cipher]}{THREADS[threads]}", "W", f"ours.{act}{threads}_{cipher}", bounds, State.DEFAULT, memory)


ROW = Row(
    20,
    "encrypt, decrypt W in memory, save and load it encrypted",
    [
        part
        for cipher in CIPHERS
        for part in (
            *(in_memory(act, cipher, threads, how) for act in ("encrypt", "decrypt") for threads, how in THREADS.items()),
            *(of_file("save", cipher, threads, "save", EXTRA) for threads in THREADS),
            *(of_file("load", cipher, threads, f"load{threads}", 1 + EXTRA) for threads in THREADS),
        )
    ],
)
