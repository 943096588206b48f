"""Check a description before anything is generated from it.

Every finding names file, line and record. `check` returns all findings, not the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from isagen import addresses, formula, hazards, retire, state
from isagen.description import ROLES, Field, Function, Insn, Step
from isagen.facts import contents_of
from isagen.model import Isa
from isagen.records import TRAP_VALUES, Delta, Named, Operand, Space, VectorName, Wrap

# The extension of every core.
BASE = "BaseExtension"
# How an operand can be written.
WRITTEN = ("number", "label", "address register", "value")
# Codes that a decoder can forbid one by one lie below.
FORBIDDEN_BELOW = 64
# What shifts lanes by one bit; to the left, that moves no byte.
BY_ONE = ({("M1", "LeftBits")}, {("X1", "RightBytes"), ("M1", "RightBits")})


def check(isa: Isa) -> list[str]:
    """All findings; empty for a sound description."""
    findings: list[str] = []
    for insn in isa.insns:
        for text in _insn_findings(isa, insn):
            findings.append(f"{insn.loc}: {insn.record}: {text}")
    findings += _overlaps(isa)
    findings += _codes(isa)
    findings += _traps(isa)
    findings += _operand_kinds(isa)
    findings += _formulas(isa)
    findings += _groups(isa)
    findings += _ways(isa)
    findings += _halves(isa)
    findings += _after_the_chain(isa)
    findings += retire.check(isa.record)
    findings += state.check(isa.state)
    findings += addresses.findings(isa)
    return findings or list(hazards.findings(isa))  # what instructions read and write is known of sound ones only


def _insn_findings(isa: Isa, insn: Insn) -> Iterator[str]:
    yield from _encoding(isa, insn)
    yield from _operands(isa, insn)
    yield from _path(isa, insn)
    yield from _memory(isa, insn)
    yield from _lanes_carried_out(isa, insn)


def _groups(isa: Isa) -> Iterator[str]:
    mnemonics = {i.mnemonic for i in isa.insns}
    for group in isa.groups:
        if group.name in mnemonics:
            yield f"{isa.locs[group.record]}: {group.record}: a group is called as an instruction, {group.name}"
    for insn in isa.insns:
        if not insn.group:
            yield f"{insn.loc}: {insn.record}: no group; put `let Group = ... in` around it"
        for op in insn.operands:
            if op.extension != BASE and not op.optional:
                yield f"{insn.loc}: {insn.record}: operand {op.name} ({op.record}) is of an extension and not optional"
        if not insn.extension:
            yield f"{insn.loc}: {insn.record}: no extension; put `let Extension = ... in` around it"


def _encoding(isa: Isa, insn: Insn) -> Iterator[str]:
    width = isa.machine["InsnBits"]
    if insn.unassigned:
        yield f"unassigned bits {_ranges(insn.unassigned)}: assign a field, an opcode or zero to them"
    for name in insn.broken:
        yield f"field {name} is not one run of bits, least significant first"
    for f in insn.fields:
        if f.msb >= width:
            yield f"field {f.name} reaches bit {f.msb}; the word has {width}"
    if isa.opcode.of(insn.match) != insn.opcode:
        yield f"bits {isa.opcode.msb}:{isa.opcode.lsb} are not its opcode {insn.opcode:#04x}, as those of others are"
    if insn.opcode in isa.reserved:
        yield f"opcode {insn.opcode:#04x} is reserved ({isa.reserved[insn.opcode]} of ReservedOpcodes)"
    covered = {name for op in insn.operands for name in op.fields}
    for f in insn.fields:
        if f.name not in covered:
            yield f"unassigned bits {f.msb}:{f.lsb}: no operand fills field {f.name}; let it be a constant"
    for op in insn.operands:
        for name in op.fields:
            if insn.field(name) is None:
                yield f"operand {op.name} ({op.record}) fills field {name}, which the encoding lacks or fixes"


def _operands(isa: Isa, insn: Insn) -> Iterator[str]:
    for op in insn.operands:
        for f in filter(None, map(insn.field, op.fields)):
            if op.choices and len(op.choices) > 1 << f.width:
                yield f"operand {op.name}: {len(op.choices)} choices do not fit field {f.name} of {f.width} bits"
            elif op.written in ("number", "label") and (
                op.base + op.high >= 1 << f.width or op.base + op.low < -(1 << (f.width - 1))
            ):
                yield f"operand {op.name}: range {op.low}..{op.high} does not fit field {f.name} of {f.width} bits"
            else:
                yield from _contents(isa, op, f)


def _contents(isa: Isa, op: Operand, field: Field) -> Iterator[str]:
    """Legal values of a field fit into it; a slot, whose bits have parts, can only be needed."""
    top = (1 << field.width) - 1
    contents = contents_of(isa, op, field.name, top)
    if contents.step < 1:
        return  # a finding of the kind
    what = f"operand {op.name}: what field {field.name} of {field.width} bits may hold"
    if field.width == isa.slot.bits and (contents.low, contents.high, contents.step) != (0, top, 1):
        yield f"{what} is not a range: it is a memory slot"
    if not 0 <= contents.low <= contents.high <= top or not all(0 <= n <= top for n in contents.forbidden):
        yield f"{what} does not fit it: {contents.low}..{contents.high}, forbidden {contents.forbidden}"
    if not contents.codes:
        yield f"{what} is nothing"


def _operand_kinds(isa: Isa) -> list[str]:
    findings = []
    for kind in isa.kinds_of_operands:
        if kind.written not in WRITTEN:
            known = ", ".join(WRITTEN)
            findings.append(
                f"{isa.locs[kind.record]}: {kind.record}: written as {kind.written}, which is none of {known}"
            )
    for holds in {h.record: h for kind in isa.kinds_of_operands for h in kind.contents}.values():
        at = f"{isa.locs[holds.record]}: {holds.record}"
        if holds.step < 1:
            findings.append(f"{at}: step {holds.step} is not positive")
        if holds.role not in ("", *ROLES):
            findings.append(f"{at}: role {holds.role} is none of {', '.join(ROLES)}")
        if any(n >= FORBIDDEN_BELOW for n in holds.forbidden):
            findings.append(f"{at}: codes of {FORBIDDEN_BELOW} and more cannot be forbidden one by one")
    return findings


def _path(isa: Isa, insn: Insn) -> Iterator[str]:
    order = {n: place for place, n in enumerate(("SRC", *isa.blocks, "RES"))}
    control = {b.record: b.code for b in isa.control_blocks}
    seen: set[str] = set()
    last = -1
    for step in insn.path:
        if step.block in seen:
            yield f"the path uses block {step.block} twice"
            continue
        seen.add(step.block)
        position = order.get(step.block, control.get(step.block))
        if position is None or (step.block in control) == isa.is_vector(insn):
            yield f"the path names {step.block}, which is not a block of a {insn.format}"
            continue
        if position < last:
            yield f"the path names block {step.block} out of order"
        last = position
        yield from _step(isa, step)
    yield from _pairs(isa, insn)
    yield from _wired(isa, insn)
    yield from _condition(isa, insn)
    yield from _first_source(insn)


def _condition(isa: Isa, insn: Insn) -> Iterator[str]:
    """A branch asks early whether the address unit's value is zero (rtl/lutra_agu.sv)."""
    known = {f.record for f in isa.control_functions.values() if f.zero}
    au, cc = insn.step("AU"), insn.step("CC")
    if au and cc and cc.function in known and au.function not in known:
        yield f"{cc.function} asks whether what {au.function} computes is zero, which is not known early enough"


