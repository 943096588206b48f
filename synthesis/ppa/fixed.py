"""The fixed-function cores through the same flow: what flexibility costs (synthesis/fixed_function)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fixed_function.cores import Core, cores
from fixed_function.pipelines import Pipeline, pipelines
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
# Of the pipelines, of which there are two dozen, some with more gates than the programmable core.
QUICK = (DIRECT, Recipe("mix"))


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


def measure_pipelines(
    tools: Tools, folder: Path, teller: Callable[[str], Callable[[str], None]], recipes: list[Recipe]
) -> dict[str, Any]:
    """The pipelines of AES, by those of these recipes that are in QUICK. Raises PpaError."""
    wanted = [recipe for recipe in recipes if recipe in QUICK]
    return {
        name: _pipeline(pipeline, tools, folder / name.replace(" ", "_"), teller(name), wanted)
        for name, pipeline in pipelines().items()
    }


def _pipeline(
    pipeline: Pipeline, tools: Tools, folder: Path, say: Callable[[str], None], recipes: list[Recipe]
) -> dict[str, Any]:
    """A pipeline; of its points the one with the most work by gate counts."""
    design = Design(pipeline.top, pipeline.files, pipeline.parameters)
    points = [measure_point(design, tools, recipe, folder / recipe.name, say) for recipe in recipes]
    point = min(points, key=lambda p: p.period * p.total.gates)
    return {
        "points": [p.summary() | {"pareto": is_pareto(p, points)} for p in points],
        "best": point.recipe.name,
        "gates": round(point.total.gates),
        "flops": point.total.flops,
        "ns": round(point.period, 3),
        "unrolled": pipeline.unrolled,
        "inner": pipeline.inner,
        "counter": pipeline.counter,
        "cycles": round(pipeline.cycles, 4),
    }
