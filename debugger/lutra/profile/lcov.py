"""Coverage of firmware's lines, branches and routines in lcov's tracefile format: `man geninfo`, FILES.

Through macros and includes: a line of a macro counts what all expansions of it did, and a line that calls one what the
call did.
"""

from __future__ import annotations

import contextlib
import weakref
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from lutra.asm import Image, Place
from lutra.asm.analysis.decoded import Word, decode
from lutra.isa import load
from lutra.iss.engine import Engine, on_made
from lutra.profile.collector import Cell, Collector, Counts
from lutra.profile.sources import chain

# Outcomes of a branch, by their numbers in the file.
TAKEN, GOES_ON = 0, 1


class Coverage:
    """Sums over any number of runs and images. Files are known by the names that the images have, normalised."""

    def __init__(self) -> None:
        # By file and line, and there by the calls of macros that lead to it: times that it ran.
        self._lines: defaultdict[tuple[str, int], defaultdict[tuple[Place, ...], int]] = defaultdict(
            lambda: defaultdict(int)
        )
        # By file and line: whether any instruction of it ran, and how often it transferred and went on.
        self._branches: defaultdict[tuple[str, int], list[int]] = defaultdict(lambda: [0, 0, 0])
        self._routines: defaultdict[tuple[str, int, str], int] = defaultdict(int)

    def add(self, image: Image, counts: Counts) -> None:
        """Count runs of an image; without any, its lines are known as lines that have not run."""
        cells: dict[int, Cell] = {}
        for node in counts.nodes:
            for pc, cell in node.cells.items():
                cells[pc] = cells[pc] + cell if pc in cells else cell
        self._add_lines(image, cells)
        for pc in image.lines:
            if _branches(decode(load(), image.program[pc])):
                place = chain(image, pc)[0]
                found = self._branches[place.file, place.line]
                if pc in cells:
                    count, taken = cells[pc].count, cells[pc].taken
                    found[:] = found[0] + count, found[1] + taken, found[2] + count - taken
        for symbol in image.symbols:
            if symbol.space == load().program.name and symbol.is_global and symbol.value in image.lines:
                place = chain(image, symbol.value)[0]
                runs = cells[symbol.value].count if symbol.value in cells else 0
                self._routines[place.file, place.line, symbol.name] += runs

    def _add_lines(self, image: Image, cells: Mapping[int, Cell]) -> None:
        # A line that gives several instructions in one way has run as often as the one of them that ran most.
        runs: defaultdict[tuple[Place, ...], int] = defaultdict(int)
        for pc in image.lines:
            places = chain(image, pc)
            count = cells[pc].count if pc in cells else 0
            for depth in range(len(places)):
                runs[places[depth:]] = max(runs[places[depth:]], count)
        for way, count in runs.items():
            self._lines[way[0].file, way[0].line][way] += count

    def text(self) -> str:
        """The tracefile."""
        return "".join(f"{line}\n" for line in self._text())

    def _text(self) -> Iterator[str]:
        yield "TN:"
        for file in sorted({file for file, _ in self._lines}):
            yield f"SF:{file}"
            yield from self._routine_lines(file)
            yield from self._branch_lines(file)
            counts = {line: sum(ways.values()) for (name, line), ways in sorted(self._lines.items()) if name == file}
            yield from (f"DA:{line},{count}" for line, count in counts.items())
            yield from (f"LF:{len(counts)}", f"LH:{sum(map(bool, counts.values()))}", "end_of_record")

    def _routine_lines(self, file: str) -> Iterator[str]:
        found = {name: (line, runs) for (of, line, name), runs in sorted(self._routines.items()) if of == file}
        yield from (f"FN:{line},{name}" for name, (line, _) in found.items())
        yield from (f"FNDA:{runs},{name}" for name, (_, runs) in found.items())
        yield from (f"FNF:{len(found)}", f"FNH:{sum(bool(runs) for _, runs in found.values())}")

    def _branch_lines(self, file: str) -> Iterator[str]:
        found = [(line, *counts) for (of, line), counts in sorted(self._branches.items()) if of == file]
        for line, runs, taken, on in found:
            for outcome, count in ((TAKEN, taken), (GOES_ON, on)):
                yield f"BRDA:{line},0,{outcome},{count if runs else '-'}"
        yield from (f"BRF:{2 * len(found)}", f"BRH:{sum(bool(taken) + bool(on) for _, _, taken, on in found)}")


def _branches(word: Word | None) -> bool:
    """Whether the word alone does not say where it goes on: a condition, or a loop whose count is in a register."""
    return word is not None and (word.insn.facts.conditional or (word.is_loop and word.turns is None))


class _Watch:
    """Collects the coverage of everything that an engine runs, image by image."""

    def __init__(self, coverage: Coverage) -> None:
        self._coverage = coverage
        self._current: tuple[Image, Collector] | None = None

    def begin(self, engine: Engine, image: Image) -> None:
        """An image is about to be loaded."""
        self.end()
        self._current = image, Collector(engine, window=0, spans=0)

    def end(self) -> None:
        """Take what was counted of the last image."""
        if self._current is not None:
            image, collector = self._current
            self._coverage.add(image, collector.close())
            self._current = None


class _Recorder:
    """Covers what the engines attached to it run; complete after `finish`."""

    def __init__(self) -> None:
        self.coverage = Coverage()
        self._open: list[weakref.finalize[Any, Any]] = []

    def attach(self, engine: Engine) -> None:
        """An engine that has just been made, until it is thrown away."""
        watch, of = _Watch(self.coverage), weakref.ref(engine)

        def begin(image: Image) -> None:
            if (alive := of()) is not None:
                watch.begin(alive, image)

        engine.on_load.append(begin)
        self._open = [end for end in self._open if end.alive]
        self._open.append(weakref.finalize(engine, watch.end))

    def finish(self) -> None:
        for end in self._open:
            end()


_active: _Recorder | None = None


@contextlib.contextmanager
def covering() -> Iterator[Coverage]:
    """Count what every engine runs that is made in the block; the coverage is complete after it."""
    global _active
    outer, recorder = _active, _Recorder()
    _active = recorder
    try:
        yield recorder.coverage
        recorder.finish()
    finally:
        _active = outer


def _attach(engine: Engine) -> None:
    if _active is not None:
        _active.attach(engine)


on_made(_attach)
