"""Words of isa/hazards.td that select the cells of a resource to which an access is.

Each knows what it means for an instruction of the description, for the core's control word (`ctl`), for the
simulator's decoded instruction (`e` its encoding, `d` its fields), and for whoever writes an instruction word.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from isagen.description import Insn, Resource
from isagen.model import Isa
from isagen.records import InsnFacts, Space, VectorName, Way
from isagen.text import any_of, inside
from isagen.ways import way

ENTERS = {"ra": "use_a", "rb": "use_b"}  # what says that a source enters the path
SLOT_FIELDS = {"k": "ks", "d": "ds", "s": "ss"}


@dataclass(frozen=True)
class Selector(ABC):
    """Which cells of `resource` an access is to."""

    isa: Isa
    resource: Resource
    arg: str | int

    @property
    def width(self) -> int:
        """Number of cells among which it selects."""
        return self.resource.cells

    @abstractmethod
    def cells(self, insn: Insn) -> set[int]:
        """Cells that the instruction can select."""

    @abstractmethod
    def ways(self, cell: int) -> list[Way]:
        """How it selects a cell."""

    def shown(self, cell: int) -> str:
        """A cell as assembly names it; one that it does not name, as the description does."""
        return self.resource.name if self.resource.cells == 1 else f"{self.resource.name} {cell}"

    @abstractmethod
    def sv(self) -> tuple[list[str], str]:
        """Condition, and the mask of the cells selected then; for one cell its bit, empty if that is always set."""

    @abstractmethod
    def cpp(self) -> list[tuple[str, str]]:
        """(condition or nothing, cell) by turns; a cell `mask:...` is a mask of cells."""

    def _facts(self, insn: Insn) -> InsnFacts:
        return self.isa.facts[insn.record]

    def _every(self, fits: bool) -> set[int]:
        return set(range(self.resource.cells)) if fits else set()

    def _bits(self, signal: str, names: Callable[[int], list[str]]) -> str:
        """A mask with a bit for each cell, set where the signal has one of the cell's values."""
        bits = [inside(signal, names(c)) for c in reversed(range(self.resource.cells))]
        return bits[0] if len(bits) == 1 else f"{{{', '.join(bits)}}}"

    def _one_hot(self, signal: str) -> str:
        return f"{self.resource.cells}'d1 << {signal}"


class Named(Selector):
    """The cell that a source or destination field names; a source where it enters the path."""

    @cached_property
    def _legal(self) -> list[VectorName]:
        legal: dict[str | int, Callable[[VectorName], bool]] = {
            "ra": lambda v: v.source,
            "rb": lambda v: v.source and v.second_source,
            "rd": lambda v: v.destination,
        }
        return [v for v in self.isa.vectors if legal[self.arg](v)]

    @cached_property
    def _by_cell(self) -> list[list[VectorName]]:
        return [[v for v in self._legal if v.record in codes] for codes in self.resource.codes]

    def _codes(self, cell: int) -> list[VectorName]:
        return self._by_cell[cell]

    def cells(self, insn: Insn) -> set[int]:
        facts = self._facts(insn)
        if self.arg == "rd":
            if facts.destination == "pair":  # the even ones, which have a partner
                return {c for c in self._every(True) if c % 2 == 0 and c + 1 < self.resource.cells}
            legal = facts.destination == "vector"
        else:
            legal = facts.reads(str(self.arg))
        return {c for c in self._every(legal) if self._codes(c)}

    def ways(self, cell: int) -> list[Way]:
        return [way({str(self.arg): v.code}) for v in self._codes(cell)]

    def shown(self, cell: int) -> str:
        first = self.resource.codes[cell][0]
        return next(v.name for v in self.isa.vectors if v.record == first)

    def sv(self) -> tuple[list[str], str]:
        bits = self._bits(f"ctl.{self.arg}", lambda cell: [f"Vec{v.record}" for v in self._codes(cell)])
        enters = ENTERS.get(str(self.arg))
        return [f"ctl.{enters}"] if enters else [], bits

    def cpp(self) -> list[tuple[str, str]]:
        enters = [f"e.{ENTERS[str(self.arg)]}"] if self.arg in ENTERS else []
        codes = [[v.code for v in self._codes(c)] for c in range(self.resource.cells)]
        if codes == [[c] for c in range(self.resource.cells)]:
            return [(" && ".join([*enters, f"d.{self.arg} < {self.resource.cells}"]), f"d.{self.arg}")]
        rows = []
        for cell in range(self.resource.cells):
            tests = [f"d.{self.arg} == code(VecCode::{v.record})" for v in self._codes(cell)]
            rows.append((" && ".join([*enters, any_of(tests)]), str(cell)))
        return rows


