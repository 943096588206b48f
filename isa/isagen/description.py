"""The instruction set as it is described, in typed records.

Everything after the reader (verify, facts, emit_*) works on these classes and on those of `isagen.records`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from isagen import records, retire, state

Term = tuple[str, tuple[str | int, ...]]  # a word of isa/hazards.td, and what it is said of


@dataclass(frozen=True)
class Resource:
    """Cells that are written and read; codes: by cell, the vector operands that name it."""

    record: str
    name: str
    cells: int
    codes: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Access:
    """A way in which instructions write or read a resource, in the words of `isagen.terms`."""

    record: str
    label: str
    resource: Resource
    cells: Term
    when: tuple[Term, ...]
    text: str


# Roles of a vector operand as `Holds` names them, and the attributes that say who has them.
ROLES = {"Source": "source", "SecondSource": "second_source", "Destination": "destination"}


@dataclass(frozen=True)
class Hazard:
    record: str
    order: int
    name: str
    writes: tuple[Access, ...]
    write: records.Stage
    reads: tuple[Access, ...]
    read: records.Stage
    bypass: bool
    text: str

    def distance(self, rounds: int) -> int:
        """Least distance in cycles between two issues, for ROUNDS_PER_INSTR = `rounds`."""
        attr = "two_rounds" if rounds == 2 else "one_round"
        gap: int = getattr(self.write, attr) - getattr(self.read, attr)
        return gap if self.bypass else gap + 1


@dataclass(frozen=True)
class Function:
    record: str
    kind: str
    code: int
    symbol: str
    sides: int
    immediate: bool
    formula: str
    remark: str
    loc: str
    writes_address: bool
    reads_flag: bool
    writes_flag: bool
    hashes: bool
    linear: bool
    indexes: bool
    zero: bool
    circuit: str  # the SystemVerilog function that does it together with others
    stage: str  # of the end of a path, the record of the stage in which it is done


@dataclass(frozen=True)
class SideOperand:
    """An input next to the path; `isa/datapath.td` explains the parts of the record."""

    record: str
    symbol: str
    text: str
    blocks: tuple[int, ...]
    field: str
    made: str
    of: tuple[str, ...]
    half: int
    directed: bool
    sum: bool


@dataclass(frozen=True)
class Block:
    record: str
    kind: str
    half: int
    functions: tuple[str, ...]
    described: tuple[str, ...]  # also those that the configuration leaves out
    port_y: tuple[str, ...]
    port_z: tuple[str, ...]
    partner: tuple[str, ...]
    two_rounds: bool
    passes: bool


@dataclass(frozen=True)
class Way:
    """Functions of consecutive blocks, wired next to these blocks instead of in the chain."""

    record: str
    name: str
    beside: tuple[str, ...]
    functions: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Step:
    """One block of an instruction's path: the function selected and the side operands that enter."""

    block: str
    function: str
    sides: tuple[str, ...]


@dataclass(frozen=True)
class Holds:
    """Legal values of a field; `role`: only codes of vector operands with this role."""

    record: str
    field: str
    low: int
    high: int
    step: int
    forbidden: tuple[int, ...]
    role: str


@dataclass(frozen=True)
class OperandKind:
    record: str
    name: str
    written: str
    contents: tuple[Holds, ...]


@dataclass(frozen=True)
class Field:
    """The place of an encoding field in the instruction word; always one run of bits."""

    name: str
    lsb: int
    width: int

    @property
    def msb(self) -> int:
        return self.lsb + self.width - 1

    def of(self, word: int) -> int:
        """Return the value of the field in a word."""
        return word >> self.lsb & (1 << self.width) - 1


@dataclass(frozen=True)
class Insn:
    record: str
    loc: str
    mnemonic: str
    format: str
    opcode: int
    operands: tuple[records.Operand, ...]
    path: tuple[Step, ...]
    summary: str
    details: str
    group: str  # its record; empty where there is none
    extension: str  # likewise
    also: tuple[str, ...]  # further extensions that a core must have for it
    match: int
    mask: int
    number: int  # the immediate that is part of the instruction; 0 where it has a field or none
    fields: tuple[Field, ...]
    unassigned: tuple[int, ...]
    broken: tuple[str, ...]

    def step(self, block: str) -> Step | None:
        """The path's step in `block`, or None where the block passes."""
        return next((s for s in self.path if s.block == block), None)

    def takes(self, side: str) -> bool:
        """Whether side operand `side` enters anywhere on the path."""
        return any(side in s.sides for s in self.path)

    def field(self, name: str) -> Field | None:
        return next((f for f in self.fields if f.name == name), None)

    @property
    def moves_right(self) -> bool:
        """Whether the first half shifts lanes to the right."""
        return any(s.function == "RightBytes" for s in self.path)


