"""Gate equivalents of a synthesized design, by module: one is 0.798 um2, a NAND2_X1."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ppa import sram
from ppa.tools import PpaError

GATE = 0.798  # um2


@dataclass
class Module:
    """A module's own cells, and how often it instantiates others."""

    sequential: float = 0.0
    logic: float = 0.0
    flops: int = 0
    memories: Counter[str] = field(default_factory=Counter)
    parts: Counter[str] = field(default_factory=Counter)

    @property
    def gates(self) -> float:
        """In gate equivalents."""
        return self.sequential + self.logic

    def add(self, other: Module, times: int) -> None:
        """Count another one's cells as this one's."""
        self.sequential += other.sequential * times
        self.logic += other.logic * times
        self.flops += other.flops * times
        for cell, count in other.memories.items():
            self.memories[cell] += count * times


@cache
def cells(liberty: Path) -> tuple[dict[str, float], frozenset[str]]:
    """The areas of all cells in gate equivalents, and those that hold a state."""
    areas: dict[str, float] = {}
    states, cell = set(), ""
    for line in liberty.read_text().splitlines():
        if found := re.match(r"\s*cell \((\w+)\)", line):
            cell = found[1]
        elif cell and (found := re.match(r"\s*area\s*:\s*([\d.]+)", line)):
            areas[cell] = float(found[1]) / GATE
        elif re.match(r"\s*(ff|latch) ?\(", line):
            states.add(cell)
    return areas, frozenset(states | {c for c in areas if c.startswith("CLKGATE")})


def read(stat: Path, liberty: Path, boxes: frozenset[str] = frozenset()) -> dict[str, Module]:
    """Every module of Yosys' `stat -json`, without what is below it. `boxes` are left out."""
    text = stat.read_text()
    document = json.loads(text[text.index("{") :])
    areas, states = cells(liberty)
    modules: dict[str, Module] = {}
    for name, found in document["modules"].items():
        module = modules.setdefault(name.lstrip("\\"), Module())
        for escaped, counted in found["num_cells_by_type"].items():
            cell = escaped.lstrip("\\")
            count = counted["count"] if isinstance(counted, dict) else counted
            if cell in areas:
                if cell in states:
                    module.sequential += areas[cell] * count
                else:
                    module.logic += areas[cell] * count
                module.flops += count if cell.startswith("DFF") else 0
            elif sram.bits(cell):
                module.memories[cell] += count
            elif cell not in boxes:
                module.parts[cell] += count
    unmapped = {part for module in modules.values() for part in module.parts if part not in modules}
    if unmapped:
        raise PpaError(f"cells that are in no library are left: {', '.join(sorted(unmapped)[:5])}; {stat}")
    return modules


def total(modules: dict[str, Module], top: str) -> Module:
    """A module with all that is below it."""
    out = Module()
    out.add(modules[top], 1)
    for part, count in modules[top].parts.items():
        if part in modules:
            out.add(total(modules, part), count)
    return out


def top_of(modules: dict[str, Module], wanted: str) -> str:
    """The name that a front end gave to a top module with parameters."""
    return wanted if wanted in modules else next(name for name in modules if name.startswith(wanted))
