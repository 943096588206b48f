"""Cost of each extension: the gates of the core minus those of the core without it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from isagen import configuration as isa
from isagen.configuration import File
from ppa import configurations, design, sram
from ppa.generated import generate
from ppa.measure import measure
from ppa.tools import Tools

# The functions of these work on the contexts of the first; the contexts go with the last of them.
STREAM = ("stream", "snow3g", "zuc", "crc")


def without() -> dict[str, tuple[str, ...]]:
    """Removed parts by name: each extension, and the stream unit as a whole."""
    alone = {name: (name,) for name in configurations.FULL.extensions if name not in (isa.BASE, STREAM[0])}
    return alone | {" + ".join(STREAM): STREAM}


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
    the same: the difference is due to the extension, not to the noise of the flow. Raises PpaError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    boxes = sram.write(folder)[0]

    def gates(name: str, gone: Sequence[str]) -> int:
        own = folder / name.replace(" + ", "-")
        made = generate(root, lacking(configurations.FULL, gone), own / "gen")
        core = design.of_checkout(boxes, design.CORE, root, parameters=configurations.SILICON, generated=made)
        point = measure(core, tools, configurations.KEPT, own, teller(f"without {name}"), timed=False)
        return round(point.total.gates)

    wanted = {"nothing": (), **without()}
    with ThreadPoolExecutor(jobs) as pool:
        found = dict(zip(wanted, pool.map(lambda item: gates(*item), wanted.items()), strict=True))
    return {"of": configurations.FULL.name, "gates": found.pop("nothing"), "without": found}
