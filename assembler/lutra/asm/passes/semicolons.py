"""Instructions after `;`, which begins a comment here and separates statements elsewhere."""

from __future__ import annotations

from lutra.asm.errors import Line, LineError
from lutra.asm.passes.nodes import Instruction
from lutra.asm.passes.parse import parse_line
from lutra.asm.reporter import Reporter
from lutra.isa import load


def check(line: Line, code: str, reporter: Reporter) -> None:
    """Report one in a line; code: what it has before its comment."""
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
        text = f"'{body.mnemonic}' is in a comment, which ; begins"
        start = len(code) + 1 + body.col
        reporter.check("semicolon", line, text, start, start + len(body.mnemonic), "write it in a line of its own")
