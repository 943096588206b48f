"""Messages of every kind come out right, whatever their lengths and places."""

from __future__ import annotations

import random
from typing import Any

import pytest

from lutra.soc.stream import CHUNK_ROWS, LONG_ROWS, ROW
from support import toy
from support.soc import BUFFERS, Bench

from .conftest import KEY, SetKey, operation

IV = bytes.fromhex("000102030405060708090a0b0c0d0e0f")
SOURCE, AAD, DESTINATION = BUFFERS, BUFFERS + 0x20000, BUFFERS + 0x40000
CHUNK = ROW * CHUNK_ROWS
# About rows, chunks and the buffers of 256 rows.
LENGTHS = (0, 1, 15, 16, 17, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 4096, 5000)


@pytest.mark.parametrize("length", LENGTHS)
def test_text_of_any_length_is_encrypted(toys: Bench, set_key: SetKey, length: int) -> None:
    ring = toys.rings[0]
    handle = set_key(ring)
    text = random.Random(length).randbytes(length)
    toys.put(SOURCE + 3, text)
    toys.put(DESTINATION, b"\xee" * (length + 32))
    done = ring.do(
        operation=operation("toy_crypt"), source=SOURCE + 3, destination=DESTINATION + 5, bytes=length, iv=IV, **handle
    )
    assert (done.status, done.bytes, done.cookie) == ("ok", length, ring.tail)
    assert done.cycles > length // 16
    expected = b"\xee" * 5 + toy.crypt(KEY, IV, text) + b"\xee" * 27
    assert toys.memory[DESTINATION : DESTINATION + length + 32] == expected


@pytest.mark.parametrize("length", (0, 5, 16, CHUNK, CHUNK + 6, 3000))
@pytest.mark.parametrize("aad", (0, 1, 16, 20, CHUNK - 15, CHUNK, 2000))
def test_sealed_message_is_opened(toys: Bench, set_key: SetKey, length: int, aad: int) -> None:
    ring = toys.rings[1]
    handle = set_key(ring)
    text, data = random.Random(length).randbytes(length), random.Random(aad).randbytes(aad)
    toys.put(SOURCE, text)
    toys.put(AAD + 1, data)
    common: dict[str, Any] = {"aad": AAD + 1, "aad_bytes": aad, "bytes": length, "iv": IV, "tag": 12} | handle
    done = ring.do(operation=operation("toy_seal"), source=SOURCE, destination=DESTINATION, **common)
    assert (done.status, done.bytes) == ("ok", length + 12)
    sealed = toy.seal(KEY, IV, data, text, 12)
    assert toys.memory[DESTINATION : DESTINATION + length + 12] == sealed
    done = ring.do(operation=operation("toy_open"), source=DESTINATION, destination=SOURCE + 0x8000, **common)
    assert (done.status, done.bytes) == ("ok", length)
    assert toys.memory[SOURCE + 0x8000 : SOURCE + 0x8000 + length] == text
    done = ring.do(operation=operation("toy_mac"), source=DESTINATION, destination=SOURCE + 0x8000, **common)
    assert (done.status, done.bytes) == ("ok", 12)
    assert toys.memory[SOURCE + 0x8000 : SOURCE + 0x8000 + 12] == sealed[length:]


@pytest.mark.parametrize("length", (0, 16, CHUNK, CHUNK + 1, 3000))
def test_wrong_tag_is_reported_and_the_last_chunk_is_not_written(toys: Bench, set_key: SetKey, length: int) -> None:
    ring = toys.rings[0]
    handle = set_key(ring)
    sealed = bytearray(toy.seal(KEY, IV, b"", bytes(length)))
    sealed[-1] ^= 1
    toys.put(SOURCE, sealed)
    toys.put(DESTINATION, b"\xee" * length)
    done = ring.do(
        operation=operation("toy_open"), source=SOURCE, destination=DESTINATION, bytes=length, iv=IV, tag=16, **handle
    )
    before = 0
    while length - before > CHUNK:
        before += ROW * LONG_ROWS
    assert (done.status, done.bytes) == ("tag_mismatch", before)
    assert toys.memory[DESTINATION + before : DESTINATION + length] == b"\xee" * (length - before)


