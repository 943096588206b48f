"""Memory slots of a word: a fixed row, or an address register with a pattern where it cannot trap."""

from __future__ import annotations

import random
from collections.abc import Mapping

from lutra.isa import Isa, Pattern
from lutra.random.addresses import Addresses
from lutra.random.pickers import picker_of

# Address registers that a word modifies once it is complete.
Pending = list[tuple[int, Pattern]]


class SlotChoices:
    """The patterns by their weights, and the encoding of a slot."""

    def __init__(self, isa: Isa, weights: Mapping[str, float]) -> None:
        self.registers = isa.machine["AddressRegs"]
        self.layout = layout = isa.slot
        self.flag, self.row_at = 1 << layout.row_flag, layout.row[1]
        self.pattern_at, self.register_at = layout.pattern[1], layout.register[1]
        named: list[tuple[Pattern | None, str]] = [(p, f"pattern:{p.suffix}") for p in isa.patterns]
        self.patterns = picker_of([(None, "pattern:row"), *named], weights)
        self.by_code = isa.pattern_by_code
        self.plain = next(p for p in isa.patterns if not p.modifies)

    def row(self, row: int) -> int:
        """Return the slot of a fixed row."""
        return self.flag | row << self.row_at

    def at(self, pattern: Pattern, n: int) -> int:
        """Return the slot of an address register."""
        return pattern.code << self.pattern_at | n << self.register_at


class Slots:
    """Draws slots that are legal with what is known of the address registers."""

    def __init__(self, choices: SlotChoices, rng: random.Random, addresses: Addresses) -> None:
        self._choices = choices
        self._rand = rng.random
        self._addresses = addresses

    def draw(self, rows: int, aligned: bool, pending: Pending) -> int:
        """Draw a slot that reaches one of `rows` rows; aligned: by whole rows."""
        pattern = self._choices.patterns(self._rand())
        n = -1 if pattern is None else self._reaching(rows, aligned)
        if pattern is None or n < 0:
            return self._choices.row(int(self._rand() * rows))
        if pattern.modifies:
            if self._may(n, pattern, pending):
                pending.append((n, pattern))
            else:
                pattern = self._choices.plain
        return self._choices.at(pattern, n)

    def wished(self, slot: int, rows: int, aligned: bool, pending: Pending) -> int | None:
        """Return this slot, an address register with a pattern; None where it is not possible."""
        layout = self._choices.layout
        pattern, n = self._choices.by_code[layout.pattern.of(slot)], layout.register.of(slot)
        if not self._reaches(n, rows, aligned):
            return None
        if pattern.modifies:
            if not self._may(n, pattern, pending):
                return None
            pending.append((n, pattern))
        return slot

    def _reaching(self, rows: int, aligned: bool) -> int:
        """Return the first address register from a random one on that is in range, or -1."""
        count = self._choices.registers
        first = int(self._rand() * count)
        numbers = ((first + n) % count for n in range(count))
        return next((n for n in numbers if self._reaches(n, rows, aligned)), -1)

    def _reaches(self, n: int, rows: int, aligned: bool) -> bool:
        r = self._addresses.registers[n]
        return r.high <= (rows - 1) * self._addresses.row and (r.aligned or not aligned)

    def _may(self, n: int, pattern: Pattern, pending: Pending) -> bool:
        return self._addresses.may(n, pattern) and all(n != m for m, _ in pending)
