"""The tables that assembler, disassembler and command line read: one JSON file."""

from __future__ import annotations

import dataclasses
import json

from isagen import emit_hazards
from isagen.model import Insn, Isa


def files(isa: Isa) -> dict[str, str]:
    """Name -> text."""
    return {"tables.json": json.dumps(tables(isa), indent=1) + "\n"}


def tables(isa: Isa) -> dict[str, object]:
    """Everything a reader of programs needs, in plain types."""
    accesses = emit_hazards.made(isa)
    return {
        "generated": "by python -m isagen (source: isa/*.td); do not edit",
        "machine": isa.machine,
        "spaces": [dataclasses.asdict(s) for s in isa.spaces],
        "vectors": [dataclasses.asdict(v) for v in isa.vectors],
        "address_registers": [f"ar{i}" for i in range(isa.machine["AddressRegs"])],
        "stream_contexts": [f"c{i}" for i in range(isa.machine["StreamContexts"])],
        "widths": [{"bits": b, "code": c} for b, c in isa.widths],
        "slot": dataclasses.asdict(isa.slot),
        "moves": [dataclasses.asdict(m) for m in isa.moves],
        "patterns": [dataclasses.asdict(p) for p in isa.patterns],
        "key_blocks": {s.record: block for block, s in sorted(isa.key_rows().items())},
        "traps": [dataclasses.asdict(t) for t in isa.traps],
        "states": [dataclasses.asdict(s) for s in isa.states],
        "accesses": emit_hazards.tables(isa),
        "stalls": [
            {
                "name": h.name,
                "text": h.text,
                "distance": [h.distance(1), h.distance(2)],
                "writes": [a.record for a in h.writes],
                "reads": [a.record for a in h.reads],
            }
            for h in isa.hazards
        ]
        + [
            {
                "name": "transfer",
                "text": "a taken jump, call or return",
                "distance": [isa.bubbles, isa.bubbles],
                "writes": [],
                "reads": [],
            }
        ],
        "stages": [dataclasses.asdict(s) for s in isa.stages],
        "instructions": [_insn(isa, i) | {"accesses": accesses[i.record]} for i in isa.insns],
    }


def _insn(isa: Isa, insn: Insn) -> dict[str, object]:
    return {
        "name": insn.record,
        "source": insn.loc,
        "mnemonic": insn.mnemonic,
        "format": insn.format,
        "vector": isa.is_vector(insn),
        "opcode": insn.opcode,
        "match": f"{insn.match:016x}",
        "mask": f"{insn.mask:016x}",
        "fields": {f.name: [f.msb, f.lsb] for f in insn.fields},
        "operands": [dataclasses.asdict(o) for o in insn.operands],
        "key_blocks": list(isa.key_blocks(insn)),
        "takes_row": insn.takes("D"),
        "two_rounds": isa.half(insn, 1) and isa.half(insn, 2),
        "latency": 2 if isa.half(insn, 2) else 1,
        "transfer": any(s.block == "SQ" for s in insn.path),
        "summary": insn.summary,
        "details": insn.details,
        "path": [formula(isa, s.block, s.function, s.sides) for s in insn.path],
    }


def formula(isa: Isa, block: str, function: str, sides: tuple[str, ...]) -> dict[str, str]:
    """One step of a path in words: the function's formula with this instruction's side operands put in."""
    table = isa.functions | isa.endpoint_functions | isa.control_functions
    text = table[function].formula
    if block in isa.blocks:
        b = isa.blocks[block]
        for port, names in (("y", b.port_y), ("z", b.port_z), ("p", b.partner)):
            side = next((isa.sides[s].symbol for s in sides if s in names), None)
            text = _put(text, port, side)
    return {"block": block, "function": function, "formula": text, "sides": ", ".join(sides)}


def _put(text: str, port: str, side: str | None) -> str:
    """Replace the letter `port` where it stands as a word; drop ` ^ port` where nothing enters."""
    if side is None:
        text = text.removesuffix(f" ^ {port}")
        return text.replace(f" ^ {port},", ",")
    words = [side if w.strip("(),") == port and len(w.strip("(),")) == 1 else w for w in text.split(" ")]
    return " ".join(
        w if w != side else original.replace(port, side) for w, original in zip(words, text.split(" "), strict=True)
    )
