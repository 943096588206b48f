"""What a description must satisfy before anything is generated from it.

Every finding names file, line and record. `check` returns all findings, not the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from isagen import addresses, hazards
from isagen.model import Insn, Isa, Step

# The fields that an operand kind packs; a kind that is not here is not known to the assembler.
OPERAND_KINDS = frozenset(
    {
        *("dst", "dst_pair", "move", "store", "sum", "sum_reg", "src_a", "src_b", "key_pair", "key_0", "key_1", "row"),
        *("imm", "ar", "target", "loop_end", "choice", "contexts", "context"),
    }
)


def check(isa: Isa) -> list[str]:
    """All findings; empty for a sound description."""
    findings: list[str] = []
    for insn in isa.insns:
        for text in _insn_findings(isa, insn):
            findings.append(f"{insn.loc}: {insn.record}: {text}")
    findings += _overlaps(isa)
    findings += _codes(isa)
    findings += _halves(isa)
    findings += addresses.findings(isa)
    return findings or list(hazards.findings(isa))  # what instructions read and write is known of sound ones only


def _insn_findings(isa: Isa, insn: Insn) -> Iterator[str]:
    yield from _encoding(isa, insn)
    yield from _operands(isa, insn)
    yield from _path(isa, insn)
    yield from _memory(isa, insn)


def _encoding(isa: Isa, insn: Insn) -> Iterator[str]:
    width = isa.machine["InsnBits"]
    if insn.unassigned:
        yield f"unassigned bits {_ranges(insn.unassigned)}: assign a field, an opcode or zero to them"
    for name in insn.broken:
        yield f"field {name} is not one run of bits, least significant first"
    for f in insn.fields:
        if f.msb >= width:
            yield f"field {f.name} reaches bit {f.msb}; the word has {width}"
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
        if op.kind not in OPERAND_KINDS:
            yield f"operand {op.name} ({op.record}) is of unknown kind {op.kind}"
        if op.kind in ("imm", "target", "loop_end"):
            for name in op.fields:
                f = insn.field(name)
                if f is not None and (op.high >= 1 << f.width or op.low < -(1 << (f.width - 1))):
                    yield f"operand {op.name}: range {op.low}..{op.high} does not fit field {name} of {f.width} bits"
        if op.kind == "choice":
            f = insn.field(op.fields[0])
            if f is not None and len(op.choices) > 1 << f.width:
                yield f"operand {op.name}: {len(op.choices)} choices do not fit field {f.name} of {f.width} bits"


def _path(isa: Isa, insn: Insn) -> Iterator[str]:
    order = {n: b.order for n, b in isa.blocks.items()}
    order |= {"SRC": -1, "RES": len(order)}
    control = {b.record: b.code for b in isa.control_blocks}
    seen: set[str] = set()
    last = -2
    for step in insn.path:
        if step.block in seen:
            yield f"the path uses block {step.block} twice"
            continue
        seen.add(step.block)
        position = order.get(step.block, control.get(step.block))
        if position is None or (step.block in control) == isa.is_vector(insn):
            yield f"the path names {step.block}, which is no block of a {insn.format}"
            continue
        if position < last:
            yield f"the path names block {step.block} out of order"
        last = position
        yield from _step(isa, step)
    yield from _pairs(isa, insn)


def _pairs(isa: Isa, insn: Insn) -> Iterator[str]:
    blocks = [isa.blocks[s.block] for s in insn.path if s.block in isa.blocks]
    if isa.writes_pair(insn) != any(op.kind == "dst_pair" for op in insn.operands):
        yield "WritePair and a destination of two registers belong together"
    if isa.writes_pair(insn) and not any(b.partner for b in blocks):
        yield "WritePair, but no block of the path makes a partner"
    for block in blocks:
        if block.two_rounds and not (isa.half(insn, 1) and isa.half(insn, 2)):
            yield f"block {block.record} is there for two rounds only, and the path does not use both halves"


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
        if len(side.blocks) == 1 and not side.part and insn.takes(record):
            if side.blocks[0] in taken:
                first = taken[side.blocks[0]]
                yield f"two accesses to one memory block: {first} and {record} both read m{side.blocks[0]}"
            taken[side.blocks[0]] = record
    key = insn.field("ks") is not None
    if key != bool(isa.key_blocks(insn)):
        yield "the key slot and the path disagree: " + (
            "no step takes K0 or K1" if key else "a step takes a key row, but no operand fills ks"
        )
    if insn.takes("D"):
        if insn.field("ds") is None:
            yield "a step takes D, but no operand fills ds"
        for op in insn.operands:
            if "ds" in op.fields and op.kind != "row":
                yield f"two accesses by one slot: a step takes D, and operand {op.name} ({op.record}) can be a row too"


def _overlaps(isa: Isa) -> list[str]:
    findings = []
    for a, b in combinations(isa.insns, 2):
        common = a.mask & b.mask
        if a.match & common == b.match & common:
            findings.append(f"{b.loc}: {b.record}: encoding overlaps {a.record} ({a.loc})")
    return findings


def _halves(isa: Isa) -> list[str]:
    """With one round an instruction, first-half blocks do the second half's work too."""
    findings = []
    for second in (b for b in isa.blocks.values() if b.half == 2 and not b.two_rounds):
        first = next((b for b in isa.blocks.values() if b.half == 1 and b.kind == second.kind), None)
        missing = set(second.functions) - set(first.functions if first else ())
        if missing:
            findings.append(f"{second.record}: {', '.join(sorted(missing))} is no function of the first half's block")
    return findings


def _codes(isa: Isa) -> list[str]:
    """Codes of one kind differ, symbols too."""
    findings = []
    groups = [isa.functions, isa.endpoint_functions, isa.control_functions]
    for group in groups:
        for a, b in combinations(group.values(), 2):
            if a.kind == b.kind and (a.code == b.code or a.symbol == b.symbol):
                findings.append(f"{b.loc}: {b.record}: same code or symbol as {a.record} ({a.loc})")
    for x, y in combinations(isa.vectors, 2):
        if x.code == y.code:
            findings.append(f"{y.record}: same code as {x.record}")
    for p, q in combinations(isa.patterns, 2):
        if p.code == q.code or p.suffix == q.suffix:
            findings.append(f"{q.record}: same code or syntax as {p.record}")
    return findings


def _ranges(bits: tuple[int, ...]) -> str:
    runs: list[list[int]] = []
    for bit in sorted(bits):
        if runs and bit == runs[-1][1] + 1:
            runs[-1][1] = bit
        else:
            runs.append([bit, bit])
    return ", ".join(f"{hi}:{lo}" if hi != lo else f"{lo}" for lo, hi in reversed(runs))
