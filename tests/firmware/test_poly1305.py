"""Poly1305 against integers, at its limits: keys and blocks of ones, and sums that end near the prime."""

from __future__ import annotations

import random

import lutra
from lutra.firmware import mac
from lutra.firmware.manifest import catalogue
from lutra.firmware.session import Session

P = (1 << 130) - 5
CLAMP = 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF


def accumulator(r: int, message: bytes) -> int:
    """RFC 8439 2.5.1, before s is added."""
    h = 0
    for at in range(0, len(message), 16):
        h = (h + int.from_bytes(message[at : at + 16] + b"\1", "little")) * r % P
    return h


def ending(r: int, before: bytes, wanted: int) -> bytes:
    """A last block that makes the accumulator `wanted`, or no block where there is none."""
    block = (wanted * pow(r, -1, P) - accumulator(r, before)) % P - (1 << 128)
    return block.to_bytes(16, "little") if 0 <= block < 1 << 128 else b""


def test_poly1305_is_right_at_its_limits() -> None:
    rng = random.Random(8439)
    session, algorithm = Session(lutra.make_engine("iss")), catalogue().cipher("poly1305")
    ends = 0
    for turn in range(120):
        rows = [b"\xff" * 16, bytes(16), rng.randbytes(16), bytes(rng.choice((0, 1, 254, 255)) for _ in range(16))]
        key = rng.choice(rows) + rng.choice(rows)
        message = b"".join(rng.choice(rows) for _ in range(rng.randrange(20)))
        r = int.from_bytes(key[:16], "little") & CLAMP
        if turn % 2 and r:
            wanted = rng.choice((rng.randrange(8), P - 1 - rng.randrange(8), (1 << 128) + rng.randrange(-4, 4)))
            last = ending(r, message, wanted)
            message, ends = message + last, ends + bool(last)
        else:
            message = message[: rng.randrange(len(message) + 1)]
        tag = (accumulator(r, message) + int.from_bytes(key[16:], "little")) % (1 << 128)
        assert mac.tag(session, algorithm, key, message) == tag.to_bytes(16, "little"), turn
    assert ends > 5
