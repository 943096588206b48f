"""The words in which isa/hazards.td says what an access is: selectors of cells, and conditions.

Each word knows what it means for an instruction of the description, for the core's control word (`ctl`), for the
simulator's decoded instruction (`e` its encoding, `d` its fields), and for who writes an instruction word.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from isagen.description import Function, Insn, Resource
from isagen.model import Isa
from isagen.records import InsnFacts, Space, VectorName, Way
from isagen.text import camel

ENTERS = {"ra": "use_a", "rb": "use_b"}  # what says that a source enters the path
SLOT_FIELDS = {"k": "ks", "d": "ds", "s": "ss"}


class TermError(ValueError):
    """A word that does not exist or that is used wrongly."""


def both(one: Way, other: Way) -> Way:
    """The way that is one and the other."""
    return Way(one.label or other.label, {**one.fields, **other.fields}, (*one.slots, *other.slots))


def way(fields: Mapping[str, int] | None = None, slots: tuple[str, ...] = (), label: str = "") -> Way:
    """A way from what it needs of a word."""
    return Way(label, fields or {}, slots)


def _inside(signal: str, values: list[str]) -> str:
    """SystemVerilog; of no value where a configuration lacks all of them."""
    if not values:
        return "1'b0"
    return f"{signal} == {values[0]}" if len(values) == 1 else f"{signal} inside {{{', '.join(values)}}}"


def _any(tests: list[str]) -> str:
    """C++, likewise."""
    if not tests:
        return "false"
    return tests[0] if len(tests) == 1 else f"({' || '.join(tests)})"


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
        bits = [_inside(signal, names(c)) for c in reversed(range(self.resource.cells))]
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
            rows.append((" && ".join([*enters, _any(tests)]), str(cell)))
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


@dataclass(frozen=True)
class Condition(ABC):
    """Condition of an access."""

    isa: Isa
    args: tuple[str | int, ...]

    @abstractmethod
    def fits(self, facts: InsnFacts) -> bool:
        """Whether it can hold for an instruction."""

    def ways(self) -> list[Way]:
        """How it is made to hold for one that it fits."""
        return [way()]

    @abstractmethod
    def sv(self) -> str:
        """The condition on the control word, in SystemVerilog."""

    @abstractmethod
    def cpp(self) -> str:
        """The condition on encoding and word, in C++."""


class Ready(Condition):
    """The result is ready at the end of a stage."""

    def _second(self) -> bool:
        return self.args == ("StageX2",)

    def fits(self, facts: InsnFacts) -> bool:
        return facts.vector and facts.x2_ready == self._second()

    def sv(self) -> str:
        return "ctl.x2_ready" if self._second() else "!ctl.x2_ready"

    def cpp(self) -> str:
        return "e.x2_ready" if self._second() else "!e.x2_ready"


class Sources(Condition):
    """The sources are needed early or late."""

    def _early(self) -> bool:
        return self.args == ("early",)

    def fits(self, facts: InsnFacts) -> bool:
        return facts.vector and facts.early == self._early()

    def sv(self) -> str:
        return "ctl.early" if self._early() else "!ctl.early"

    def cpp(self) -> str:
        return "e.early" if self._early() else "!e.early"


class Uses(Condition):
    """The path looks up in a table bank."""

    def _bank(self) -> int:
        return self.isa.banks().index(str(self.args[0]))

    def fits(self, facts: InsnFacts) -> bool:
        return self._bank() in facts.lookups

    def sv(self) -> str:
        return f"ctl.{str(self.args[0]).lower()} != LookupPass"

    def cpp(self) -> str:
        return f"e.lookup{self._bank()}"


class Does(Condition):
    """The path has one of these functions, all of one end or control block and none its default."""

    def _functions(self) -> list[Function]:
        table = self.isa.endpoint_functions | self.isa.control_functions
        return [table[str(name)] for name in self.args]

    def fits(self, facts: InsnFacts) -> bool:
        return any(end in self.args for end in (facts.src, facts.res, facts.au, facts.cc, facts.sq))

    def sv(self) -> str:
        rows = [f"{camel(f.kind.lower())}{camel(f.symbol)}" for f in self._functions()]
        return _inside(f"ctl.{self._functions()[0].kind.lower()}", rows)

    def cpp(self) -> str:
        rows = [f"e.{f.kind.lower()} == {camel(f.kind.lower())}::{camel(f.symbol)}" for f in self._functions()]
        return _any(rows)


class Enters(Condition):
    """wk, or the hash unit's sum, enters the path."""

    def _sum(self) -> bool:
        return self.args == ("GY",)

    def fits(self, facts: InsnFacts) -> bool:
        return facts.reads_sum if self._sum() else True in facts.whitening

    def ways(self) -> list[Way]:
        return [way() if self._sum() else way({"w": 1})]

    def sv(self) -> str:
        return "ctl.l1_z == L1ZGY" if self._sum() else "ctl.use_w"

    def cpp(self) -> str:
        return "e.reads_sum" if self._sum() else "e.w_field && d.w"


class Beside(Condition):
    """The hash unit does something beside the path."""

    def fits(self, facts: InsnFacts) -> bool:
        return facts.beside == self.args[0]

    def ways(self) -> list[Way]:
        field = str(self.args[0])
        contents = (c for insn in self.isa.described for c in self.isa.facts[insn.record].contents)
        codes = {code for c in contents if c.field == field for code in c.codes} - {0}
        return [way({field: code}) for code in sorted(codes)]

    def sv(self) -> str:
        return f"ctl.{self.args[0]} != '0"

    def cpp(self) -> str:
        return f"d.{self.args[0]} != 0"


