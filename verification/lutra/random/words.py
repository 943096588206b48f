"""Single instructions: random operands that are legal and cannot trap with the current address registers."""

from __future__ import annotations

import random
from collections.abc import Mapping

from lutra.isa import Isa, Named, Pattern, Space
from lutra.random.addresses import Addresses
from lutra.random.forms import Form, Picker, form, picker_of

# Written registers that count as written just now.
NEAR = 6

# Contents of fields that a word is to have; a slot's are a pattern on an address register.
Wish = Mapping[str, int]
NOTHING: Wish = {}


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
        self.zero = isa.vector("ZERO").code
        # A row, added to nothing: of the sums, the one with the shortest path.
        sums = [i for i in isa.instructions if [o.kind for o in i.operands] == ["dst", "sum"]]
        self._load = form(isa, min(sums, key=lambda i: len(i.path)))
        self._firsts = picker_of([(c, n) for c, n in registers if c < self._general and c % 2 == 0], weights)
        ways = [(way, weights[f"destination:{way}"]) for way in ("row", "both", "none")]
        self._results = Picker([("register", sum(weights[name] for _, name in registers)), *ways])
        self._blocks = picker_of(((s.blocks[0], f"space:{s.name}") for s in isa.memory_by_block.values()), weights)
        self._spaces = picker_of(((s, f"space:{s.name}") for s in isa.spaces if not s.is_program), weights)
        self._space_by_code = {s.code: s for s in isa.spaces}
        # Where the weights leave none that is not in use already.
        self._every_block = [*isa.memory_by_block]
        self._every_space = [s for s in isa.spaces if not s.is_program]
        self._moves = picker_of(((m, f"move:{m.record}") for m in isa.moves), weights)
        self._move_by_code = {m.code: m for m in isa.moves}
        self._move_of = {m.record: m for m in isa.moves}
        self._pattern_by_code = isa.pattern_by_code
        self._layout = layout = isa.slot
        self._flag, self._row_at = 1 << layout.row_flag, layout.row[1]
        self._pattern_at, self._register_at = layout.pattern[1], layout.register[1]
        patterns: list[tuple[Pattern | None, str]] = [(p, f"pattern:{p.suffix}") for p in isa.patterns]
        self._patterns = picker_of([(None, "pattern:row"), *patterns], weights)
        self._plain = next(p for p in isa.patterns if not p.modifies)
        self._recent: list[int] = [0]
        self._pending: list[tuple[int, Pattern]] = []

    def vector(self, form: Form, wish: Wish = NOTHING) -> int | None:
        """A word of the instruction; None where no address register is free for what it writes.

        wish: what some fields are to hold. It has to be legal for the instruction; None too where it cannot be here.
        """
        rand = self._random
        self._pending.clear()
        word = form.match
        busy = form.keys
        target = -1
        if form.ad >= 0:
            free = self.addresses.free()
            if not free:
                return None
            target = free[int(rand() * len(free))] if "ad" not in wish else wish["ad"]
            word |= target << form.ad
        if form.ks >= 0:
            slot = self._slot(self._memory, False, wish.get("ks"))
            if slot is None:
                return None
            word |= slot << form.ks
        reading, storing = ("db" in wish or "ds" in wish), ("sb" in wish or "ss" in wish)
        reads = form.data == "path" and (reading or rand() < self._row)
        increments = False
        for at, may_row, second in form.sources:
            code = self._sources[may_row, second](rand())
            if code < self._general and rand() < self._near:
                code = self._recent[int(rand() * len(self._recent))]
            if wish:
                wished = wish.get("rb" if second else "ra")
                if reading and not reads and may_row and wished is None:
                    wished = self._row_code
                code = code if wished is None else wished
            reads |= code == self._row_code
            increments |= code == self._increment
            word |= code << at
        if form.w >= 0 and (rand() < self._whitening or "w" in wish):
            word |= 1 << form.w
        writes = form.stores
        if form.mv >= 0:
            move = self._move(wish, reading, storing)
            if move.record == "MoveHoldCtr" and increments:
                if "mv" in wish:
                    return None
                move = self._moves.items[0]
            word |= move.code << form.mv
            reads = move.record == "MoveHoldRow" or (move.record == "MoveStore" and rand() < self._row)
            writes = move.record == "MoveStore"
            if writes:
                word |= self._recent[int(rand() * len(self._recent))] << form.rc
        if form.third:
            near = rand() < self._near
            code = self._recent[int(rand() * len(self._recent))] if near else int(rand() * self._general)
            word |= code << form.rc
        if reads:
            block = wish.get("db", -1)
            if block < 0:
                block = self._blocks(rand())
                while busy >> block & 1:
                    block = self._every_block[int(rand() * len(self._every_block))]
            slot = self._slot(self._memory, False, wish.get("ds"))
            if busy >> block & 1 or slot is None:
                return None
            busy |= 1 << block
            word |= block << form.db | slot << form.ds
        if form.rd >= 0:
            word, writes = self._destination(form, word, writes, wish, storing)
        if writes:
            space = self._space_by_code[wish["sb"]] if "sb" in wish else self._spaces(rand())
            while any(busy >> b & 1 for b in space.blocks):
                if "sb" in wish:
                    return None
                space = self._every_space[int(rand() * len(self._every_space))]
            rows = self._memory if space.blocks else self._table
            slot = self._slot(rows, not space.blocks, wish.get("ss"))
            if slot is None:
                return None
            word |= space.code << form.sb | slot << form.ss
        if (reading and not reads) or (storing and not writes):
            return None
        for at, values, name in form.numbers:
            word |= (wish[name] if name in wish else values[int(rand() * len(values))]) << at
        if form.as_ >= 0:
            word |= (wish["as"] if "as" in wish else int(rand() * self._registers)) << form.as_
        if form.contexts >= 0:
            word |= (wish["c"] if "c" in wish else 1 + int(rand() * ((1 << self._contexts) - 1))) << form.contexts
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
            word = load.match | vector << load.rd | self._row_code << a | self.zero << b
            words.append(word | block << load.db | slot << load.ds)
        return words

    def store(self, space: Space, n: int) -> int:
        """A word that stores a register to a space, at an address register."""
        load = self._load
        (a, _, _), (b, _, _) = load.sources
        slot = self._plain.code << self._pattern_at | n << self._register_at
        word = load.match | self._none << load.rd | self._recent[-1] << a | self.zero << b
        return word | space.code << load.sb | slot << load.ss

    def _move(self, wish: Wish, reading: bool, storing: bool) -> Named:
        """Operation of a move, and the one required if a slot is requested."""
        move = self._moves(self._random())
        if "mv" in wish:
            return self._move_by_code[wish["mv"]]
        if storing:
            return self._move_of["MoveStore"]
        return self._move_of["MoveHoldRow"] if reading else move

    def _destination(self, form: Form, word: int, writes: bool, wish: Wish, storing: bool) -> tuple[int, bool]:
        """The word with rd; whether it stores."""
        rand = self._random
        if form.pair:
            code = wish["rd"] if "rd" in wish else self._firsts(rand())
            self._wrote(code + 1)
            if form.ss >= 0 and form.mv < 0:
                writes = storing or rand() < self._row
        else:
            way = self._results(rand())
            if form.ss < 0 or form.mv >= 0:
                way = "register"
            code = self._destinations(rand()) if way in ("register", "both") else self._none
            if form.mv < 0:
                writes = storing or way in ("row", "both")
            code = wish.get("rd", code)
        self._wrote(code)
        return word | code << form.rd, writes

    def _wrote(self, code: int) -> None:
        if code < self._general:
            self._recent.append(code)
            del self._recent[:-NEAR]

    def _slot(self, rows: int, aligned: bool, wished: int | None = None) -> int | None:
        """A memory slot that reaches one of `rows` rows; what it modifies is pending until the word is complete.

        wished: this pattern on this register; None where that is not possible.
        """
        rand = self._random
        if wished is not None:
            return self._wished_slot(rows, aligned, wished)
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

    def _wished_slot(self, rows: int, aligned: bool, wished: int) -> int | None:
        pattern, n = self._pattern_by_code[self._layout.pattern.of(wished)], self._layout.register.of(wished)
        r = self.addresses.registers[n]
        if r.high > (rows - 1) * self.addresses.row or (aligned and not r.aligned):
            return None
        if pattern.modifies:
            if not self.addresses.may(n, pattern) or any(n == m for m, _ in self._pending):
                return None
            self._pending.append((n, pattern))
        return wished


def _sources(isa: Isa, row: bool, second: bool) -> list[tuple[int, str]]:
    """Codes of a first or second source with their weights' names; `row`: a memory row is one of them."""
    found = [v for v in isa.vectors if v.source and (v.second_source or not second)]
    return [(v.code, f"source:{v.name or 'row'}") for v in found if v.name or row]
