"""The body of a loop as a problem: instructions, values, and what keeps instructions apart.

Times are issue cycles. A pass begins every `period` cycles; an edge says that an instruction issues at least `gap`
cycles after another one of so many passes before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from lutra.asm.analysis import dependences
from lutra.asm.analysis.dependences import Cells, meet, ordered
from lutra.asm.analysis.uses import Access, instruction
from lutra.asm.passes.virtual import is_virtual
from lutra.asm.registers.allocate import Allocation
from lutra.asm.registers.local import Local
from lutra.asm.registers.values import Value
from lutra.isa import load

# Passes that can be in flight at a time; accesses are compared over so many.
MOST_STAGES = 4


@dataclass(frozen=True)
class Edge:
    """An instruction issues at least gap cycles after another, which is of `passes` passes before."""

    before: int
    after: int
    passes: int
    gap: int


@dataclass(frozen=True)
class Range:
    """A value of the loop: who sets it, and who uses it how many passes later.

    register: where it must be, -1 if anywhere, as for a name. carried: there is a value before the first pass. leaves:
    it is used after the loop.
    """

    name: str
    value: Value
    sets: int
    uses: tuple[tuple[int, int], ...]
    register: int
    carried: bool
    leaves: bool


@dataclass(frozen=True)
class Apart:
    """Wherever they are in the schedule, the second issues at least gap cycles after the first: else it would stall."""

    first: int
    second: int
    gap: int


class Body:
    """The instructions from a program address to another one, as a loop's body."""

    def __init__(self, allocation: Allocation, first: int, last: int, rounds: int = 2) -> None:
        self.allocation, self.first, self.last, self.rounds = allocation, first, last, rounds
        isa = load()
        self._names = [v.name for v in isa.vectors if v.code < isa.machine["VectorRegs"]]
        self.locals: Sequence[Local] = [allocation.locals[pc] for pc in range(first, last + 1)]
        self.cells: Sequence[Cells] = [local.cells for local in self.locals]
        self.count = len(self.locals)

    def _inside(self, pc: int) -> bool:
        return self.first <= pc <= self.last

    @cached_property
    def _touching(self) -> list[Value]:
        return [v for v in self.allocation.values if any(map(self._inside, v.sets | v.uses))]

    @cached_property
    def ranges(self) -> tuple[Range, ...]:
        """The values that the loop sets."""
        return tuple(self._range(value) for value in self._touching if any(map(self._inside, value.sets)))

    def _range(self, value: Value) -> Range:
        (sets,) = (pc for pc in value.sets if self._inside(pc))
        uses = tuple((pc - self.first, int(pc <= sets)) for pc in sorted(value.uses) if self._inside(pc))
        leaves = any(not self._inside(pc) for pc in value.uses)
        carried = any(not self._inside(pc) for pc in value.sets) or any(passes for _, passes in uses)
        register = -1
        if not is_virtual(value.name) and (leaves or carried):
            register = self._names.index(value.name)
        return Range(value.name, value, sets - self.first, uses, register, carried, leaves)

    @cached_property
    def kept(self) -> Mapping[Value, int]:
        """The values that stay as they are while the loop runs, with their registers."""
        found = {}
        for value in self.allocation.values:
            if any(map(self._inside, value.sets)) or self.last not in value.after:
                continue
            name = self.allocation.chosen[value] if is_virtual(value.name) else value.name
            found[value] = self._names.index(name)
        return found

    @cached_property
    def free(self) -> int:
        """The registers, as bits, that the loop may use for its own values."""
        return (1 << len(self._names)) - 1 & ~sum({1 << n for n in self.kept.values()})

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Ranges, by number, that need neighbours; also those of instructions without names."""
        number = {(r.sets, r.name): n for n, r in enumerate(self.ranges)}
        found = []
        for at, local in enumerate(self.locals):
            insn = instruction(local.word)
            if insn is None or insn.facts.destination != "pair":
                continue
            code = insn.get(local.word, "rd")
            to = {register: name for name, register in local.register.items()}
            a, b = (to.get(self._names[c], self._names[c]) for c in (code, code + 1))
            found.append((number[at, a], number[at, b]))
        return tuple(found)

    # ------------------------------------------------------------------ edges

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """Everything that keeps an order, but for registers that are assigned."""
        found = [*self._flow(), *self._cells()]
        best: dict[tuple[int, int, int], int] = {}
        for edge in found:
            key = edge.before, edge.after, edge.passes
            best[key] = max(edge.gap, best.get(key, 0))
        return tuple(Edge(*key, gap) for key, gap in best.items())

    def _flow(self) -> Iterator[Edge]:
        """From the word that sets a value to those that use it."""
        for r in self.ranges:
            for use, passes in r.uses:
                yield Edge(r.sets, use, passes, self._latency(r.sets, use, r.name))

    def _latency(self, sets: int, uses: int, name: str) -> int:
        first, second = self.locals[sets], self.locals[uses]
        written, read = (local.register.get(name, name) for local in (first, second))
        return dependences.register_distance(first.word, written, second.word, read, self.rounds)

    def _cells(self) -> Iterator[Edge]:
        named = frozenset(c for cells in self.cells for c in cells.reads | cells.writes if self._assigned(c))
        places = self._places()
        for i in range(self.count):
            for j in range(self.count):
                if i < j and ordered(self.cells[i], self.cells[j], named):
                    yield Edge(i, j, 0, self.distance(i, j))
                if i >= j and ordered(self.cells[i], self.cells[j], named):
                    yield Edge(i, j, 1, self.distance(i, j))
                for passes in range(int(i >= j), MOST_STAGES):
                    if self._meet(i, j, passes, places):
                        yield Edge(i, j, passes, self.distance(i, j))

    def _assigned(self, cell: str) -> bool:
        return is_virtual(cell) or cell in self._names

    def distance(self, first: int, second: int) -> int:
        """Cycles between two instructions because of anything but registers."""
        return dependences.distance(self.locals[first].word, self.locals[second].word, self.rounds)

    @cached_property
    def apart(self) -> tuple[Apart, ...]:
        """Instructions that stall each other, whatever they compute."""
        gaps = ((i, j, self.distance(i, j)) for i in range(self.count) for j in range(self.count) if i != j)
        return tuple(Apart(i, j, gap) for i, j, gap in gaps if gap > 1)

    # ------------------------------------------------------------------ memory

    def _places(self) -> list[dict[str, tuple[int, int]]]:
        """The address registers before each instruction and at the end: number of the last setting, bytes since."""
        isa = load()
        now = dict.fromkeys(isa.address_registers, (0, 0))
        out = []
        for at, local in enumerate(self.locals):
            out.append(dict(now))
            insn = instruction(local.word)
            moved = {name for name in now if name in local.cells.writes}
            steps: dict[str, int] = {}
            for slot in ("ks", "ds", "ss"):
                bits = insn.get(local.word, slot) if insn is not None and slot in insn.fields else 0
                if bits and not bits >> isa.slot.row_flag & 1:
                    pattern = isa.pattern_by_code[isa.slot.pattern.of(bits)]
                    register = isa.address_registers[isa.slot.register.of(bits)]
                    if pattern.modifies and not isa.delta(pattern).steps and not isa.wrap(pattern).comparison:
                        steps[register] = isa.delta(pattern).change(isa.machine["VectorBytes"], 0)
            for name in moved:
                number, offset = now[name]
                now[name] = (number, offset + steps[name]) if name in steps else (at + 1, 0)
        return [*out, now]

    def _meet(self, i: int, j: int, passes: int, places: Sequence[Mapping[str, tuple[int, int]]]) -> bool:
        """Whether an instruction, and another one so many passes later, may access the same bytes, one storing."""
        a, b = self.cells[i], self.cells[j]
        pairs = [(a.store, row) for row in (*b.rows, b.store)] + [(row, b.store) for row in a.rows]
        for x, y in pairs:
            if x is not None and y is not None and meet(x, y, self._apart_bytes(x, i, y, j, passes, places)):
                return True
        return False

    def _apart_bytes(
        self, x: Access, i: int, y: Access, j: int, passes: int, places: Sequence[Mapping[str, tuple[int, int]]]
    ) -> int | None:
        if x.register != y.register or not x.register:
            return None
        (na, a), (nb, b), (end, by) = places[i][x.register], places[j][x.register], places[-1][x.register]
        if na != nb or (passes and end != 0):
            return None
        return b - a + passes * by

    # ------------------------------------------------------------------ bounds

    @cached_property
    def length(self) -> int:
        """Cycles of a pass on its own, from its first issue to the last."""
        at = [0] * self.count
        for i in range(self.count):
            for edge in self.edges:
                if edge.passes == 0 and edge.after == i:
                    at[i] = max(at[i], at[edge.before] + edge.gap)
        return max(at) + 1

    @cached_property
    def bound(self) -> int:
        """Cycles that a pass takes at least: one per instruction, and around every circle of edges its gaps."""
        period = max([self.count, *(e.gap for e in self.edges if e.before == e.after)])
        while self._circle(period):
            period += 1
        return period

    def _circle(self, period: int) -> bool:
        """Whether a circle of edges takes longer than the passes around it."""
        at = [0] * self.count
        for _ in range(self.count + 1):
            changed = False
            for e in self.edges:
                reached = at[e.before] + e.gap - period * e.passes
                if reached > at[e.after]:
                    at[e.after], changed = reached, True
            if not changed:
                return False
        return True
