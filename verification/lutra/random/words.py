"""Single instructions: random operands that are legal and cannot trap with the current address registers."""

from __future__ import annotations

import random
from collections.abc import Mapping

from lutra.isa import Isa, Pattern, Space
from lutra.random.addresses import Addresses
from lutra.random.forms import Form, Picker, form, picker_of

# Written registers that count as written just now.
NEAR = 6


class VectorWords:
    """Makes words of vector instructions; `addresses` is what they see and change."""

    def __init__(self, isa: Isa, rng: random.Random, weights: Mapping[str, float], addresses: Addresses) -> None:
        self.addresses = addresses
        self._random = rng.random
        self._row_code = isa.vector("ROW").code
        self._increment = isa.vector("CTRINC").code
        self._none = isa.vector("NONE").code
        self._general = isa.machine["VectorRegs"]
        self._registers = isa.machine["AddressRegs"]
        self._memory = isa.machine["MemoryRows"]
        self._table = isa.machine["TableRows"]
        self._contexts = isa.configuration.contexts
        self._near = weights["near"]
        self._row = weights["row"]
        self._whitening = weights["whitening"]
        self._sources = {
            (row, second): picker_of(_sources(isa, row, second), weights)
            for row in (False, True)
            for second in (False, True)
        }
        registers = [(v.code, f"destination:{v.name}") for v in isa.vectors if v.destination and v.name]
        self._destinations = picker_of(registers, weights)
        self._written = [code for code, _ in registers]
        self._zero = isa.vector("ZERO").code
        # A row, added to nothing: of the sums, the one with the shortest path.
        sums = [i for i in isa.instructions if [o.kind for o in i.operands] == ["dst", "sum"]]
        self._load = form(isa, min(sums, key=lambda i: len(i.path)))
        self._firsts = picker_of([(c, n) for c, n in registers if c < self._general and c % 2 == 0], weights)
        ways = [(way, weights[f"destination:{way}"]) for way in ("row", "both", "none")]
        self._results = Picker([("register", sum(weights[name] for _, name in registers)), *ways])
        self._blocks = picker_of(((s.blocks[0], f"space:{s.name}") for s in isa.memory_by_block.values()), weights)
        self._spaces = picker_of(((s, f"space:{s.name}") for s in isa.spaces if not s.is_program), weights)
        # Where the weights leave none that is not in use already.
        self._every_block = [*isa.memory_by_block]
        self._every_space = [s for s in isa.spaces if not s.is_program]
        self._moves = picker_of(((m, f"move:{m.record}") for m in isa.moves), weights)
        layout = isa.slot
        self._flag, self._row_at = 1 << layout.row_flag, layout.row[1]
        self._pattern_at, self._register_at = layout.pattern[1], layout.register[1]
        patterns: list[tuple[Pattern | None, str]] = [(p, f"pattern:{p.suffix}") for p in isa.patterns]
        self._patterns = picker_of([(None, "pattern:row"), *patterns], weights)
        self._plain = next(p for p in isa.patterns if not p.modifies)
        self._recent: list[int] = [0]
        self._pending: list[tuple[int, Pattern]] = []

    def vector(self, form: Form, to: int | None = None) -> int | None:
        """A word of the instruction; None where no address register is free for what it writes, if not into `to`."""
        rand = self._random
        self._pending.clear()
        word = form.match
        busy = form.keys
        target = -1
        if form.ad >= 0:
            free = self.addresses.free()
            if not free:
                return None
            target = free[int(rand() * len(free))] if to is None else to
            word |= target << form.ad
        if form.ks >= 0:
            word |= self._slot(self._memory, False) << form.ks
        reads = form.row and rand() < self._row
        increments = False
        for at, may_row, second in form.sources:
            code = self._sources[may_row, second](rand())
            if code < self._general and rand() < self._near:
                code = self._recent[int(rand() * len(self._recent))]
            reads |= code == self._row_code
            increments |= code == self._increment
            word |= code << at
        if form.w >= 0 and rand() < self._whitening:
            word |= 1 << form.w
        writes = form.stores
        if form.mv >= 0:
            move = self._moves(rand())
            if move.record == "MoveHoldCtr" and increments:
                move = self._moves.items[0]
            word |= move.code << form.mv
            reads = move.record == "MoveHoldRow" or (move.record == "MoveStore" and rand() < self._row)
            writes = move.record == "MoveStore"
            if writes:
                word |= self._recent[int(rand() * len(self._recent))] << form.rc
        if reads:
            block = self._blocks(rand())
            while busy >> block & 1:
                block = self._every_block[int(rand() * len(self._every_block))]
            busy |= 1 << block
            word |= block << form.db | self._slot(self._memory, False) << form.ds
        if form.rd >= 0:
            word, writes = self._destination(form, word, writes)
        if writes:
            space = self._spaces(rand())
            while any(busy >> b & 1 for b in space.blocks):
                space = self._every_space[int(rand() * len(self._every_space))]
            rows = self._memory if space.blocks else self._table
            word |= space.code << form.sb | self._slot(rows, not space.blocks) << form.ss
        for at, values in form.numbers:
            word |= values[int(rand() * len(values))] << at
        if form.as_ >= 0:
            word |= int(rand() * self._registers) << form.as_
        if form.contexts >= 0:
            word |= 1 + int(rand() * ((1 << self._contexts) - 1)) << form.contexts
        if form.context >= 0:
            word |= int(rand() * self._contexts) << form.context
        for n, pattern in self._pending:
            self.addresses.modify(n, pattern)
        if target >= 0:
            self.addresses.assign(target, 0, self.addresses.top, False)
        return word

    def loads(self) -> list[int]:
        """Words that load every vector register from a row, by the first instruction that can."""
        load = self._load
        words = []
        for vector in self._written:
            (a, _, _), (b, _, _) = load.sources
            slot = self._flag | int(self._random() * self._memory) << self._row_at
            block = int(self._random() * len(self._every_block))
            word = load.match | vector << load.rd | self._row_code << a | self._zero << b
            words.append(word | block << load.db | slot << load.ds)
        return words

    def store(self, space: Space, n: int) -> int:
        """A word that stores a register to a space, at an address register."""
        load = self._load
        (a, _, _), (b, _, _) = load.sources
        slot = self._plain.code << self._pattern_at | n << self._register_at
        word = load.match | self._none << load.rd | self._recent[-1] << a | self._zero << b
        return word | space.code << load.sb | slot << load.ss

    def _destination(self, form: Form, word: int, writes: bool) -> tuple[int, bool]:
        """The word with rd; whether it stores."""
        rand = self._random
        if form.pair:
            code = self._firsts(rand())
            self._wrote(code + 1)
            if form.ss >= 0 and form.mv < 0:
                writes = rand() < self._row
        else:
            way = self._results(rand())
            if form.ss < 0 or form.mv >= 0:
                way = "register"
            code = self._destinations(rand()) if way in ("register", "both") else self._none
            if form.mv < 0:
                writes = way in ("row", "both")
        self._wrote(code)
        return word | code << form.rd, writes

    def _wrote(self, code: int) -> None:
        if code < self._general:
            self._recent.append(code)
            del self._recent[:-NEAR]

    def _slot(self, rows: int, aligned: bool) -> int:
        """A memory slot that reaches one of `rows` rows; what it modifies is pending until the word is complete."""
        rand = self._random
        pattern = self._patterns(rand())
        if pattern is not None:
            limit = (rows - 1) * self.addresses.row
            n = int(rand() * self._registers)
            for _ in range(self._registers):
                r = self.addresses.registers[n]
                if r.high <= limit and (r.aligned or not aligned):
                    if pattern.modifies:
                        if not self.addresses.may(n, pattern) or any(n == m for m, _ in self._pending):
                            pattern = self._plain
                        else:
                            self._pending.append((n, pattern))
                    return pattern.code << self._pattern_at | n << self._register_at
                n = (n + 1) % self._registers
        return self._flag | int(rand() * rows) << self._row_at


def _sources(isa: Isa, row: bool, second: bool) -> list[tuple[int, str]]:
    """Codes of a first or second source with their weights' names; `row`: a memory row is one of them."""
    found = [v for v in isa.vectors if v.source and (v.second_source or not second)]
    return [(v.code, f"source:{v.name or 'row'}") for v in found if v.name or row]