class After(Named):
    """The cell after the one that a field names."""

    def cells(self, insn: Insn) -> set[int]:
        return {c + 1 for c in super().cells(insn) if c + 1 < self.resource.cells}

    def ways(self, cell: int) -> list[Way]:
        return super().ways(cell - 1) if cell else []

    def sv(self) -> tuple[list[str], str]:
        tests, mask = super().sv()
        return tests, f"{mask} << 1"

    def cpp(self) -> list[tuple[str, str]]:
        return [(condition, f"{cell} + 1u") for condition, cell in super().cpp()]


class Address(Selector):
    """The address register in a field, where the instruction reads (as) or writes (ad) it."""

    def cells(self, insn: Insn) -> set[int]:
        facts = self._facts(insn)
        return self._every(facts.reads_address if self.arg == "as" else facts.writes_address)

    def ways(self, cell: int) -> list[Way]:
        return [way({str(self.arg): cell})]

    def shown(self, cell: int) -> str:
        return self.isa.register_files["AddressRegister"].names[cell]

    def sv(self) -> tuple[list[str], str]:
        return [f"ctl.{self.arg}_en"], self._one_hot(f"ctl.{self.arg}")

    def cpp(self) -> list[tuple[str, str]]:
        return [("e.as_read" if self.arg == "as" else "e.ad_written", f"d.{self.arg}")]


class Slot(Selector):
    """The address register of a memory slot."""

    def cells(self, insn: Insn) -> set[int]:
        return self._every(insn.field(SLOT_FIELDS[str(self.arg)]) is not None)

    def ways(self, cell: int) -> list[Way]:
        layout = self.isa.slot
        bits = [p.code << layout.pattern.lsb | cell << layout.register.lsb for p in self.isa.patterns]
        return [way({SLOT_FIELDS[str(self.arg)]: b}) for b in bits]

    def sv(self) -> tuple[list[str], str]:
        slot = f"ctl.{self.arg}"
        return [f"{slot}.en", f"!{slot}.row_en"], self._one_hot(f"{slot}.ar")

    def cpp(self) -> list[tuple[str, str]]:
        slot = f"d.{self.arg}"
        return [(f"e.{self.arg}_field && {slot}.en && !{slot}.row_en", f"{slot}.ar")]


class Blocks(Selector):
    """The data memories that a slot accesses: of the key slot those of the path, of the others as a field says."""

    def cells(self, insn: Insn) -> set[int]:
        if insn.field(SLOT_FIELDS[str(self.arg)]) is None:
            return set()
        keys = set(self._facts(insn).key_blocks)
        return keys if self.arg == "k" else self._every(True) - keys

    def _spaces(self, cell: int) -> list[Space]:
        return [s for s in self.isa.spaces if cell in s.blocks]

    def ways(self, cell: int) -> list[Way]:
        if self.arg == "k":
            return [way()]
        if self.arg == "d":
            return [way({"db": cell}, ("ds",))]
        return [way({"sb": s.code}, ("ss",), s.name) for s in self._spaces(cell)]

    def shown(self, cell: int) -> str:
        return next(s.name for s in self._spaces(cell) if s.is_single)

    def _stored(self) -> str:
        return self._bits("ctl.s_space", lambda cell: [f"Space{s.record}" for s in self._spaces(cell)])

    def sv(self) -> tuple[list[str], str]:
        if self.arg == "k":
            return [], "key_blocks(ctl)"
        return [f"ctl.{self.arg}.en"], self._one_hot("ctl.d_block") if self.arg == "d" else self._stored()

    def cpp(self) -> list[tuple[str, str]]:
        if self.arg == "k":
            return [("e.k_field", "mask:e.key_blocks")]
        cells = {"d": "d.d_block", "s": "mask:kSpaceBlocks[d.s_space]"}
        return [(f"e.{self.arg}_field && d.{self.arg}.en", cells[str(self.arg)])]


class Banks(Blocks):
    """The table banks that the store slot writes."""

    def cells(self, insn: Insn) -> set[int]:
        return self._every(self._facts(insn).store != "")

    def _spaces(self, cell: int) -> list[Space]:
        return [s for s in self.isa.spaces if cell in s.banks]

    def cpp(self) -> list[tuple[str, str]]:
        return [("e.s_field && d.s.en", "mask:kSpaceBanks[d.s_space]")]


class Cell(Selector):
    """Always the same cell."""

    @property
    def width(self) -> int:
        return 1

    def cells(self, insn: Insn) -> set[int]:
        return {int(self.arg)}

    def ways(self, cell: int) -> list[Way]:
        return [way()]

    def sv(self) -> tuple[list[str], str]:
        return [], ""

    def cpp(self) -> list[tuple[str, str]]:
        return [("", str(self.arg))]
