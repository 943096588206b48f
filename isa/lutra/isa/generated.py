"""Where the generated files of the instruction set are."""

from __future__ import annotations

from pathlib import Path

import lutra.isa


def generated(name: str) -> Path:
    """The generated file of this name, which may not be there: beside this module in an installation, under `build/`
    in a checkout."""
    places = [Path(folder) / name for folder in lutra.isa.__path__]
    return next((place for place in places if place.is_file()), places[-1])
