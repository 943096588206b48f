"""Words of output added up, as firmware that computes a stream twice compares them (common/stream_twice.inc)."""

from __future__ import annotations

from lutra.prove.bits import Bits, join
from lutra.prove.jobs import Job
from lutra.prove.specifications.modes import State

ROW, WORD = 128, 32
LAST = 1  # number, modulo 4, of the last word of a row


class Summed:
    """A stream cipher of words, with a state that also has the sum of rows of a job's output, turned by a bit for each.

    Rows are two words off: the first one is two words of zero and the first two words. late: the three words before.
    phase: the number of the word modulo 4. The second computation is a word ahead: its state, and the word of the
    keystream that it has made, follow from the state of the cipher.
    """

    outputs, continues, again = True, 4, True
    unit_bytes = WORD // 8

    def __init__(self, cipher: Job) -> None:
        self.cipher = cipher

    def begin(self, iv: Bits) -> State:
        """The state of the cipher: each job adds up its own rows."""
        return self.cipher.begin(iv)

    def begin_job(self) -> State:
        """Nothing is added up."""
        return {"sum": Bits.number(0, ROW), "late": Bits.number(0, ROW - WORD), "phase": Bits.number(0, 8)}

    def following(self, state: State) -> State:
        """The cipher a word ahead, and this word of the keystream."""
        after, word = self.cipher.step(state, Bits.number(0, WORD))
        return {"word": word, **{f"{name} ahead": value for name, value in after.items()}}

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """A word."""
        after, out = self.cipher.step(state, text)
        if "sum" not in state:
            return after, out
        row, phase, total = join((state["late"], out)), state["phase"].value, state["sum"]
        total = total.rotated(1) ^ row if phase == LAST else total
        return {**after, "sum": total, "late": row[WORD:], "phase": Bits.number((phase + 1) % 4, 8)}, out

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """A part of a word."""
        return self.cipher.last(state, text, count)

    def earlier(self, state: State, units: int, unit: Bits) -> Bits:
        """One of the last three words."""
        return state["late"].parts(WORD)[-units]
