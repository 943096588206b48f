"""Reference text of a mnemonic, for `lutra isa`."""

from __future__ import annotations

import difflib
import textwrap

from lutra.isa.configured import missing, needs
from lutra.isa.records.instruction import Insn, Operand
from lutra.isa.records.instruction_set import Isa
from lutra.isa.tables import load

# Width of an instruction's prose, without the indentation.
WIDTH = 112


def reference(mnemonic: str, isa: Isa | None = None) -> str:
    """Syntax, operands, path and encoding of every instruction with this mnemonic.

    Raises KeyError, with the nearest mnemonic in its text, for an unknown one.
    """
    isa = isa or load()
    found = isa.lookup(mnemonic.lower())
    if not found:
        if absent := missing(isa, mnemonic.lower()):
            raise KeyError("; ".join(absent))
        near = difflib.get_close_matches(mnemonic.lower(), isa.by_mnemonic, 1)
        raise KeyError(f"no instruction '{mnemonic}'" + (f"; did you mean '{near[0]}'?" if near else ""))
    return "\n".join(_text(isa, insn) for insn in found)


def _text(isa: Isa, insn: Insn) -> str:
    lines = [insn.syntax, f"    {insn.summary}", f"    extension {' and '.join(needs(isa, [insn]))}"]
    if insn.details:
        paragraphs = [textwrap.wrap(line, WIDTH) or [""] for line in insn.details.strip().splitlines()]
        lines += ["", *(f"    {line}" for paragraph in paragraphs for line in paragraph)]
    if insn.operands:
        width = max(len(o.name) for o in insn.operands)
        lines += ["", "  operands"]
        lines += [f"    {o.name:{width}}  {_operand(o)}" for o in insn.operands]
    if insn.path:
        width = max(len(s.block) for s in insn.path)
        lines += ["", "  does"]
        lines += [f"    {s.block:{width}}  {s.text}" for s in insn.path]
    lines += ["", "  encoding"]
    top = isa.machine["InsnBits"] - 1
    lines += [f"    0x{insn.match:016x}  under mask 0x{insn.mask:016x}"]
    fields = sorted(insn.fields.items(), key=lambda item: -item[1][0])
    lines += [f"    {name:<3} {msb}:{lsb}" for name, (msb, lsb) in fields if msb <= top]
    if insn.vector:
        lines += ["", "  pipeline", f"    {_ready(insn)}"]
    return "\n".join(lines) + "\n"


def _operand(operand: Operand) -> str:
    if operand.choices:
        return operand.text
    limits = f", {operand.low} to {operand.high}" if operand.high else ""
    return operand.text + limits + (" (may be left out)" if operand.optional else "")


def _ready(insn: Insn) -> str:
    two = "does two rounds: not on a core of one round per instruction (--rounds 1); " if insn.facts.two_rounds else ""
    stage = "X2" if insn.facts.x2_ready else "X1"
    return f"{two}ready at the end of {stage}{', its sources needed at the end of MEM' if insn.facts.early else ''}"
