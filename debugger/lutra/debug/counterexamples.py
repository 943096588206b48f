"""A counterexample of `lutra prove` under the debugger.

It is a known answer, so it opens as one: at the first instruction that does something else than installed firmware of
the same name which is right, or else where the first wrong byte was written last.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec

from lutra.asm.files import DOCUMENT_BYTES, read_bounded
from lutra.debug import known_answers
from lutra.debug.errors import DebugError
from lutra.debug.known_answers import Answer
from lutra.debug.session import Session
from lutra.firmware import kat
from lutra.firmware.ciphers import Catalogue, Cipher, Direction
from lutra.firmware.manifest import catalogue, load
from lutra.iss.engine import EngineName

WHAT = "a counterexample"


class Counterexample(msgspec.Struct, forbid_unknown_fields=True):
    """The file: a message, in hexadecimal, and what its result should be; manifest: that of the firmware.

    aad, tag_bits: of authenticated encryption. It expects nothing of data with a wrong tag.
    """

    algorithm: str
    direction: Direction
    image: str
    manifest: str
    key: str
    iv: str
    data: str
    expected: str
    aad: str = ""
    tag_bits: int = 0

    def vector(self, file: Path) -> kat.Vector:
        """The known answer. ValueError where it is not hexadecimal."""
        key, iv, data, expected = (bytes.fromhex(text) for text in (self.key, self.iv, self.data, self.expected))
        plain, cipher = (data, expected) if self.direction == "encrypt" else (expected, data)
        about = str(file), self.algorithm, self.algorithm, WHAT, (self.direction,)
        aad, tag_bits = bytes.fromhex(self.aad), self.tag_bits or 8 * len(expected)
        refused = 8 * len(data) > self.tag_bits > 0 and self.direction == "decrypt" and not expected
        result: kat.Result = "invalid" if refused else "valid"
        return kat.Vector(*about, key, iv, plain, cipher, result, aad=aad, tag_bits=tag_bits)


def read(file: Path) -> Counterexample:
    """The counterexample in a file. Raises DebugError."""
    try:
        return msgspec.json.decode(read_bounded(file, DOCUMENT_BYTES, WHAT), type=Counterexample)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DebugError(f"{file}: not {WHAT} of `lutra prove`: {error}") from None


def opened(file: Path, engine: EngineName, rounds: int, max_cycles: int | None) -> Session:
    """A session at the first instruction that is known to be wrong. Raises DebugError, EngineError, FirmwareError."""
    found = read(file)
    try:
        vector = found.vector(file)
    except ValueError as error:
        raise DebugError(f"{file}: not {WHAT} of `lutra prove`: {error}") from None
    answer = _answer(vector, _firmware(found, load(Path(found.manifest))), rounds, max_cycles)
    if answer is None:
        raise DebugError(f"{file}: {found.algorithm} does not run this message")
    if answer.outcome.verdict != "failed":
        raise DebugError(f"{file}: {found.algorithm} computes what is expected; the firmware has changed since")
    installed = [c for c in catalogue().offered if c.name == found.algorithm]
    if installed and installed[0].manifest.resolve() != Path(found.manifest).resolve():
        reference = _answer(vector, _firmware(found, installed), rounds, max_cycles)
        if reference is not None and reference.outcome.verdict == "passed":
            return known_answers.opened_against(answer, reference, engine, rounds)
    return known_answers.opened(answer, engine, rounds)


def _answer(vector: kat.Vector, firmware: Catalogue, rounds: int, max_cycles: int | None) -> Answer | None:
    return next(known_answers.answers(vector, firmware, rounds, max_cycles), None)


def _firmware(found: Counterexample, ciphers: tuple[Cipher, ...] | list[Cipher]) -> Catalogue:
    """The one implementation, as what computes the vector; the default one where there is none of that image."""
    cipher = next((c for c in ciphers if c.name == found.algorithm), None)
    if cipher is None:
        raise DebugError(f"{found.manifest} has no algorithm {found.algorithm}")
    image = next((i for i in cipher.implementations if i.image.name == found.image), cipher.default)
    only = (replace(cipher, implementations=(image,), vectors=((cipher.name, WHAT),)),)
    return Catalogue(only, only)
