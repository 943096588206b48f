"""Cost of each extension: the gates of the core minus those of the core without it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from isagen import configuration as isa
from isagen.configuration import File
from lutra.isa import load
from ppa import area, configurations, design, provenance, sram
from ppa.design import Design
from ppa.generated import generate
from ppa.measure import measure
from ppa.tools import Tools

# The functions of these work on the contexts of the first; the contexts go with the last of them.
STREAM = ("stream", "snow3g", "zuc", "crc")


def without() -> dict[str, tuple[str, ...]]:
    """Removed parts by name: each extension with those that need it, and the stream unit as a whole."""
    needed = {name: [e.name for e in load().extensions if name in e.needs] for name in configurations.FULL.extensions}
    parts = [(name, *needed[name]) for name in needed if name not in (isa.BASE, STREAM[0])]
    return {" + ".join(part): part for part in (*parts, STREAM)}


def lacking(full: File, gone: Sequence[str]) -> File:
    """The configuration `full` without these, with the most rounds that it has."""
    kept = tuple(name for name in full.extensions if name not in gone)
    text = f"without {', '.join(gone)}" if gone else full.text
    return replace(full, text=text, extensions=kept, rounds=(max(full.rounds),))


def measure_all(
    root: Path, tools: Tools, folder: Path, jobs: int, teller: Callable[[str], Callable[[str], None]]
) -> dict[str, Any]:
    """Return the gates of the core and of each reduced core; the hierarchy is kept, by the script for area.

    With the hierarchy kept, only constants and unused logic cross modules, and modules without the extension come out
    the same: the difference is due to the extension, not to the noise of the flow. A core in `folder` that was measured
    before is not measured again. Raises PpaError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    boxes = sram.write(folder)[0]

    def core(name: str, gone: Sequence[str]) -> Design:
        made = generate(root, lacking(configurations.FULL, gone), folder / name.replace(" + ", "-") / "gen")
        return design.of_checkout(boxes, design.CORE, root, parameters=configurations.SILICON, generated=made)

    def gates(name: str) -> int:
        own = folder / name.replace(" + ", "-")
        say = teller(f"without {name}")
        stamp, digest = own / "digest", provenance.digest(cores[name])
        if stamp.is_file() and stamp.read_text() == digest:
            say("measured before")
            modules = area.read(own / "stat.json", tools.liberty)
            total = area.total(modules, area.top_of(modules, design.CORE))
        else:
            total = measure(cores[name], tools, configurations.KEPT, own, say, timed=False).total
            stamp.write_text(digest)
        return round(total.gates)

    wanted = {"nothing": (), **without()}
    # All of them first: what cannot be generated is told at once.
    cores = {name: core(name, gone) for name, gone in wanted.items()}
    with ThreadPoolExecutor(jobs) as pool:
        found = dict(zip(wanted, pool.map(gates, wanted), strict=True))
    return {"of": configurations.FULL.name, "gates": found.pop("nothing"), "without": found}
