"""The decoder in SystemVerilog: rows of `lutra_decoder.sv.j2`, where each instruction says what it does not leave."""

from __future__ import annotations

from collections.abc import Iterator

from isagen.description import Field, Insn
from isagen.emit_blocks import PORTS, kind_name
from isagen.emit_sv import port_name, port_sides
from isagen.model import Isa
from isagen.records import Contents
from isagen.text import camel, render

# Fields whose contents are codes of vector operands.
CODES = ("ra", "rb", "rd")
# Fields that the control word takes as they are; of them numbers, which are narrower in most words.
TAKEN = ("ad", "as", "n", "e", "c", "o", "h", "g")
NUMBERS = ("n", "e")
# Inputs and parameters of the template, of which a configuration may have no use.
INPUTS = ("bad_data", "bad_store", "bad_move")
PARAMETERS = ("ROUNDS_PER_INSTR", "STREAM_CONTEXTS")

Assignment = tuple[str, str]  # a member of the control word and its value


def files(isa: Isa) -> dict[str, str]:
    """Name -> text of the decoder."""
    return {"lutra_decoder.sv": decoder(isa)}


def decoder(isa: Isa) -> str:
    """Return a table with defaults above and only differences in the rows."""
    rows = [(insn, list(_assignments(isa, insn))) for insn in isa.insns]
    used = " ".join(value for _, row in rows for _, value in row)
    unused = [name for name in INPUTS if name not in used]
    unused += [f"{name} != 0" for name in PARAMETERS if name not in used]
    return render("lutra_decoder.sv", opcode=isa.opcode, rows=rows, unused=unused)


def _assignments(isa: Isa, insn: Insn) -> Iterator[Assignment]:
    """Yield the members in which an instruction differs from the defaults."""
    if isa.is_vector(insn):
        yield "vector", "1'b1"
        yield from _vector(isa, insn)
    else:
        for step in insn.path:
            block, symbol = step.block.lower(), isa.control_functions[step.function].symbol
            yield block, f"{camel(block)}{camel(symbol)}"
    yield from _taken(isa, insn)
    facts = isa.facts[insn.record]
    if facts.writes_address:
        yield "ad_en", "1'b1"
    if facts.reads_address:
        yield "as_en", "1'b1"
    yield "illegal", " || ".join(_illegal(isa, insn)) or "1'b0"


def _taken(isa: Isa, insn: Insn) -> Iterator[Assignment]:
    """Yield the fields that the control word takes; a number that is part of the instruction is a constant."""
    places = isa.places(vector=isa.is_vector(insn))
    for name in TAKEN:
        field = insn.field(name)
        if field is not None:
            bits = _bits(field)
            yield name, f"addr_t'({bits})" if name in NUMBERS else bits
        elif name == "n" and insn.number:
            yield name, f"16'd{insn.number}"
        elif not isa.is_vector(insn) and name in places and places[name].of(insn.match):
            yield name, f"16'd{places[name].of(insn.match)}"


def _vector(isa: Isa, insn: Insn) -> Iterator[Assignment]:
    """Yield what a vector instruction reads, and its path."""
    facts = isa.facts[insn.record]
    if facts.reads("rb"):
        yield "use_b", "1'b1"
    if facts.reads("ra"):
        yield "use_a", "1'b1"
    if True in facts.whitening:
        yield "use_w", f"insn_i[{isa.places(vector=True)['w'].lsb}]"
    if facts.destination == "pair":
        yield "pair", "1'b1"
    if facts.move:
        yield "mv", "f.mv"
    if facts.move or facts.third:
        yield "rc", "f.rc"
    for number in facts.key_blocks:
        yield f"k{number}_en", "1'b1"
    yield from _end(isa, insn, "SRC")
    for step in insn.path:
        if step.block not in isa.blocks:
            continue
        block = isa.blocks[step.block]
        yield block.record.lower(), f"{kind_name(isa, block.kind)}{step.function}"
        for port in PORTS:
            for side in step.sides:
                if side in port_sides(block, port) and side not in block.partner:
                    name = port_name(block, port)
                    yield name, f"{camel(name)}{side}"
    yield from _end(isa, insn, "RES")
    for half in facts.halves:
        yield f"half{half}", "1'b1"
    for name in ("x2_ready", "early"):
        if getattr(facts, name):
            yield name, "1'b1"


def _end(isa: Isa, insn: Insn, end: str) -> Iterator[Assignment]:
    step = insn.step(end)
    if step is not None:
        yield end.lower(), f"{camel(end.lower())}{camel(isa.endpoint_functions[step.function].symbol)}"


def _illegal(isa: Isa, insn: Insn) -> Iterator[str]:
    """Yield the conditions under which a word with the opcode is illegal."""
    yield from _constants(isa.opcode, insn)
    facts = isa.facts[insn.record]
    for contents in facts.contents:
        field = insn.field(contents.field)
        if field is not None and field.name in CODES:
            yield from _codes(contents, field)
        elif field is not None and field.width != isa.slot.bits:
            yield from _limits(contents, field)
    if facts.move:
        yield "bad_move"
    if facts.store:
        yield "bad_store"
    if facts.store == "must":
        yield "!f.s.en"
    if facts.key_blocks:
        yield "f.k.bad || !f.k.en"
    if facts.data:
        yield "bad_data"
    if facts.data == "source":
        uses = " || ".join(f"f.{s.field} == VecROW" for s in facts.sources if s.row)
        yield f"f.d.en != ({uses})"
    if facts.two_rounds:
        yield "ROUNDS_PER_INSTR < 2"
    clocked, shown = insn.field("c"), insn.field("o")
    if clocked is not None:
        yield f"(int'({_bits(clocked)}) >> STREAM_CONTEXTS) != 0"
    if shown is not None:
        yield f"int'(insn_i[{shown.lsb}]) >= STREAM_CONTEXTS"


def _bits(field: Field) -> str:
    return f"insn_i[{field.msb}:{field.lsb}]"


def _constants(opcode: Field, insn: Insn) -> Iterator[str]:
    """Yield the condition that a constant bit below the opcode is wrong."""
    width = opcode.lsb
    below = (1 << width) - 1
    mask, match = insn.mask & below, insn.match & below
    if mask:
        digits = -(-width // 4)
        yield f"(insn_i[{width - 1}:0] & {width}'h{mask:0{digits}x}) != {width}'h{match:0{digits}x}"


def _codes(contents: Contents, field: Field) -> Iterator[str]:
    """Yield the condition that a vector operand has a code that it may not have."""
    mask = sum(1 << code for code in contents.codes)
    if mask != (1 << (1 << field.width)) - 1:
        yield f"!among(f.{field.name}, 16'h{mask:04x})"


def _limits(contents: Contents, field: Field) -> Iterator[str]:
    """Yield the conditions that a number is one that the field may not hold."""
    at, w = _bits(field), field.width
    if contents.low:
        yield f"{at} < {w}'d{contents.low}"
    if contents.high < (1 << w) - 1:
        yield f"{at} > {w}'d{contents.high}"
    if contents.step > 1:
        yield f"({at} - {w}'d{contents.low}) % {w}'d{contents.step} != '0"
    for code in contents.forbidden:
        if contents.low <= code <= contents.high:
            yield f"{at} == {w}'d{code}"
