"""Plaintext leaves a core with its tag only: AES-GCM of a core with extension `close` (firmware/common/gcm_open.inc).

The host reads everything it can in every cycle of the decryption and after it: with a right tag, with wrong ones, and
with a wrong one while any one instruction of the routine is left out.

python -m injection.release --engine cosim       of the configuration, which has to have `close`
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from injection.leftovers import MEMORIES
from lutra.asm import Image, assemble, assemble_text
from lutra.firmware import aead
from lutra.isa import load
from lutra.iss.engine import Engine, EngineError, make

SOURCE = Path(__file__).with_name("aes_gcm_open.s")
ROUTINE = "aes128_gcm_open"
KEY, NONCE, AAD = bytes(range(16)), bytes(range(32, 44)), bytes(range(64, 80))
TEXT = bytes(range(128, 128 + 75))
LIMIT = 5000  # cycles; a routine without one of its words may go anywhere
# Cycles between two looks of the host. It cannot look at a lock-step that runs: its clocks are not compared.
EVERY = {"iss": 1, "rtl": 17, "cosim": LIMIT // 2}


def _row(*lanes: int) -> bytes:
    """A row of lengths: the last 16-bit lanes, lane 7 first."""
    return b"".join(lane.to_bytes(2, "big") for lane in reversed(lanes)).rjust(16, b"\0")


class SeenError(Exception):
    """The host has seen what is closed to it."""


class Message:
    """The image, and a message as its core takes it."""

    def __init__(self) -> None:
        self.image: Image = assemble([SOURCE])
        sealed = aead.encrypt("aes-128-gcm", KEY, NONCE, TEXT, AAD)
        self.cipher, self.tag = sealed[: len(TEXT)], sealed[len(TEXT) :]

    def entry(self, name: str) -> int:
        return self.image.symbol(name).value

    @property
    def words(self) -> range:
        """The words of the routine, which is the last of the image."""
        return range(self.entry(ROUTINE), len(self.image.program))

    def _put(self, engine: Engine, label: str, data: bytes) -> None:
        symbol = self.image.symbol(label)
        engine.write(symbol.space, symbol.value, data)

    def prepare(self, engine: Engine, tag: bytes, without: int | None = None) -> None:
        """All up to the decryption; without: a word of the program that does nothing."""
        engine.load(self.image)
        if without is not None:
            nop = assemble_text("nop").program[0]
            engine.write("pm", 8 * without, nop.to_bytes(8, "little"))
        self._put(engine, "aes_key", KEY)
        for routine in ("aes_tables", "aes128_gcm_key"):
            engine.run(self.entry(routine))
        engine.write("m2", 0, NONCE + b"\0\0\0\1")
        engine.run(self.entry("aes_gcm_start"))
        engine.write("m2", 0, AAD)
        self._put(engine, "aes_length", _row(len(AAD) // 16, len(AAD) % 16))
        engine.run(self.entry("aes_gcm_absorb"))
        engine.write("m2", 0, self.cipher.ljust(16 * (len(TEXT) // 16 + 1), b"\0"))
        self._put(engine, "aes_length", _row(len(TEXT) // 16, len(TEXT) % 16))
        self._put(engine, "open_lengths", (8 * len(AAD)).to_bytes(8, "big") + (8 * len(TEXT)).to_bytes(8, "big"))
        self._put(engine, "open_tag", tag)
        self._put(engine, "open_mask", b"\xff" * 16)

    def seen(self, engine: Engine, every: int, right: bool) -> bytes:
        """Run the routine; the plaintext as the host sees it then. SeenError where the host sees any of it before.

        right: the tag is, so that the routine opens the memories before it halts.
        """
        engine.start(self.entry(ROUTINE))
        for cycles in range(every, LIMIT, every):
            if engine.go(cycles).state != "running":
                break
            early = engine.read("m3", 0, len(TEXT))
            if any(early) and (getattr(engine.backend, "closed", False) or not right):
                raise SeenError(f"plaintext in cycle {cycles}")
        return engine.read("m3", 0, len(TEXT))


def findings(engine: Engine, message: Message, every: int, step: int) -> Iterator[str]:
    """Yield what the host has seen.

    every: cycles between two looks of the host; step: of so many words one is left out.
    """
    message.prepare(engine, message.tag)
    if message.seen(engine, every, right=True) != TEXT:
        yield "a right tag gives other than the plaintext"
    wrong = bytes((message.tag[0] ^ 0x80, *message.tag[1:]))
    for tag, without in [(wrong, None), *((wrong, word) for word in list(message.words)[::step])]:
        message.prepare(engine, tag, without)
        try:
            shown = message.seen(engine, every, right=False)
        except SeenError as error:
            yield f"without word {without}: {error}"
            continue
        if engine.stop().state == "running":
            engine.reset()
            continue
        if any(shown) or any(any(engine.read(space, 0, engine.size(space))) for space in MEMORIES):
            yield f"a wrong tag opens the memories without word {without}"
        try:
            engine.start(message.entry(ROUTINE))
            yield f"without word {without}: a core starts that is closed"
        except EngineError:
            engine.wipe()


def main() -> int:
    """1 where the host has seen what it must not."""
    parser = argparse.ArgumentParser(
        prog="python -m injection.release", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", choices=tuple(EVERY), default="iss")
    parser.add_argument("--step", type=int, default=1, metavar="N", help="leave out every N-th word (default: each)")
    options = parser.parse_args()
    configuration = load().configuration
    if "close" not in configuration.extensions:
        parser.error(f"configuration {configuration.name} lacks extension close; choose one with lutra --configuration")
    message = Message()
    found = list(findings(make(options.engine), message, EVERY[options.engine], options.step))
    print(f"{len(list(message.words)[:: options.step])} words left out, one by one: {len(found)} findings")
    for line in found:
        print(f"  {line}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
