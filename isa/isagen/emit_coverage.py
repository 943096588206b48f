"""The coverage plan as the collector's tables (C++) and as names (JSON)."""

from __future__ import annotations

import json
import re
from itertools import accumulate
from typing import NamedTuple

from isagen.coverage import ABSENT, Dimension, Plan
from isagen.description import Access
from isagen.hazards import FILE
from isagen.model import Isa
from isagen.text import camel, render


def files_cpp(isa: Isa) -> dict[str, str]:
    """Name -> text."""
    return {"lutra_coverage.hpp": header(isa, Plan(isa))}


def files_python(isa: Isa) -> dict[str, str]:
    """Name -> text."""
    return {"coverage.json": json.dumps(names(Plan(isa)), indent=1) + "\n"}


def _identifier(label: str) -> str:
    return camel(re.sub(r"[^0-9a-z]+", "_", label.lower()).strip("_"))


def names(plan: Plan) -> dict[str, object]:
    """Coverpoints with their labels; `bins` are the possible places in the collector's table by ROUNDS_PER_INSTR."""
    return {
        "generated": "by python -m isagen (source: isa/*.td); do not edit",
        "points": [
            {
                "name": point.name,
                "text": point.text,
                "dimensions": [{"name": d.name, "labels": d.labels} for d in point.dimensions],
                "bins": {str(r): sorted({point.index(b) for b in point.bins(r)}) for r in (1, 2)},
            }
            for point in plan.points
        ],
    }


class Point(NamedTuple):
    """A coverpoint in the collector's table of counts."""

    name: str
    identifier: str
    offset: int
    sizes: list[int]


def header(isa: Isa, plan: Plan) -> str:
    """Coverpoints as places in one table of counts, and what turns codes into labels."""
    *offsets, counters = accumulate((point.size for point in plan.points), initial=0)
    return render(
        "lutra_coverage.hpp",
        enums={camel(d.name): [_identifier(label) for label in d.labels] for d in plan.dimensions() if d.enum},
        points=[
            Point(point.name, _identifier(point.name), offset, [len(d.labels) for d in point.dimensions])
            for point, offset in zip(plan.points, offsets, strict=True)
        ],
        counters=counters,
        every_value=len(plan.value.labels) - 2,
        row_addressing=plan.addressing.labels.index("row"),
        store_sum=plan.move.labels.index("store_sum"),
        first_fault=min(t.code for t in isa.traps if t.by_fault),
        **_codes(isa, plan),
        **_hazards(isa, plan),
    )


def _codes(isa: Isa, plan: Plan) -> dict[str, object]:
    """Return labels by code of an operand, a space, a key slot and a pattern."""
    vectors = {v.code: plan.kind_of(v.code) for v in isa.vectors}

    def kinds(dimension: Dimension) -> list[int]:
        codes = range(1 << isa.places(vector=True)["rd"].width)
        labels = [vectors.get(code, ABSENT) for code in codes]
        return [dimension.labels.index(label) if label in dimension.labels else 0 for label in labels]

    spaces = {s.code: s.name for s in plan.spaces}
    codes = range(max(s.code for s in isa.spaces) + 1)
    patterns = {p.code: plan.addressing_of(p) for p in isa.patterns}
    addressing = plan.addressing.labels
    key_labels = {sum(1 << b for b in f.key_blocks): plan.key_label(f.key_blocks) for f in isa.facts.values()}
    blocks = {s.blocks[0]: s.code for s in plan.spaces if s.is_single and s.blocks}
    return {
        "sources": kinds(plan.source),
        "destinations": kinds(plan.destination),
        "spaces": [plan.space.labels.index(spaces.get(c, ABSENT)) for c in codes],
        "stored": [plan.producer.labels.index(spaces[c]) if c in spaces else 0 for c in codes],
        "block_spaces": [blocks[b] for b in sorted(blocks)],
        "keys": [plan.key.labels.index(key_labels.get(m) or ABSENT) for m in range(1 << len(blocks))],
        "addressings": [addressing.index(patterns.get(c, addressing[0])) for c in range(max(patterns) + 1)],
    }


def _hazards(isa: Isa, plan: Plan) -> dict[str, object]:
    """Return labels by access and hazard."""
    by_space = len(plan.producer.labels)

    def label(dimension: Dimension, access: Access, end: tuple[Access, ...]) -> int:
        if access not in end:
            return 0
        return dimension.labels.index(access.label) if access.label else by_space

    accesses, hazards = plan.hazards.accesses, isa.hazards
    writes, reads = plan.hazards.writes(), plan.hazards.reads()
    sources = {r: [plan.hazards.sources(h, r) if h.bypass else [FILE] for h in hazards] for r in (1, 2)}
    most = max(len(row) for rows in sources.values() for row in rows)
    places = [[[*map(plan.stage.labels.index, row)] for row in rows] for rows in sources.values()]
    return {
        "by_space": by_space,
        "producers": [label(plan.producer, a, writes) for a in accesses],
        "consumers": [label(plan.consumer, a, reads) for a in accesses],
        "bypassed": [int(h.bypass) for h in hazards],
        "ready": [plan.ready.labels.index(h.write.name) if h.bypass else 0 for h in hazards],
        # Farther away a source comes from where the last of the row does.
        "sources_from": [[row + row[-1:] * (most - len(row)) for row in rows] for rows in places],
        "most": most,
    }
