"""Why a program trapped, with the values that made it trap."""

from __future__ import annotations

import re

from lutra.asm.analysis.uses import Access, accesses, instruction
from lutra.isa import least_rounds
from lutra.iss.engine import Engine
from lutra.iss.operands import shown
from lutra.iss.trace import Names


def explain(engine: Engine) -> str:
    """Return `CAUSE: meaning: values` for an engine that has trapped, as in isa/machine.td; else an empty text."""
    cause = engine.stop().trap
    if not cause:
        return ""
    trap = next(t for t in engine.isa.traps if t.name == cause)
    found = Trapped(engine)
    values = re.sub(r"\{(\w+)\}", lambda place: found.value(place[1]), trap.shown)
    shown = ": ".join(text for text in (trap.name, trap.text, values) if text)
    return f"{shown}; it needs --rounds 2" if found.needs_two_rounds else shown


class Trapped:
    """The instruction that trapped, with the registers that it met.

    Every name of lutra.isa.records.machine.TRAP_VALUES is a property with the text for it.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._isa = engine.isa
        self._names = Names(engine.image)
        self._registers = {name: register.value for name, register in engine.registers().items()}
        self._pc = engine.stop().pc
        program, width = self._isa.program, self._isa.machine["InsnBits"] // 8
        within = self._pc < self._isa.size(program)
        self._word = int.from_bytes(engine.read(program.name, self._pc * width, width) if within else b"", "little")

    def value(self, name: str) -> str:
        """Return the text for {name}: a size of the machine, or a property."""
        if name in self._isa.machine:
            return str(self._isa.machine[name])
        return str(getattr(self, name))

    @property
    def needs_two_rounds(self) -> bool:
        """Whether the word is an instruction that only a core with ROUNDS_PER_INSTR = 2 has."""
        insn = instruction(self._word)
        return insn is not None and least_rounds([insn]) > self._engine.rounds

    @property
    def pc(self) -> str:
        return shown(self._pc)

    @property
    def insn(self) -> str:
        return self._names.instruction(self._word, self._pc)

    @property
    def end(self) -> str:
        """Address and label of the last instruction of a REPEAT's body."""
        insn = instruction(self._word)
        if insn is None or "e" not in insn.fields:
            return ""
        end = insn.get(self._word, "e")
        return f"{shown(end)} {self._names.label(end)}".rstrip()

    @property
    def store(self) -> str:
        return next((self._place(a) for a in accesses(self._word) if a.slot == "store"), "")

    @property
    def outside(self) -> str:
        return self._place(self._outside)

    @property
    def outside_space(self) -> str:
        return self._outside.space

    @property
    def outside_bytes(self) -> str:
        return shown(self._size(self._outside))

    def _size(self, access: Access) -> int:
        """Bytes of a space, and of each block where there are several."""
        return self._engine.size(access.space.partition(":")[0])

    @property
    def _outside(self) -> Access:
        """Return the first access outside its space."""
        row = self._isa.machine["VectorBytes"]
        return next(a for a in accesses(self._word) if a.at(self._registers) + row > self._size(a))

    def _place(self, access: Access) -> str:
        """`data slot at m2[0x0ff8] (ar3 = 0x0ff8)`."""
        address = shown(access.at(self._registers))
        by = f" ({access.register} = {address})" if access.register else ""
        return f"{access.slot} slot at {access.space}[{address}]{by}"
