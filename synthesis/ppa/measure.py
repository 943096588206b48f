"""One measurement: a design by one recipe, its gates and its period."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ppa import area, sram, synthesis, timing
from ppa.area import Module
from ppa.design import Design
from ppa.synthesis import Recipe
from ppa.timing import Arc
from ppa.tools import Tools


@dataclass(frozen=True)
class Point:
    """Result of a measurement. ns: by class of path; arcs: those between registers, longest first."""

    recipe: Recipe
    total: Module
    modules: dict[str, Module]
    ns: dict[str, float]
    arcs: list[Arc]
    seconds: float

    @property
    def period(self) -> float:
        """The longest path between registers and SRAMs, or through a design without registers."""
        return self.ns.get("reg_reg") or max(self.ns.values(), default=0.0)

    def summary(self) -> dict[str, object]:
        """For JSON."""
        return {
            "recipe": self.recipe.name,
            "gates": round(self.total.gates),
            "sequential": round(self.total.sequential),
            "logic": round(self.total.logic),
            "flops": self.total.flops,
            "ns": {kind: round(ns, 3) for kind, ns in self.ns.items()},
            "memories": dict(sorted(self.total.memories.items())),
            "seconds": round(self.seconds),
        }


def _port_classes(design: Design, total: Module) -> tuple[str, ...]:
    """The classes of paths from and to ports that are timed: those of a module alone."""
    if design.has_memories:
        return ()
    return ("in_reg", "reg_out", "in_out") if total.flops else ("in_out",)


def measure(
    design: Design,
    tools: Tools,
    recipe: Recipe,
    folder: Path,
    say: Callable[[str], None] = lambda _: None,
    timed: bool = True,
) -> Point:
    """Synthesize and time it in `folder`. Raises PpaError."""
    begun = time.monotonic()
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    sram.write_liberty(folder)
    synthesis.run(design, tools, recipe, folder, say)
    modules = area.read(folder / "stat.json", tools.liberty)
    top = area.top_of(modules, design.top)
    total = area.total(modules, top)
    arcs, ns = list[Arc](), dict[str, float]()
    if timed:
        say("timing")
        if total.flops or total.memories:
            arcs = timing.paths(design, tools, folder)
            ns["reg_reg"] = arcs[0].ns if arcs else 0.0
        for kind in _port_classes(design, total):
            found = timing.paths(design, tools, folder, kind, 1)
            ns[kind] = found[0].ns if found else 0.0
    return Point(recipe, total, modules, ns, arcs, time.monotonic() - begun)
