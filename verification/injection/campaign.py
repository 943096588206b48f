"""The campaign's runs, a shard for each word of a context."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from injection.programs import CIPHERS, Cipher, faulty, prepare
from lutra.isa import load
from lutra.iss.engine import Engine, Simulator, make
from lutra.iss.fault import WORDS, Fault

# How a run with a fault ends, the last one being what must not be.
CLASSES = ("detected", "without effect", "detected late", "silent")


@dataclass(frozen=True)
class Shard:
    """A word of a context under a cipher, on a core."""

    cipher: Cipher
    context: int
    word: str
    rounds: int


def _engine(name: str, shadow: int | None, rounds: int) -> Engine:
    return Simulator(rounds, shadow) if name == "iss" else make(name, rounds)


def run(shard: Shard, name: str, shadow: int | None, step: int) -> tuple[Shard, Counter[str]]:
    """Every bit of the word in every `step`-th cycle of the program; how often the runs ended how."""
    engine = prepare(_engine(name, shadow, shard.rounds), shard.cipher, shard.context)
    _, right = faulty(engine)
    cycles, found = engine.stop().cycles, Counter[str]()
    for bit in range(32):
        for cycle in range(bit % step, cycles, step):
            state, got = faulty(engine, Fault(cycle, f"c{shard.context}", shard.word, 1 << bit))
            found[_class(state, got, right)] += 1
    return shard, found


def _class(state: str, got: bytes, right: bytes) -> str:
    if state != "faulted":
        return "without effect" if got == right else "silent"
    rows = range(0, len(got), 16)
    return "detected" if all(got[i : i + 16] in (bytes(16), right[i : i + 16]) for i in rows) else "detected late"


def shards(rounds: tuple[int, ...]) -> Iterator[Shard]:
    """All words of both contexts, under both ciphers."""
    for number in rounds:
        for cipher in CIPHERS:
            for context in range(load().configuration.contexts):
                for word in WORDS:
                    yield Shard(cipher, context, word, number)
