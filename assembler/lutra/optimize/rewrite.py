"""A loop as text again: the passes that fill the pipeline, the loop, and those that drain it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lutra.asm.passes.nodes import Instruction, show
from lutra.asm.passes.virtual import is_virtual, with_registers
from lutra.asm.registers.allocate import Allocation, plain
from lutra.asm.text.format import format_text
from lutra.isa import load
from lutra.optimize.body import Body
from lutra.optimize.errors import OptimizeError
from lutra.optimize.loops import Loop
from lutra.optimize.solve import Schedule


@dataclass(frozen=True)
class Place:
    """Lines of a file, from 1: the `repeat`, and the line with the label after the body."""

    file: str
    repeat: int
    label: int


def place(allocation: Allocation, loop: Loop) -> Place:
    """Where a loop is written. OptimizeError where that is not in one piece."""
    local = allocation.locals[loop.repeat]
    line, body = local.item.line, local.body
    where = f"{line.root.file}:{line.root.number}"
    if line.origin is not None or line.root.file != line.file:
        raise OptimizeError(f"{where}: the loop comes from a macro, a repetition or another file; write it out")
    name = show(body.operands[-1])
    end = local.item.unit.scope.symbols.get(name)
    if end is None or end.line.origin is not None or end.line.file != line.file or end.line.number <= line.number:
        raise OptimizeError(f"{where}: the loop must end at a label below it in the same file, not {name}")
    return Place(line.file, line.number, end.line.number)


class Writer:
    """Writes the instructions of a scheduled loop."""

    def __init__(self, body: Body, loop: Loop, schedule: Schedule, *, keeps_count: bool = False) -> None:
        """keeps_count: the register with the number of passes is used after the loop."""
        self._body, self._loop, self._schedule, self._keeps = body, loop, schedule, keeps_count
        self._repeat = body.allocation.locals[loop.repeat].body
        names = [v.name for v in load().vectors if v.code < load().machine["VectorRegs"]]
        self._where = {(r.sets, r.name): names[n] for r, n in zip(body.ranges, schedule.registers, strict=True)}
        self._reads: dict[tuple[int, str], str] = {}
        for r in body.ranges:
            # What is also used outside keeps its name there, so it keeps it here.
            if is_virtual(r.name) and (r.carried or r.leaves):
                self._where[r.sets, r.name] = plain(r.name)
        for n, (a, b) in enumerate(body.pairs):
            # A pair is two names or two registers.
            both = [(body.ranges[k].sets, body.ranges[k].name) for k in (a, b)]
            if any(is_virtual(self._where[key]) for key in both):
                for key in both:
                    if not is_virtual(self._where[key]):
                        self._where[key] = f"%pair{n}"
        for r in body.ranges:
            for use, _ in r.uses:
                self._reads[use, r.name] = self._where[r.sets, r.name]
        self._order = sorted(range(body.count), key=lambda i: schedule.times[i] % schedule.period)

    def _stage(self, i: int) -> int:
        return self._schedule.times[i] // self._schedule.period

    def instruction(self, i: int) -> str:
        """An instruction with its registers."""
        local = self._body.locals[i]
        names = [n for cells in (local.cells.reads, local.cells.writes) for n in cells]
        to = {n: self._where[i, n] for n in names if (i, n) in self._where}
        of = {n: self._reads.get((i, n), plain(n)) for n in names if (i, n) in self._reads or is_virtual(n)}
        operands = [
            show(with_registers(Instruction("", (node,), 0, 0), {**of, **to} if sets else {**to, **of}).operands[0])
            for node, sets in zip(local.body.operands, local.sets, strict=True)
        ]
        return f"{local.body.mnemonic} {', '.join(operands)}"

    def _some(self, first: int, last: int) -> Iterator[str]:
        """The instructions of some stages in the order of the loop."""
        yield from (self.instruction(i) for i in self._order if first <= self._stage(i) <= last)

    def lines(self, end: str, fresh: str) -> Iterator[str]:
        """Yield the lines in place of the loop. end: the label after it; fresh: a beginning for labels of its own."""
        more = self._schedule.stages - 1
        count = self._repeat.operands[0]
        if not more:
            yield f"repeat {show(count)}, {end}"
            yield from self._some(0, 0)
            return
        if self._repeat_register is None:
            yield from self._filled(show(count), f"{fresh}_loop", f" - {more}")
            return
        register = self._repeat_register
        few = [f"{fresh}_{n}" for n in range(1, more)]
        for n in range(more):
            yield f"bz {register}, {few[n - 1] if n else end}"
            yield f"aradd {register}, {register}, -1"
        yield from self._filled(register, f"{fresh}_loop", "")
        if self._keeps:
            yield f"aradd {register}, {register}, {more}"
        if few:
            yield f"jmp {end}"
        for label in reversed(few):
            yield f"{label}:"
            if self._keeps:
                yield f"aradd {register}, {register}, 1"
            yield from map(self.instruction, sorted(range(self._body.count), key=self._schedule.times.__getitem__))

    @property
    def _repeat_register(self) -> str | None:
        local = self._body.allocation.locals[self._loop.repeat]
        found = [cell for cell in local.cells.reads if cell in load().address_register_index]
        return found[0] if found else None

    def _filled(self, count: str, label: str, less: str) -> Iterator[str]:
        last = self._schedule.stages - 1
        for n in range(last):
            yield from self._some(0, n)
        yield f"repeat {count}{less}, {label}"
        yield from self._some(0, last)
        yield f"{label}:"
        for n in range(1, last + 1):
            yield from self._some(n, last)


def rewritten(text: str, changes: Mapping[Place, Sequence[str]]) -> str:
    """Return a source with other lines in place of loops."""
    lines = text.split("\n")
    for where in sorted(changes, key=lambda p: -p.repeat):
        head = lines[where.repeat - 1]
        label = head.split("repeat", 1)[0].strip()
        made = format_text("\n".join(([label] if label else []) + list(changes[where])) + "\n").rstrip("\n").split("\n")
        lines[where.repeat - 1 : where.label - 1] = made
    return "\n".join(lines)
