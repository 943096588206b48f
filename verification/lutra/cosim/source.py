"""A program and its memories as one assembly file, which `lutra run FILE.s` runs as it is.

A program of several starts needs `--entry` for each of their labels, and `--past-traps`; faults are injected in the
debugger.
"""

from __future__ import annotations

from lutra.asm import assemble_text, disassemble
from lutra.isa import load
from lutra.random import Program

BYTES_A_LINE = 16


def labels(program: Program) -> list[str]:
    """The labels of a program's starts, in their order."""
    return ["main", *(f"again{number}" for number in range(1, len(program.starts)))]


def text(program: Program, heading: str = "") -> str:
    """The source; ValueError if it does not assemble to the program: a bug in the assembler or this module."""
    isa = load()
    words = program.code()
    ends = {program.base + t.of for t in program.targets.values()}
    targets = {n: f"L{n}" for n in ends if program.base <= n <= program.base + len(words)}
    starts = list(zip(labels(program), program.starts, strict=True))
    lines = [f"// {line}".rstrip() for line in heading.splitlines()]
    lines += [
        *(f"// {label} ends in: {start.ends or 'anything'}" for label, start in starts),
        *(f"// {label}, flipped: {fault}" for label, start in starts for fault in start.faults),
        "",
        '        .allow  "all"                           // its traps are meant',
        f"        .section {isa.program.name}",
    ]
    if program.base:
        lines.append(f"        .org    {program.base:#x}")
    lines += ["        .entry  main", f"        .global {', '.join(label for label, _ in starts)}"]
    for pc, word in enumerate([*words, None], program.base):
        lines += [f"{label}:" for label, start in starts if program.base + start.at == pc]
        if pc in targets:
            lines.append(f"{targets[pc]}:")
        if word is not None:
            lines.append(f"        {_instruction(program, pc, word, targets)}")
    for space, data in program.memory.items():
        lines += _contents(space, data)
    source = "\n".join(lines) + "\n"
    again = assemble_text(source)
    if again.program[program.base :] != words:
        raise ValueError("the source does not assemble to the program")
    return source


def _instruction(program: Program, pc: int, word: int, labels: dict[int, str]) -> str:
    """Show a label only for an instruction with a target."""
    return disassemble(word, pc=pc, symbols=labels if pc - program.base in program.targets else None)


def _contents(space: str, data: bytes) -> list[str]:
    """A section with the rows that are not zero."""
    lines = []
    place = -1
    for at in range(0, len(data), BYTES_A_LINE):
        row = data[at : at + BYTES_A_LINE]
        if not any(row):
            continue
        if at != place:
            lines.append(f"        .org    {at:#x}")
        lines.append(f"        .row    {row.hex()}")
        place = at + BYTES_A_LINE
    return ["", f"        .section {space}", *lines] if lines else []
