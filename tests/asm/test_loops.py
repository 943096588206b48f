"""Loops that trap whenever they run are errors when they are assembled, and nothing else is: the simulator is asked."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import lutra
from lutra.asm import AsmError, Diagnostic, assemble_text
from lutra.isa import load

DEPTH = load().machine["LoopDepth"]
TRAP_OF = {"loop-depth": "loop-stack-overflow", "loop-end": "loop-nesting"}
LIMIT = 20_000


def reported(source: str) -> list[Diagnostic]:
    """Findings of the loop checks."""
    try:
        found = assemble_text(source, "x.s").warnings
    except AsmError as error:
        found = error.diagnostics
    return [d for d in found if d.name.startswith("loop-")]


def run(source: str) -> lutra.Stop:
    """How the program ends on the simulator, whatever the checks say."""
    engine = lutra.make_engine("iss")
    engine.load(assemble_text(source, warnings=["no-all"]))
    return engine.run(0, LIMIT)


def nest(count: str = "2", depth: int = DEPTH + 1) -> str:
    """Loops within each other, with an instruction between their ends."""
    loops = "".join(f"repeat {count}, .L{n}\n" for n in range(depth))
    return loops + "nop\n" + "".join(f".L{n}: nop\n" for n in reversed(range(depth)))


SUBROUTINE = f"sub: {nest(depth=DEPTH - 1)}ret\n"

# Program, and `line name` of what is found: the same line as that of the trap.
TRAPPING = {
    "one loop too many": (nest() + "halt", f"{DEPTH + 1} loop-depth"),
    "an end in common": ("repeat 2, l\nrepeat 2, l\nnop\nl: halt", "2 loop-end"),
    "an end in common with a loop that does not turn": ("repeat 2, l\nrepeat 0, l\nnop\nl: halt", "2 loop-end"),
    "a loop as last instruction": ("repeat 2, l\nnop\nrepeat 2, m\nl: nop\nm: halt", "3 loop-end"),
    "loops of a routine": (
        f"repeat 2, a\nrepeat 2, b\ncall sub\nnop\nb: nop\na: halt\n{SUBROUTINE}",
        f"{6 + DEPTH - 1} loop-depth",
    ),
    "loops of a routine called at the end of a body": (
        f"repeat 2, a\nrepeat 2, b\nnop\ncall sub\nb: nop\na: halt\n{SUBROUTINE}",
        f"{6 + DEPTH - 1} loop-depth",
    ),
    "beyond a jump": (f"repeat 2, a\njmp on\non: {nest(depth=DEPTH)}nop\na: halt", f"{2 + DEPTH} loop-depth"),
    "after a loop that is over": (f"repeat 2, a\nrepeat 2, b\nnop\nb: {nest(depth=DEPTH)}nop\na: halt", "7 loop-depth"),
    "after a loop that was left open": (
        f"repeat 2, a\nrepeat 2, b\nnop\na: nop\nb: {nest(depth=DEPTH)}halt",
        f"{4 + DEPTH} loop-depth",
    ),
}


@pytest.mark.parametrize(("source", "expected"), TRAPPING.values(), ids=TRAPPING)
def test_a_loop_that_traps_is_an_error_at_the_same_place(source: str, expected: str) -> None:
    errors = [d for d in reported(source) if d.severity == "error"]
    assert [f"{d.line} {d.name}" for d in errors] == [expected]
    stop = run(source)
    line, name = expected.split()
    (pc,) = [pc for pc, (_, at) in assemble_text(source, warnings=["no-all"]).lines.items() if at == int(line)]
    assert (stop.state, stop.trap, stop.pc) == ("trapped", TRAP_OF[name], pc)


SOUND = {
    "as deep as the stack": nest(depth=DEPTH) + "halt",
    "one after the other": nest(depth=DEPTH).replace(".L", ".LA") + nest(depth=DEPTH) + "halt",
    "the inmost never turns": nest(depth=DEPTH).replace("nop\n", "repeat 0, .Lx\nnop\n.Lx: nop\n", 1) + "halt",
    "the outermost never turns": f"repeat 0, a\n{nest(depth=DEPTH)}nop\na: halt",
    "jumped over": f"repeat 2, a\njmp a\n{nest(depth=DEPTH)}a: halt",
    "only after a branch": f"repeat 2, a\nbnf on\n{nest(depth=DEPTH)}on: nop\na: halt",
    "beyond a halt": f"repeat 2, a\nhalt\n{nest(depth=DEPTH)}nop\na: halt",
    "around a routine that halts": f"repeat 2, a\ncall sub\n{nest(depth=DEPTH)}nop\na: halt\nsub: halt",
    "a routine after a body": f"repeat 2, a\nrepeat 2, b\nnop\nb: call sub\na: halt\n{SUBROUTINE}",
    "one turn, then a routine": f"repeat 1, a\nnop\ncall sub\na: halt\nsub: {nest(depth=DEPTH)}ret",
    "an endless jump": "repeat 2, a\nl: jmp l\na: halt",
    "a routine that calls itself": "repeat 2, a\ncall sub\nnop\na: halt\nsub: call sub\nret",
}


@pytest.mark.parametrize("source", SOUND.values(), ids=SOUND)
def test_a_loop_that_does_not_trap_is_no_error(source: str) -> None:
    assert reported(source) == []
    assert not run(source).trap.startswith("loop-")


def test_a_count_in_a_register_is_taken_for_turns() -> None:
    assert [d.name for d in reported(nest(count="ar0") + "halt")] == ["loop-depth"]


def test_both_loops_and_the_call_are_named() -> None:
    source = TRAPPING["loops of a routine"][0]
    (error,) = reported(source)
    around = [1, 2, *range(7, 7 + DEPTH - 2)]
    notes = [f"x.s:{line}: note: within this loop" for line in around] + ["x.s:3: note: called from here"]
    assert error.notes == tuple(notes)


def test_crossing_loops_are_a_warning_because_they_do_not_trap() -> None:
    source = "repeat 2, a\nrepeat 2, b\nnop\na: nop\nb: halt"
    (warning,) = reported(source)
    assert (warning.severity, warning.line, warning.name) == ("warning", 2, "loop-crossing")
    assert warning.notes == ("x.s:1: note: within this loop",)
    stop = run(source)
    assert (stop.state, stop.instructions) == ("halted", 2 + 2 * 2 + 1)


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Instructions one a line, some of them loops to a later place, with counts that are in the words."""
    length = draw(st.integers(2, 14))
    lines = []
    for at in range(length):
        ends = range(at + 2, length + 1)
        if ends and draw(st.booleans()):
            lines.append(f"repeat {draw(st.integers(0, 2))}, {draw(st.sampled_from(ends))}")
        else:
            lines.append("nop")
    return "\n".join([*lines, "halt"])


# Loops that nothing reaches must not hide what happens in those after them.
UNREACHED = "\n".join(
    ["repeat 0, 2", *(f"repeat 1, {end}" for end in (4, 5, 6, 8, 7)), "nop", "repeat 0, 9", "nop", "halt"]
)


@settings(max_examples=200, deadline=None)
@given(programs())
@example(UNREACHED)
def test_loops_are_errors_exactly_where_the_simulator_traps(source: str) -> None:
    lines = [d.line for d in reported(source) if d.severity == "error"]
    stop = run(source)
    if stop.trap:
        assert stop.trap in TRAP_OF.values()
        assert stop.pc + 1 in lines
    # What comes after the first trap, or in a body that never turns, is found as well.
    elif lines:
        assert "repeat 0" in source
