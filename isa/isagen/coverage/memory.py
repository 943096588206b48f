"""Coverpoints of memory ports and address arithmetic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from isagen.coverage.coverpoint import Coverpoint, Cross
from isagen.coverage.dimension import ABSENT, ADDRESS_ROLE, CARRY, MODIFIER, SLOT, SLOT_PAIR, WINDOW, Bin
from isagen.coverage.view import View
from isagen.model import Isa
from isagen.records import Pattern


class Alignment(Coverpoint):
    name = "memory.alignment"
    text = "slot, space, byte within a row at which the access begins"

    def cross(self, view: View) -> Cross:
        return SLOT, view.space, view.byte

    def bins(self, rounds: int) -> Iterator[Bin]:
        labels = self.view.byte.labels
        for slot, space in self.view.slot_spaces(rounds):
            yield from product([slot], [space.name], labels[:1] if space.banks else labels)


class Ports(Coverpoint):
    name = "memory.ports"
    text = "block or blocks of the key slot, block of the data slot, space of the store slot"

    def cross(self, view: View) -> Cross:
        return view.key, view.space.called("data"), view.space

    def bins(self, rounds: int) -> Iterator[Bin]:
        view = self.view
        for i in view.legal_vector(rounds):
            key = view.key_label(view.facts(i).key_blocks) or ABSENT
            for data, store in product(view.reads(i), view.stores(i)):
                if not (data and store and set(data.blocks) & set(store.blocks)):
                    yield key, data.name if data else ABSENT, store.name if store else ABSENT


class Lane(Coverpoint):
    name = "memory.lane"
    text = "byte lane, space that it alone is stored to"

    def cross(self, view: View) -> Cross:
        return view.byte, view.space

    def bins(self, rounds: int) -> Iterator[Bin]:
        for i in self.view.legal(rounds):
            if self.view.facts(i).res == "WriteLane":
                yield from product(self.view.byte.labels, [s.name for s in self.view.stores(i) if s])


def _modifying(isa: Isa) -> list[Pattern]:
    """Return the patterns that modify the address register."""
    none = next(d.name for d in isa.deltas if d.record == "DeltaNone")
    return [p for p in isa.patterns if p.delta != none]


def _wrapping(isa: Isa) -> list[Pattern]:
    """Return those that do so in a circular buffer."""
    none = next(w.name for w in isa.wraps if w.record == "WrapNone")
    return [p for p in _modifying(isa) if p.wrap != none]


class Window(Coverpoint):
    name = "address.window"
    text = "wrapping pattern, slot, where the step ends"

    def cross(self, view: View) -> Cross:
        return view.addressing, SLOT, WINDOW

    def bins(self, rounds: int) -> Iterable[Bin]:
        patterns = [self.view.addressing_of(p) for p in _wrapping(self.view.isa)]
        return product(patterns, SLOT.labels, WINDOW.labels)


class Carry(Coverpoint):
    name = "address.carry"
    text = "modifying pattern, slot, whether the sum leaves 16 bits"

    def cross(self, view: View) -> Cross:
        return view.addressing, SLOT, CARRY

    def bins(self, rounds: int) -> Iterator[Bin]:
        for p in _modifying(self.view.isa):
            labels = CARRY.labels if self._carries(p) else CARRY.labels[:1]
            yield from product([self.view.addressing_of(p)], SLOT.labels, labels)

    def _carries(self, pattern: Pattern) -> bool:
        """Return whether a legal access can leave the numbers by the pattern."""
        isa, m = self.view.isa, self.view.isa.machine
        row = m["VectorBytes"]
        last = row * max(m["MemoryRows"], m["TableRows"]) - row  # the highest address of an access
        delta = next(d for d in isa.deltas if d.name == pattern.delta)
        return delta.steps != 0 or delta.rows < 0 or last + delta.change(row, 0) >> m["AddressBits"] != 0


class Shared(Coverpoint):
    name = "address.shared"
    text = "two slots with one address register, which of them modifies it"

    def cross(self, view: View) -> Cross:
        return SLOT_PAIR, MODIFIER


class AddressRegister(Coverpoint):
    name = "address.register"
    text = "role, address register"

    def cross(self, view: View) -> Cross:
        return ADDRESS_ROLE, view.address
