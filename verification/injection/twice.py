"""Firmware that computes twice gives no wrong output, in a core with extension `close`.

The right result is that of the firmware that computes once. Then a bit of each instruction of the datapath is turned,
one after another, in key schedule and job, so that it computes something else whenever it runs, as a gate that is stuck
does: the result is right, or the program does not halt and the host reads zeros.

python -m injection.twice                     on the simulator
python -m injection.twice --unchecked         comparisons compare nothing: shows that all depends on them
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from injection.leftovers import MEMORIES
from lutra.asm import Image, assemble_text
from lutra.firmware import aead
from lutra.firmware.ciphers import Cipher, Direction, Implementation
from lutra.firmware.manifest import assembled, catalogue
from lutra.firmware.request import Request
from lutra.firmware.session import Session
from lutra.firmware.twice import FaultError
from lutra.isa import Insn, load
from lutra.iss.engine import Engine, make

LIMIT = 5000  # cycles; a routine with another word may go anywhere
SUFFIX = "-twice"
TEXT = 80
# Nonce and associated data of an authenticated message; the row of a right tag.
NONCE, AAD = bytes(range(12)), bytes(range(20))
ONES = b"\xff" * 16
DECRYPTIONS = (True, False), (False, True), (True, True)  # opened, forged
# Fields of a word that say which values an instruction takes, what it does to them, and where the result goes.
DATA = {"ra", "rb", "rc", "rd", "w", "n", "h", "c", "o"}


def value(name: str, size: int) -> bytes:
    """Return fixed bytes that look random."""
    return hashlib.shake_128(name.encode()).digest(size)


@dataclass(frozen=True)
class Step:
    """A routine that the host calls, with what input, how many bytes of its output it reads, and what the last rows of
    the input have."""

    routine: str
    data: bytes | None = None
    size: int = 0
    end: bytes = b""


@dataclass(frozen=True)
class Change:
    """A word of the program, and what is there instead."""

    at: int
    word: int


class Begun:
    """A session that notes which routines begin a message, with what input."""

    job_bytes = 256

    def __init__(self, routines: Mapping[str, str]) -> None:
        self.routines = routines
        self.steps: list[Step] = []

    def call(self, role: str, data: bytes) -> None:
        """Note a call of the routine that has a role."""
        self.steps.append(Step(self.routines[role], data))


class Message:
    """A message of an algorithm, and its result: what the host reads of it, one routine after another.

    opened: decrypt it in one job that opens the memories. forged: with a wrong tag, so that there is no result.
    """

    def __init__(
        self,
        engine: Engine,
        cipher: Cipher,
        direction: Direction,
        chosen: Implementation,
        unchecked: bool,
        opened: bool = False,
        forged: bool = False,
    ) -> None:
        self.engine, self.cipher, self.chosen = engine, cipher, chosen
        self.direction, self.opened, self.forged = direction, opened, forged
        self.key, self.iv = value("key", cipher.key_bits // 8), value("iv", cipher.iv_bytes)
        self.text = value("text", TEXT + (7 if cipher.partial else 0))
        self.image: Image = assembled(chosen.image)
        self.unchecked = unchecked
        self.right = self._right()

    def __str__(self) -> str:
        marks = " in one job" * self.opened + ", wrong tag" * self.forged
        return f"{self.cipher.name} {self.direction}{marks}"

    @property
    def start(self) -> bytes:
        """The row that a message begins with, for a MAC of zeros."""
        return bytes(16) if self.cipher.kind.chained else self.iv

    def _set_up(self, implementation: Implementation) -> Session:
        session = Session(self.engine)
        session.set_up(self.cipher, self.direction, self.key, self.iv, implementation)
        return session

    def _right(self) -> bytes:
        if self.cipher.is_aead:
            sealed = aead.answer(Session(self.engine), Request(self.cipher, "encrypt", self.key, NONCE, AAD), self.text)
            if self.direction == "encrypt":
                return sealed
            plain, self.text, self.tag = self.text, sealed[: len(self.text)], sealed[len(self.text) :]
            if not self.forged:
                return plain + (b"" if self.opened else ONES)
            self.tag = bytes([self.tag[0] ^ 1]) + self.tag[1:]
            return b"" if self.opened else plain + bytes(len(ONES))
        session = self._set_up(self.cipher.default)
        session.restart(self.start)
        size = self.cipher.tag_bits // 8 if self.cipher.kind.chained else len(self.text)
        result = session.job(self.text, size=size)
        return result + session.state(self.cipher.iv_bytes)

    def steps(self) -> list[Step]:
        """Return what is called, in this order."""
        e = self.chosen.entries[self.direction]
        steps = [Step(name) for name in (e.key and e.key_tables, e.key, e.tables, e.start) if name]
        if not self.cipher.is_aead:
            size = self.cipher.tag_bits // 8 if self.cipher.kind.chained else len(self.text)
            return [*steps, Step(e.run, self.text, size)]
        begun = Begun(e.others)
        kind = self.cipher.kind.name
        lengths = aead.BEGIN[kind](cast(Session, begun), NONCE, len(self.text), AAD, bytes(self.cipher.tag_bits // 8))
        end = lengths if self.direction == "encrypt" else lengths + self.tag + ONES
        steps += begun.steps
        if self.opened:
            return [*steps, Step(e.others["open"], self.text, len(self.text), end)]
        return [*steps, Step(e.run, self.text, len(self.text)), Step(e.others["finish"], end, 16)]

    def routines(self) -> tuple[str, ...]:
        """Return what is changed: all but the tables."""
        e = self.chosen.entries[self.direction]
        return tuple(step.routine for step in self.steps() if step.routine not in (e.key_tables, e.tables))

    def words(self) -> list[int]:
        """Return the words of these routines, up to the next label and the end that all share."""
        labels = sorted({s.value for s in self.image.symbols if s.is_global and s.space == "pm"})
        end = len(self.image.program)
        found: list[int] = []
        for name in self.routines():
            first = self.image.symbol(name).value
            found += range(first, min((at for at in labels if at > first), default=end))
        return found

    def run(self, change: Change | None) -> str:
        """Return how the run ends: right, stopped, or what the host has got that is wrong."""
        session = self._set_up(self.chosen)
        if self.unchecked:
            nothing = assemble_text("cmp zero, zero", warnings=["no-all"]).program[0]
            for at, word in enumerate(self.image.program):
                insn = load().decode(word)
                if insn is not None and insn.mnemonic == "cmp":
                    self._put(at, nothing)
        if change is not None:
            self._put(change.at, change.word)
        if not self.cipher.is_aead:
            session.restart(self.start)
        got, entries = b"", self.chosen.entries[self.direction]
        for step in self.steps():
            if step.data is not None:
                session.put(step.data)
            if step.end:
                self.engine.write("m2", self.engine.size("m2") - len(step.end), step.end)
                self.engine.write("m3", self.engine.size("m3") - len(ONES), bytes(len(ONES)))
            if step.routine not in (entries.key_tables, entries.tables):
                session.checked.ask(self.image.symbol(self.chosen.image.parameters.asked))
            self.engine.start(self.image.symbol(step.routine).value)
            if self.engine.go(LIMIT).state != "halted":
                return self._stopped(step.size > 0)
            if step.end and self.engine.read("m3", self.engine.size("m3") - len(ONES), len(ONES)) != ONES:
                refused = not self.forged and self.engine.read("m3", 0, step.size) == self.right
                return "stopped" if refused else self._stopped(True)
            got += self.engine.read("m3", 0, step.size)
            if not self.right.startswith(got):
                # A tag that is refused is not a wrong output; a routine that opens the memories has accepted it.
                text = self.right[: -len(ONES)]
                decided = self.cipher.is_aead and self.direction == "decrypt" and not self.opened
                refused = decided and got.startswith(text) and got != text + ONES
                return "stopped" if refused else "wrong"
        try:
            return "right" if got + session.state(self.cipher.iv_bytes) == self.right else "wrong"
        except FaultError:
            return "stopped"

    def _put(self, at: int, word: int) -> None:
        self.engine.write("pm", 8 * at, word.to_bytes(8, "little"))

    def _stopped(self, closes: bool) -> str:
        """End a run that has not halted, of a routine that closes memories or of another one."""
        state = self.engine.stop().state
        if state == "running":
            self.engine.reset()
            return "stopped"
        seen = closes and any(any(self.engine.read(space, 0, self.engine.size(space))) for space in MEMORIES)
        self.engine.wipe()
        return "shown" if seen else "stopped"


def messages(engine: Engine, unchecked: bool) -> Iterator[Message]:
    """Yield a message for each algorithm, key size and direction that has firmware which computes twice."""
    for cipher in catalogue().ciphers:
        for chosen in cipher.implementations:
            if chosen.image.name.endswith(SUFFIX):
                for direction, entries in chosen.entries.items():
                    yield Message(engine, cipher, direction, chosen, unchecked)
                    for opened, forged in DECRYPTIONS if "open" in entries.others else ():
                        yield Message(engine, cipher, direction, chosen, unchecked, opened, forged)


def changes(message: Message, step: int, rng: random.Random) -> Iterator[Change]:
    """Yield each step-th word of the datapath, with a bit of an operand or of an immediate turned."""
    for at in message.words()[::step]:
        word = message.image.program[at]
        insn = load().decode(word)
        if insn is None:  # a trap that is meant
            continue
        turned = [word ^ 1 << bit for bit in range(64)]
        meant = [other for other in turned if _changes_data(insn, word, other)]
        if meant:
            yield Change(at, rng.choice(meant))


def _changes_data(insn: Insn, word: int, other: int) -> bool:
    """Whether a word is the same instruction on other values; addresses and control have checks of their own."""
    if load().decode(other) is not insn or not {"ra", "rd"} & {*insn.fields}:
        return False
    changed = {f for f in insn.fields if insn.get(word, f) != insn.get(other, f)}
    return bool(changed) and changed <= DATA


def main() -> int:
    """1 where a host has got a wrong result."""
    parser = argparse.ArgumentParser(
        prog="python -m injection.twice", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", choices=("iss", "rtl", "cosim"), default="iss")
    parser.add_argument("--step", type=int, default=1, metavar="N", help="change every N-th word (default: each)")
    parser.add_argument("--unchecked", action="store_true", help="let all comparisons say that nothing differs")
    options = parser.parse_args()
    configuration = load().configuration
    if "close" not in configuration.extensions:
        parser.error(f"configuration {configuration.name} lacks extension close; choose one with lutra --configuration")
    engine, rng, wrong = make(options.engine), random.Random(1), 0
    for message in messages(engine, options.unchecked):
        if (ends := message.run(None)) != ("stopped" if message.opened and message.forged else "right"):
            print(f"{message}: {ends} without a change")
            wrong += 1
        counted: Counter[str] = Counter()
        for change in changes(message, options.step, rng):
            counted[ends := message.run(change)] += 1
            if ends not in ("right", "stopped"):
                print(f"{message}: {ends} with {change.word:016x} at {change.at:#x}")
        bad = counted["wrong"] + counted["shown"]
        wrong += bad
        print(
            f"{message}: {counted.total()} changes, {counted['right']} without effect, "
            f"{counted['stopped']} stopped, {bad} wrong"
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
