"""Pages over the screen: help, and all that is known of a value."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.markup import escape
from textual.screen import ModalScreen

from lutra.debug import FORMS, Session, Write
from lutra.debug.commands import CommandState, execute
from lutra.debug.screen.keys import COMMON, MOVES, OTHERS, PANES, VALUES
from lutra.debug.screen.lines import Line, Pane, Sheet, line


class Page(Pane):
    """The lines of a page."""

    def __init__(self, sheet: Sheet) -> None:
        super().__init__("page")
        self.border_title = escape(sheet.title)
        self.lines = sheet.lines

    def on_mount(self) -> None:
        self.fill(self.lines, 0)


class Over(ModalScreen[object]):
    """A page that Esc closes; enter gives the item that the cursor is on."""

    AUTO_FOCUS = "#page"

    CSS = """
    Over { align: center middle; background: $background 60%; }
    Over #page { position: relative; width: 98; max-width: 98%; height: 80%; border: round $primary; padding: 0 1;
                 background: $panel; border-title-color: $foreground; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,f1", "dismiss(None)", show=False, priority=True),
        Binding("enter", "choose", show=False, priority=True),
    ]

    def __init__(self, sheet: Sheet) -> None:
        super().__init__()
        self._sheet = sheet

    def compose(self) -> ComposeResult:
        yield Page(self._sheet)

    def action_choose(self) -> None:
        """The line is chosen."""
        item = self.query_one(Page).item
        if item is not None:
            self.dismiss(item)


def help_lines(state: CommandState) -> list[Line]:
    """Keys, then what the command `help` says."""
    commands = execute(state, "help").splitlines()
    return [*_keys(), line(), _head("Commands"), *(line(f"  {text}") for text in commands)]


def _head(text: str) -> Line:
    return line((text, "label"))


def _keys() -> Iterator[Line]:
    yield _head("Moving (with shift: back; the letters in panes, as capitals: back)")
    for move in MOVES:
        yield _row(f"F{move.function}, {move.letter}", f"{move.text}{'' if move.back else ' (forward only)'}")
    yield line()
    yield _head("Everywhere")
    for key, _, text in COMMON:
        yield _row(key, text)
    for title, rows in (("In panes", PANES), ("On values", VALUES), ("In some panes", OTHERS)):
        yield line()
        yield _head(title)
        for key, text in rows:
            yield _row(key, text)


def _row(key: str, text: str) -> Line:
    return line((f"  {key:<16}", "strong"), f" {text}") if len(key) <= 16 else line((f"  {key}", "strong"), f"  {text}")


def inspection(session: Session, item: str) -> list[Line]:
    """All forms of a value, its view where there is one, and its last writers. Raises EngineError."""
    value = session.inspect.evaluate(item)
    lines = []
    for form in FORMS:
        for row, text in enumerate(session.inspect.show(value, form).splitlines()):
            lines.append(line((f"{form if not row else '':<9}", "dim"), text))
    view = session.inspect.show(value).splitlines()
    if len(view) > 1:
        lines += [line((f"{'view' if not row else '':<9}", "dim"), text) for row, text in enumerate(view)]
    lines += [line(), _head("Last writers, by cycle, newest first; enter goes there")]
    if value.location is None:
        return [*lines[:-2]]
    writes = session.history.writers(item, 12)
    return [*lines, *(map(_write, writes) if writes else [line(("nothing has written it yet", "dim"))])]


def _write(write: Write) -> Line:
    place = f"{PurePath(write.place.file).name}:{write.place.line}" if write.place else f"{write.pc:04x}"
    return line(
        (f"{write.cycle:>9}  ", "dim"), f"{write.after}  ", f"{write.instruction:<30}  ", (place, "dim"), item=write
    )
