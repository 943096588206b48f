"""Every implementation that a manifest offers, in each direction, and the headers of all routines."""

from __future__ import annotations

from pathlib import Path

from lutra.firmware.manifest import catalogue
from lutra.firmware.testing.cases import cases
from lutra.firmware.testing.headers import Headers

FIRMWARE = Path(__file__).parents[2] / "firmware"
IMPLEMENTATIONS = list(cases(catalogue()))
HEADERS = Headers(sorted([*FIRMWARE.glob("*/*.s"), *FIRMWARE.glob("*/*.inc")]))
