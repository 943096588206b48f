"""Contents of the generated tables: plain records of the instruction set.

The generator (`isagen`) makes them from the description, writes them to `tables.json` and loads this file by its
place; `lutra.isa.tables` reads them back. So nothing of Lutra is imported here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple


class Bits(NamedTuple):
    """A run of bits in a word or a slot."""

    msb: int
    lsb: int

    @property
    def width(self) -> int:
        """Number of bits."""
        return self.msb - self.lsb + 1

    @property
    def top(self) -> int:
        """The largest number that fits, which is the mask of the run at bit 0."""
        return (1 << self.width) - 1

    def of(self, word: int) -> int:
        """The number that stands there."""
        return word >> self.lsb & self.top

    def insert(self, word: int, value: int) -> int:
        """The word with a number there, modulo what fits."""
        return word & ~(self.top << self.lsb) | (value & self.top) << self.lsb


@dataclass(frozen=True)
class Named:
    """A code with a name and a sentence: a trap, a state of the core, an addressing delta."""

    record: str
    name: str
    code: int
    text: str


@dataclass(frozen=True)
class Extension(Named):
    """A part that a core can be made without. needs: the names of those that it cannot be made without itself."""

    needs: tuple[str, ...]


@dataclass(frozen=True)
class Beside(Named):
    """An effect of the hash unit next to a path. field: the one whose value has the code."""

    field: str


# What the text of a trap can show beside the machine's sizes: the program address, the instruction, where the body of
# a REPEAT would end, the place of the store slot, and the first access that lies outside of its space.
TRAP_VALUES = ("pc", "insn", "end", "store", "outside", "outside_space", "outside_bytes")


@dataclass(frozen=True)
class Trap(Named):
    """Why a program stops before its halt.

    shown: the template of its values, {NAME} for each. yields_to: names of the traps that can apply to the same
    instruction and are reported instead.
    """

    shown: str
    yields_to: tuple[str, ...]


@dataclass(frozen=True)
class Space:
    """A space that a host address, a store or a section can name."""

    record: str
    name: str
    code: int
    text: str
    blocks: tuple[int, ...]
    banks: tuple[int, ...]

    @property
    def is_program(self) -> bool:
        """Program memory is neither data memory nor table."""
        return not self.blocks and not self.banks

    @property
    def is_single(self) -> bool:
        """It is one data block or one table bank, and not several at once as `t0:t1` is."""
        return len(self.blocks) + len(self.banks) == 1


@dataclass(frozen=True)
class VectorName:
    """A code of the source and destination fields; `name` is empty if it is not written as a register."""

    record: str
    name: str
    code: int
    text: str
    source: bool
    second_source: bool
    destination: bool
    extension: str  # its record


class Window(NamedTuple):
    """The ends of an address register's window, by the names that wraps give them."""

    window_start: int
    window_end: int


@dataclass(frozen=True)
class Delta:
    """An amount to add to an address register: rows of the memory, and steps of the register."""

    record: str
    name: str
    code: int
    rows: int
    steps: int

    def change(self, row: int, step: int) -> int:
        """Bytes that are added; row: bytes of a row of the memory."""
        return self.rows * row + self.steps * step


@dataclass(frozen=True)
class Wrap:
    """When a modified address register is loaded anew: if ar `comparison` bound, ar = reload; without one, never."""

    record: str
    name: str
    code: int
    comparison: str
    bound: str
    reload: str

    def reloads(self, window: Window, top: int) -> range:
        """The addresses that a register is not left at; top: the highest address."""
        bound: int = getattr(window, self.bound)
        return {
            "": range(0),
            ">": range(bound + 1, top + 1),
            ">=": range(bound, top + 1),
            "<": range(bound),
            "<=": range(bound + 1),
        }[self.comparison]


@dataclass(frozen=True)
class Pattern:
    """How an access modifies its address register."""

    record: str
    code: int
    suffix: str
    delta: str
    wrap: str
    text: str

    @property
    def modifies(self) -> bool:
        """Whether the address register changes."""
        return self.delta != "none"


@dataclass(frozen=True)
class SlotLayout:
    """Bit positions within a memory slot."""

    bits: int
    row_flag: int
    row: Bits
    pattern: Bits
    register: Bits
    zero: Bits


