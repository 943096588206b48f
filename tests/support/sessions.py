"""A session per engine for all tests of a process, and messages through it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from io import BytesIO

import lutra
from lutra.firmware import crypt
from lutra.firmware.ciphers import Cipher, Direction, Implementation
from lutra.firmware.session import Session
from lutra.iss.engine import EngineName


@cache
def session(engine: EngineName) -> Session:
    """Return the one session on an engine."""
    return Session(lutra.make_engine(engine))


def through(
    engine: EngineName,
    cipher: Cipher,
    direction: Direction,
    key: bytes,
    iv: bytes,
    data: bytes,
    implementation: Implementation | None = None,
    pad: bool = False,
) -> bytes:
    """Return a whole message as the cipher makes it; implementation: the default one unless given."""
    session(engine).set_up(cipher, direction, key, iv, implementation)
    return b"".join(crypt.stream(session(engine), cipher, direction, BytesIO(data), pad))


def damaged(data: bytes, step: int) -> Iterator[bytes]:
    """Yield the data with one bit changed, every `step`-th one in turn."""
    for bit in range(0, 8 * len(data), step):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        yield bytes(changed)
