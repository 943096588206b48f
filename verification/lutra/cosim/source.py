"""A program and its memories as one assembly file, which `lutra run FILE.s` runs as it is."""

from __future__ import annotations

from lutra.asm import assemble_text, disassemble
from lutra.isa import load
from lutra.random import Program

BYTES_A_LINE = 16


def text(program: Program, heading: str = "") -> str:
    """The source; ValueError if it does not assemble to the program (the assembler or this module is wrong then)."""
    isa = load()
    words = program.code()
    ends = {program.base + t.of for t in program.targets.values()}
    labels = {n: f"L{n}" for n in ends if program.base <= n <= program.base + len(words)}
    lines = [f"// {line}".rstrip() for line in heading.splitlines()]
    lines += [
        f"// ends in: {program.ends}",
        "",
        '        .allow  "all"                           // its traps are meant',
        f"        .section {isa.program.name}",
    ]
    if program.base:
        lines.append(f"        .org    {program.base:#x}")
    lines += ["        .entry  main", "main:"]
    for pc, word in enumerate(words, program.base):
        if pc in labels:
            lines.append(f"{labels[pc]}:")
        lines.append(f"        {_instruction(program, pc, word, labels)}")
    last = program.base + len(words)
    if last in labels:
        lines.append(f"{labels[last]}:")
    for space, data in program.memory.items():
        lines += _contents(space, data)
    source = "\n".join(lines) + "\n"
    again = assemble_text(source)
    if again.program[program.base :] != words:
        raise ValueError("the source does not assemble to the program")
    return source


def _instruction(program: Program, pc: int, word: int, labels: dict[int, str]) -> str:
    """Only what has a target of its own is shown with a label."""
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
