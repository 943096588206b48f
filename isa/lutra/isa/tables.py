"""Typed view of the generated `tables.json`; the only reader of that file.

The environment variable LUTRA_ISA_TABLES names another file than that of `lutra.isa.generated`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from lutra.isa.generated import generated

T = TypeVar("T")


class IsaTablesError(Exception):
    """The tables cannot be read; the text says which file and what to do."""


@dataclass(frozen=True)
class Named:
    """A code with a name: a trap, a state of the core."""

    record: str
    name: str
    code: int
    text: str


@dataclass(frozen=True)
class Space:
    """What a host address, a store or a section can name."""

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
    """Bit positions within a memory slot, pairs as (msb, lsb)."""

    bits: int
    row_flag: int
    row: tuple[int, int]
    pattern: tuple[int, int]
    register: tuple[int, int]
    zero: tuple[int, int]


@dataclass(frozen=True)
class Stall:
    """A hazard and its distance between issues for one and two rounds an instruction."""

    name: str
    text: str
    distance: tuple[int, int]


@dataclass(frozen=True)
class Stage:
    """A pipeline stage and its number with two rounds and one round an instruction."""

    record: str
    name: str
    two_rounds: int
    one_round: int


@dataclass(frozen=True)
class Operand:
    """An operand of an instruction: the kind says how it is written, `fields` what it fills."""

    record: str
    name: str
    kind: str
    fields: tuple[str, ...]
    text: str
    optional: bool
    low: int
    high: int
    choices: tuple[int, ...]


@dataclass(frozen=True)
class Step:
    """A block on an instruction's path through the datapath."""

    block: str
    function: str
    formula: str
    sides: str


@dataclass(frozen=True)
class Insn:
    """An instruction; several may share a mnemonic and differ in their operands' kinds."""

    name: str
    source: str
    mnemonic: str
    format: str
    vector: bool
    opcode: int
    match: int
    mask: int
    fields: Mapping[str, tuple[int, int]]
    operands: tuple[Operand, ...]
    key_blocks: tuple[int, ...]
    takes_row: bool
    two_rounds: bool
    latency: int
    transfer: bool
    summary: str
    details: str
    path: tuple[Step, ...]

    @property
    def required(self) -> int:
        """Number of operands that must be written."""
        return sum(not o.optional for o in self.operands)

    @property
    def syntax(self) -> str:
        """The operand list with the operands' names, optional ones in brackets."""
        words = ", ".join(f"[{o.name}]" if o.optional else o.name for o in self.operands)
        return f"{self.mnemonic} {words}".rstrip()


@dataclass(frozen=True)
class Isa:
    """The whole instruction set."""

    machine: Mapping[str, int]
    spaces: tuple[Space, ...]
    vectors: tuple[VectorName, ...]
    address_registers: tuple[str, ...]
    stream_contexts: tuple[str, ...]
    widths: tuple[tuple[int, int], ...]
    slot: SlotLayout
    moves: tuple[Named, ...]
    patterns: tuple[Pattern, ...]
    key_blocks: Mapping[str, int]
    traps: tuple[Named, ...]
    states: tuple[Named, ...]
    stalls: tuple[Stall, ...]
    stages: tuple[Stage, ...]
    instructions: tuple[Insn, ...]

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
    def space_by_name(self) -> Mapping[str, Space]:
        """Name -> space."""
        return {s.name: s for s in self.spaces}

    @cached_property
    def memory_by_block(self) -> Mapping[int, Space]:
        """Block number -> the space that is this block alone."""
        return {s.blocks[0]: s for s in self.spaces if len(s.blocks) == 1}

    @cached_property
    def bank_by_number(self) -> Mapping[int, Space]:
        """Bank number -> the space that is this bank alone."""
        return {s.banks[0]: s for s in self.spaces if len(s.banks) == 1}

    @cached_property
    def program(self) -> Space:
        """Program memory."""
        return next(s for s in self.spaces if s.is_program)

    @cached_property
    def pattern_by_suffix(self) -> Mapping[str, Pattern]:
        """What stands behind the register's name -> pattern."""
        return {p.suffix: p for p in self.patterns}

    @cached_property
    def pattern_by_code(self) -> Mapping[int, Pattern]:
        """Field value -> pattern."""
        return {p.code: p for p in self.patterns}

    def size(self, space: Space) -> int:
        """Entries of a space: words of program memory, bytes of the others."""
        if space.is_program:
            return self.machine["ProgramWords"]
        rows = self.machine["MemoryRows" if space.blocks else "TableRows"]
        return rows * self.machine["VectorBytes"]


def parse(text: str) -> Isa:
    """The instruction set from the text of `tables.json`. Raises IsaTablesError."""
    try:
        return _isa(json.loads(text))
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise IsaTablesError(
            f"not the generated ISA tables of this version ({type(error).__name__}: {error})"
        ) from error


@lru_cache(maxsize=1)
def load() -> Isa:
    """The installed instruction set, read once. Raises IsaTablesError."""
    named = os.environ.get("LUTRA_ISA_TABLES")
    place = Path(named) if named else generated("tables.json")
    try:
        text = place.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise IsaTablesError(f"{place}: cannot be read: {error}; build first, or set LUTRA_ISA_TABLES") from error
    try:
        return parse(text)
    except IsaTablesError as error:
        raise IsaTablesError(f"{place}: {error}") from error


def _records(cls: Callable[..., T], rows: list[dict[str, Any]]) -> tuple[T, ...]:
    return tuple(cls(**{k: _frozen(v) for k, v in row.items()}) for row in rows)


def _frozen(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _insn(row: dict[str, Any]) -> Insn:
    return Insn(
        **row
        | {
            "match": int(row["match"], 16),
            "mask": int(row["mask"], 16),
            "fields": {name: (msb, lsb) for name, (msb, lsb) in row["fields"].items()},
            "operands": _records(Operand, row["operands"]),
            "key_blocks": tuple(row["key_blocks"]),
            "path": _records(Step, row["path"]),
        }
    )


def _isa(data: dict[str, Any]) -> Isa:
    return Isa(
        machine=dict(data["machine"]),
        spaces=_records(Space, data["spaces"]),
        vectors=_records(VectorName, data["vectors"]),
        address_registers=tuple(data["address_registers"]),
        stream_contexts=tuple(data["stream_contexts"]),
        widths=tuple((row["bits"], row["code"]) for row in data["widths"]),
        slot=_records(SlotLayout, [data["slot"]])[0],
        moves=_records(Named, data["moves"]),
        patterns=_records(Pattern, data["patterns"]),
        key_blocks=dict(data["key_blocks"]),
        traps=_records(Named, data["traps"]),
        states=_records(Named, data["states"]),
        stalls=_records(Stall, data["stalls"]),
        stages=_records(Stage, data["stages"]),
        instructions=tuple(_insn(row) for row in data["instructions"]),
    )
