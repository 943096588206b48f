"""Ascon-AEAD128: its model against the designers' vectors, and what is particular to a message of kind `aead`."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest

import lutra
from lutra.firmware import aead, kat
from lutra.firmware.errors import InputError
from lutra.firmware.manifest import catalogue
from lutra.firmware.session import Session
from models import ascon

VECTORS = Path(__file__).parent.parent / "vectors" / "ascon_sp800_232.json"
KEY, NONCE = bytes(range(16)), bytes(range(16, 32))
BLOCK = 16
JOB = 4096


def test_the_model_meets_the_vectors_of_the_designers() -> None:
    tests = [test for test in kat.read(VECTORS, catalogue()) if isinstance(test, kat.Vector)]
    assert len(tests) > 40
    for test in tests:
        assert isinstance(test.aad, bytes)
        assert ascon.encrypt(test.key, test.iv, test.plaintext, test.aad) == test.ciphertext
        assert ascon.decrypt(test.key, test.iv, test.ciphertext, test.aad) == test.plaintext
        assert ascon.decrypt(test.key, test.iv, test.ciphertext[:-1] + b"\0", test.aad) is None


@pytest.mark.parametrize(
    ("size", "aad_bytes"),
    [
        *product((0, 1, BLOCK - 1, BLOCK, BLOCK + 1), repeat=2),
        *((size, 5) for size in (JOB - 1, JOB, JOB + BLOCK)),
        *((5, aad_bytes) for aad_bytes in (JOB - 1, JOB, JOB + 1, 2 * JOB)),
    ],
)
def test_ends_of_jobs_and_blocks_are_padded_as_in_the_model(size: int, aad_bytes: int) -> None:
    rng = random.Random(f"{size} {aad_bytes}")
    data, aad = rng.randbytes(size), rng.randbytes(aad_bytes)
    sealed = aead.encrypt("ascon-aead128", KEY, NONCE, data, aad)
    assert sealed == ascon.encrypt(KEY, NONCE, data, aad)
    assert aead.decrypt("ascon-aead128", KEY, NONCE, sealed, aad) == data


@pytest.mark.parametrize("tag_bits", range(32, 129, 8))
def test_a_tag_may_be_cut_to_whole_bytes(tag_bits: int) -> None:
    sealed = aead.encrypt("ascon-aead128", KEY, NONCE, b"otter", b"aad", tag_bits)
    assert sealed == ascon.encrypt(KEY, NONCE, b"otter", b"aad")[: 5 + tag_bits // 8]
    assert aead.decrypt("ascon-aead128", KEY, NONCE, sealed, b"aad", tag_bits) == b"otter"
    with pytest.raises(aead.WrongTagError):
        aead.decrypt("ascon-aead128", KEY, NONCE, sealed[:-1] + bytes([sealed[-1] ^ 1]), b"aad", tag_bits)


def test_one_session_seals_one_message_after_the_other() -> None:
    """In lock-step; nothing of a message is left in the next one, and a new key needs no key schedule."""
    session = Session(lutra.make_engine("cosim"))
    cipher = catalogue().cipher("ascon-aead128")
    rng = random.Random(232)
    for _ in range(8):
        key, nonce, data, aad = (rng.randbytes(n) for n in (16, 16, rng.randrange(70), rng.randrange(50)))
        session.set_up(cipher, "encrypt", key)
        assert aead.process(session, cipher, "encrypt", nonce, data, aad) == ascon.encrypt(key, nonce, data, aad)


@pytest.mark.parametrize("tag_bits", [64, 128])
@pytest.mark.parametrize(("blocks", "aad_blocks"), [(0, 0), (0, 1), (1, 0), (3, 2), (127, 1), (128, 5), (129, 128)])
def test_interleaved_messages_are_sealed_as_each_alone(blocks: int, aad_blocks: int, tag_bits: int) -> None:
    rng = random.Random(f"{blocks} {aad_blocks}")
    nonces = [rng.randbytes(16) for _ in range(2)]
    texts, aads = ([rng.randbytes(BLOCK * n) for _ in range(2)] for n in (blocks, aad_blocks))
    alone = [ascon.encrypt(KEY, *message) for message in zip(nonces, texts, aads, strict=True)]
    sealed = interleaved([one[:-16] for one in alone]) + b"".join(one[-16:][: tag_bits // 8] for one in alone)
    name, iv, aad = "ascon-aead128-x2", b"".join(nonces), interleaved(aads)
    assert aead.encrypt(name, KEY, iv, interleaved(texts), aad, tag_bits) == sealed
    assert aead.decrypt(name, KEY, iv, sealed, aad, tag_bits) == interleaved(texts)
    for at in (-1, -1 - tag_bits // 8):
        wrong = bytearray(sealed)
        wrong[at] ^= 1
        with pytest.raises(aead.WrongTagError):
            aead.decrypt(name, KEY, iv, bytes(wrong), aad, tag_bits)


def interleaved(messages: list[bytes]) -> bytes:
    """Block by block."""
    return b"".join(m[at : at + BLOCK] for at in range(0, len(messages[0]), BLOCK) for m in messages)


def test_interleaved_messages_have_whole_blocks() -> None:
    for text, aad in ((bytes(33), b""), (bytes(16), b""), (b"", bytes(40))):
        with pytest.raises(InputError, match=r"ascon-aead128-x2 (works on whole|needs equally many) blocks"):
            aead.encrypt("ascon-aead128-x2", KEY, NONCE * 2, text, aad)