class Moves(Condition):
    """A move beside the path."""

    def fits(self, facts: InsnFacts) -> bool:
        return facts.move

    def ways(self) -> list[Way]:
        return [way({"mv": next(m.code for m in self.isa.moves if m.record == self.args[0])})]

    def sv(self) -> str:
        return f"ctl.mv == {self.args[0]}"

    def cpp(self) -> str:
        return f"e.move && d.mv == SideMove::{str(self.args[0]).removeprefix('Move')}"


class Clocks(Condition):
    """A stream context is clocked."""

    def fits(self, facts: InsnFacts) -> bool:
        return facts.clocks

    def ways(self) -> list[Way]:
        sets = range(1 << self.isa.machine["StreamContexts"])
        return [way({"c": mask}) for mask in sets if mask >> int(self.args[0]) & 1]

    def sv(self) -> str:
        return f"ctl.c[{self.args[0]}]"

    def cpp(self) -> str:
        return f"e.clocks && ((d.c >> {self.args[0]}) & 1)"


class Streams(Condition):
    """The path goes through the stream unit with one of these functions."""

    def fits(self, facts: InsnFacts) -> bool:
        return facts.stream in self.args

    def sv(self) -> str:
        return _inside("ctl.st", [f"Stream{camel(self.isa.functions[str(name)].symbol)}" for name in self.args])

    def cpp(self) -> str:
        return _any([f"e.op == Op::{i.record}" for i in self.isa.insns if self.fits(self.isa.facts[i.record])])


class Pairs(Condition):
    """The second half pairs two values by one of these functions."""

    def fits(self, facts: InsnFacts) -> bool:
        return facts.pairing in self.args

    def sv(self) -> str:
        joint = self.isa.joint
        return _inside(f"ctl.{joint.record.lower()}", [f"Pairing{n}" for n in self.args]) if joint else "1'b0"

    def cpp(self) -> str:
        return _any([f"e.op == Op::{i.record}" for i in self.isa.insns if self.fits(self.isa.facts[i.record])])


Values = Callable[[Isa], Iterable[str | int]]


def _ends(isa: Isa) -> Iterator[str]:
    """Functions that are not the default of their end or control block."""
    return (n for n, f in (isa.endpoint_functions | isa.control_functions).items() if f.code)


# Word -> what it means, and what can be said of it.
SELECTORS: dict[str, tuple[type[Selector], Values]] = {
    "named": (Named, lambda _: ("ra", "rb", "rd")),
    "after": (After, lambda _: ("rd",)),
    "address": (Address, lambda _: ("ad", "as")),
    "slot": (Slot, lambda _: SLOT_FIELDS),
    "blocks": (Blocks, lambda _: SLOT_FIELDS),
    "banks": (Banks, lambda _: ("s",)),
    "cell": (Cell, lambda _: range(32)),
}
# Cells that a resource must have for a selector.
WIDTHS: dict[str, Callable[[Isa], int]] = {
    "address": lambda isa: isa.machine["AddressRegs"],
    "slot": lambda isa: isa.machine["AddressRegs"],
    "blocks": lambda isa: 1 + max(b for s in isa.spaces for b in s.blocks),
    "banks": lambda isa: 1 + max(b for s in isa.spaces for b in s.banks),
}
CONDITIONS: dict[str, tuple[type[Condition], Values]] = {
    "ready": (Ready, lambda _: ("StageX1", "StageX2")),
    "sources": (Sources, lambda _: ("early", "late")),
    "uses": (Uses, lambda isa: isa.banks()),
    "does": (Does, _ends),
    "enters": (Enters, lambda _: ("W", "GY")),
    "beside": (Beside, lambda isa: (b.field for b in isa.hash_beside)),
    "moves": (Moves, lambda isa: (m.record for m in isa.moves if m.code)),
    "clocks": (Clocks, lambda isa: range(isa.machine["StreamContexts"])),
    "pairs": (Pairs, lambda isa: (n for n, f in isa.functions.items() if f.kind == "Pairing")),
    "streams": (Streams, lambda isa: (n for n, f in isa.functions.items() if f.kind == "Stream")),
}


def selector(isa: Isa, resource: Resource, word: str, args: tuple[str | int, ...]) -> Selector:
    """The selector that a record names; TermError where there is none."""
    _check(isa, SELECTORS, word, args)
    if len(args) != 1:
        raise TermError(f"{word} selects by one name or number")
    if word in ("named", "after") and not resource.codes:
        raise TermError(f"({word} {args[0]}): no vector operand names a cell of resource {resource.record}")
    if word in WIDTHS and resource.cells != WIDTHS[word](isa):
        raise TermError(
            f"({word} {args[0]}) selects among {WIDTHS[word](isa)}, resource {resource.record} has {resource.cells}"
        )
    if word == "cell" and int(args[0]) >= resource.cells:
        raise TermError(f"resource {resource.record} has no cell {args[0]}")
    return SELECTORS[word][0](isa, resource, args[0])


def condition(isa: Isa, word: str, args: tuple[str | int, ...]) -> Condition:
    """The condition that a record names; TermError where there is none."""
    _check(isa, CONDITIONS, word, args)
    return CONDITIONS[word][0](isa, args)


def _check(isa: Isa, table: dict[str, tuple[type, Values]], word: str, args: tuple[str | int, ...]) -> None:
    if word not in table:
        raise TermError(f"{word} is none of {', '.join(table)}")
    legal = list(table[word][1](isa))
    for arg in args:
        if arg not in legal:
            raise TermError(f"({word} {arg}): {arg} is none of {', '.join(map(str, legal))}")
    if not args:
        raise TermError(f"{word} needs one of {', '.join(map(str, legal))}")
