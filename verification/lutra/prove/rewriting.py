"""Loops over an array of units that are written over, by induction.

In the representative pass, units that the passes before have done are those of the next round, the others are those of
this one. Halves of registers have words of the specification, as found where the loop begins and after its first pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lutra.prove.affine import Affine
from lutra.prove.arrays import NUMBER, Array
from lutra.prove.bits import Bits, join
from lutra.prove.control import Induction
from lutra.prove.errors import Unprovable
from lutra.prove.machine import Machine
from lutra.prove.memory import Memory
from lutra.prove.passes import execute, move, set_up
from lutra.prove.rounds import UNIT, Path
from lutra.prove.specifications.wrap import HALF
from lutra.prove.splits import Split
from lutra.prove.track import INPUT, OUTPUT, Differs

MOST_TRIES = 20
Name = tuple[str, int, bool]  # of half a register: the word, where in it, and whether it is complemented
HALVES = 0, 1


def loop(path: Path, induction: Induction, program: Sequence[int]) -> Path:
    """The path after a loop, over the units or otherwise. Unprovable where no pattern is found."""
    track = path.copy()
    track.machine.vague = True
    start = track.machine.pc
    if track.state is not None and track.done != Affine(0):
        track.settle()
    first = track.copy()
    execute(first.machine, start, induction.end, program, 1)
    steps = _steps(track, first)
    if steps and track.state is None:
        track.settle()
        first = track.copy()
        execute(first.machine, start, induction.end, program, 1)
    turns = induction.turns - int(steps)
    if len(turns.terms) != 1:
        raise Unprovable(f"a loop has {turns} passes")
    ((name, group),) = turns.terms
    groups, left = Affine(turns.constant // group, ((name, 1),)), turns.constant % group
    if groups.range(track.machine.ranges)[0] < 1:
        raise Split(name)
    if steps:
        track = first
        track.advance(1)
        track.machine.pc = start
    end = _Loop(track, induction, program, groups, group, steps=steps).end()
    end.machine.pc = start
    execute(end.machine, start, induction.end, program, left)
    if steps:
        end.advance(left)
    end.machine.pc = induction.end + 1
    return end


def _steps(track: Path, first: Path) -> bool:
    """Whether a pass does a unit of the specification."""
    track = track.copy()
    number = track.number(track.done)
    at = track.place(number)
    found = [first.machine.memories[OUTPUT].known(at + i) for i in range(UNIT)]
    if track.state is None and all(byte is None for byte in found):
        return False
    return found == track.wrap.step(track.begun(), track.unit(number))[1].bytes


def _half(word: Bits, half: int) -> Bits:
    return word.parts(HALF)[half]


def _hashes(machine: Machine) -> tuple[object, ...]:
    """Return what the hash unit and the stream contexts have."""
    return vars(machine.hash), *((c.s, c.r, c.buffer) for c in machine.contexts)


class _Loop:
    """A loop by induction, of groups of passes. steps: each pass does a unit of the specification."""

    def __init__(
        self,
        track: Path,
        induction: Induction,
        program: Sequence[int],
        groups: Affine,
        group: int,
        *,
        steps: bool,
    ) -> None:
        self.track, self.program, self.groups, self.group = track, program, groups, group
        self.units = group if steps else 0
        self.start, self.last = track.machine.pc, induction.end
        self.index = f"pass{len(track.machine.ranges)}"
        first = self._after(track)
        self.moves = {n: move(track.machine, first.machine, n) for n in range(8)}
        self.writes = first.machine.memories[OUTPUT].written() != track.machine.memories[OUTPUT].written()
        self.changed = {n for n, word in first.machine.vectors.items() if word != track.machine.vectors.get(n)}
        self.refuted: set[tuple[int, int, Name | None]] = set()
        early, late = self._names(track), self._names(first)
        old, new = track.machine.vectors, first.machine.vectors
        self.sources = {
            (n, half): [of for of in early if (early[of], late[of]) == (_half(old[n], half), _half(new[n], half))]
            for n in new.keys() & old.keys()
            for half in HALVES
        }

    def _after(self, before: Path) -> Path:
        """The path after a group of passes."""
        after = before.copy()
        execute(after.machine, self.start, self.last, self.program, self.group)
        after.advance(self.units)
        return after

    def _names(self, path: Path) -> dict[Name, Bits]:
        """The words that registers may have: those of the state, the next unit, and the last one that is done."""
        if not self.units:
            return {}
        state, following = path.begun(), path.number(path.done)
        words = {**state, "unit": path.unit(following)}
        words["next"] = path.wrap.step(state, words["unit"])[0]["t"]
        words["last"] = path.unit(path.number(path.done - 1), path.round + 1)
        found = {(name, i, False): part for name, word in words.items() for i, part in enumerate(word.parts(HALF))}
        return found | {(name, i, True): ~part for (name, i, _), part in found.items()}

    def _general(self) -> Path:
        """The path before any group of passes."""
        now, index = self.track.copy(), Affine.symbol(self.index)
        machine = now.machine
        most = self.groups.range(machine.ranges)[1] - 1
        machine.ranges[self.index] = machine.ranges[f"{self.index}+"] = 0, most
        for n, by in self.moves.items():
            at = machine.address[n]
            machine.address[n] = None if by is None or at is None else at + index * by
        if self.units:
            now.done = now.done + index * self.units
            now.made = {}
            state = now.begun()
            now.state = {name: Bits.unknown((self.index, name), len(word)) for name, word in state.items()}
        ((name, _),) = self.groups.terms
        now.restrict(name, index + Affine.symbol(f"{self.index}+") + (1 - self.groups.constant))
        if self.units:
            machine.memories[OUTPUT] = now.halves()
        elif self.writes:
            machine.memories[OUTPUT] = now.memory([])
        names = self._names(now)
        for n in self.changed:
            old = machine.vectors.get(n, Bits.unknown(("vector", n), 128))
            made = Bits.unknown((self.index, n), 2 * HALF).parts(HALF)
            for half in HALVES:
                if (source := self._source(n, half)) is not None:
                    made[half] = names[source]
                elif self._stays(n, half):
                    made[half] = _half(old, half)
            machine.vectors[n] = join(made)
        machine.flag = None
        return now

    def _source(self, n: int, half: int) -> Name | None:
        """The word that half a register has, if there is one."""
        return next((of for of in self.sources.get((n, half), []) if (n, half, of) not in self.refuted), None)

    def _stays(self, n: int, half: int) -> bool:
        return (n, half, None) not in self.refuted

    def end(self) -> Path:
        """The path after the last pass."""
        for _ in range(MOST_TRIES):
            now = self._general()
            after = self._after(now)
            if self._holds(now, after):
                return self._left(now, after)
        raise Unprovable("no invariant of a loop over units is found")

    def _holds(self, now: Path, after: Path) -> bool:
        """Whether a pass preserves what is assumed; if not, less is assumed now."""
        m, size = after.machine, len(self.refuted) + len(self.changed)
        for n, by in self.moves.items():
            was = now.machine.address[n]
            if was is not None and m.address[n] != was + (by or 0):
                raise Unprovable("a loop moves an address register in another way than its first pass")
        if set_up(m) != set_up(now.machine) or _hashes(m) != _hashes(now.machine):
            raise Unprovable("a loop changes a table, a step, a window, the width of the counter, hash or stream unit")
        if any(m.memories[n].written() != now.machine.memories[n].written() for n in (0, 1, INPUT)):
            raise Unprovable("a loop over units writes to another memory")
        if not self.writes and m.memories[OUTPUT].written() != now.machine.memories[OUTPUT].written():
            raise Unprovable("a loop writes to memory after its first pass")
        names = self._names(after)
        for n in self.changed:
            for half in HALVES:
                source, word = self._source(n, half), _half(m.vectors[n], half)
                if word != (names[source] if source is not None else _half(now.machine.vectors[n], half)):
                    self.refuted.add((n, half, source))
        known = now.machine.vectors
        self.changed |= {n for n, word in m.vectors.items() if n in known and known[n] != word}
        return len(self.refuted) + len(self.changed) == size

    def _left(self, now: Path, after: Path) -> Path:
        """The path after the last group of passes, if each has written the units of the specification."""
        memory, m = after.machine.memories[OUTPUT], after.machine
        if self.units:
            self._compare(now, after, memory)
            after.made = {}
            m.memories[OUTPUT] = after.halves()
            names = self._names(after)
            for n in self.changed:
                parts = [(self._source(n, half), _half(m.vectors[n], half)) for half in HALVES]
                m.vectors[n] = join(part if of is None else names[of] for of, part in parts)
        else:
            carried = {byte: at for at, byte in m.memories[INPUT].unwritten() if self.index in dict(at.terms)}
            arrays = [*self._carried(memory, carried)]
            memory.keep(self.index, arrays, m.ranges)
        after.restrict(f"{self.index}+", Affine(0))
        low, high = m.ranges[self.index]
        m.ranges[self.index] = max(low, self.groups.range(self.track.machine.ranges)[0] - 1), high
        m.flag = None
        return after

    def _compare(self, now: Path, after: Path, memory: Memory) -> None:
        """Differs where a pass writes anything but units that are done, next to those that are there."""
        old, last = now.number(now.done - 1), after.number(after.done)
        numbers = {now.number(now.done + n): after.made for n in range(self.units)}
        units = {number: made[now.round + 1, number] for number, made in numbers.items()}
        units |= {old: now.unit(old, now.round + 1), last: now.unit(last)}
        expected = {after.place(of) + i: byte for of, unit in units.items() for i, byte in enumerate(unit.bytes)}
        written = {Affine(at, terms): byte for terms, parts in memory.written().items() for at, byte in parts.items()}
        done = {after.place(number) + i for number in numbers for i in range(UNIT)}
        if not done <= written.keys() or any(expected.get(at) != byte for at, byte in written.items()):
            raise Differs("a pass of a loop over units does not write these")

    def _carried(self, memory: Memory, carried: dict[Bits, Affine]) -> Iterator[Array]:
        """Yield bytes of the input that a pass has copied."""
        for terms, parts in memory.written().items():
            by = dict(terms).get(self.index, 0)
            number = Affine.symbol(NUMBER)
            cells = {at: ((INPUT, carried[b].with_(self.index, number)),) for at, b in parts.items() if b in carried}
            if by > 0 and cells and max(cells) - min(cells) < by:
                base = Affine(min(cells), tuple((name, times) for name, times in terms if name != self.index))
                shifted = {at - min(cells): parts_ for at, parts_ in cells.items()}
                yield Array(base, by, Affine.symbol(self.index) + 1, shifted)
