"""The cycles of a run by line, routine and loop; each cycle counts once."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from lutra.asm import Image, Place
from lutra.asm.analysis.bound import Best, of_loop
from lutra.asm.analysis.decoded import CALL, JUMP, decode
from lutra.asm.analysis.dependences import cells
from lutra.isa import load
from lutra.iss.engine import Stop
from lutra.iss.trace import Names
from lutra.profile.collector import Cell, Counts, Node
from lutra.profile.cost import Cost
from lutra.profile.sources import Sources
from lutra.profile.sources import chain as named_chain

# A line of source; the file is empty for a word that no line is known of, and the number its program address.
Site = tuple[str, int]


@dataclass(frozen=True)
class Line:
    """A line of source. own: of the instructions that it gives itself. total: with those of the macros that it calls.

    pcs: addresses of the instructions of `total`. routine: of the first of them.
    """

    site: Site
    text: str
    own: Cost
    total: Cost
    pcs: tuple[int, ...]
    routine: str


@dataclass(frozen=True)
class Routine:
    """From an address that is started or called, or a global label, up to the next one.

    calls: times that its first instruction ran. inside: cycles in what it calls.
    """

    name: str
    pc: int
    site: Site
    calls: int
    cost: Cost
    inside: int


@dataclass(frozen=True)
class Loop:
    """A loop of the sequencer or of a jump backward: entries, passes, and cycles with what its body has called.

    first, last: addresses of the body. site: of the instruction that makes it a loop.
    """

    site: Site
    routine: str
    first: int
    last: int
    entries: int
    passes: int
    cycles: int
    stalls: Cost

    @property
    def cycles_a_pass(self) -> float:
        """Mean length of a pass."""
        return self.cycles / self.passes


@dataclass(frozen=True)
class Waiting:
    """Stall cycles of one line for another."""

    site: Site
    cause: str
    on: Site
    cycles: int


@dataclass(frozen=True)
class Frame:
    """A level of a stack: a routine, the expansion of a macro in it, or a line. site: where it is, or is called."""

    kind: str
    name: str
    site: Site


class Profile:
    """The counts of an image, in terms of its source.

    entries: the program addresses that were started. stop: how the last run ended, with the sums over all runs.
    """

    def __init__(self, image: Image, counts: Counts, entries: Iterable[int], stop: Stop) -> None:
        self.image = image
        self.counts = counts
        self.stop = stop
        self._entries = frozenset(entries)
        self.sources = Sources()
        self.names = Names(image)

    # ------------------------------------------------------------------ what was counted

    @cached_property
    def cells(self) -> Mapping[int, Cell]:
        """Return the cost by program address, over all call paths."""
        found: dict[int, Cell] = {}
        for node in self.counts.nodes:
            for pc, cell in node.cells.items():
                found[pc] = found[pc] + cell if pc in found else cell
        return found

    @cached_property
    def cost(self) -> Cost:
        """Total cost of all retired instructions."""
        return Cost.of(self.cells.values())

    @cached_property
    def unretired(self) -> Cost:
        """Remainder of the machine's counters: what was on its way when the limit of a run came, which no
        instruction is charged with; nothing, unless it came."""
        stalls = tuple(n - m for n, m in zip(self.stop.stalls.values(), self.cost.stalls, strict=True))
        return Cost(0, self.stop.cycles - self.cost.cycles - sum(stalls), stalls)

    # ------------------------------------------------------------------ source

    def chain(self, pc: int) -> tuple[Place, ...]:
        """Return the lines that a word comes from, innermost first; never empty."""
        return named_chain(self.image, pc) or (Place("", pc, ""),)

    def site(self, pc: int) -> Site:
        """The innermost line of a word."""
        place = self.chain(pc)[0]
        return place.file, place.line

    @cached_property
    def lines(self) -> Mapping[Site, Line]:
        """Every line of source that has instructions, run or not, in the order of files and lines."""
        own: defaultdict[Site, list[int]] = defaultdict(list)
        total: defaultdict[Site, list[int]] = defaultdict(list)
        for pc in sorted({*self.image.lines, *self.cells}):
            chain = self.chain(pc)
            own[chain[0].file, chain[0].line].append(pc)
            for site in dict.fromkeys((place.file, place.line) for place in chain):
                total[site].append(pc)
        return {site: self._line(site, own[site], total[site]) for site in sorted(total)}

    def _line(self, site: Site, own: list[int], total: list[int]) -> Line:
        text = self.sources.line(*site) if site[0] else ""
        return Line(site, text, self._sum(own), self._sum(total), tuple(total), self.routine(total[0]).name)

    def _sum(self, pcs: Iterable[int]) -> Cost:
        return Cost.of(self.cells[pc] for pc in pcs if pc in self.cells)

    @cached_property
    def waits(self) -> list[Waiting]:
        """Which line has waited for which, the most cycles first."""
        found: defaultdict[tuple[Site, str, Site], int] = defaultdict(int)
        for wait in self.counts.waits:
            found[self.site(wait.pc), wait.cause, self.site(wait.on)] += wait.cycles
        return sorted((Waiting(*key, cycles) for key, cycles in found.items()), key=lambda w: -w.cycles)

    # ------------------------------------------------------------------ routines

    @cached_property
    def _routine_starts(self) -> list[int]:
        program = load().program.name
        starts = {s.value for s in self.image.symbols if s.space == program and s.is_global}
        starts |= self._entries | {0}
        for word in self.image.program:
            does = decode(load(), word)
            if does is not None and does.does == CALL:
                starts.add(does.target)
        return sorted(starts)

    def routine(self, pc: int) -> Frame:
        """The routine of an address."""
        start = self._routine_starts[bisect_right(self._routine_starts, pc) - 1]
        return Frame("routine", self.names.label(start) or f"{start:#06x}", self.site(start))

    @cached_property
    def routines(self) -> list[Routine]:
        """Return those that have run, most cycles first."""
        parts: defaultdict[Frame, list[int]] = defaultdict(list)
        for pc in sorted(self.cells):
            parts[self.routine(pc)].append(pc)
        found = [
            Routine(
                frame.name,
                pcs[0],
                frame.site,
                self.cells[pcs[0]].count,
                self._sum(pcs),
                sum(self.cells[pc].inside for pc in pcs),
            )
            for frame, pcs in parts.items()
        ]
        return sorted(found, key=lambda r: -r.cost.cycles)

    # ------------------------------------------------------------------ loops

    @cached_property
    def loops(self) -> list[Loop]:
        """Return those that have run, most cycles first."""
        return sorted([*self._repeats(), *self._jumps()], key=lambda loop: -loop.cycles)

    def best(self, loop: Loop) -> Best | None:
        """Return what a pass of a loop takes at least; None if its body has a transfer of control."""
        words = [self._word(pc) for pc in range(loop.first, loop.last + 1)]
        if any(cells(word).fixed for word in words):
            return None
        return of_loop(words, loop.first, self.counts.rounds)

    def _repeats(self) -> Iterator[Loop]:
        for repeat in self.counts.repeats:
            word = decode(load(), self._word(repeat.pc))
            if word is not None and repeat.passes:
                yield self._loop(repeat.pc, repeat.pc + 1, word.target, repeat.entries, repeat.passes, repeat.cycles)

    def _jumps(self) -> Iterator[Loop]:
        """Jumps backward; several to one place are one loop."""
        back: defaultdict[int, list[int]] = defaultdict(list)
        for pc, cell in self.cells.items():
            word = decode(load(), self._word(pc)) if cell.taken else None
            if word is not None and word.does == JUMP and word.target <= pc:
                back[word.target].append(pc)
        for first, jumps in back.items():
            last, passes = max(jumps), self.cells[first].count
            body = [self.cells[pc] for pc in range(first, last + 1) if pc in self.cells]
            cycles = sum(cell.cycles + cell.inside for cell in body)
            yield self._loop(last, first, last, passes - sum(self.cells[pc].taken for pc in jumps), passes, cycles)

    def _loop(self, pc: int, first: int, last: int, entries: int, passes: int, cycles: int) -> Loop:
        stalls = self._sum(range(first, last + 1))
        return Loop(self.site(pc), self.routine(pc).name, first, last, entries, passes, cycles, stalls)

    def _word(self, pc: int) -> int:
        return self.image.program[pc] if pc < len(self.image.program) else 0

    # ------------------------------------------------------------------ stacks

    def stacks(self) -> Iterator[tuple[tuple[Frame, ...], Cost]]:
        """Every stack that has cost cycles, outermost frame first, in the order of calls and addresses: the routines
        that called one another, the macros, and the line."""
        for node in self.counts.nodes:
            callers = self._callers(node)
            for pc, cell in sorted(node.cells.items()):
                yield (*callers, self.routine(pc), *self._inner(pc)), Cost.of([cell])

    def _callers(self, node: Node) -> tuple[Frame, ...]:
        if node.parent < 0:
            return ()
        return (*self._callers(self.counts.nodes[node.parent]), self.routine(node.call))

    def _inner(self, pc: int) -> Iterator[Frame]:
        """The macros around a word, and its line."""
        chain = self.chain(pc)
        for inner, call in reversed(list(pairwise(chain))):
            yield Frame("macro", inner.macro, (call.file, call.line))
        yield Frame("line", self.shown(self.site(pc)), self.site(pc))

    @cached_property
    def files(self) -> list[str]:
        """The sources that have a part in the program."""
        return sorted({file for file, _ in self.lines if file})

    @cached_property
    def short(self) -> Mapping[str, str]:
        """The sources' names, with as much of their folders as tells them apart."""
        found = {}
        for file in self.files:
            parts = file.split("/")
            endings = ("/".join(parts[-n:]) for n in range(1, len(parts) + 1))
            others = [other for other in self.files if other != file]
            found[file] = next((e for e in endings if not any(f"/{o}".endswith(f"/{e}") for o in others)), file)
        return found

    def shown(self, site: Site) -> str:
        """`aes.s:12`, by the file's short name; of a word without a line its address."""
        file, line = site
        return f"{self.short.get(file, file)}:{line}" if file else f"pc {line:#06x}"
