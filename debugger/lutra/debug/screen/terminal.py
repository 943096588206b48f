"""Requirements of the screen on a terminal."""

from __future__ import annotations

import os
import shutil
import sys

from lutra.debug import DebugError
from lutra.debug.screen.layout import SMALLEST, fits

# Remedy.
_WITHOUT = "`lutra debug --plain` works without"


def check() -> None:
    """Raise DebugError if there is no terminal, or if it cannot show the screen."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise DebugError(f"the screen needs a terminal; {_WITHOUT}")
    if not sys.stderr.isatty():
        raise DebugError(f"the screen is drawn on standard error, which must be a terminal too; {_WITHOUT}")
    if os.environ.get("TERM", "") in ("", "dumb"):
        raise DebugError(
            f"the screen needs a terminal with a cursor, TERM is {os.environ.get('TERM', '')!r}; {_WITHOUT}"
        )
    size = shutil.get_terminal_size()
    if not fits(size.columns, size.lines):
        raise DebugError(f"{too_small(size.columns, size.lines)}; {_WITHOUT}")


def too_small(width: int, height: int) -> str:
    """Why nothing can be shown, in one line."""
    return f"the terminal has {width} x {height}; the debugger needs {SMALLEST[0]} x {SMALLEST[1]}"