@dataclass(frozen=True)
class Description:
    """All records of isa/*.td, and what a configuration has of them."""

    machine: dict[str, int]
    spaces: tuple[records.Space, ...]
    traps: tuple[records.Trap, ...]
    states: tuple[records.State, ...]
    vectors: tuple[records.VectorName, ...]
    widths: tuple[tuple[int, int], ...]  # (bits, code)
    width_records: tuple[str, ...]
    slot: records.SlotLayout
    patterns: tuple[records.Pattern, ...]
    deltas: tuple[records.Delta, ...]
    wraps: tuple[records.Wrap, ...]
    stages: tuple[records.Stage, ...]
    fetch: str  # name of the cycle before the first stage
    accesses: tuple[Access, ...]
    hazards: tuple[Hazard, ...]
    bubbles: int
    entry: int  # cycles that a loop's entry on the stack is late for what needs it at once
    transfer: records.Named  # the stall cause of the bubbles
    kinds: tuple[records.Named, ...]
    functions: dict[str, Function]
    sides: dict[str, SideOperand]
    blocks: dict[str, Block]
    ways: tuple[Way, ...]
    endpoint_functions: dict[str, Function]
    moves: tuple[records.Named, ...]
    control_blocks: tuple[records.Named, ...]
    control_functions: dict[str, Function]
    kinds_of_operands: tuple[OperandKind, ...]
    version: records.Version
    files_outside: tuple[str, ...]  # of extensions from outside this repository
    opcodes_outside: tuple[int, int]  # first and last that extensions from outside may have, and only they
    opcode: Field  # its place in every word
    reserved: Mapping[int, str]  # opcode -> why no instruction may have it
    groups: tuple[records.Named, ...]  # of instructions
    extensions: tuple[records.Extension, ...]
    configuration: records.Configuration
    ready: tuple[records.Configuration, ...]  # the configurations that lie ready
    insns: tuple[Insn, ...]  # of the configuration
    described: tuple[Insn, ...]  # all, also those that the configuration leaves out
    stream_rows: tuple[records.Named, ...]
    hash_beside: tuple[records.Beside, ...]
    words_parts: tuple[records.Named, ...]
    register_files: dict[str, retire.RegisterFile]
    record: retire.Record
    state: state.State
    locs: Mapping[str, str]  # record -> file:line

    @property
    def stalls(self) -> tuple[records.Named, ...]:
        """The causes of stall cycles: every hazard, then a taken transfer."""
        return (*(records.Named(h.record, h.name, h.order, h.text) for h in self.hazards), self.transfer)

    @cached_property
    def outside(self) -> Mapping[str, str]:
        """The extensions from outside this repository: record -> its file."""
        files = {e.record: self.locs[e.record].rsplit(":", 1)[0] for e in self.extensions}
        return {record: file for record, file in files.items() if file in self.files_outside}

    def members(self, group: records.Named) -> tuple[Insn, ...]:
        """The instructions of a group."""
        return tuple(i for i in self.insns if i.group == group.record)

    def named(self, insn: Insn, field: str) -> bool:
        """Whether a side operand enters that a field names."""
        return any(side.field == field and insn.takes(side.record) for side in self.sides.values())

    def key_blocks(self, insn: Insn) -> tuple[int, ...]:
        """Memory blocks that the key slot reads."""
        taken = {b for n, s in self.sides.items() if insn.takes(n) for b in s.blocks}
        return tuple(sorted(taken))

    def codes(self, role: str, *, row: bool = True) -> list[int]:
        """Codes of the vector operands that have a role; the row among them or not."""
        attribute = ROLES.get(role, "")
        return [v.code for v in self.vectors if getattr(v, attribute, False) and (row or v.record != "ROW")]

    def banks(self) -> list[str]:
        """The blocks that are table banks, by bank."""
        return sorted(n for n, b in self.blocks.items() if b.kind == "Lookup")

    def places(self, *, vector: bool) -> dict[str, Field]:
        """Every field of the vector or control formats with its place, whichever instruction leaves it open."""
        return self._places[vector]

    @cached_property
    def _places(self) -> tuple[dict[str, Field], dict[str, Field]]:
        """The fields of the control formats, and of the vector formats."""
        found: tuple[dict[str, Field], dict[str, Field]] = {}, {}
        for insn in self.described:
            for f in insn.fields:
                found[self.is_vector(insn)].setdefault(f.name, f)
        return found

    def key_rows(self) -> dict[int, SideOperand]:
        """The side operand that is the whole row of a memory block, by block."""
        return {s.blocks[0]: s for s in self.sides.values() if len(s.blocks) == 1 and not s.made}

    def besides(self, field: str) -> tuple[records.Beside, ...]:
        """Return the effects of the hash unit next to a path that one field selects."""
        return tuple(b for b in self.hash_beside if b.field == field)

    def way(self, block: str, function: str) -> Way | None:
        """The way on which a block does a function; None where it does it in the chain."""
        return next((w for w in self.ways if block in w.beside and function in w.functions), None)

    @property
    def deep(self) -> tuple[str, ...]:
        """Blocks of the first half's chain between look-up and logic: crossbar and mixing layer."""
        return tuple(b.record for b in self.blocks.values() if b.half == 1 and b.kind in ("Crossbar", "Mix"))

    def chained(self, block: str) -> tuple[str, ...]:
        """The functions that a block does in the chain of its half."""
        return tuple(f for f in self.blocks[block].functions if self.way(block, f) is None)

    def writes_pair(self, insn: Insn) -> bool:
        """Whether the partner is written to the register after the destination."""
        step = insn.step("RES")
        return step is not None and step.function == "WritePair"

    def half(self, insn: Insn, half: int) -> bool:
        """Whether the path uses a block of the first (1) or second (2) half."""
        return any(s.block in self.blocks and self.blocks[s.block].half == half for s in insn.path)

    def writes_address(self, insn: Insn) -> bool:
        """Whether address register ad is written, beside the slots' post-modification."""
        table = self.control_functions | self.endpoint_functions
        return any(table[s.function].writes_address for s in insn.path if s.function in table)

    @property
    def joint(self) -> Block | None:
        """The block that pairs two values in the second half; None in a configuration without it."""
        return next((b for b in self.blocks.values() if b.half == 2 and b.kind == "Pairing"), None)

    def stateful(self, insn: Insn) -> str:
        """The function of the stream unit that the path goes through; empty without."""
        steps = (s for s in insn.path if s.block in self.blocks and self.blocks[s.block].kind == "Stream")
        return next((s.function for s in steps), "")

    def is_vector(self, insn: Insn) -> bool:
        return insn.format.startswith("FmtVector")