def _wired(isa: Isa, insn: Insn) -> Iterator[str]:
    """Beside a function of a way, the path does nothing in the blocks that the way stands beside."""
    steps = [s for s in insn.path if s.block in isa.blocks]
    for step in steps:
        way = isa.way(step.block, step.function)
        for other in steps:
            if way and other.block in way.beside and other.function not in way.functions:
                yield (
                    f"{step.function} of block {step.block} stands beside {other.function} of block {other.block}"
                    f" ({way.record}); no instruction can use both"
                )


def _first_source(insn: Insn) -> Iterator[str]:
    """The second half has no register for A: it is what L0 leaves, and K0H taken off again."""
    taken = next((s for s in insn.path if "A" in s.sides), None)
    added = insn.step("L0")
    if taken and (added is None or (added.function, added.sides) != ("Xor", ("K0H",))):
        yield f"block {taken.block} takes A, which is found again only where L0 is (L0 Xor, K0H)"


def _pairs(isa: Isa, insn: Insn) -> Iterator[str]:
    blocks = [isa.blocks[s.block] for s in insn.path if s.block in isa.blocks]
    if isa.writes_pair(insn) != _writes_two(isa, insn):
        yield "WritePair and a destination of two registers belong together"
    if isa.writes_pair(insn) and not any(b.partner for b in blocks):
        yield "WritePair, but no block of the path makes a partner"
    for block in blocks:
        if block.two_rounds and not (isa.half(insn, 1) and isa.half(insn, 2)):
            yield f"block {block.record} is there for two rounds only, and the path does not use both halves"


