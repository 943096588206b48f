"""Which build of the checkout is used: that of LUTRA_CONFIGURATION, where the variable is set."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

VARIABLE = "LUTRA_CONFIGURATION"
DEFAULT = "full"  # in build/ itself


def chosen(path: Iterable[str]) -> list[str]:
    """The package's path with what is compiled and generated for the configuration in place of that for `full`.

    Raises ImportError where it is not built.
    """
    path = list(path)
    name = os.environ.get(VARIABLE, "")
    if name in ("", DEFAULT):
        return path
    built = [place for place in path if Path(place).parts[-3:] == ("build", "python", "lutra")]
    if not built:
        raise ImportError(f"{VARIABLE}={name}: only a checkout has several configurations")
    other = Path(built[0]).parents[1] / "configurations" / name / "python" / "lutra"
    if not (other / "isa" / "tables.json").is_file():
        raise ImportError(f"{VARIABLE}={name}: it is not built yet; run `make build CONFIGURATION={name}`")
    return [str(other) if place == built[0] else place for place in path if place not in built[1:]]
