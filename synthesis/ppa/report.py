"""All of a configuration: points of the portfolio, paths, gates by module and function, memories; a run's JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ppa import configurations, functions, generated, hierarchy, provenance, sram, timing
from ppa.configurations import Configuration
from ppa.measure import Point, measure
from ppa.synthesis import Recipe
from ppa.tools import PpaError, Tools

Document = dict[str, Any]
Say = Callable[[str], None]

PATHS = 20
# Registers and memories of these are not part of a cipher: a path there would limit everything without need.
BARRED = (
    *("lutra_decoder", "lutra_decode_slots", "lutra_program", "lutra_agu", "lutra_address"),
    *("lutra_interlock", "lutra_hazards", "lutra_host"),
)
# A path shorter than this fraction of the longest one does not limit anything.
NEAR = 0.9


def is_pareto(point: Point, points: Sequence[Point]) -> bool:
    """Whether no other one is as good in both and better in one."""
    mine = point.period, point.total.gates
    others = ((p.period, p.total.gates) for p in points if p is not point)
    return not any(o[0] <= mine[0] and o[1] <= mine[1] and o != mine for o in others)


def best(points: Sequence[Point]) -> Point:
    """The one with the most work by gate, program memory left out: the headline."""

    def cost(point: Point) -> float:
        return point.period * (point.total.gates + sram.gates(point.total.memories)["by_unit_without_program"])

    return min(points, key=cost)


def paths(point: Point, count: int = PATHS) -> list[Document]:
    """The longest, each pair of registers once."""
    return [
        {
            "ns": arc.ns,
            "start": timing.group(arc.start),
            "end": timing.group(arc.end),
            "modules": list(arc.modules),
            "ends": ends,
            "cells": len(arc.cells),
        }
        for arc, ends in timing.worst(point.arcs, count)
    ]


def into(point: Point) -> dict[str, Document]:
    """The longest path into each module, the longest first."""
    found: dict[str, Document] = {}
    for arc in point.arcs:
        if module := arc.modules[1]:
            ends = {"start": timing.group(arc.start), "end": timing.group(arc.end)}
            found.setdefault(module, {"ns": arc.ns, **ends})
    return found


def barred(found: Sequence[Document]) -> list[str]:
    """Paths nearly as long as the first that start or end where none of these should."""
    return [
        f"{path['ns']:.3f} ns {path['start']} -> {path['end']}"
        for path in found
        if path["ns"] > NEAR * found[0]["ns"] and any(module in BARRED for module in path["modules"])
    ]


def configuration(
    wanted: Configuration,
    root: Path,
    tools: Tools,
    folder: Path,
    jobs: int,
    teller: Callable[[str], Say],
    recipes: Sequence[Recipe] = configurations.PORTFOLIO,
) -> Document:
    """Measure it; `jobs` runs of Yosys at a time. Raises PpaError."""
    folder.mkdir(parents=True, exist_ok=True)
    core = generated.core(wanted, root, folder, sram.write(folder, wanted.file.protect)[0])

    def run(recipe: Recipe) -> Point:
        say = teller(f"{wanted.name}, {recipe.name}")
        return measure(core, tools, recipe, folder / recipe.name, say, timed=not recipe.keep)

    def alone() -> dict[str, dict[str, dict[str, float]]]:
        say = teller(f"{wanted.name}, functions")
        return functions.measure(functions.find(core.files), core.files, tools, folder / "functions", say)

    with ThreadPoolExecutor(jobs) as pool:
        running = [pool.submit(run, recipe) for recipe in (*recipes, configurations.KEPT)]
        single = pool.submit(alone)
        *points, kept = [future.result() for future in running]
        by_function = single.result()
    chosen = best(points)
    longest = paths(chosen)
    known = {module for name in kept.modules for module in [name.partition("$")[0]]}
    if not known & set(BARRED):
        raise PpaError("none of the modules that ppa/report.py bars from the longest paths is in the core any more")
    return {
        "what": wanted.what,
        "parameters": dict(wanted.parameters),
        "rounds": wanted.rounds,
        "contexts": wanted.contexts,
        "extensions": list(wanted.file.extensions),
        "inputs": provenance.digest(core),
        "points": [p.summary() | {"pareto": is_pareto(p, points)} for p in points],
        "best": chosen.recipe.name,
        "gates": round(chosen.total.gates),
        "ns": round(chosen.period, 3),
        "memories": sram.gates(chosen.total.memories),
        "paths": longest,
        "barred": barred(longest),
        "into": into(chosen),
        "kept_gates": round(kept.total.gates),
        "modules": [part.as_json() for part in hierarchy.parts(kept.modules)],
        "functions": by_function,
    }
