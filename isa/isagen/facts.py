"""Facts of an instruction: what it reads, writes, uses and may be, from its encoding, its operands and its path.

This is the only place that makes these facts. The emitters and, by way of the tables, the random programs and the
coverage plan read them.
"""

from __future__ import annotations

from collections.abc import Iterator

from isagen.description import Description, Insn
from isagen.records import Contents, InsnFacts, Operand, Source

SOURCE_FIELDS = ("ra", "rb")
# Ends of the path, and the blocks of a control instruction.
ENDS = ("SRC", "RES", "AU", "CC", "SQ")


def elaborate(isa: Description, insn: Insn) -> InsnFacts:
    """The facts of one instruction of a sound description."""
    contents = tuple(_contents(isa, insn))
    functions = isa.endpoint_functions | isa.control_functions
    chosen = {end: functions[_function(isa, insn, end)] for end in ENDS}
    pair = isa.writes_pair(insn)
    return InsnFacts(
        vector=isa.is_vector(insn),
        sources=tuple(_sources(isa, insn)),
        whitening=_whitening(isa, insn),
        key_blocks=isa.key_blocks(insn),
        data=_data(isa, insn),
        store=_store(insn, contents),
        destination="" if insn.field("rd") is None else "pair" if pair else "vector",
        move=insn.field("mv") is not None,
        third=isa.named(insn, "rc"),
        halves=tuple(half for half in (1, 2) if isa.half(insn, half)),
        lookups=tuple(bank for bank, block in enumerate(isa.banks()) if insn.step(block)),
        chained=_chained(isa, insn),
        early=_early(isa, insn),
        stream=isa.stateful(insn),
        pairing=next((s.function for s in insn.path if isa.joint and s.block == isa.joint.record), ""),
        clocks=insn.field("c") is not None,
        context=insn.field("o") is not None,
        src=chosen["SRC"].record,
        res=chosen["RES"].record,
        au=chosen["AU"].record,
        cc=chosen["CC"].record,
        sq=chosen["SQ"].record,
        conditional=chosen["CC"].code != 0,
        transfer=insn.step("SQ") is not None,
        reads_address=insn.field("as") is not None,
        writes_address=any(f.writes_address for f in chosen.values()),
        reads_flag=any(f.reads_flag for f in chosen.values()),
        writes_flag=any(f.writes_flag for f in chosen.values()),
        hashes=any(f.hashes for f in chosen.values()),
        beside=next((b.field for b in isa.hash_beside if insn.field(b.field)), ""),
        reads_sum=any(side.sum and insn.takes(side.record) for side in isa.sides.values()),
        contents=contents,
    )


def _function(isa: Description, insn: Insn, end: str) -> str:
    step = insn.step(end)
    if step is not None:
        return step.function
    functions = isa.endpoint_functions | isa.control_functions
    return next(f.record for f in functions.values() if f.kind == end and f.code == 0)


def _sources(isa: Description, insn: Insn) -> Iterator[Source]:
    src = insn.step("SRC")
    enters = {"ra": src is None or src.function == "FromVector", "rb": isa.named(insn, "rb")}
    for name in SOURCE_FIELDS:
        for op in insn.operands:
            if name in op.fields:
                yield Source(name, "ds" in op.fields, enters[name])


def _chained(isa: Description, insn: Insn) -> bool:
    """Whether the value goes through the chain of the first half, which is too deep for a forward at the end of X1."""
    return any(s.function in isa.chained(s.block) for s in insn.path if s.block in isa.deep)


def _early(isa: Description, insn: Insn) -> bool:
    """Whether what is XORed onto a source at the end of PERM would come too late."""
    before = [isa.functions[s.function] for s in insn.path if s.block in isa.blocks and isa.blocks[s.block].half == 0]
    ends = [isa.endpoint_functions[s.function] for s in insn.path if s.function in isa.endpoint_functions]
    indexes = any(s.function in isa.functions and isa.functions[s.function].indexes for s in insn.path)
    return indexes or not all(f.linear for f in before) or any(f.writes_address for f in ends)


def _whitening(isa: Description, insn: Insn) -> tuple[bool, ...]:
    if not isa.named(insn, "w"):
        return (False,)
    if insn.field("w"):
        return (False, True)
    return (bool(isa.places(vector=True)["w"].of(insn.match)),)


def _data(isa: Description, insn: Insn) -> str:
    if insn.field("ds") is None:
        return ""
    return "path" if isa.named(insn, "ds") else "move" if insn.field("mv") else "source"


def _store(insn: Insn, contents: tuple[Contents, ...]) -> str:
    if insn.field("ss") is None:
        return ""
    must = any(c.field == "ss" and 0 in c.forbidden for c in contents)
    return "move" if insn.field("mv") else "must" if must else "may"


def _contents(isa: Description, insn: Insn) -> Iterator[Contents]:
    """A field that two operands fill holds what the first says."""
    seen: set[str] = set()
    for op in insn.operands:
        for name in op.fields:
            field = insn.field(name)
            if field is not None and name not in seen:
                seen.add(name)
                yield contents_of(isa, op, field.name, (1 << field.width) - 1)


def contents_of(isa: Description, op: Operand, name: str, top: int) -> Contents:
    """Return the legal values of field `name` with maximum `top` for an operand; a range below zero is all numbers."""
    if op.written in ("number", "label"):
        low, high = (0, len(op.choices) - 1) if op.choices else (op.base + op.low, op.base + op.high)
        return Contents(name, low, high, 1, ()) if low >= 0 else Contents(name, 0, top, 1, ())
    kind = next(k for k in isa.kinds_of_operands if k.name == op.kind)
    holds = next((h for h in kind.contents if h.field == name), None)
    if holds is None:
        return Contents(name, 0, top, 1, ())
    forbidden = set(holds.forbidden)
    if holds.role:
        forbidden |= set(range(top + 1)) - set(isa.codes(holds.role, row="ds" in op.fields))
    return Contents(name, holds.low, top if holds.high < 0 else holds.high, holds.step, tuple(sorted(forbidden)))
