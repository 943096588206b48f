"""Two messages of a stream cipher at once: rows of four words belong to them by turns (firmware/common/stream.inc)."""

from __future__ import annotations

from lutra.prove.bits import Bits, join
from lutra.prove.jobs import Job
from lutra.prove.specifications.modes import State

ROW, WORD = 128, 32


class ByTurns:
    """Two messages under one key, a row of each.

    As in firmware, the keystream of the first is half a row ahead: `ahead` are its words that are still to be used.
    """

    outputs, continues = True, 1
    unit_bytes = 2 * ROW // 8

    def __init__(self, cipher: Job) -> None:
        self.cipher = cipher

    def begin(self, iv: Bits) -> State:
        """The state of each, from one IV after the other."""
        first, second = (self.cipher.begin(part) for part in iv.parts(len(iv) // 2))
        first, ahead = self._keystream(first, 2)
        return {"ahead": ahead, **_named(first, 0), **_named(second, 1)}

    def _keystream(self, state: State, words: int) -> tuple[State, Bits]:
        out = []
        for _ in range(words):
            state, word = self.cipher.step(state, Bits.number(0, WORD))
            out.append(word)
        return state, join(out)

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """A row of each."""
        (first, z0), (second, z1) = (self._keystream(_own(state, n), ROW // WORD) for n in range(2))
        z0 = join((state["ahead"], z0))
        return {"ahead": z0[ROW:], **_named(first, 0), **_named(second, 1)}, text ^ join((z0[:ROW], z1))

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """Some of these words."""
        return self.step(state, text)[1]


def _named(state: State, n: int) -> State:
    """The state of a message as a part of that of both."""
    return {f"{name}{n}": word for name, word in state.items()}


def _own(state: State, n: int) -> State:
    return {name[:-1]: word for name, word in state.items() if name.endswith(str(n))}
