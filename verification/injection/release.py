"""Plaintext leaves a core with its tag only: GCM and CCM of a core with extension `close` (firmware/common/open.inc).

The host reads everything it can in every cycle of the decryption and after it: with a right tag, with wrong ones, and
with a wrong one while any one instruction of the routine is left out. It is `lutra.firmware.aead` that decrypts.

python -m injection.release --engine cosim       of the configuration, which has to have `close`
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from injection.leftovers import MEMORIES
from lutra.asm import Image, assemble_text
from lutra.firmware import aead
from lutra.firmware.aead import WrongTagError
from lutra.firmware.ciphers import Cipher
from lutra.firmware.errors import FirmwareError
from lutra.firmware.manifest import assembled, catalogue
from lutra.firmware.session import Session
from lutra.isa import load
from lutra.iss.engine import Engine, EngineError, Stop, make

CIPHERS = ("aes-128-gcm", "aes-128-ccm")
NONCE, AAD = bytes(range(32, 44)), bytes(range(64, 80))
TEXT = bytes(range(128, 128 + 75))
LIMIT = 5000  # cycles; a routine without one of its words may go anywhere
# Cycles between two looks of the host. It cannot look at a lock-step that runs: its clocks are not compared.
EVERY = {"iss": 1, "rtl": 17, "cosim": LIMIT // 2}


class SeenError(Exception):
    """The host has seen, or done, what is closed to it."""


class Watch(Session):
    """A session whose host reads the output again and again while the routine runs that opens it.

    every: cycles between two looks. right: whether the tag is, so that the routine opens the memories before it halts.
    entry: the label of the routine.
    """

    every = 1
    right = True
    entry = ""

    def _call(self, image: Image, entry: str) -> Stop:
        if entry != self.entry:
            return super()._call(image, entry)
        engine, at = self.engine, image.symbol(entry).value
        engine.start(at)
        for cycles in range(self.every, LIMIT, self.every):
            if engine.go(cycles).state != "running":
                break
            early = engine.read("m3", 0, len(TEXT))
            if any(early) and (getattr(engine.backend, "closed", False) or not self.right):
                raise SeenError(f"plaintext in cycle {cycles}")
        stop = engine.stop()
        if stop.state == "running":
            raise FirmwareError(f"{entry} does not end")
        if self.right:
            return stop
        if any(any(engine.read(space, 0, engine.size(space))) for space in MEMORIES):
            raise SeenError("a wrong tag opens the memories")
        try:
            engine.start(at)
        except EngineError:
            return stop
        raise SeenError("a core starts that is closed")


class Watched(Watch):
    """One of the sources' own firmware."""

    def __init__(self, engine: Engine, every: int) -> None:
        super().__init__(engine)
        self.every = every


class Message:
    """A message, and the words of the routine that decrypts it."""

    def __init__(self, cipher: Cipher) -> None:
        self.cipher = cipher
        self.sealed = aead.encrypt(cipher.name, cipher.any_key, NONCE, TEXT, AAD)
        image = assembled(cipher.taken("decrypt").image)
        starts = sorted({s.value for s in image.symbols if s.is_global and s.space == "pm"})
        self.entry = cipher.taken("decrypt").entries["decrypt"].others["open"]
        first = image.symbol(self.entry).value
        self.words = range(first, min((at for at in starts if at > first), default=len(image.program)))

    def decrypted(self, session: Session, sealed: bytes, without: int | None = None) -> bytes:
        """The plaintext; without: a word of the program that does nothing. WrongTagError as of `aead`."""
        session.forget()
        session.set_up(self.cipher, "decrypt", self.cipher.any_key)
        if without is not None:
            nop = assemble_text("nop").program[0]
            session.engine.write("pm", 8 * without, nop.to_bytes(8, "little"))
        return aead.process(session, self.cipher, "decrypt", NONCE, sealed, AAD)


def findings(session: Watch, message: Message, step: int) -> Iterator[str]:
    """Yield what the host has seen. step: of so many words one is left out."""
    session.entry, session.right = message.entry, True
    if message.decrypted(session, message.sealed) != TEXT:
        yield "a right tag gives other than the plaintext"
    session.right = False
    wrong = bytearray(message.sealed)
    wrong[len(TEXT)] ^= 0x80
    for without in (None, *message.words[::step]):
        try:
            message.decrypted(session, bytes(wrong), without)
            yield f"without word {without}: a wrong tag gives plaintext"
        except WrongTagError:
            continue
        except SeenError as error:
            yield f"without word {without}: {error}"
        except FirmwareError:
            pass
        session.engine.reset()


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
    engine, failed = make(options.engine), False
    for name in CIPHERS:
        message = Message(catalogue().cipher(name))
        found = list(findings(Watched(engine, EVERY[options.engine]), message, options.step))
        print(f"{name}: {len(message.words[:: options.step])} words left out, one by one: {len(found)} findings")
        for line in found:
            print(f"  {line}")
        failed |= bool(found)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
