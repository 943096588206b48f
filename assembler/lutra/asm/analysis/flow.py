"""Find where a program runs past its last instruction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lutra.asm.analysis.decoded import CALL, HALT, JUMP, LOOPS, RETURN, Word
from lutra.asm.passes.contents import Contents
from lutra.asm.passes.define import Unit
from lutra.asm.reporter import Reporter
from lutra.isa import Isa

_ENDING = LOOPS | {CALL, HALT, JUMP, RETURN}


def starts(isa: Isa, units: Sequence[Unit], entry: int) -> set[int]:
    """Return the addresses at which the host may start the program: its entry and global labels."""
    found = {
        symbol.address
        for unit in units
        for name in unit.globals
        if (symbol := unit.scope.symbols.get(name)) is not None and symbol.space == isa.program.name
    }
    if not found or any(unit.entry is not None for unit in units):
        found.add(entry)
    return found


def check(
    isa: Isa, contents: Contents, decoded: Mapping[int, Word | None], entries: set[int], reporter: Reporter
) -> None:
    """Report each reachable instruction after which control leaves the words of the program."""
    words = _Words(decoded)
    if not words.at:
        return
    halts = " or ".join(sorted({i.mnemonic for i in isa.instructions if i.facts.sq in (HALT, RETURN)}))
    for pc, to in sorted(_leaving(words, entries)):
        item = contents.owners[pc]
        if to == pc + 1:
            text, hint = "the program runs past its last instruction here", f"end it with {halts}"
        else:
            text, hint = f"the program has no instruction at 0x{to:04x}", ""
        reporter.check("runs-off", item.line, text, item.body.col, item.body.end, hint)


class _Words:
    """The words of a program, None for those that trap."""

    def __init__(self, at: Mapping[int, Word | None]) -> None:
        self.at = at
        # Word -> the first word from there on after which control may go elsewhere than to the next one.
        self.last: dict[int, int] = {}
        for pc in sorted(at, reverse=True):
            word = at[pc]
            runs_on = word is not None and word.does not in _ENDING and pc + 1 in at
            self.last[pc] = self.last[pc + 1] if runs_on else pc


def _leaving(words: _Words, entries: set[int]) -> set[tuple[int, int]]:
    """Yield (instruction, address without an instruction) for all ways out of the program."""
    returning: set[int] = set()  # routines from which a call comes back
    while True:
        called, leaving, _ = _reach(words, entries & words.at.keys(), returning)
        routines = sorted(called)
        came_back = set(returning)
        for routine in routines:  # grows: a routine calls others
            more, out, returns = _reach(words, {routine}, came_back)
            leaving |= out
            routines += sorted(more - called)
            called |= more
            if returns:
                returning.add(routine)
        if returning == came_back:
            return leaving


def _reach(words: _Words, starts: set[int], returning: set[int]) -> tuple[set[int], set[tuple[int, int]], bool]:
    """Follow control from some addresses: return called routines, exits, and whether control returns."""
    called: set[int] = set()
    leaving: set[tuple[int, int]] = set()
    returns = False
    todo, seen = list(starts), set(starts)
    while todo:
        pc = words.last[todo.pop()]
        word = words.at[pc]
        if word is None:
            continue  # traps
        returns = returns or word.does == RETURN
        if word.does == CALL and word.target in words.at:
            called.add(word.target)
        for to in _next(pc, word, returning):
            if to not in words.at:
                leaving.add((pc, to))
            elif to not in seen:
                seen.add(to)
                todo.append(to)
        if word.does == CALL and word.target not in words.at:
            leaving.add((pc, word.target))
    return called, leaving, returns


def _next(pc: int, word: Word, returning: set[int]) -> list[int]:
    """Return where control may go after an instruction, within its routine."""
    after = [pc + 1]
    if word.is_loop:
        over = [word.target + 1]
        return over if word.turns == 0 else after if word.turns else after + over
    if word.does in (RETURN, HALT):
        return []
    if word.does == JUMP:
        return [word.target, *after] if word.insn.facts.conditional else [word.target]
    if word.does == CALL:
        return after if word.target in returning else []
    return after
