"""Find the generated files of the instruction set."""

from __future__ import annotations

from pathlib import Path

import lutra.isa


def generated(name: str) -> Path:
    """Return the path of a generated file, which may not exist: next to this module in an installation, under `build/`
    in a checkout."""
    places = [Path(folder) / name for folder in lutra.isa.__path__]
    return next((place for place in places if place.is_file()), places[-1])
