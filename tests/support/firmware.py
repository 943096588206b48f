"""Every implementation that a manifest offers, withdrawn ciphers included, and the headers of all routines."""

from __future__ import annotations

from pathlib import Path

from lutra.firmware.manifest import Catalogue, catalogue, catalogue_with
from lutra.firmware.testing.cases import cases
from lutra.firmware.testing.headers import Headers

FIRMWARE = Path(__file__).parents[2] / "firmware"
# Ciphers that are in no catalogue: a command offers them by `--manifest` only.
WITHDRAWN = sorted(path.parent for path in FIRMWARE.glob("withdrawn/*/firmware.toml"))
WITHDRAWN_CIPHERS = Catalogue(catalogue_with(WITHDRAWN).own)
IMPLEMENTATIONS = [*cases(catalogue()), *cases(WITHDRAWN_CIPHERS)]
PATTERNS = [f"{folder}/*.{kind}" for folder in ("*", "withdrawn/*") for kind in ("s", "inc")]
HEADERS = Headers(sorted(path for pattern in PATTERNS for path in FIRMWARE.glob(pattern)))
