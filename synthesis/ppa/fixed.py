"""The fixed-function cores through the same flow: what flexibility costs (synthesis/fixed_function)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fixed_function.cores import Core, cores
from ppa.design import Design
from ppa.measure import Point
from ppa.measure import measure as measure_point
from ppa.report import is_pareto
from ppa.synthesis import Recipe
from ppa.tools import Tools

# The programmable core's period, which the cores have to meet where they can.
TARGET_NS = 1.35
# Circuits of S-boxes are worth keeping as they are written: no search for another structure.
DIRECT = Recipe("direct")


def chosen(points: list[Point]) -> Point:
    """The smallest that meets the period, or the fastest where none does."""
    fast = [p for p in points if p.period <= TARGET_NS]
    if fast:
        return min(fast, key=lambda p: p.total.gates)
    return min(points, key=lambda p: p.period)


def measure(
    tools: Tools, folder: Path, teller: Callable[[str], Callable[[str], None]], recipes: list[Recipe]
) -> dict[str, Any]:
    """The cores by these recipes. Raises PpaError."""
    return {name: _core(core, tools, folder / name, teller(name), recipes) for name, core in cores().items()}


def _core(core: Core, tools: Tools, folder: Path, say: Callable[[str], None], recipes: list[Recipe]) -> dict[str, Any]:
    design = Design(core.top, core.files)
    points = [measure_point(design, tools, recipe, folder / recipe.name, say) for recipe in recipes]
    point = chosen(points)
    ns, gates = round(point.period, 3), round(point.total.gates)
    cycles = min(core.cycles.values())
    return {
        "standard": core.standard,
        "points": [p.summary() | {"pareto": is_pareto(p, points)} for p in points],
        "best": point.recipe.name,
        "gates": gates,
        "flops": point.total.flops,
        "ns": ns,
        "cycles": dict(core.cycles),
        "bits": core.data_bits,
        "count": core.count,
        "look_ups": core.look_ups,
        "gigabits_per_second": round(core.data_bits / cycles / max(ns, TARGET_NS), 1),
    }
