"""Words of output added up, as firmware that computes a stream twice compares them (common/stream_twice.inc)."""

from __future__ import annotations

from lutra.prove.bits import Bits, join
from lutra.prove.jobs import Job
from lutra.prove.specifications.modes import State

ROW, WORD = 128, 32


class Summed:
    """A stream cipher of words, with a state that also has the sum of rows of a job's output modulo 2^128.

    Rows are a word off: the first one is three words of zero and the first word. late: the three words before.
    phase: the number of the word modulo 4.
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

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """A word."""
        after, out = self.cipher.step(state, text)
        if "sum" not in state:
            return after, out
        row, phase = join((state["late"], out)), state["phase"].value
        total = state["sum"] + row if phase == 0 else state["sum"]
        return {**after, "sum": total, "late": row[WORD:], "phase": Bits.number((phase + 1) % 4, 8)}, out

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """A part of a word."""
        return self.cipher.last(state, text, count)

    def earlier(self, state: State, units: int, unit: Bits) -> Bits:
        """One of the last three words."""
        return state["late"].parts(WORD)[-units]
