"""Every implementation that a manifest offers, in each direction, and the headers of all routines; of withdrawn ciphers
too, which are not installed."""

from __future__ import annotations

from pathlib import Path

from lutra.asm.headers import Headers
from lutra.firmware.manifest import NAME, catalogue_with
from lutra.firmware.testing.cases import cases

FIRMWARE = Path(__file__).parents[2] / "firmware"
WITHDRAWN = FIRMWARE / "withdrawn"
EVERYTHING = catalogue_with(sorted(WITHDRAWN.glob(f"*/{NAME}")))
IMPLEMENTATIONS = list(cases(EVERYTHING))
HEADERS = Headers.of_files(
    sorted(file for suffix in ("s", "inc") for at in ("*", "withdrawn/*") for file in FIRMWARE.glob(f"{at}/*.{suffix}"))
)