@dataclass(frozen=True)
class Resource:
    """A resource that instructions write and read and others wait for; cells: their names in assembly."""

    record: str
    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Way:
    """How an instruction word makes an access: values of fields, and slots that access any row.

    label: what coverage calls the access.
    """

    label: str
    fields: Mapping[str, int]
    slots: tuple[str, ...]


@dataclass(frozen=True)
class Access:
    """A way in which instructions write or read a resource; ways: by cell of the resource."""

    name: str
    label: str
    resource: str
    text: str
    ways: tuple[tuple[Way, ...], ...]


@dataclass(frozen=True)
class Stall:
    """A hazard: its distance between issues for one and two rounds per instruction, and its two accesses.

    ready: the stage at whose end the results are ready that a bypassed hazard is about; "" without a bypass. sources:
    where a register comes from then, for one and two rounds, by distance from the least on.
    """

    name: str
    text: str
    distance: tuple[int, int]
    writes: tuple[str, ...]
    reads: tuple[str, ...]
    ready: str
    sources: tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class Stage:
    """A pipeline stage and its number with two rounds and one round per instruction."""

    record: str
    name: str
    two_rounds: int
    one_round: int


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


@dataclass(frozen=True)
class Store:
    """A store that an effect of the retirement record makes. enable: the field that says whether it happened.

    space, address, lanes: the fields with the code of the space, the byte address and the bytes from there on. rows: of
    a store in each lane, the field with the rows, instead; code is that of its space then.
    """

    enable: str
    space: str
    address: str
    lanes: str
    rows: str
    code: int

    @property
    def places(self) -> tuple[str, ...]:
        """The fields that say where it stores."""
        return (self.rows,) if self.rows else (self.space, self.address, self.lanes)


class Stored(NamedTuple):
    """Bytes of a space: its code, the address of the first, and a bit for each byte from there on."""

    space: int
    address: int
    lanes: int


@dataclass(frozen=True)
class Configuration:
    """A configuration of the core: extensions by name, built values of ROUNDS_PER_INSTR, stream contexts."""

    name: str
    text: str
    extensions: tuple[str, ...]
    rounds: tuple[int, ...]
    contexts: int

    def has_rounds(self, two: bool) -> bool:
        """Whether an instruction is legal that needs two rounds (two), or one."""
        return not two or max(self.rounds) > 1


class Version(NamedTuple):
    """The version of the instruction set; docs/decisions/0013 says what raises which part."""

    major: int
    minor: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"

    def runs(self, needed: Version) -> bool:
        """Whether a machine of this version runs what needs another one."""
        return self.major == needed.major and self.minor >= needed.minor


