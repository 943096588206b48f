"""Specifications are executable: on the examples that the standards print."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from lutra.firmware import kat
from lutra.firmware.ciphers import Cipher, Direction
from lutra.firmware.kat.vectors import Vector
from lutra.firmware.manifest import catalogue
from lutra.firmware.published import VECTORS
from lutra.prove.bits import Bits
from lutra.prove.counterexample import evaluate
from lutra.prove.goal import Specification
from lutra.prove.messages import seal, unseal
from lutra.prove.registry import specification
from lutra.prove.sections import Message
from lutra.prove.specifications import aes
from lutra.prove.specifications.wrap import Unwrap, Wrap, opened, sealed
from support.sampling import sampled

MOST_BYTES = 320
SPECIFIED = sorted(c.name for c in catalogue().offered if specification(c, "encrypt"))


def examples() -> dict[str, list[Vector]]:
    """The published examples by algorithm."""
    found: dict[str, list[Vector]] = {}
    for file in sorted(Path(VECTORS).glob("*.json")):
        for test in kat.read(file, catalogue()):
            if not isinstance(test, Vector) or test.chains or test.padded or test.result != "valid":
                continue
            cipher = catalogue().serving(test.algorithm, test.mode, 8 * len(test.key))
            # Of a CRC there is a test of its own.
            short = max(len(test.plaintext), len(test.aad)) <= MOST_BYTES
            if cipher is not None and cipher.polynomial is None and short:
                found.setdefault(cipher.name, []).append(test)
    return found


EXAMPLES = examples()


def first(data: bytes, bits: int) -> int:
    """So many bits, as a number."""
    return int.from_bytes(data, "big") >> 8 * len(data) - bits


def processed(cipher: Cipher, direction: Direction, test: Vector, data: bytes) -> bytes | None:
    """The result of a message with a tag; None where it is wrong."""
    spec = specification(cipher, direction)
    assert spec is not None
    message, process = spec.job(Bits.of(test.key)), seal if direction == "encrypt" else unseal
    assert isinstance(message, Message)
    assert isinstance(test.aad, bytes)
    return process(message, test.iv, test.aad, data, test.tag_bits // 8)


def wrapped(cipher: Cipher, spec: Specification, direction: Direction, test: Vector) -> bytes | None:
    """A key that is wrapped, or unwrapped; None where it is refused."""
    job, wrap = spec.job(Bits.of(test.key)), cipher.kind.wrap
    assert wrap is not None
    if direction == "encrypt":
        assert isinstance(job, Wrap)
        return sealed(job, test.plaintext, wrap.padded, test.iv)
    assert isinstance(job, Unwrap)
    return opened(job, test.ciphertext, test.iv)


@pytest.mark.parametrize("padded", [False, True])
def test_damaged_wrapped_key_is_refused_by_the_specification(*, padded: bool) -> None:
    cipher = aes.Cipher(Bits.of(bytes(16)))
    good = sealed(Wrap(cipher.encrypt), bytes(20 if padded else 24), padded)
    unwrap = Unwrap(cipher.decrypt, padded)
    assert opened(unwrap, good) == bytes(20 if padded else 24)
    assert opened(unwrap, bytes([good[0] ^ 1]) + good[1:]) is None


@pytest.mark.parametrize("name", [n for n in SPECIFIED if n in EXAMPLES and catalogue().cipher(n).is_aead])
def test_specification_refuses_a_wrong_tag(name: str) -> None:
    test = EXAMPLES[name][-1]
    damaged = bytes([*test.ciphertext[:-1], test.ciphertext[-1] ^ 1])
    assert processed(catalogue().cipher(name), "decrypt", test, damaged) is None


MORE = pytest.mark.nightly("four examples of each algorithm; `make test` has the first one of some")


OTHERS = pytest.mark.nightly("two of three specifications; a third of them computes its first example by day")


@pytest.mark.parametrize("most", [1, pytest.param(4, marks=MORE)])
@pytest.mark.parametrize("name", sampled([name for name in SPECIFIED if name in EXAMPLES], 3, OTHERS))
def test_specification_computes_what_the_standard_prints(name: str, most: int) -> None:
    cipher = catalogue().cipher(name)
    for test in EXAMPLES[name][:most]:
        for direction in test.directions:
            spec = specification(cipher, direction)
            assert spec is not None
            data = test.plaintext if direction == "encrypt" else test.ciphertext
            if cipher.is_aead:
                assert processed(cipher, direction, test, data) == test.expected(direction, b""), (test.file, test.id)
                continue
            if cipher.kind.wrap is not None:
                assert wrapped(cipher, spec, direction, test) == test.expected(direction, b""), (test.file, test.id)
                continue
            iv, bits = test.iv, test.bits
            if cipher.kind.chained and not cipher.iv_bytes:
                # An initial vector is in front of the message.
                iv, data = bytes(spec.iv_bytes), test.iv + data
                bits = None if bits is None else bits + 8 * len(test.iv)
            got = evaluate(spec, test.key, iv, data, bits)
            right = test.expected(direction, got)
            got = got[: len(right)]
            bits = 8 * len(right) if test.bits is None or cipher.kind.chained else test.bits
            assert first(got, bits) == first(right, bits), (test.file, test.id)


@pytest.mark.parametrize("data", [b"", b"a", b"123456789", bytes(range(40))])
def test_register_of_a_crc_is_that_of_the_bitwise_definition(data: bytes) -> None:
    spec = specification(catalogue().cipher("crc-32"), "encrypt")
    assert spec is not None
    register = evaluate(spec, b"", b"\xff" * 16, data)
    assert int.from_bytes(register, "little") ^ 0xFFFFFFFF == zlib.crc32(data)


@pytest.mark.parametrize("name", ["snow3g", "zuc-128", "zuc-256", "zuc-256-nea6"])
def test_rows_of_two_messages_are_those_of_each(name: str) -> None:
    two, one = (specification(catalogue().cipher(of), "encrypt") for of in (f"{name}-x2", name))
    assert two is not None
    assert one is not None
    key, rows = bytes(range(one.key_bits // 8)), [bytes([n]) * 16 for n in range(4)]
    ivs = [bytes(range(n, n + one.iv_bytes)) for n in range(2)]
    out = [evaluate(one, key, iv, b"".join(rows[n::2])) for n, iv in enumerate(ivs)]
    turns = b"".join(out[row % 2][16 * (row // 2) :][:16] for row in range(4))
    assert evaluate(two, key, b"".join(ivs), b"".join(rows)) == turns


def test_tags_of_two_messages_are_those_of_each() -> None:
    two, one = (specification(catalogue().cipher(name), "encrypt") for name in ("aes-128-cmac-x2", "aes-128-cmac"))
    assert two is not None
    assert one is not None
    key, blocks = bytes(range(16)), [bytes([n]) * 16 for n in range(4)]
    tags = [evaluate(one, key, bytes(16), b"".join(blocks[n::2])) for n in range(2)]
    assert evaluate(two, key, bytes(32), b"".join(blocks)) == b"".join(tags)
