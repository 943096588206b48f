"""An instruction with names instead of registers, as a word of its own.

Each name gets a register that nothing else in the instruction has, so that the tables say what the word reads and
writes, and with which distances. It is not the register that the name has in the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, permutations

from lutra.asm.analysis.dependences import Cells, cells
from lutra.asm.errors import LineError
from lutra.asm.passes.encode import Encoder
from lutra.asm.passes.layout import Placed
from lutra.asm.passes.nodes import Group, Instruction
from lutra.asm.passes.virtual import is_virtual, names_of, registers_of, with_registers
from lutra.isa import Isa

# Assignments of registers to the names of one instruction that are tried: some fields hold even registers only.
_MOST_TRIES = 400


@dataclass(frozen=True)
class Local:
    """A placed instruction: its word with the registers of `register`, by name.

    pairs: names that need neighbours, an even register and the next. cells: what it reads and writes, by names.
    sets: of each operand, whether its registers are set; those of the others are used.
    """

    item: Placed
    word: int
    register: Mapping[str, str]
    pairs: tuple[tuple[str, str], ...]
    cells: Cells
    sets: tuple[bool, ...]

    @property
    def body(self) -> Instruction:
        """The instruction as it is written."""
        assert isinstance(self.item.body, Instruction)
        return self.item.body


class Localiser:
    """Makes words of instructions with names. Raises LineError."""

    def __init__(self, isa: Isa) -> None:
        self._encoder = Encoder(isa)
        self._numbered = [vector.name for vector in isa.vectors if vector.code < isa.machine["VectorRegs"]]

    def local(self, item: Placed) -> Local:
        """Encode a placed instruction."""
        body = item.body
        assert isinstance(body, Instruction)
        names = names_of(body)
        pairs = tuple(self._pairs(body))
        taken = {reg.name for operand in body.operands for reg in registers_of(operand)}
        free = [name for name in self._numbered if name not in taken]
        problem: LineError | None = None
        for register in islice(self._choices(names, pairs, free), _MOST_TRIES):
            try:
                word = self._encoder.encode(with_registers(body, register), item.unit.scope, item.address)
            except LineError as error:
                problem = problem or error
                continue
            return Local(item, word, register, pairs, _renamed(cells(word), register), self._sets(body))
        raise problem or LineError("no registers fit these names", body.col, body.end, "name a register instead")

    def _choices(
        self, names: Sequence[str], pairs: Sequence[tuple[str, str]], free: Sequence[str]
    ) -> Iterator[dict[str, str]]:
        """Yield registers for names, neighbours first."""
        if pairs:
            (a, b), *others = pairs
            for even, odd in zip(self._numbered[::2], self._numbered[1::2], strict=True):
                if even in free and odd in free:
                    left = [name for name in free if name not in (even, odd)]
                    for rest in self._choices([n for n in names if n not in (a, b)], others, left):
                        yield {a: even, b: odd, **rest}
            return
        yield from (dict(zip(names, chosen, strict=True)) for chosen in permutations(free, len(names)))

    def _sets(self, body: Instruction) -> tuple[bool, ...]:
        """Return which operands are destinations: a field names the register of a result."""
        kinds = {
            id(node): operand for operand, node in self._encoder.matched(self._encoder.choose(body), body.operands)
        }
        return tuple("rd" in kinds[id(node)].fields for node in body.operands)

    def _pairs(self, body: Instruction) -> Iterator[tuple[str, str]]:
        """Yield the names that an instruction writes as a pair."""
        insn = self._encoder.choose(body)
        for operand, node in self._encoder.matched(insn, body.operands):
            if operand.kind != "dst_pair" or not isinstance(node, Group) or len(node.items) < 2:
                continue
            first, second = (next(registers_of(item), None) for item in node.items[:2])
            if first is None or second is None or is_virtual(first.name) != is_virtual(second.name):
                hint = "a pair is two registers, or two names"
                raise LineError("a name and a register are not a pair", node.col, node.end, hint)
            if first.name == second.name and is_virtual(first.name):
                raise LineError(f"{first.name} is both registers of a pair", node.col, node.end)
            if is_virtual(first.name):
                yield first.name, second.name


def _renamed(found: Cells, register: Mapping[str, str]) -> Cells:
    name = {reg: name for name, reg in register.items()}
    reads, writes = (frozenset(name.get(cell, cell) for cell in part) for part in (found.reads, found.writes))
    return Cells(reads, writes, found.rows, found.store, found.fixed)
