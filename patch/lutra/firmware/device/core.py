"""The loader's port to a core: any engine, by rows and by the codes of the instruction set."""

from __future__ import annotations

from functools import cached_property

from lutra.firmware.pack.space import row_bytes, word_bytes
from lutra.isa import load
from lutra.iss import engine as engines


class Core:
    """An engine as the loader sees it. The engine is made when it is first needed: much is decided without a core."""

    def __init__(self, name: engines.EngineName, rounds: int) -> None:
        isa = load()
        self.name = name
        self.rounds = rounds
        self.contexts = isa.machine["StreamContexts"]
        self.program_words = isa.machine["ProgramWords"]
        self.memory_rows = isa.machine["MemoryRows"]
        self._spaces = {space.code: space for space in isa.spaces}
        self._states = {state.name: state.code for state in isa.states}
        self._traps = {trap.name: trap.code for trap in isa.traps} | {"": 0}

    @cached_property
    def engine(self) -> engines.Engine:
        return engines.make(self.name, self.rounds)

    def reset(self) -> None:
        """Clear registers and state."""
        self.engine.reset()

    def write(self, space: int, row: int, data: bytes) -> None:
        """A row; of the program memory a word, the first bytes of the row."""
        name, size = self._place(space)
        self.engine.write(name, row * size, data[:size])

    def read(self, space: int, row: int) -> bytes:
        """A row, filled with zeros after a word of the program memory."""
        name, size = self._place(space)
        return self.engine.read(name, row * size, size).ljust(row_bytes(), b"\0")

    def run(self, entry: int, max_cycles: int) -> tuple[int, int, int, int]:
        """State, trap, program address and cycles where it stopped, or after so many cycles."""
        stop = self.engine.run(entry, max_cycles)
        return self._states[stop.state], self._traps[stop.trap], stop.pc, stop.cycles

    def _place(self, code: int) -> tuple[str, int]:
        space = self._spaces[code]
        return space.name, word_bytes() if space.is_program else row_bytes()
