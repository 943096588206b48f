"""The base of all panes: lines of text with a cursor, of which only the visible ones are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, ClassVar, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from lutra.debug.screen.colors import styles
from lutra.debug.screen.keys import MOVES
from lutra.debug.screen.view import View


class Part(NamedTuple):
    """A piece of a line. role: of lutra.debug.screen.colors. item: the object that it shows, if it can be chosen."""

    text: str
    role: str = ""
    item: Any = None


@dataclass(frozen=True)
class Line:
    """A line of a pane. item: the object of the whole line. current: the machine is here."""

    parts: tuple[Part, ...]
    item: Any = None
    current: bool = False

    @property
    def text(self) -> str:
        """Return the plain text."""
        return "".join(part.text for part in self.parts)

    @property
    def items(self) -> list[int]:
        """The numbers of the parts that can be chosen."""
        return [number for number, part in enumerate(self.parts) if part.item is not None]


class Sheet(NamedTuple):
    """The contents of a page over the screen."""

    title: str
    lines: Sequence[Line]


def line(*parts: Part | tuple[str, str] | str, item: Any = None, current: bool = False) -> Line:
    """A line from its pieces."""
    made = (Part(part) if isinstance(part, str) else Part(*part) for part in parts)
    return Line(tuple(made), item, current)


class Pane(ScrollView, can_focus=True):
    """Lines with a cursor.

    lines: the contents. row: of the cursor. choice: which of the line's parts is chosen, as a number among those that
    can be.
    """

    # Keys that the foot of the screen shows while the pane has the focus: key and word.
    HINTS: ClassVar[Sequence[tuple[str, str]]] = ()
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)"),
        Binding("down,j", "move(1)"),
        Binding("pageup", "page(-1)"),
        Binding("pagedown", "page(1)"),
        Binding("home", "end(-1)"),
        Binding("end", "end(1)"),
        Binding("left", "choose(-1)"),
        Binding("right", "choose(1)"),
        *(binding for move in MOVES for binding in move.letters),
        *(Binding(str(number), f"app.pane({number})") for number in range(10)),
        Binding("colon", "app.prompt('')"),
        Binding("slash", "app.prompt('/')"),
        Binding("z", "app.zoom"),
        Binding("t", "app.theme"),
        Binding("q", "app.quit"),
        Binding("enter", "app.open"),
    ]

    class Titled(Message):
        """A pane has another label, or needs another size."""

    def __init__(self, name: str) -> None:
        super().__init__(id=name)
        # For the title, as markup.
        self.label = name
        self.note = ""
        self.lines: Sequence[Line] = ()
        self.row = 0
        self.choice = 0
        self.marked = True  # the cursor's line is shown

    @property
    def item(self) -> Any:
        """Return the item under the cursor, or None."""
        if not self.lines:
            return None
        current = self.lines[self.row]
        items = current.items
        return current.parts[items[min(self.choice, len(items) - 1)]].item if items else current.item

    @property
    def text(self) -> str:
        """All lines, as they are read."""
        return "\n".join(line.text.rstrip() for line in self.lines)

    def fill(self, lines: Sequence[Line], row: int | None = None) -> None:
        """Show other lines, with the cursor in a row, or where it was."""
        self.lines = lines
        self.virtual_size = Size(max((len(line.text) for line in lines), default=0), len(lines))
        self.place(self.row if row is None else row, follow=row is not None)
        self.refresh()

    def place(self, row: int, follow: bool = True) -> None:
        """Put the cursor into a row, and show it."""
        self.row = max(0, min(row, len(self.lines) - 1))
        if follow:
            self.reveal()
        self.refresh()

    def reveal(self) -> None:
        """Scroll so that the cursor's row is seen, with some lines around it."""
        height = self.scrollable_content_region.height
        if not height:
            return
        margin = min(2, (height - 1) // 2)
        top = round(self.scroll_y)
        if self.row < top or self.row >= top + height:
            top = self.row - height // 2
        top = min(max(top, self.row - height + 1 + margin), self.row - margin)
        self.scroll_to(y=max(0, min(top, len(self.lines) - height)), animate=False, force=True, immediate=True)

    def on_resize(self, event: events.Resize) -> None:
        self.reveal()

    def render_line(self, y: int) -> Strip:
        base = self.rich_style
        width = self.scrollable_content_region.width
        left, top = round(self.scroll_x), round(self.scroll_y)
        row = y + top
        if row >= len(self.lines):
            return Strip.blank(width, base)
        shown = self.lines[row]
        roles = styles(self.app.theme)
        whole = base + (roles["current"] if shown.current else Style.null())
        marked = self.has_focus and self.marked and row == self.row
        if marked and not shown.items:
            whole += roles["cursor"]
        chosen = self._chosen(shown) if marked else -1
        segments = [
            Segment(part.text, whole + roles[part.role] + (roles["chosen"] if number == chosen else Style.null()))
            for number, part in enumerate(shown.parts)
        ]
        return Strip(segments).crop_extend(left, left + width, whole)

    def _chosen(self, shown: Line) -> int:
        items = shown.items
        return items[min(self.choice, len(items) - 1)] if items else -1

    def show(self, view: View) -> None:
        """The machine has moved, or something else has changed."""

    def find(self, text: str) -> bool:
        """The cursor to the next line with a text, whatever its case; False where there is none."""
        order = [(self.row + step) % len(self.lines) for step in range(1, len(self.lines) + 1)]
        row = next((row for row in order if text.lower() in self.lines[row].text.lower()), None)
        if row is not None:
            self.place(row)
        return row is not None

    # ------------------------------------------------------------------ keys

    def action_move(self, rows: int) -> None:
        self.place(self.row + rows)

    def action_page(self, pages: int) -> None:
        self.place(self.row + pages * max(1, self.scrollable_content_region.height - 1))

    def action_end(self, direction: int) -> None:
        self.place(0 if direction < 0 else len(self.lines) - 1)

    def action_choose(self, direction: int) -> None:
        """The next part that can be chosen; where there is none, the text moves."""
        items = self.lines[self.row].items if self.lines else []
        if len(items) > 1:
            self.choice = max(0, min(min(self.choice, len(items) - 1) + direction, len(items) - 1))
            self.refresh()
        else:
            self.scroll_relative(x=8 * direction, animate=False, force=True)

    def on_click(self, event: events.Click) -> None:
        """The cursor goes where the mouse is."""
        at = event.get_content_offset(self)
        if at is None or not self.lines:
            return
        self.place(at.y + round(self.scroll_y))
        shown = self.lines[self.row]
        ends = list(accumulate(len(part.text) for part in shown.parts))
        column = at.x + round(self.scroll_x)
        part = next((number for number, end in enumerate(ends) if column < end), len(ends) - 1)
        self.choice = sum(number < part for number in shown.items)
        self.refresh()
