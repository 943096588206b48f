"""Progress of what takes minutes."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable


def teller(name: str) -> Callable[[str], None]:
    """Report progress and elapsed time on standard error."""
    begun = time.monotonic()

    def say(what: str) -> None:
        print(f"[{time.monotonic() - begun:4.0f} s] {name}: {what}", file=sys.stderr, flush=True)

    return say
