"""Monte Carlo chains: results go in again as input, so that a wrong bit anywhere changes the end.

The procedure is NIST's for AES (AESAVS 6.4); block ciphers with the same modes take it as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lutra.firmware.ciphers import Cipher, Direction, Implementation
from lutra.firmware.session import Session

# Takes the next block of one message.
Step = Callable[[bytes], bytes]
# Begins a message with a key and an iv, which is empty if the mode has none.
Begin = Callable[[bytes, bytes], Step]


def message(step: Step, iv: bytes, block: bytes, count: int) -> tuple[bytes, bytes]:
    """The last two results of `count` steps; of one step, the iv and its result.

    A message's input is its own output, a block later where the mode chains.
    """
    before, last = iv, step(block)
    for _ in range(count - 1):
        before, last = last, step(before if iv else last)
    return before, last


def chain(begin: Begin, key: bytes, iv: bytes, block: bytes, outer: int, inner: int) -> Iterator[bytes]:
    """The last block of each of `outer` messages of `inner` blocks, at least 2.

    The last two blocks of a message make the next key, iv and first block.
    """
    for _ in range(outer):
        before, last = message(begin(key, iv), iv, block, inner)
        yield last
        key = bytes(k ^ x for k, x in zip(key, (before + last)[-len(key) :], strict=True))
        iv, block = (last, before) if iv else (b"", last)


def firmware(
    session: Session, cipher: Cipher, direction: Direction, implementation: Implementation | None = None
) -> Begin:
    """On an engine."""

    def begin(key: bytes, iv: bytes) -> Step:
        session.set_up(cipher, direction, key, iv, implementation)
        return session.job

    return begin
