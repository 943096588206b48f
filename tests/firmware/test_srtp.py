"""AES-CM of SRTP (RFC 3711 4.1.1, RFC 6188) is counter mode: IVs as the RFC makes them, up to the longest segment."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB

from lutra.firmware import crypt
from lutra.iss.engine import EngineName
from models.lanes import xor

TESTS = json.loads((Path(__file__).parents[1] / "vectors/srtp_rfc3711.json").read_text())["tests"]
EXAMPLES = {test["id"]: test for test in TESTS}
BLOCKS = 1 << 16  # the most of one IV


def first_counter(salt: bytes, ssrc: int, index: int) -> bytes:
    """The IV of 4.1.1."""
    return (int.from_bytes(salt, "big") << 16 ^ ssrc << 64 ^ index << 16).to_bytes(16, "big")


def keystream(key: bytes, iv: bytes, first: int, blocks: int) -> bytes:
    """E(k, IV + j mod 2^128) of some j, as 4.1.1 has it."""
    whole = int.from_bytes(iv, "big")
    counters = b"".join(((whole + j) % (1 << 128)).to_bytes(16, "big") for j in range(first, first + blocks))
    return Cipher(AES(key), ECB()).encryptor().update(counters)


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("bits", [128, 192, 256])
def test_a_packet_of_srtp_is_encrypted_as_in_the_rfc(bits: int, engine: EngineName) -> None:
    rng = random.Random(bits)
    for size in (0, 1, 15, 160, 1200):
        key, salt, packet = rng.randbytes(bits // 8), rng.randbytes(14), rng.randbytes(size)
        iv = first_counter(salt, rng.getrandbits(32), rng.getrandbits(48))
        expected = xor(packet, keystream(key, iv, 0, -(-size // 16))[:size])
        assert crypt.encrypt(f"srtp-aes-{bits}-cm", key, packet, iv=iv, engine=engine) == expected
        assert crypt.decrypt(f"srtp-aes-{bits}-cm", key, expected, iv=iv, engine=engine) == packet


@pytest.mark.parametrize(("bits", "section"), [(128, "rfc3711-b.2"), (256, "rfc6188-7.1"), (192, "rfc6188-7.3")])
def test_the_longest_segment_of_srtp_meets_both_ends_of_the_example(bits: int, section: str) -> None:
    """With ones in all bytes before the counter a carry out of its 16 bits would show in the last block."""
    first, last = EXAMPLES[f"{section}-first"], EXAMPLES[f"{section}-last"]
    key = bytes.fromhex(first["key"])
    segment = crypt.encrypt(f"srtp-aes-{bits}-cm", key, bytes(16 * BLOCKS), iv=bytes.fromhex(first["iv"]), engine="iss")
    assert segment[:48].hex() == first["ciphertext"]
    assert segment[16 * 0xFEFF :][:48].hex() == last["ciphertext"]
    assert segment[-16:] == keystream(key, bytes.fromhex(first["iv"]), BLOCKS - 1, 1)


@pytest.mark.parametrize(
    ("prefix", "master", "salt"),
    [
        ("rfc3711-b.3", "e1f97a0d3e018be0d64fa32c06de4139", "0ec675ad498afeebb6960b3aabe6"),
        (
            "rfc6188-7.2",
            "f0f04914b513f2763a1b1fa130f10e2998f6f6e43e4309d1e622a0e332b9f1b6",
            "3b04803de51ee7c96423ab5b78d2",
        ),
        ("rfc6188-7.4", "73edc66c4fa15776fb57f9505c17136550ffda71f3e8e5f1", "c8522f3acd4ce86d5add78edbb11"),
    ],
)
def test_the_key_derivation_of_srtp_is_the_same_mode(prefix: str, master: str, salt: str) -> None:
    """4.3.1: the label stands before an index of 48 bits, and both are XORed onto the salt's end."""
    for label, name in enumerate(("cipher-key", "auth-key", "cipher-salt")):
        example = EXAMPLES[f"{prefix}-{name}"]
        assert example["key"] == master
        assert example["iv"] == first_counter(bytes.fromhex(salt), 0, label << 48).hex()
