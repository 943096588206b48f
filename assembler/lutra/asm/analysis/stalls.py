"""Find stalls: instructions that wait for an earlier one, with ROUNDS_PER_INSTR = 2."""

from __future__ import annotations

from collections.abc import Iterable

from lutra.asm.analysis.graph import Graph
from lutra.asm.analysis.interlock import Wait
from lutra.asm.analysis.schedule import pieces
from lutra.asm.errors import plural
from lutra.asm.passes.contents import Contents
from lutra.asm.reporter import Reporter
from lutra.isa import load

ROUNDS = 2


def check(graph: Graph, contents: Contents, entries: Iterable[int], reporter: Reporter) -> None:
    """Report each wait of the schedule; for a loop, the waits of a pass after the first."""
    if not reporter.wants("stalls"):
        return
    for piece in pieces(graph, entries, ROUNDS):
        for pc, issue in enumerate(piece.issues, piece.first):
            item = contents.owners[pc]
            for wait in issue.waits:
                producer = contents.owners[wait.producer].line
                lost = plural(wait.cycles, "cycle")
                turn = " in each pass" if piece.turn else ""
                text = f"{lost} lost{turn}: {_reason(wait, producer.number)}"
                file, number = producer.flow
                by = f", expanded from {file}:{number}" if (file, number) != (producer.file, producer.number) else ""
                note = f"{producer.file}:{producer.number}: note: it waits for this instruction{by}"
                hint = f"put {plural(wait.cycles, 'independent instruction')} between the two"
                reporter.check("stalls", item.line, text, item.body.col, item.body.end, hint, note)


def _reason(wait: Wait, line: int) -> str:
    if wait.cell in load().space_by_name:
        return f"{wait.cell} is read before the store in line {line} is done"
    if wait.cell == "loop":
        return f"the loop of line {line} is not ready for a body of one instruction, or for another repeat"
    return f"{wait.cell} of line {line} is used before it is ready"
