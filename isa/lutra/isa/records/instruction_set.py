"""The whole instruction set, with the look-ups that readers of programs need, and what an instruction stores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from .addressing import Delta, Pattern, SlotLayout, Window, Wrap
from .hazards import Access, Resource, Stall
from .instruction import Insn
from .machine import Beside, Bits, Configuration, Extension, Named, Space, Stage, State, Trap, VectorName, Version


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
    states: tuple[State, ...]
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
    absent_operands: tuple[str, ...]  # of instructions that it has

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
        for insn in self.by_opcode.get(self.opcode.of(word), ()):
            if word & insn.mask == insn.match:
                return insn
        return None

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
