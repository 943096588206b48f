"""Errors of a debugging session."""

from __future__ import annotations

from lutra.iss.engine import EngineError

# Characters of one line; of a longer one the ends are shown, in which the place and the reason stand.
MOST, HEAD = 400, 120
_LEFT_OUT = " ... "


def printable(text: str) -> str:
    """A text from anywhere in one line that a terminal shows and does not obey, the middle left out of a long one."""
    if len(text) > MOST:
        text = text[:HEAD] + _LEFT_OUT + text[len(_LEFT_OUT) + HEAD - MOST :]
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


class DebugError(EngineError):
    """The debugger cannot do something: one line, with the place in the text if there is one."""

    def __init__(self, text: str) -> None:
        super().__init__(printable(text))
