"""Find instructions after `;`, which starts a comment here and separates statements in other assemblers."""

from __future__ import annotations

from lutra.asm.errors import Line, LineError
from lutra.asm.passes.nodes import Instruction
from lutra.asm.passes.parse import parse_line
from lutra.asm.reporter import Reporter
from lutra.isa import load


def check(line: Line, code: str, reporter: Reporter) -> None:
    """Report an instruction after `;` in a line; code: the line without its comment."""
    after = line.text[len(code) :]
    if not after.startswith(";") or not code.strip():
        return
    try:
        body = parse_line(after[1:]).body
    except LineError:
        return
    if not isinstance(body, Instruction):
        return
    found = load().lookup(body.mnemonic)
    if any(i.required <= len(body.operands) <= len(i.operands) for i in found):
        text = f"'{body.mnemonic}' is in a comment, which starts at ;"
        start = len(code) + 1 + body.col
        reporter.check("semicolon", line, text, start, start + len(body.mnemonic), "write it on a line of its own")