@dataclass(frozen=True)
class Isa:
    """The whole instruction set."""

    version: Version
    machine: Mapping[str, int]
    opcode: Bits
    spaces: tuple[Space, ...]
    vectors: tuple[VectorName, ...]
    address_registers: tuple[str, ...]
    stream_contexts: tuple[str, ...]
    stream_rows: tuple[Named, ...]
    hash_beside: tuple[Beside, ...]
    words_parts: tuple[Named, ...]
    widths: tuple[tuple[int, int], ...]
    slot: SlotLayout
    moves: tuple[Named, ...]
    patterns: tuple[Pattern, ...]
    deltas: tuple[Delta, ...]
    wraps: tuple[Wrap, ...]
    key_blocks: Mapping[str, int]
    traps: tuple[Trap, ...]
    states: tuple[Named, ...]
    resources: tuple[Resource, ...]
    accesses: tuple[Access, ...]
    stalls: tuple[Stall, ...]
    loop_entry: int  # cycles that a repeat's loop is late for its body's only word, and for another repeat
    stores: tuple[Store, ...]
    stages: tuple[Stage, ...]
    fetch: str  # name of the cycle before the first stage, in which the word is fetched
    groups: tuple[Named, ...]
    extensions: tuple[Extension, ...]
    configuration: Configuration
    configurations: tuple[Configuration, ...]  # those that lie ready, by which a message says who has an instruction
    instructions: tuple[Insn, ...]
    absent: tuple[Insn, ...]  # what the description has, and the configuration leaves out

    @cached_property
    def by_mnemonic(self) -> Mapping[str, tuple[Insn, ...]]:
        """Mnemonic -> its instructions."""
        found: dict[str, tuple[Insn, ...]] = {}
        for insn in self.instructions:
            found[insn.mnemonic] = (*found.get(insn.mnemonic, ()), insn)
        return found

    @cached_property
    def by_opcode(self) -> Mapping[int, tuple[Insn, ...]]:
        """Opcode -> its instructions."""
        found: dict[int, tuple[Insn, ...]] = {}
        for insn in self.instructions:
            found[insn.opcode] = (*found.get(insn.opcode, ()), insn)
        return found

    def decode(self, word: int) -> Insn | None:
        """The instruction of a program word; None if it is none."""
        opcode = self.opcode.of(word)
        return next((i for i in self.by_opcode.get(opcode, ()) if word & i.mask == i.match), None)

    def lookup(self, mnemonic: str) -> tuple[Insn, ...]:
        """The instructions of a mnemonic; empty if there is none."""
        return self.by_mnemonic.get(mnemonic, ())

    @cached_property
    def vector_by_name(self) -> Mapping[str, VectorName]:
        """Vector operands that are written as a register."""
        return {v.name: v for v in self.vectors if v.name}

    @cached_property
    def vector_by_code(self) -> Mapping[int, VectorName]:
        """Field value -> vector operand."""
        return {v.code: v for v in self.vectors}

    def vector(self, record: str) -> VectorName:
        """The vector operand with a role of its own: ROW, NONE, ZERO, WK."""
        return next(v for v in self.vectors if v.record == record)

    @cached_property
    def address_register_index(self) -> Mapping[str, int]:
        """Name -> code of an address register."""
        return {name: i for i, name in enumerate(self.address_registers)}

    @cached_property
    def access_by_name(self) -> Mapping[str, Access]:
        """Name -> access."""
        return {a.name: a for a in self.accesses}

    @cached_property
    def stall_by_name(self) -> Mapping[str, Stall]:
        """Name -> hazard."""
        return {s.name: s for s in self.stalls}

    @cached_property
    def resource_by_record(self) -> Mapping[str, Resource]:
        """Record -> resource, as accesses name it."""
        return {r.record: r for r in self.resources}

    @cached_property
    def space_by_name(self) -> Mapping[str, Space]:
        """Name -> space."""
        return {s.name: s for s in self.spaces}

    @cached_property
    def memory_by_block(self) -> Mapping[int, Space]:
        """Block number -> the space that is this block alone."""
        return {s.blocks[0]: s for s in self.spaces if s.is_single and s.blocks}

    @cached_property
    def bank_by_number(self) -> Mapping[int, Space]:
        """Bank number -> the space that is this bank alone."""
        return {s.banks[0]: s for s in self.spaces if s.is_single and s.banks}

    @cached_property
    def program(self) -> Space:
        """Program memory."""
        return next(s for s in self.spaces if s.is_program)

    @cached_property
    def pattern_by_suffix(self) -> Mapping[str, Pattern]:
        """Text after the register's name -> pattern."""
        return {p.suffix: p for p in self.patterns}

    @cached_property
    def pattern_by_code(self) -> Mapping[int, Pattern]:
        """Field value -> pattern."""
        return {p.code: p for p in self.patterns}

    def stored(self, fields: Mapping[str, Any]) -> Iterator[Stored]:
        """Yield what an instruction stored, from the fields of its retirement record."""
        row = self.machine["VectorBytes"]
        for store in self.stores:
            if store.enable not in fields:
                continue
            if store.rows:
                yield from (Stored(store.code, row * n, 1 << lane) for lane, n in enumerate(fields[store.rows]))
            else:
                yield Stored(fields[store.space], fields[store.address], fields[store.lanes])

    def delta(self, pattern: Pattern) -> Delta:
        """Return what a pattern adds to its register."""
        return next(d for d in self.deltas if d.name == pattern.delta)

    def wrap(self, pattern: Pattern) -> Wrap:
        """When a pattern loads its register anew."""
        return next(w for w in self.wraps if w.name == pattern.wrap)

    def modified(self, pattern: Pattern, ar: int, step: int, window: Window) -> int:
        """Return the value of an address register after an access."""
        top = (1 << self.machine["AddressBits"]) - 1
        moved = (ar + self.delta(pattern).change(self.machine["VectorBytes"], step)) & top
        wrap = self.wrap(pattern)
        reload: int = getattr(window, wrap.reload)
        return reload if moved in wrap.reloads(window, top) else moved

    def size(self, space: Space) -> int:
        """Entries of a space: words of program memory, bytes of the others."""
        if space.is_program:
            return self.machine["ProgramWords"]
        rows = self.machine["MemoryRows" if space.blocks else "TableRows"]
        return rows * self.machine["VectorBytes"]
