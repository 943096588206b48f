"""The shared collection of known answers: beside the checkout, or in the folder that LUTRA_VECTORS names."""

from __future__ import annotations

import os
from pathlib import Path

COLLECTION = Path(os.environ.get("LUTRA_VECTORS", Path(__file__).parents[3] / "shared/vectors"))
