"""Encrypt and decrypt a model in memory, against the cipher alone as `openssl speed -evp` runs it (key derivation in both)."""

from harness.rows import Floor, Part, Row

# Bytes per second of the cipher: at least 0.8 of CBC, 0.5 of the authenticated ones.
ROW = Row(
    20,
    "encrypt, decrypt W in memory",
    [
        Part(f"{act} {name}{how}", "W", f"ours.{act}{threads}_{cipher}", [Floor(f"floor.{act}_{cipher}", goal)])
        for cipher, name, goal in (
            ("cbc", "AES-256-CBC", 1 / 0.8),
            ("gcm", "AES-256-GCM", 1 / 0.5),
            ("chacha", "ChaCha20-Poly1305", 1 / 0.5),
        )
        for act, threads, how in (("encrypt", "", ""), ("decrypt", "", ", one thread"), ("decrypt", "_threads", ", all threads"))
    ],
)
