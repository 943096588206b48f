"""The tables that assembler, disassembler, generator of programs and command line read: one JSON file."""

from __future__ import annotations

import json
from dataclasses import asdict

from isagen import emit_hazards, records
from isagen.model import Insn, Isa
from isagen.records import Bits


def files(isa: Isa) -> dict[str, str]:
    """Name -> text."""
    head = {"generated": "by python -m isagen (source: isa/*.td); do not edit"}
    return {"tables.json": json.dumps(head | asdict(tables(isa)), indent=1) + "\n"}


def tables(isa: Isa) -> records.Isa:
    """Everything a reader of programs needs."""
    made = emit_hazards.made(isa)
    return records.Isa(
        machine=isa.machine,
        spaces=isa.spaces,
        vectors=isa.vectors,
        address_registers=tuple(f"ar{i}" for i in range(isa.machine["AddressRegs"])),
        stream_contexts=tuple(f"c{i}" for i in range(isa.machine["StreamContexts"])),
        widths=isa.widths,
        slot=isa.slot,
        moves=isa.moves,
        patterns=isa.patterns,
        deltas=isa.deltas,
        wraps=isa.wraps,
        key_blocks={s.record: block for block, s in sorted(isa.key_rows().items())},
        traps=isa.traps,
        states=isa.states,
        accesses=emit_hazards.accesses(isa),
        stalls=emit_hazards.stalls(isa),
        stages=isa.stages,
        instructions=tuple(_insn(isa, i, made[i.record]) for i in isa.insns),
    )


def _insn(isa: Isa, insn: Insn, accesses: dict[str, tuple[int, ...]]) -> records.Insn:
    return records.Insn(
        name=insn.record,
        source=insn.loc,
        mnemonic=insn.mnemonic,
        format=insn.format,
        opcode=insn.opcode,
        match=insn.match,
        mask=insn.mask,
        fields={f.name: Bits(f.msb, f.lsb) for f in insn.fields},
        operands=insn.operands,
        facts=isa.facts[insn.record],
        accesses=accesses,
        summary=insn.summary,
        details=insn.details,
        path=tuple(formula(isa, s.block, s.function, s.sides) for s in insn.path),
    )


def formula(isa: Isa, block: str, function: str, sides: tuple[str, ...]) -> records.Step:
    """One step of a path in words: the function's formula with this instruction's side operands put in."""
    table = isa.functions | isa.endpoint_functions | isa.control_functions
    text = table[function].formula
    if block in isa.blocks:
        b = isa.blocks[block]
        for port, names in (("y", b.port_y), ("z", b.port_z), ("p", b.partner)):
            side = next((isa.sides[s].symbol for s in sides if s in names), None)
            text = _put(text, port, side)
    return records.Step(block, function, text, ", ".join(sides))


def _put(text: str, port: str, side: str | None) -> str:
    """Replace the letter `port` where it stands as a word; drop ` ^ port` where nothing enters."""
    if side is None:
        text = text.removesuffix(f" ^ {port}")
        return text.replace(f" ^ {port},", ",")
    words = [side if w.strip("(),") == port and len(w.strip("(),")) == 1 else w for w in text.split(" ")]
    return " ".join(
        w if w != side else original.replace(port, side) for w, original in zip(words, text.split(" "), strict=True)
    )
