"""Reference texts from the tables of the instruction set, in Markdown: mnemonics, registers, memories, patterns."""

from __future__ import annotations

import re

from lutra.asm.text.directives import DESCRIPTIONS
from lutra.asm.text.tokens import Token
from lutra.editor import drawing
from lutra.isa import Insn, Isa, load


def of(token: Token, picture: bool) -> str:
    """The reference of a word; empty for one that the language does not have. picture: SVG in place of characters."""
    isa = load()
    match token.kind:
        case "mnemonic" | "transfer":
            return "\n\n---\n\n".join(instruction(isa, insn, picture) for insn in isa.lookup(token.text))
        case "directive":
            usage, text = DESCRIPTIONS[token.text]
            return f"```lutra\n{usage}\n```\n{text[0].upper()}{text[1:]}."
        case "register":
            return "\n\n".join(
                _vector(isa, name) for name in (token.text, f"{token.text}++") if name in isa.vector_by_name
            )
        case "address":
            return f"`{token.text}`: address register. After the access:\n\n" + "\n".join(
                f"- `{token.text}{suffix}`: {pattern.text}" for suffix, pattern in isa.pattern_by_suffix.items()
            )
        case "context":
            return f"`{token.text}`: context {isa.stream_contexts.index(token.text)} of the stream unit"
        case "space" | "section":
            return _space(isa, token.text)
        case "number":
            return number(token.text)
    return ""


def instruction(isa: Isa, insn: Insn, picture: bool) -> str:
    """An instruction: usage, what it does, operands, path, encoding, and when its results can be used."""
    parts = [f"```lutra\n{insn.syntax}\n```\n{insn.summary[0].upper()}{insn.summary[1:]}."]
    if insn.details:
        parts.append(insn.details.strip())
    if insn.operands:
        parts.append("\n".join(f"- `{o.name}`: {operand_text(insn, n)}" for n, o in enumerate(insn.operands)))
    picture_of = drawing.image(insn) if picture else ""
    drawn = drawing.text(insn)
    if picture_of or drawn:
        parts.append(picture_of or f"```text\n{drawn}\n```")
    if insn.path:
        parts.append("\n".join(f"- {s.block} {s.function}: {_formula(s.formula, s.remark)}" for s in insn.path))
    parts.append(f"```text\n{encoding(isa, insn)}\n```")
    parts.append("\n".join(f"- {line}" for line in _timing(isa, insn)))
    return "\n\n".join(part for part in parts if part)


def operand_text(insn: Insn, number: int) -> str:
    """Describe an operand."""
    operand = insn.operands[number]
    limits = f", {operand.low} to {operand.high}" if operand.high and not operand.choices else ""
    return operand.text + limits + (" (may be left out)" if operand.optional else "")


def _formula(formula: str, remark: str) -> str:
    return "; ".join(part for part in (f"`{formula}`" if formula else "", remark) if part)


def encoding(isa: Isa, insn: Insn) -> str:
    """Fields from the most significant bit on: their bits in one line, their names or constants in the next."""
    top = isa.machine["InsnBits"] - 1
    fields = {bits.msb: (bits, name) for name, bits in insn.fields.items()}
    head, names = [], []
    bit = top
    while bit >= 0:
        if bit in fields:
            bits, name = fields[bit]
            low = bits.lsb
        else:
            # The opcode stands alone; other bits that are fixed go together.
            low = next((n for n in range(bit - 1, -1, -1) if n in fields or n == top - 8), -1) + 1
            name = f"{insn.match >> low & (1 << bit - low + 1) - 1:#x}"
        place = f"{bit}:{low}" if bit != low else f"{bit}"
        width = max(len(place), len(name))
        head.append(place.ljust(width))
        names.append(name.ljust(width))
        bit = low - 1
    return "  ".join(head).rstrip() + "\n" + "  ".join(names).rstrip()


def _timing(isa: Isa, insn: Insn) -> list[str]:
    """When what it writes can be read, in cycles between the issues."""
    lines = []
    if insn.facts.two_rounds:
        lines.append("does two rounds: not on a core of one round per instruction (`--rounds 1`)")
    if insn.vector:
        lines.append(f"ready at the end of {'X2' if insn.facts.x2_ready else 'X1'}")
    if insn.facts.early:
        lines.append("its sources are needed at the end of MEM")
    for stall in isa.stalls:
        written = [isa.access_by_name[name] for name in stall.writes if name in insn.accesses]
        if written and max(stall.distance) > 1:
            one, two = stall.distance
            what = ", ".join(dict.fromkeys(access.text for access in written))
            cycles = f"{two}" if two == one else f"{two} ({one} with one round)"
            lines.append(f"`{stall.name}`: {cycles} cycles to a reader, between the issues: {what}")
    return lines


def _vector(isa: Isa, name: str) -> str:
    vector = isa.vector_by_name[name]
    roles = [role for role in ("source", "second_source", "destination") if getattr(vector, role)]
    return f"`{name}`: {vector.text}\n\nAs {', '.join(role.replace('_', ' ') for role in roles) or 'no operand'}."


def _space(isa: Isa, name: str) -> str:
    base, _, lane = name.partition(".")
    space = isa.space_by_name.get(base)
    if space is None:
        return ""
    size = isa.size(space)
    if space.is_program:
        return f"`{name}`: {space.text}, {size} words"
    rows = size // isa.machine["VectorBytes"]
    of_lane = (
        f"; lane {lane}: byte *n* is entry *n*" if lane and lane != "*" else "; the same in all lanes" if lane else ""
    )
    return f"`{name}`: {space.text}, {rows} rows of {isa.machine['VectorBytes']} bytes{of_lane}"


def number(text: str) -> str:
    """A number in other bases; empty for what is none."""
    digits = text.replace("_", "")
    try:
        value = int(digits, 0) if re.match(r"0[xXbBoO]", digits) else int(digits)
    except ValueError:
        return ""
    return bases(value)


def bases(value: int) -> str:
    """A value in decimal, hexadecimal and binary digits."""
    if value.bit_length() > 256:
        return "`" + hex(value)[:70] + "...`"
    texts = [str(value), f"{value:#x}"] + ([f"{value:#b}"] if value.bit_length() <= 32 else [])
    return " = ".join(f"`{text}`" for text in texts)
