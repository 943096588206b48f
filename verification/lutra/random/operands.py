"""Operands of vector instructions: one draw per field, legal with what the fields before it have taken."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from lutra.isa import Isa, Named, Space
from lutra.random.addresses import Addresses
from lutra.random.forms import Form
from lutra.random.pickers import Picker, picker_of
from lutra.random.slots import Pending, SlotChoices, Slots
from lutra.random.weights import NEAR

T = TypeVar("T")

# Contents of fields that a word is to have; a slot's are a pattern on an address register.
Wish = Mapping[str, int]
NOTHING: Wish = {}


@dataclass(slots=True)
class Draft:
    """A word that is being drawn.

    busy: mask of memory blocks that it reads. reads, writes: whether data and store slot are used. increments: whether
    a source increments the counter. target: the address register that it writes, or -1.
    """

    form: Form
    wish: Wish
    word: int
    busy: int
    writes: bool
    reads: bool = False
    increments: bool = False
    target: int = -1
    pending: Pending = field(default_factory=list)

    def put(self, name: str, value: int) -> bool:
        """Fill a field."""
        self.word |= value << self.form.at[name]
        return True

    @property
    def reading(self) -> bool:
        """The data slot is wished for."""
        return "db" in self.wish or "ds" in self.wish

    @property
    def storing(self) -> bool:
        """The store slot is wished for."""
        return "sb" in self.wish or "ss" in self.wish

    @property
    def complete(self) -> bool:
        """The slots that are wished for are used."""
        return self.reads >= self.reading and self.writes >= self.storing


class Choices:
    """Choices of operands by the weights, the same for all programs of a mode."""

    def __init__(self, isa: Isa, weights: Mapping[str, float]) -> None:
        self.isa = isa
        self.near, self.row, self.whitening = (weights[name] for name in ("near", "row", "whitening"))
        self.general = isa.machine["VectorRegs"]
        self.address_registers = isa.machine["AddressRegs"]
        self.memory_rows, self.table_rows = isa.machine["MemoryRows"], isa.machine["TableRows"]
        self.contexts = isa.configuration.contexts
        self.row_code, self.none = isa.vector("ROW").code, isa.vector("NONE").code
        self.increment = isa.vector("CTRINC").code
        both = (False, True)
        self.sources = {(r, second): picker_of(_sources(isa, r, second), weights) for r in both for second in both}
        named = [(v.code, f"destination:{v.name}") for v in isa.vectors if v.destination and v.name]
        self.written = [code for code, _ in named]
        self.destinations = picker_of(named, weights)
        self.firsts = picker_of([(c, n) for c, n in named if c < self.general and c % 2 == 0], weights)
        ways = [(way, weights[f"destination:{way}"]) for way in ("row", "both", "none")]
        self.results = Picker([("register", sum(weights[name] for _, name in named)), *ways])
        self.blocks = picker_of(((s.blocks[0], f"space:{s.name}") for s in isa.memory_by_block.values()), weights)
        # Where the weights leave none that is not in use already.
        self.every_block = [*isa.memory_by_block]
        self.every_space = [s for s in isa.spaces if not s.is_program]
        self.spaces = picker_of(((s, f"space:{s.name}") for s in self.every_space), weights)
        self.space_by_code = {s.code: s for s in isa.spaces}
        self.moves = picker_of(((m, f"move:{m.record}") for m in isa.moves), weights)
        self.move_by_code = {m.code: m for m in isa.moves}
        self.move_of = {m.record: m for m in isa.moves}
        self.slots = SlotChoices(isa, weights)


class Operands:
    """Draws the operands of one routine's words. A draw returns False where the word is not possible here."""

    def __init__(self, choices: Choices, rng: random.Random, addresses: Addresses) -> None:
        self.choices = choices
        self.addresses = addresses
        self.recent = [0]  # registers that were written last
        self._random = rng.random
        self._slots = Slots(choices.slots, rng, addresses)
        self.draw: Mapping[str, Callable[[Draft, str], bool]] = {
            "ad": self._target,
            "ks": self._key,
            "data": self._path,
            "ra": self._source,
            "rb": self._source,
            "w": self._whitening,
            "mv": self._move,
            "rc": self._third,
            "ds": self._data,
            "rd": self._destination,
            "ss": self._store,
            **dict.fromkeys(("n", "e", "h", "g"), self._number),
            "as": self._address_source,
            "c": self._contexts,
            "o": self._context,
        }

    def below(self, count: int) -> int:
        """Draw a number below `count`."""
        return int(self._random() * count)

    def _one(self, items: list[T]) -> T:
        return items[self.below(len(items))]

    # ------------------------------------------------------------------ registers and numbers

    def _target(self, draft: Draft, name: str) -> bool:
        free = self.addresses.free()
        if not free:
            return False
        draft.target = draft.wish[name] if name in draft.wish else self._one(free)
        return draft.put(name, draft.target)

    def _source(self, draft: Draft, name: str) -> bool:
        choices, may_row = self.choices, name in draft.form.rows
        code = choices.sources[may_row, name == "rb"](self._random())
        if code < choices.general and self._random() < choices.near:
            code = self._one(self.recent)
        if name in draft.wish:
            code = draft.wish[name]
        elif may_row and draft.reading and not draft.reads:
            code = choices.row_code
        draft.reads |= code == choices.row_code
        draft.increments |= code == choices.increment
        return draft.put(name, code)

    def _whitening(self, draft: Draft, name: str) -> bool:
        added = self._random() < self.choices.whitening
        return draft.put(name, int(added or name in draft.wish))

    def _third(self, draft: Draft, name: str) -> bool:
        near = self._random() < self.choices.near
        return draft.put(name, self._one(self.recent) if near else self.below(self.choices.general))

    def _number(self, draft: Draft, name: str) -> bool:
        if name in draft.wish:
            return draft.put(name, draft.wish[name])
        codes = draft.form.codes[name]
        return draft.put(name, codes[self.below(len(codes))])

    def _address_source(self, draft: Draft, name: str) -> bool:
        wished = draft.wish.get(name)
        return draft.put(name, self.below(self.choices.address_registers) if wished is None else wished)

    def _contexts(self, draft: Draft, name: str) -> bool:
        """Draw the contexts that are clocked, at least one."""
        wished = draft.wish.get(name)
        return draft.put(name, 1 + self.below((1 << self.choices.contexts) - 1) if wished is None else wished)

    def _context(self, draft: Draft, name: str) -> bool:
        return draft.put(name, self.below(self.choices.contexts))

    # ------------------------------------------------------------------ results

    def _destination(self, draft: Draft, name: str) -> bool:
        return (self._pair if draft.form.insn.facts.destination == "pair" else self._vector)(draft, name)

    def _pair(self, draft: Draft, name: str) -> bool:
        code = draft.wish[name] if name in draft.wish else self.choices.firsts(self._random())
        if self._takes_result(draft):
            draft.writes = draft.storing or self._random() < self.choices.row
        self._wrote(code + 1)
        self._wrote(code)
        return draft.put(name, code)

    def _vector(self, draft: Draft, name: str) -> bool:
        choices = self.choices
        way = choices.results(self._random())
        if not self._takes_result(draft):
            way = "register"
        code = choices.destinations(self._random()) if way in ("register", "both") else choices.none
        if "mv" not in draft.form.at:
            draft.writes = draft.storing or way in ("row", "both")
        code = draft.wish.get(name, code)
        self._wrote(code)
        return draft.put(name, code)

    def _takes_result(self, draft: Draft) -> bool:
        return "ss" in draft.form.at and "mv" not in draft.form.at

    def _wrote(self, code: int) -> None:
        if code < self.choices.general:
            self.recent.append(code)
            del self.recent[:-NEAR]

    # ------------------------------------------------------------------ slots

    def _slot(self, draft: Draft, name: str, space: Space | None = None) -> bool:
        """Draw a slot of a memory, or of a space that may be a table."""
        table = space is not None and not space.blocks
        rows = self.choices.table_rows if table else self.choices.memory_rows
        if name not in draft.wish:
            return draft.put(name, self._slots.draw(rows, table, draft.pending))
        slot = self._slots.wished(draft.wish[name], rows, table, draft.pending)
        return slot is not None and draft.put(name, slot)

    def _key(self, draft: Draft, name: str) -> bool:
        return self._slot(draft, name)

    def _path(self, draft: Draft, _: str) -> bool:
        draft.reads = draft.reading or self._random() < self.choices.row
        return True

    def _move(self, draft: Draft, name: str) -> bool:
        """Draw what a move does, and with it whether the slots are used."""
        move = self._chosen_move(draft, name)
        if move.record == "MoveHoldCtr" and draft.increments:
            if name in draft.wish:
                return False
            move = self.choices.moves.items[0]
        draft.writes = move.record == "MoveStore"
        draft.reads = move.record == "MoveHoldRow" or (draft.writes and self._random() < self.choices.row)
        if draft.writes:
            draft.put("rc", self._one(self.recent))
        return draft.put(name, move.code)

    def _chosen_move(self, draft: Draft, name: str) -> Named:
        move = self.choices.moves(self._random())
        if name in draft.wish:
            return self.choices.move_by_code[draft.wish[name]]
        if draft.storing:
            return self.choices.move_of["MoveStore"]
        return self.choices.move_of["MoveHoldRow"] if draft.reading else move

    def _data(self, draft: Draft, name: str) -> bool:
        """Draw a block that the key slot does not read, and its slot."""
        if not draft.reads:
            return True
        block = draft.wish.get("db", -1)
        if block < 0:
            block = self.choices.blocks(self._random())
            while draft.busy >> block & 1:
                block = self._one(self.choices.every_block)
        found = self._slot(draft, name) and not draft.busy >> block & 1
        draft.busy |= 1 << block
        return found and draft.put("db", block)

    def _store(self, draft: Draft, name: str) -> bool:
        """Draw a space of which no block is read, and its slot."""
        if not draft.writes:
            return True
        if "sb" in draft.wish:
            space = self.choices.space_by_code[draft.wish["sb"]]
            if self._busy(draft, space):
                return False
        else:
            space = self.choices.spaces(self._random())
            while self._busy(draft, space):
                space = self._one(self.choices.every_space)
        return self._slot(draft, name, space) and draft.put("sb", space.code)

    def _busy(self, draft: Draft, space: Space) -> bool:
        return any(draft.busy >> b & 1 for b in space.blocks)


def _sources(isa: Isa, row: bool, second: bool) -> list[tuple[int, str]]:
    """Return codes of a first or second source with the names of their weights; row: a memory row is one of them."""
    found = [v for v in isa.vectors if v.source and (v.second_source or not second)]
    return [(v.code, f"source:{v.name or 'row'}") for v in found if v.name or row]
