"""The coverage plan as the collector's tables (C++) and as names (JSON)."""

from __future__ import annotations

import json
import re

from isagen.coverage import ABSENT, Coverpoint, Dimension, Plan
from isagen.hazards import FILE
from isagen.model import Access, Isa
from isagen.text import banner, camel


def files_cpp(isa: Isa) -> dict[str, str]:
    """Name -> text."""
    return {"lutra_coverage.hpp": header(isa, Plan(isa))}


def files_python(isa: Isa) -> dict[str, str]:
    """Name -> text."""
    return {"coverage.json": json.dumps(names(Plan(isa)), indent=1) + "\n"}


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


def _identifier(label: str) -> str:
    return camel(re.sub(r"[^0-9a-z]+", "_", label.lower()).strip("_"))


def _enum(dimension: Dimension) -> str:
    labels = "".join(f"  {_identifier(label)},\n" for label in dimension.labels)
    return f"enum class {camel(dimension.name)} : std::uint8_t {{\n{labels}}};\n\n"


def _point(point: Coverpoint, offset: int) -> str:
    sizes = ", ".join(str(len(d.labels)) for d in point.dimensions)
    return f'    {{"{point.name}", {offset}, {len(point.dimensions)}, {{{sizes}}}}},\n'


def _bytes(name: str, values: list[int], text: str) -> str:
    row = ", ".join(str(v) for v in values)
    return f"// {text}\ninline constexpr std::array<std::uint8_t, {len(values)}> {name}{{{row}}};\n\n"


def header(isa: Isa, plan: Plan) -> str:
    """Coverpoints as places in one table of counts, and what turns codes into labels."""
    out = (
        banner("//")
        + "// Coverpoints: crosses of labels, each a run of counters.\n#pragma once\n\n"
        + "#include <array>\n#include <cstdint>\n\nnamespace lutra::cov {\n\n"
    )
    out += "".join(_enum(d) for d in plan.dimensions() if d.enum)
    out += "enum class Coverpoint : std::uint8_t {\n"
    out += "".join(f"  {_identifier(p.name)},\n" for p in plan.points) + "};\n\n"
    out += "struct PointInfo {\n  const char* name;\n  std::uint32_t offset;\n  std::uint8_t dimensions;\n"
    out += "  std::uint16_t size[4];\n};\n"
    rows, offset = "", 0
    for point in plan.points:
        rows += _point(point, offset)
        offset += point.size
    out += f"inline constexpr std::array<PointInfo, {len(plan.points)}> kPoints{{{{\n{rows}}}}};\n"
    out += f"inline constexpr std::size_t kCounters = {offset};\n\n"
    return out + _codes(isa, plan) + "}  // namespace lutra::cov\n"


def _codes(isa: Isa, plan: Plan) -> str:
    top = 1 << 4
    vectors = {v.code: plan.kind_of(v.code) for v in isa.vectors}

    def kinds(dimension: Dimension) -> list[int]:
        return [
            dimension.labels.index(k) if (k := vectors.get(c, ABSENT)) in dimension.labels else 0 for c in range(top)
        ]

    spaces = {s.code: s.name for s in plan.spaces}
    codes = range(max(s.code for s in isa.spaces) + 1)
    patterns = {p.code: plan.addressing_of(p) for p in isa.patterns}
    key_labels = {sum(1 << b for b in f.key_blocks): plan.key_label(f.key_blocks) for f in isa.facts.values()}
    out = _bytes("kSource", kinds(plan.source), "Kind of source, by code of a vector operand.")
    out += _bytes("kDestination", kinds(plan.destination), "Kind of destination, by code of a vector operand.")
    out += _bytes(
        "kSpace", [plan.space.labels.index(spaces.get(c, ABSENT)) for c in codes], "Label of a space, by code."
    )
    out += _bytes(
        "kStored",
        [plan.producer.labels.index(spaces[c]) if c in spaces else 0 for c in codes],
        "A space as a producer, by code.",
    )
    out += _hazards(isa, plan)
    blocks = {s.blocks[0]: s.code for s in plan.spaces if s.is_single and s.blocks}
    out += _bytes("kBlockSpace", [blocks[b] for b in sorted(blocks)], "Code of the space that is a memory block.")
    out += _bytes(
        "kKey",
        [plan.key.labels.index(key_labels.get(m) or ABSENT) for m in range(1 << len(blocks))],
        "Label of the memory blocks of a key slot, by mask.",
    )
    out += _bytes(
        "kAddressing",
        [plan.addressing.labels.index(patterns.get(c, plan.addressing.labels[0])) for c in range(max(patterns) + 1)],
        "Label of an addressing pattern, by code.",
    )
    out += f"inline constexpr std::uint32_t kEveryValue = {len(plan.value.labels) - 2};\n"
    out += f"inline constexpr std::size_t kRowAddressing = {plan.addressing.labels.index('row')};\n"
    out += f"inline constexpr std::size_t kStoreSum = {plan.move.labels.index('store_sum')};\n\n"
    return out


def _hazards(isa: Isa, plan: Plan) -> str:
    """Labels by access and hazard."""
    by_space = len(plan.producer.labels)

    def label(dimension: Dimension, access: Access, end: tuple[Access, ...]) -> int:
        if access not in end:
            return 0
        return dimension.labels.index(access.label) if access.label else by_space

    accesses, hazards = plan.hazards.accesses, isa.hazards
    writes, reads = plan.hazards.writes(), plan.hazards.reads()
    out = f"inline constexpr std::uint8_t kBySpace = {by_space};\n"
    out += _bytes(
        "kProducer", [label(plan.producer, a, writes) for a in accesses], "Producer of an access, or kBySpace."
    )
    out += _bytes("kConsumer", [label(plan.consumer, a, reads) for a in accesses], "Consumer of an access.")
    out += _bytes("kBypassed", [int(h.bypass) for h in hazards], "Whether a hazard is about a source that is bypassed.")
    ready = [plan.ready.labels.index(h.write.name) if h.bypass else 0 for h in hazards]
    out += _bytes("kReady", ready, "At the end of which stage the results are ready that such a hazard is about.")
    sources = {r: [plan.hazards.sources(h, r) if h.bypass else [FILE] for h in hazards] for r in (1, 2)}
    most = max(len(row) for rows in sources.values() for row in rows)
    out += "// Where a source comes from, by ROUNDS_PER_INSTR - 1, hazard, and distance beyond the least.\n"
    out += f"inline constexpr std::uint8_t kFrom[2][{len(hazards)}][{most}] = {{\n"
    for rows in sources.values():
        places = [[*map(plan.stage.labels.index, row)] for row in rows]
        filled = [row + row[-1:] * (most - len(row)) for row in places]
        out += "    {" + ", ".join("{" + ", ".join(map(str, row)) + "}" for row in filled) + "},\n"
    return out + "};\n" + f"inline constexpr std::size_t kFromMost = {most};\n\n"