def _writes_two(isa: Isa, insn: Insn) -> bool:
    """Whether field rd holds the first of two registers."""
    kinds = {op.kind for op in insn.operands if "rd" in op.fields}
    return any(h.field == "rd" and h.step == 2 for k in isa.kinds_of_operands if k.name in kinds for h in k.contents)


def _step(isa: Isa, step: Step) -> Iterator[str]:
    if step.block in isa.blocks:
        block = isa.blocks[step.block]
        if step.function not in block.functions:
            yield f"block {step.block} cannot do {step.function}"
            return
        if not set(block.partner) <= set(step.sides):
            yield f"partner {' '.join(block.partner)} must be named with block {step.block}"
        sides = [s for s in step.sides if s != "N" and s not in block.partner]
        function = isa.functions[step.function]
        if len(sides) > function.sides:
            yield f"{step.function} takes {function.sides} side operands, {len(sides)} are given"
        if function.immediate != ("N" in step.sides):
            yield f"{step.function} {'needs' if function.immediate else 'takes no'} immediate N"
        ports = [set(block.port_y), set(block.port_z)]
        for side in sides:
            if not any(side in p for p in ports):
                yield f"side operand {side} cannot enter block {step.block}"
        for port in ports:
            if len(port & set(sides)) > 1:
                yield f"side operands {' and '.join(sorted(port & set(sides)))} enter block {step.block} by one port"
        return
    table = isa.control_functions | isa.endpoint_functions
    if step.function not in table or table[step.function].kind != step.block:
        yield f"block {step.block} cannot do {step.function}"


def _memory(isa: Isa, insn: Insn) -> Iterator[str]:
    """At most one access a memory block: the key blocks are fixed, the others are checked when assembled."""
    if not isa.is_vector(insn):
        return
    taken: dict[int, str] = {}
    for record, side in isa.sides.items():
        if len(side.blocks) == 1 and not side.made and insn.takes(record):
            if side.blocks[0] in taken:
                first = taken[side.blocks[0]]
                yield f"two accesses to one memory block: {first} and {record} both read m{side.blocks[0]}"
            taken[side.blocks[0]] = record
    key = insn.field("ks") is not None
    if key != bool(isa.key_blocks(insn)):
        yield "the key slot and the path disagree: " + (
            "no step takes K0 or K1" if key else "a step takes a key row, but no operand fills ks"
        )
    for side in (side for side in isa.sides.values() if side.field == "ds" and insn.takes(side.record)):
        taken_by = f"a step takes {side.record}"
        if insn.field("ds") is None:
            yield f"{taken_by}, but no operand fills ds"
        for op in insn.operands:
            if "ds" in op.fields and op.fields != ("db", "ds"):
                yield f"two accesses by one slot: {taken_by}, and operand {op.name} ({op.record}) can be a row too"


def _lanes_carried_out(isa: Isa, insn: Insn) -> Iterator[str]:
    """Lanes out of which a shift moves a one are known by the value that the first half shifts by one."""
    shift = _turned(insn)
    # What a shift by any number has for 1.
    ones = {o.base + 1 for i in isa.described if shift <= _turned(i) for o in i.operands if "n" in o.fields}
    for side in (side for side in isa.sides.values() if side.directed and insn.takes(side.record)):
        if shift not in BY_ONE or insn.number not in ones:
            yield (
                f"side operand {side.record}: the path has no shift of lanes by a constant of one bit in the first half"
            )


def _turned(insn: Insn) -> set[tuple[str, str]]:
    """Check the functions of a path that use its immediate."""
    return {(s.block, s.function) for s in insn.path if "N" in s.sides}


