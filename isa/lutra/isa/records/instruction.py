"""An instruction: its operands, its path through the datapath, and what is computed from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .machine import Bits


@dataclass(frozen=True)
class Operand:
    """An operand of an instruction: the kind says what it is, `fields` what it fills."""

    record: str
    name: str
    kind: str
    written: str  # number, label, address register or value
    fields: tuple[str, ...]
    text: str
    optional: bool
    low: int
    high: int
    base: int  # what its field holds for the number 0
    choices: tuple[int, ...]
    extension: str  # its record; without it the instruction lacks the operand


@dataclass(frozen=True)
class Step:
    """A block on an instruction's path through the datapath."""

    block: str
    function: str
    formula: str  # empty where the remark says all
    remark: str
    sides: str
    stages: tuple[str, str]  # in which it works, with two rounds and with one

    @property
    def text(self) -> str:
        """Formula and remark."""
        return "; ".join(t for t in (self.formula, self.remark) if t)


@dataclass(frozen=True)
class Source:
    """A field that names a vector operand."""

    field: str  # ra or rb
    row: bool  # it can name the data slot's row
    enters: bool  # its value enters the path


@dataclass(frozen=True)
class Contents:
    """Legal values of a field: from low to high in steps, less the forbidden codes."""

    field: str
    low: int
    high: int
    step: int
    forbidden: tuple[int, ...]

    @property
    def codes(self) -> Sequence[int]:
        """All that it may hold."""
        numbers = range(self.low, self.high + 1, self.step)
        return [n for n in numbers if n not in self.forbidden] if self.forbidden else numbers


@dataclass(frozen=True)
class InsnFacts:
    """Reads, writes, uses and kinds of an instruction. `isagen.facts` computes it; everything else only reads it.

    A slot or a destination that the instruction does not have is "".
    """

    vector: bool  # it goes through the vector datapath
    sources: tuple[Source, ...]
    whitening: tuple[bool, ...]  # whether wk enters, in each of the forms that can be written
    key_blocks: tuple[int, ...]  # memory blocks that the key slot reads
    data: str  # what takes the data slot's row: "source", "path" (as a side operand) or "move"
    store: str  # the store slot: "may" or "must" take the result, or takes a "move"
    destination: str  # "vector", or "pair": also the register after it takes a value
    move: bool  # fields mv and rc say what data and store slot do beside the path
    third: bool  # field rc names a register that enters the path in X2
    halves: tuple[int, ...]  # halves of the datapath that the path uses
    lookups: tuple[int, ...]  # table banks that the path looks up in
    chained: bool  # it uses a function of the first half's chain of crossbar and mixing layer
    early: bool  # its sources are needed at the end of MEM: more than XOR is done with them before X1
    stream: str  # the stream unit's function that it goes through; empty without
    pairing: str  # the second half's function of two values; empty without
    clocks: bool  # field c names the stream contexts that are clocked
    context: bool  # field o names the one that is shown, loaded or saved
    src: str  # functions of the ends of the path and of the control blocks, function 0 where none is named
    res: str
    au: str
    cc: str
    sq: str
    conditional: bool  # the transfer is taken on a condition
    transfer: bool  # it goes through the sequencer's block
    reads_address: bool  # address register as
    writes_address: bool  # address register ad
    reads_flag: bool
    writes_flag: bool
    hashes: bool  # its end writes registers of the hash unit
    beside: str  # the field that says what the hash unit does beside the path; empty without
    reads_sum: bool  # the hash unit's sum enters
    contents: tuple[Contents, ...]  # of every field that an operand fills

    @property
    def two_rounds(self) -> bool:
        """Both halves are used: legal only with ROUNDS_PER_INSTR = 2."""
        return self.halves == (1, 2)

    @property
    def x2_ready(self) -> bool:
        """The result is ready at the end of X2, where there is one; otherwise at the end of X1."""
        return 2 in self.halves or self.chained

    def source(self, field: str) -> Source | None:
        """The source that field ra or rb names, if the instruction has it."""
        return next((s for s in self.sources if s.field == field), None)

    def reads(self, field: str) -> bool:
        """Whether the value of source ra or rb enters the path."""
        return any(s.field == field and s.enters for s in self.sources)

    def holds(self, field: str) -> Contents:
        """Return the legal values of a field of the instruction. Raises KeyError."""
        for contents in self.contents:
            if contents.field == field:
                return contents
        raise KeyError(field)


@dataclass(frozen=True)
class Insn:
    """An instruction; several may share a mnemonic and differ in their operands' kinds."""

    name: str
    source: str
    mnemonic: str
    format: str
    opcode: int
    match: int
    mask: int
    fields: Mapping[str, Bits]
    operands: tuple[Operand, ...]
    facts: InsnFacts
    accesses: Mapping[str, tuple[int, ...]]  # the cells of its resource to which it can make an access
    summary: str
    details: str
    group: str  # the record of what it is listed with
    extension: str  # the record of what a core must have for it
    also: tuple[str, ...]  # those of what it must have beside
    path: tuple[Step, ...]

    @property
    def vector(self) -> bool:
        """Whether it goes through the vector datapath."""
        return self.facts.vector

    @property
    def required(self) -> int:
        """Number of operands that must be written."""
        return sum(not o.optional for o in self.operands)

    @property
    def syntax(self) -> str:
        """The operand list with the operands' names, optional ones in brackets."""
        words = ", ".join(f"[{o.name}]" if o.optional else o.name for o in self.operands)
        return f"{self.mnemonic} {words}".rstrip()

    def get(self, word: int, field: str) -> int:
        """Return the value of a field in a word of this instruction."""
        return self.fields[field].of(word)

    def insert(self, word: int, **values: int) -> int:
        """A word of this instruction with other contents in some fields; `as_` is the field `as`."""
        for name, value in values.items():
            word = self.fields[name.rstrip("_")].insert(word, value)
        return word
