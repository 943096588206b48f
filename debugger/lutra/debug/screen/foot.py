"""The first and the last line of the screen: where the machine is, and which keys there are."""

from __future__ import annotations

from pathlib import PurePath

from rich.text import Text
from textual.widget import Widget

from lutra.debug.screen.colors import styles
from lutra.debug.screen.keys import COMMON, MOVES
from lutra.debug.screen.lines import Pane
from lutra.debug.screen.view import View

# Stops after which the machine cannot continue, or which indicate an error.
_BAD = ("trap", "divergence", "failed", "limit")


def number(value: int) -> str:
    """With a space between thousands."""
    return f"{value:,}".replace(",", " ")


class Status(Widget):
    """The position of the machine; during a move, its progress."""

    def __init__(self, engine: str) -> None:
        super().__init__(id="status")
        self._engine = engine
        self.view: View | None = None
        self.progress: tuple[int, int] | None = None

    @property
    def text(self) -> str:
        """Return the plain text."""
        return self.render().plain

    def render(self) -> Text:
        roles = styles(self.app.theme)
        if self.view is None:
            return Text(f" {self._engine}  loading")
        where = self.view.where
        spot = f"{PurePath(where.place.file).name}:{where.place.line}" if where.place else f"{where.pc:#06x}"
        time, cycle = self.progress or (where.time, where.cycle)
        text = Text(" ", no_wrap=True, overflow="ellipsis")
        text.append(spot, roles["strong"])
        text.append(f"  {self._engine}  ", roles["dim"])
        text.append("cycle ", roles["dim"]).append(number(cycle), roles["strong"])
        text.append("  time ", roles["dim"]).append(number(time), roles["strong"])
        if self.progress is not None:
            text.append("  running; Esc interrupts", roles["here"])
        else:
            text.append(f"  {where.label}" if where.label else "", roles["label"])
            if self.view.stop.kind != "step":
                text.append(f"  {self.view.stop.text}", roles["error" if self.view.stop.kind in _BAD else ""])
        return text


class Foot(Widget):
    """The keys that there are now."""

    def __init__(self) -> None:
        super().__init__(id="keys")
        self.pane: Pane | None = None

    @property
    def text(self) -> str:
        """Return the plain text."""
        return self.render().plain

    def render(self) -> Text:
        roles = styles(self.app.theme)
        hints = [(f"F{move.function}", move.word) for move in MOVES]
        hints.append(("shift", "back"))
        hints += [(key, word) for key, word, _ in COMMON if word]
        own = list(self.pane.HINTS) if self.pane is not None else [("Esc", "panes")]
        text = Text(no_wrap=True, overflow="ellipsis")
        for key, word in hints[:-2] + own + hints[-2:] if self.size.width >= 120 else own + hints:
            text.append(f" {key}", roles["strong"]).append(f" {word} ", roles["dim"])
        return text
