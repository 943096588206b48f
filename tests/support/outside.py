"""Firmware of a user, outside of a checkout: a small block cipher in a folder of its own."""

from __future__ import annotations

import json
from pathlib import Path

# C = P ^ key ^ S(key), with a table, a key schedule and a constant of an include.
SOURCE = """\
        .include "sizes.inc"
        .section m0
        .global vole_key, vole_length
vole_key:
        .zero   row
vole_length:
        .zero   row
vole_round_key:
        .zero   row

        .section t0.*
        .rept   256
        .byte   3 * \\+ + 1 & 0xff
        .endr

        .section text
        .global vole_tables, vole128_key, vole128_ecb
vole_tables:
        halt
vole128_key:
        mov     v0, m0[vole_key]
        tbl0    v1, v0
        xor     m0[vole_round_key], v1, v0
        halt
vole128_ecb:
        vtoar   ar6, m0[vole_length], 7
        mov     v0, m0[vole_round_key]
        arset   ar0, 0
        arset   ar1, 0
        repeat  ar6, .L_done
        xor     m3[ar1++], v0, m2[ar0++]
.L_done:
        halt
"""
MANIFEST = """\
cipher = "vole"

[[algorithm]]
name = "vole-{bits}-ecb"
unit = "block"
key_bits = [128]
vectors = { algorithm = "Vole" }
routines = { key = "vole{bits}_key", run = "vole{bits}_ecb" }
implementations = [{ image = "vole", bench = { plain = "" } }]
"""
KEY = bytes(range(16))


def encrypt(key: bytes, data: bytes) -> bytes:
    """The same in Python."""
    pad = bytes(k ^ (3 * k + 1 & 0xFF) for k in key)
    return bytes(d ^ pad[i % 16] for i, d in enumerate(data))


# Gives back what the host wrote: key, IV and length, whatever is put in.
ECHO = """\
        .section m0
        .global echo_key, echo_iv, echo_length
echo_key:
        .zero   {key}
        .align  16
echo_iv:
        .zero   {iv}
        .align  16
echo_length:
        .zero   16

        .section text
        .global echo
echo:   arset   ar0, echo_key
        arset   ar1, 0
        repeat  ({key} + 15) / 16 + ({iv} + 15) / 16 + 1, .L_done
        mov     m3[ar1++], m0[ar0++]
.L_done:
        halt
"""


def vole(folder: Path) -> Path:
    """Writes the firmware into a folder, which is made, with a vector file; returns the manifest."""
    folder.mkdir(parents=True)
    (folder / "vole.s").write_text(SOURCE)
    (folder / "sizes.inc").write_text("row     = 16\n")
    plaintext = bytes(range(64))
    test = {"id": "one", "key": KEY.hex(), "plaintext": plaintext.hex(), "ciphertext": encrypt(KEY, plaintext).hex()}
    (folder / "vole.json").write_text(json.dumps({"algorithm": "Vole", "mode": "ECB", "tests": [test]}))
    manifest = folder / "firmware.toml"
    manifest.write_text(MANIFEST)
    return manifest
