"""What each extension costs: the gates of the core less those of the core without it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from isagen import configuration as isa
from isagen.configuration import File
from ppa import configurations, design, sram
from ppa.generated import generate
from ppa.measure import measure
from ppa.tools import Tools

# The functions of these work on the contexts of the first.
STREAM = ("stream", "snow3g", "zuc")


def without() -> dict[str, tuple[str, ...]]:
    """What is taken away, by its name: each extension, and the stream unit as a whole."""
    every = isa.read(isa.find(isa.DEFAULT)).extensions
    alone = {name: (name,) for name in every if name not in (isa.BASE, STREAM[0])}
    return alone | {" + ".join(STREAM): STREAM}


def without_file(place: Path, full: File, gone: Sequence[str]) -> Path:
    """The configuration `full` without these, with the most rounds that it has."""
    kept = [name for name in full.extensions if name not in gone]
    values = {"text": f"without {', '.join(gone)}", "extensions": kept, "rounds": [max(full.rounds)]}
    lines = [f"{key} = {json.dumps(value)}" for key, value in {**values, "contexts": full.contexts}.items()]
    place.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return place


def measure_all(
    root: Path, tools: Tools, folder: Path, jobs: int, teller: Callable[[str], Callable[[str], None]]
) -> dict[str, Any]:
    """Gates of the core and of each that lacks something; the hierarchy is kept, by the script for area.

    Nothing is optimised across modules then, and modules that an extension does not touch come out the same: the
    difference is that extension's, not the noise of the flow. Raises PpaError.
    """
    full = isa.read(isa.find(isa.DEFAULT))
    folder.mkdir(parents=True, exist_ok=True)
    boxes = sram.write(folder)[0]

    def gates(name: str, gone: Sequence[str]) -> int:
        own = folder / name.replace(" + ", "-")
        own.mkdir(exist_ok=True)
        made = generate(root, str(without_file(own / "without.toml", full, gone)), own / "gen")
        core = design.of_checkout(boxes, design.CORE, root, parameters=configurations.SILICON, generated=made)
        point = measure(core, tools, configurations.KEPT, own, teller(f"without {name}"), timed=False)
        return round(point.total.gates)

    wanted = {"nothing": (), **without()}
    with ThreadPoolExecutor(jobs) as pool:
        found = dict(zip(wanted, pool.map(lambda item: gates(*item), wanted.items()), strict=True))
    return {"gates": found.pop("nothing"), "without": found}