def test_payload_and_key_may_be_inline(toys: Bench, set_key: SetKey) -> None:
    ring = toys.rings[0]
    handle = set_key(ring)
    done = ring.do(
        operation=operation("toy_crypt"),
        inline_payload=1,
        inline=bytes(24),
        bytes=24,
        destination=DESTINATION,
        iv=IV,
        **handle,
    )
    assert (done.status, done.bytes) == ("ok", 24)
    assert toys.memory[DESTINATION : DESTINATION + 24] == toy.crypt(KEY, IV, bytes(24))
    toys.put(SOURCE, bytes(range(40)))
    done = ring.do(
        operation=operation("toy_once"),
        inline_key=KEY[:16],
        source=SOURCE,
        bytes=40,
        destination=DESTINATION,
        iv=IV,
        context=9,
    )
    assert (done.status, done.bytes) == ("ok", 40)
    assert toys.memory[DESTINATION : DESTINATION + 40] == toy.crypt(KEY[:16], IV, bytes(range(40)))


def test_lists_of_pieces_are_gathered_and_scattered(toys: Bench, set_key: SetKey) -> None:
    ring = toys.rings[0]
    handle: dict[str, Any] = set_key(ring)
    draw = random.Random(1)
    for length in (1, 100, 3000):
        text = draw.randbytes(length)
        inputs, outputs = _pieces(draw, SOURCE, length), _pieces(draw, DESTINATION, length + 16)
        at = 0
        for address, count in inputs:
            toys.put(address, text[at : at + count])
            at += count
        toys.put(AAD, b"associated")
        done = ring.do(
            operation=operation("toy_seal"),
            gather=1,
            scatter=1,
            source=toys.list(AAD + 0x1000, inputs),
            destination=toys.list(AAD + 0x4000, outputs),
            aad=AAD,
            aad_bytes=10,
            bytes=length,
            tag=16,
            iv=IV,
            **handle,
        )
        assert (done.status, done.bytes) == ("ok", length + 16)
        sealed = b"".join(toys.memory[address : address + count] for address, count in outputs)
        assert sealed == toy.seal(KEY, IV, b"associated", text)


def test_many_short_messages_keep_in_step(toys: Bench, set_key: SetKey) -> None:
    """Jobs that end faster than the device can look at them are counted all the same."""
    ring = toys.rings[0]
    handle: dict[str, Any] = set_key(ring)
    draw = random.Random(1)
    text = draw.randbytes(256)
    toys.put(SOURCE, text)
    for _ in range(6):
        lengths = [draw.choice((0, 1, 16, 200)) for _ in range(14)]
        toys.put(DESTINATION, b"\xee" * 0x1000)
        ring.write(
            *(
                ring.descriptor(
                    operation=operation("toy_crypt"),
                    source=SOURCE,
                    destination=DESTINATION + 0x100 * n,
                    bytes=length,
                    iv=IV,
                    **handle,
                )
                for n, length in enumerate(lengths)
            )
        )
        for n, (length, done) in enumerate(zip(lengths, ring.wait(14), strict=True)):
            assert (done.status, done.bytes) == ("ok", length)
            at = DESTINATION + 0x100 * n
            assert toys.memory[at : at + 0x100] == toy.crypt(KEY, IV, text[:length]) + b"\xee" * (0x100 - length)


def _pieces(draw: random.Random, address: int, length: int) -> list[tuple[int, int]]:
    """Places in any order, with gaps between them, of so many bytes together."""
    pieces = []
    while length > 0:
        count = min(length, draw.choice((1, 3, 16, 64, 200)))
        pieces.append((address, count))
        address += count + draw.randrange(1, 40)
        length -= count
    return pieces