def _overlaps(isa: Isa) -> list[str]:
    findings = []
    for a, b in combinations(isa.insns, 2):
        common = a.mask & b.mask
        if a.match & common == b.match & common:
            findings.append(f"{b.loc}: {b.record}: encoding overlaps {a.record} ({a.loc})")
    return findings


def _ways(isa: Isa) -> Iterator[str]:
    """A way stands beside blocks of one half that follow one another; each of its functions is one of theirs."""
    order = list(isa.blocks)
    for way in isa.ways:
        at = f"{isa.locs[way.record]}: {way.record}"
        first = order.index(way.beside[0])
        if tuple(order[first : first + len(way.beside)]) != way.beside:
            yield f"{at}: blocks {', '.join(way.beside)} do not follow one another"
            continue
        if len({isa.blocks[b].half for b in way.beside}) > 1:
            yield f"{at}: blocks {', '.join(way.beside)} are of several halves"
        for block in (isa.blocks[b] for b in way.beside):
            if block.partner:
                yield f"{at}: block {block.record} has a partner, which goes no way beside"
            if block.half != 1:
                yield f"{at}: block {block.record} is none of the first half, the only one that is wired so"
        for function in way.functions:
            if not any(function in isa.blocks[b].functions for b in way.beside):
                yield f"{at}: {function} is not a function of {', '.join(way.beside)}"
    for a, b in combinations(isa.ways, 2):
        for function in (f for f in a.functions if f in b.functions and set(a.beside) & set(b.beside)):
            yield f"{isa.locs[b.record]}: {b.record}: {function} goes the way {a.record} ({isa.locs[a.record]}) already"


def _halves(isa: Isa) -> list[str]:
    """With one round per instruction, first-half blocks do what instructions of one half do in the second."""
    findings = []
    single = {s.function for i in isa.described if not (isa.half(i, 1) and isa.half(i, 2)) for s in i.path}
    for second in (b for b in isa.blocks.values() if b.half == 2 and not b.two_rounds):
        first = next((b for b in isa.blocks.values() if b.half == 1 and b.kind == second.kind), None)
        missing = (set(second.functions) & single) - set(isa.chained(first.record) if first else ())
        if missing:
            what = "is not a function of the first half's block in the chain"
            findings.append(f"{isa.locs[second.record]}: {second.record}: {', '.join(sorted(missing))} {what}")
    return findings


def _after_the_chain(isa: Isa) -> Iterator[str]:
    """The chain's value is XORed on at the end of the first half, past the blocks after it."""
    order = [b for b in isa.blocks.values() if b.half == 1]
    last = max(place for place, b in enumerate(order) if b.record in isa.deep)
    for block in order[last + 1 :]:
        for f in (isa.functions[name] for name in isa.chained(block.record)):
            if not f.linear:
                chain = ", ".join(isa.deep)
                yield f"{f.loc}: {f.record}: block {block.record} comes after the chain of {chain}, and is not linear"


def _formulas(isa: Isa) -> list[str]:
    """A formula has a place for all that enters its function, and for nothing else."""
    pairing = {b.kind for b in isa.blocks.values() if b.partner}
    findings = []
    for f in (isa.functions | isa.endpoint_functions | isa.control_functions).values():
        try:
            places = formula.places(f.formula)
        except ValueError as error:
            findings.append(f"{f.loc}: {f.record}: {error} are not places such as {{y}} or {{ ^ y}}")
            continue
        ports = (
            set("yz"[: f.sides]) | ({"p"} if f.kind in pairing else set()) | ({"t"} if f.kind == "Lookup" else set())
        )
        for place in sorted(places - ports):
            findings.append(f"{f.loc}: {f.record}: the formula has a place {{{place}}}, the function no such port")
        for place in sorted(ports - places):
            findings.append(f"{f.loc}: {f.record}: the formula lacks a place for the input at port {place}")
        if f.kind in {k.record for k in isa.kinds} and f.immediate != _names_immediate(f):
            lacks = "the formula lacks the immediate n" if f.immediate else "the formula names an immediate n"
            findings.append(f"{f.loc}: {f.record}: {lacks}")
        if f.linear and formula.fill(f.formula, {}) != "x":
            findings.append(
                f"{f.loc}: {f.record}: it is said to be linear, and its formula is not the XOR of what enters"
            )
        if not f.formula and not f.remark:
            findings.append(f"{f.loc}: {f.record}: neither formula nor remark")
    return findings


