"""One program on two simulators: interpreted, and translated from the first instruction on."""

from __future__ import annotations

from dataclasses import dataclass

from lutra.cosim.runner import LIMIT_CYCLES, run
from lutra.iss.engine import Engine, make
from lutra.iss.job import total
from lutra.random import Program


@dataclass(frozen=True)
class Difference:
    """The first difference, and both values as text."""

    what: str
    interpreted: str
    translated: str


class Pair:
    """Both simulators, which keep their state from one program to the next."""

    def __init__(self, level: str, rounds: int = 0, patience: int = 1) -> None:
        self.interpreted, self.translated = make("iss", rounds), make("iss", rounds)
        self.interpreted.backend.interpret_only()
        self.usable: bool = self.translated.backend.translate(level, patience)
        self.instructions = 0  # of all starts of the last program

    def difference(self, program: Program, limit: int = LIMIT_CYCLES) -> Difference | None:
        """Run a program on both; None where they agree in the end of every start and in all state after the last."""
        ends = []
        for engine in (self.interpreted, self.translated):
            ends.append(run(engine, program, limit))
        self.instructions = total(ends[1][0]).instructions
        if ends[0] != ends[1]:
            return Difference("stops", *map(str, ends))
        return self.state()

    def state(self) -> Difference | None:
        """Compare registers and memories."""
        for what in ("registers", *_SPACES):
            values = [_value(engine, what) for engine in (self.interpreted, self.translated)]
            if values[0] != values[1]:
                return Difference(what, *values)
        return None


_SPACES = {name: number for number, name in enumerate(("m0", "m1", "m2", "m3", "t0", "t1"))}


def _value(engine: Engine, what: str) -> str:
    if what == "registers":
        return str(engine.backend.registers())
    # A machine that is given up is still running, when its tables are not the host's.
    return bytes(engine.backend.read(_SPACES[what], 0, engine.size(what))).hex()
