"""What an instruction reads, writes, uses and may be, from its encoding, its operands and its path.

This is the only place that makes these facts. The emitters and, by way of the tables, the random programs and the
coverage plan read them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from isagen.records import InsnFacts, Number, Source

if TYPE_CHECKING:
    from isagen.model import Insn, Isa

SOURCE_FIELDS = ("ra", "rb")
# Ends of the path, and the blocks of a control instruction.
ENDS = ("SRC", "RES", "AU", "CC", "SQ")


def elaborate(isa: Isa, insn: Insn) -> InsnFacts:
    """The facts of one instruction of a sound description."""
    kinds = {op.kind for op in insn.operands}
    functions = isa.endpoint_functions | isa.control_functions
    chosen = {end: functions[_function(isa, insn, end)] for end in ENDS}
    pair = isa.writes_pair(insn)
    return InsnFacts(
        vector=isa.is_vector(insn),
        sources=tuple(_sources(insn)),
        whitening=_whitening(isa, insn),
        key_blocks=isa.key_blocks(insn),
        data=_data(insn, kinds),
        store=_store(insn, kinds),
        destination="" if insn.field("rd") is None else "pair" if pair else "vector",
        move="move" in kinds,
        halves=tuple(half for half in (1, 2) if isa.half(insn, half)),
        lookups=tuple(bank for bank, block in enumerate(isa.banks()) if insn.step(block)),
        stream=isa.stateful(insn),
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
        numbers=tuple(_numbers(insn)),
    )


def _function(isa: Isa, insn: Insn, end: str) -> str:
    step = insn.step(end)
    if step is not None:
        return step.function
    functions = isa.endpoint_functions | isa.control_functions
    return next(f.record for f in functions.values() if f.kind == end and f.code == 0)


def _sources(insn: Insn) -> Iterator[Source]:
    src = insn.step("SRC")
    enters = {"ra": src is None or src.function == "FromVector", "rb": insn.takes("B")}
    for name in SOURCE_FIELDS:
        for op in insn.operands:
            if name in op.fields:
                yield Source(name, "ds" in op.fields, enters[name])


def _whitening(isa: Isa, insn: Insn) -> tuple[bool, ...]:
    if not insn.takes("W"):
        return (False,)
    if insn.field("w"):
        return (False, True)
    return (bool(isa.places(vector=True)["w"].of(insn.match)),)


def _data(insn: Insn, kinds: set[str]) -> str:
    if insn.field("ds") is None:
        return ""
    return "path" if insn.takes("D") else "move" if "move" in kinds else "source"


def _store(insn: Insn, kinds: set[str]) -> str:
    if insn.field("ss") is None:
        return ""
    return "move" if "move" in kinds else "must" if "store" in kinds else "may"


def _numbers(insn: Insn) -> Iterator[Number]:
    """A range that begins below zero is that of all numbers of the field."""
    for op in insn.operands:
        if op.kind not in ("imm", "choice", "target", "loop_end"):
            continue
        for name in op.fields:
            f = insn.field(name)
            if f is not None:
                high = len(op.choices) - 1 if op.kind == "choice" else op.high
                low, high = (op.low, high) if op.low >= 0 else (0, (1 << f.width) - 1)
                yield Number(name, low, high)