def _names_immediate(f: Function) -> bool:
    return re.search(r"\bn\b", f.formula) is not None


Coded = Named | Space | VectorName | Delta | Wrap


class Codes(NamedTuple):
    """Records whose codes and names must differ; `first`: they are counted from there without a gap."""

    rows: Sequence[tuple[str, int, str]]  # record, code, name
    first: int | None = None
    field: str = ""  # where a code stands
    width: int = 0


def _codes(isa: Isa) -> list[str]:
    """Codes differ within a kind, names too; they fit the fields that hold them; tables made of them have no holes."""
    vector, slot = isa.places(vector=True), isa.slot.pattern

    def named(rows: Sequence[Coded], first: int | None = None, field: str = "") -> Codes:
        width = vector[field].width if field in vector else 0
        return Codes([(r.record, r.code, r.name) for r in rows], first, field, width)

    groups = [
        named(isa.traps, first=1),
        named(isa.states, first=0),
        named(isa.stream_rows, first=0),
        *(named(isa.besides(field)) for field in sorted({b.field for b in isa.hash_beside})),
        named(isa.words_parts),
        named(isa.moves, first=0, field="mv"),
        named(isa.deltas, first=0),
        named(isa.wraps, first=0),
        named(isa.spaces, field="sb"),
        named(isa.vectors, field="rd"),
        Codes([(n, code, str(bits)) for n, (bits, code) in zip(isa.width_records, isa.widths, strict=True)], first=0),
        Codes([(h.record, h.order, h.name) for h in isa.hazards], first=0),
        Codes([(k.record, place, k.name) for place, k in enumerate(isa.kinds_of_operands)]),
        # Code 0 at register 0 would be the slot without an access.
        Codes([(p.record, p.code, p.suffix) for p in isa.patterns], 1, "of a slot's pattern", slot.width),
    ]
    for table, first in ((isa.functions, None), (isa.endpoint_functions, 0), (isa.control_functions, 0)):
        for kind in dict.fromkeys(f.kind for f in table.values()):
            groups.append(Codes([(f.record, f.code, f.symbol) for f in table.values() if f.kind == kind], first))
    return [f"{isa.locs[record]}: {record}: {text}" for group in groups for record, text in _code_findings(isa, group)]


def _traps(isa: Isa) -> Iterator[str]:
    """The text of a trap shows known values, and a trap yields to lower codes."""
    codes = {trap.name: trap.code for trap in isa.traps}
    for trap in isa.traps:
        for name in trap.yields_to:
            if codes[name] >= trap.code:
                yield f"{isa.locs[trap.record]}: {trap.record}: it yields to {name}, whose code is not lower"
        for name in re.findall(r"\{(.*?)\}", trap.shown):
            if name not in (*TRAP_VALUES, *isa.machine):
                yield f"{isa.locs[trap.record]}: {trap.record}: its text shows {name}, which is not a value of a trap"


def _code_findings(isa: Isa, group: Codes) -> Iterator[tuple[str, str]]:
    for (a, code, name), (b, other, again) in combinations(group.rows, 2):
        if code == other:
            yield b, f"same code as {a} ({isa.locs[a]})"
        if name and name == again:
            yield b, f"same name as {a} ({isa.locs[a]})"
    expected = group.first
    for record, code, _ in sorted(group.rows, key=lambda row: row[1]):
        if group.width and not 0 <= code < 1 << group.width:
            yield record, f"code {code} does not fit field {group.field} of {group.width} bits"
        elif expected is not None and code > expected:
            yield record, f"code {code}, but {expected} is not given to any; there must be no gap"
        expected = None if expected is None else max(expected, code + 1)


def _ranges(bits: tuple[int, ...]) -> str:
    runs: list[list[int]] = []
    for bit in sorted(bits):
        if runs and bit == runs[-1][1] + 1:
            runs[-1][1] = bit
        else:
            runs.append([bit, bit])
    return ", ".join(f"{hi}:{lo}" if hi != lo else f"{lo}" for lo, hi in reversed(runs))
