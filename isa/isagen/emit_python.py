"""The tables that assembler, disassembler, generator of programs and command line read: one JSON file."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

from isagen import emit_hazards, records
from isagen.description import Insn
from isagen.formula import line
from isagen.model import Isa
from isagen.records import Bits


def files(isa: Isa) -> dict[str, str]:
    """Name -> text."""
    head = {"generated": "by python -m isagen (source: isa/*.td); do not edit"}
    return {"tables.json": json.dumps(head | asdict(tables(isa)), indent=1) + "\n"}


def tables(isa: Isa) -> records.Isa:
    """Everything a reader of programs needs."""
    made = emit_hazards.made(replace(isa, insns=isa.described))
    absent = tuple(i for i in isa.described if i.record not in {k.record for k in isa.insns})
    return records.Isa(
        version=isa.version,
        machine=isa.machine,
        opcode=Bits(isa.opcode.msb, isa.opcode.lsb),
        spaces=isa.spaces,
        vectors=isa.vectors,
        address_registers=isa.register_files["AddressRegister"].names,
        stream_contexts=isa.register_files["StreamContext"].names,
        stream_rows=isa.stream_rows,
        hash_beside=isa.hash_beside,
        words_parts=isa.words_parts,
        widths=isa.widths,
        slot=isa.slot,
        moves=isa.moves,
        patterns=isa.patterns,
        deltas=isa.deltas,
        wraps=isa.wraps,
        key_blocks={s.record: block for block, s in sorted(isa.key_rows().items())},
        traps=isa.traps,
        states=isa.states,
        resources=emit_hazards.resources(isa),
        accesses=emit_hazards.accesses(isa),
        stalls=emit_hazards.stalls(isa),
        loop_entry=isa.entry,
        stores=isa.record.stores,
        stages=isa.stages,
        fetch=isa.fetch,
        groups=isa.groups,
        extensions=isa.extensions,
        configuration=isa.configuration,
        configurations=isa.ready,
        instructions=tuple(_insn(isa, i, made[i.record]) for i in isa.insns),
        absent=tuple(_insn(isa, i, made[i.record]) for i in absent),
        absent_operands=_absent_operands(isa),
    )


def _absent_operands(isa: Isa) -> tuple[str, ...]:
    """The operands that the configuration has taken from instructions, by name."""
    kept = {(i.record, o.name) for i in isa.insns for o in i.operands}
    here = {i.record for i in isa.insns}
    gone = (o.name for i in isa.described if i.record in here for o in i.operands if (i.record, o.name) not in kept)
    return tuple(dict.fromkeys(gone))


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
        group=insn.group,
        extension=insn.extension,
        also=insn.also,
        path=tuple(line(isa, insn, step) for step in insn.path),
    )
