"""Optimise the loops of a program, and prove each equal to what it was."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from lutra.asm.passes.nodes import show
from lutra.isa import load
from lutra.optimize.body import MOST_STAGES, Body
from lutra.optimize.errors import OptimizeError
from lutra.optimize.loops import Loop
from lutra.optimize.program import Program, Region, cycles, leaving, region, registers, shared
from lutra.optimize.rewrite import Place, Writer, rewritten
from lutra.optimize.solve import Solution, solve
from lutra.prove import equal
from lutra.prove.equal import Code, Different
from lutra.prove.errors import Unprovable


@dataclass(frozen=True)
class Outcome:
    """The result of a loop.

    before, after: cycles of a pass; bound: below which none is possible. stages: passes in flight. kept: why it stays
    as it is, or "".
    """

    name: str
    before: int
    after: int
    bound: int
    instructions: int
    stages: int = 1
    kept: str = ""
    seconds: float = 0.0

    @property
    def optimal(self) -> bool:
        """Whether these instructions in no order take fewer cycles."""
        return self.after == self.bound

    def as_json(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "loop": self.name,
            "before": self.before,
            "after": self.after,
            "bound": self.bound,
            "optimal": self.optimal,
            "instructions": self.instructions,
            "stages": self.stages,
            "kept": self.kept or None,
            "seconds": round(self.seconds, 2),
        }


@dataclass
class _Change:
    """A loop that gets another text."""

    loop: Loop
    body: Body
    solution: Solution
    place: Place
    lines: Sequence[str]
    keeps_count: bool
    seconds: float


def optimize(
    program: Program,
    chosen: Iterable[Loop],
    seconds: float,
    progress: Callable[[str], None],
    again: Callable[[str], Program],
) -> tuple[str, list[Outcome]]:
    """Return the text with faster loops, and what came of each loop.

    seconds: of search for each loop. again: assembles a text in place of the program's. OptimizeError where a loop is
    not found equal afterwards.
    """
    changes: list[_Change] = []
    outcomes: list[Outcome] = []
    for loop in chosen:
        began = time.monotonic()
        body = Body(program.allocation, loop.first, loop.last)
        name = program.name(loop)
        if body.bound >= loop.cycles:
            outcomes.append(Outcome(name, loop.cycles, loop.cycles, loop.cycles, body.count, kept="it is optimal"))
            continue
        try:
            place = program.place(loop)
            progress(f"{name}: solving")
            solution = solve(body, loop.cycles, seconds, progress, _stages(program, loop))
            if solution.schedule is None:
                kept = "it is optimal" if solution.bound == loop.cycles else "no faster order is found"
                spent = time.monotonic() - began
                outcomes.append(
                    Outcome(name, loop.cycles, loop.cycles, solution.bound, body.count, kept=kept, seconds=spent)
                )
                continue
        except OptimizeError as error:
            outcomes.append(Outcome(name, loop.cycles, loop.cycles, body.bound, body.count, kept=str(error)))
            continue
        keeps = _keeps_count(program, loop)
        label = _label(program, len(changes))
        end = _end(program, loop)
        lines = list(Writer(body, loop, solution.schedule, keeps_count=keeps).lines(end, label))
        changes.append(_Change(loop, body, solution, place, lines, keeps, time.monotonic() - began))
    if not changes:
        return program.text, outcomes
    text = rewritten(program.text, {change.place: change.lines for change in changes})
    new, shift = again(text), 0
    for change in sorted(changes, key=lambda c: c.place.repeat):
        began = time.monotonic()
        progress(f"{program.name(change.loop)}: proving")
        first = change.place.repeat + shift
        more = _written(program.text, change)
        where = region(new, first, first + more - 1)
        shift += more - (change.place.label - change.place.repeat)
        _prove(program, new, change, where)
        outcomes.append(_outcome(program, new, change, where, time.monotonic() - began))
    return text, sorted(outcomes, key=lambda o: o.name)


def _written(old: str, change: _Change) -> int:
    """How many lines a change has become: what follows them is as it was."""
    made = len(rewritten(old, {change.place: change.lines}).split("\n")) - len(old.split("\n"))
    return made + change.place.label - change.place.repeat


def _outcome(program: Program, new: Program, change: _Change, where: Region, spent: float) -> Outcome:
    assert change.solution.schedule is not None
    return Outcome(
        program.name(change.loop),
        change.loop.cycles,
        cycles(new, where.repeat),
        change.solution.bound,
        change.body.count,
        change.solution.schedule.stages,
        seconds=change.seconds + spent,
    )


def _prove(program: Program, new: Program, change: _Change, where: Region) -> None:
    names = shared(change.body)
    loop, name = change.loop, program.name(change.loop)
    old_code = Code(program.words, loop.repeat, (loop.repeat, loop.last), loop.last + 1, names, change.keeps_count)
    span = (where.repeat, where.last)
    new_code = Code(new.words, where.start, span, where.end, registers(new, names, where), change.keeps_count)
    try:
        equal.prove(old_code, new_code)
    except Different as error:
        raise OptimizeError(f"{name}: the new order is not equal to the old one: {error}; nothing written") from error
    except Unprovable as error:
        raise OptimizeError(f"{name}: no proof that the new order is equal: {error}; nothing written") from error


def _count(program: Program, loop: Loop) -> str:
    """The address register with the number of passes; "" of a constant number."""
    cells = program.allocation.locals[loop.repeat].cells
    return next((cell for cell in cells.reads if cell in load().address_register_index), "")


def _stages(program: Program, loop: Loop) -> int:
    """How many passes may be in flight."""
    register = _count(program, loop)
    if not register:
        # What remains is still a loop: in straight text the values of a name are no longer one.
        return min(MOST_STAGES, max(1, (program.graph.words[loop.repeat].turns or 1) - 1))
    body = (program.allocation.locals[pc].cells for pc in range(loop.first, loop.last + 1))
    return 1 if any(register in cells.reads | cells.writes for cells in body) else MOST_STAGES


def _keeps_count(program: Program, loop: Loop) -> bool:
    register = _count(program, loop)
    return bool(register) and leaving(program, register, loop.last + 1)


def _end(program: Program, loop: Loop) -> str:
    return show(program.allocation.locals[loop.repeat].body.operands[-1])


def _label(program: Program, number: int) -> str:
    """The beginning of labels that the file does not have."""
    known = program.analysis.units[0].scope.symbols
    n = number
    while any(name.startswith(f".L_pipe{n}_") for name in known):
        n += 1
    return f".L_pipe{n}"
