"""The panes on the screen: their places, titles and colours, and the way from one to another."""

from __future__ import annotations

import os
from functools import partial

from textual import events, on
from textual.app import App, ComposeResult
from textual.widgets import Static

from lutra.debug import Session, Value
from lutra.debug.commands import CommandState, complete
from lutra.debug.screen import colors, layout
from lutra.debug.screen.command import CommandLine
from lutra.debug.screen.disassembly import Disassembly
from lutra.debug.screen.foot import Foot, Status
from lutra.debug.screen.lines import Pane
from lutra.debug.screen.panes import Messages, Pipeline, Stack, Stops
from lutra.debug.screen.source import Source
from lutra.debug.screen.terminal import too_small
from lutra.debug.screen.values import Contexts, Memory, Registers
from lutra.debug.screen.view import Program, View, spaces, take

# By their keys, from 1; the messages have 0.
NUMBERED = ("source", "disassembly", "registers", *layout.TABS)


class Desk(App[None]):
    """All panes over one session; nothing here moves it.

    panes: by name. view: what they show.
    """

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = "#command"
    CSS_PATH = "screen.tcss"

    def __init__(self, session: Session) -> None:
        theme = colors.first_theme(dict(os.environ))
        super().__init__(ansi_color=True if theme == colors.PLAIN.name else None)
        for known in colors.themes():
            self.register_theme(known)
        self.theme = theme
        self.session = session
        self.commands = CommandState(session)
        self.program = Program(session)
        self.view: View = take(session)
        self.status = Status(session.engine)
        self.source, self.disassembly = Source(self.program), Disassembly(self.program)
        self.messages = Messages()
        self.command = CommandLine(partial(complete, self.commands))
        self.prompt = Static(">", id="prompt")
        self.foot = Foot()
        self.small = Static(id="small")
        self.panes = self._panes()
        # The name of the pane that had the focus last.
        self.last = "source"
        self._tab = layout.TABS[0]
        self.zoomed = ""
        self._terminal = self.size

    def _panes(self) -> dict[str, Pane]:
        """All panes by their names."""
        memories, tables = spaces()
        labels = {space: self.program.symbols(space) for space in memories + tables}
        panes = (
            self.source,
            self.disassembly,
            Registers("registers", self._shown),
            Memory("memories", self._shown, memories, labels),
            Memory("tables", self._shown, tables, labels),
            Contexts("contexts", self._shown),
            Pipeline(self.program, self.session.rounds),
            Stack(),
            Stops(),
            self.messages,
        )
        return {pane.id or "": pane for pane in panes}

    def compose(self) -> ComposeResult:
        yield self.status
        yield from self.panes.values()
        yield self.prompt
        yield self.command
        yield self.foot
        yield self.small

    def _shown(self, value: Value, form: str) -> str:
        """A value as text."""
        return self.session.inspect.show(value, form)

    def on_mount(self) -> None:
        self.show(self.view)
        self.messages.say(f"{self.view.stop.text}\n{self.view.stop.detail}")

    def show(self, view: View) -> None:
        """All panes show another view."""
        self.view = view
        self.status.view = view
        for name in NUMBERED:
            self.panes[name].show(view)
        self._arrange()
        self.status.refresh()

    # ------------------------------------------------------------------ places

    def on_resize(self, event: events.Resize) -> None:
        self._terminal = event.size
        self._arrange()
        self.call_after_refresh(self._keep_focus)

    def _keep_focus(self) -> None:
        """Move the focus away from a hidden pane; without a focus no key would work."""
        if self.focused is None and self.command.display:
            self.command.focus()

    @on(Pane.Titled)
    def _arrange(self) -> None:
        """Every pane to its place for the terminal's size."""
        width, height = self._terminal
        small = not layout.fits(width, height)
        registers = self.panes["registers"]
        need = max(registers.virtual_size.width + 1, 40), len(registers.lines)
        places = {} if small else layout.arrange(width, height, self._tab, need, self.zoomed)
        self.small.update(too_small(width, height) if small else "")
        self.small.display = small
        for widget in (self.status, *self.panes.values(), self.prompt, self.command, self.foot):
            box = places.get(widget.id or "")
            widget.display = box is not None
            if box is not None:
                widget.styles.offset = (box.x, box.y)
                widget.styles.width, widget.styles.height = box.width, box.height
        if not small:
            self._name_panes()

    def _name_panes(self) -> None:
        """Titles: a pane that takes turns names the others too."""
        turns = () if self.zoomed else layout.turns(*self._terminal)
        for number, name in enumerate(NUMBERED, 1):
            pane = self.panes[name]
            own = f"[b]{number} {pane.label}[/b]" + f" {pane.note}" * bool(pane.note)
            if name in turns and pane.label == name:
                own = f"[b]{number} {layout.SHORT[name]}[/b]"
            others = [own if tab == name else f"{NUMBERED.index(tab) + 1} {layout.SHORT[tab]}" for tab in turns]
            pane.border_title = " ".join(others) if name in turns else own
        self.messages.border_title = "[b]0 messages[/b]"

    # ------------------------------------------------------------------ panes

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        focused = self.focused
        if isinstance(focused, Pane) and focused.id in (*NUMBERED, "messages"):
            self.last = focused.id or ""
        foot = self.foot
        foot.pane = focused if isinstance(focused, Pane) else None
        foot.refresh()

    def action_pane(self, number: int) -> None:
        """To a pane by its number."""
        self.go_to("messages" if number == 0 else NUMBERED[number - 1])

    def go_to(self, name: str) -> Pane:
        """To a pane, which is shown then."""
        if name in layout.TABS:
            self._tab = name
        if self.zoomed:
            self.zoomed = name
        self._arrange()
        pane = self.panes[name]
        pane.focus()
        return pane

    def action_next_pane(self, direction: int) -> None:
        """The next pane; those that take turns too."""
        order = [*NUMBERED, "messages"]
        self.go_to(order[(order.index(self.last) + direction) % len(order)])

    def action_zoom(self) -> None:
        """The whole screen for a pane, or for all."""
        self.zoomed = "" if self.zoomed else self.last
        self._arrange()

    def action_theme(self) -> None:
        """Dark or light."""
        if self.theme != colors.PLAIN.name:
            self.theme = colors.LIGHT.name if self.theme == colors.DARK.name else colors.DARK.name
