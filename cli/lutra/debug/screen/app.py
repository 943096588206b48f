"""The screen: which panes there are, where they are, and what the keys do with them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Sequence
from typing import Any, ClassVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input, Static

from lutra.asm import Place
from lutra.debug import Breakpoint, Frame, Session, Value, Watchpoint, Write
from lutra.debug.screen import colors, layout, pages, tasks
from lutra.debug.screen.command import CommandLine
from lutra.debug.screen.disassembly import Disassembly
from lutra.debug.screen.foot import Foot, Status
from lutra.debug.screen.keys import MOVES
from lutra.debug.screen.lines import Line, Pane
from lutra.debug.screen.panes import Messages, Pipeline, Stack, Stops
from lutra.debug.screen.running import Outcome, Runner, Task
from lutra.debug.screen.source import Source
from lutra.debug.screen.terminal import too_small
from lutra.debug.screen.values import Contexts, Memory, Registers, Values
from lutra.debug.screen.view import Program, View, spaces, take

# Keys that are pressed while a move runs are done after it, so many of them.
WAITING = 8
# How often the screen looks at a move that runs, in seconds.
LOOK = 0.1
# By their keys, from 1; the messages have 0.
NUMBERED = ("source", "disassembly", "registers", *layout.TABS)


class Debugger(App[None]):
    """The terminal debugger over one session.

    failure: what ended it that was no error of the user's.
    """

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = "#command"
    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(binding for move in MOVES for binding in move.bindings),
        Binding("f9", "breakpoint", priority=True),
        Binding("f4", "run_here", priority=True),
        Binding("f6", "next_pane(1)", priority=True),
        Binding("shift+f6,f18", "next_pane(-1)", priority=True),
        Binding("f1", "help", priority=True),
        Binding("escape", "escape"),
        Binding("ctrl+c", "interrupt", priority=True),
        Binding("ctrl+q", "quit", priority=True),
    ]

    def __init__(self, session: Session) -> None:
        theme = colors.first_theme(dict(os.environ))
        super().__init__(ansi_color=True if theme == colors.PLAIN.name else None)
        for known in colors.themes():
            self.register_theme(known)
        self.theme = theme
        self.failure: Exception | None = None
        self.session = session
        self.program = Program(session)
        self.view: View = take(session)
        self.runner = Runner(session)
        self._queue: deque[tuple[str, Task, bool]] = deque()
        self._busy = False
        self._moving = False
        self._tab = layout.TABS[0]
        self._zoomed = ""
        self._last = "source"

    # ------------------------------------------------------------------ the screen's parts

    def compose(self) -> ComposeResult:
        memories, tables = spaces()
        labels = {space: self.program.symbols(space) for space in memories + tables}
        yield Status(self.session.engine)
        yield Source(self.program)
        yield Disassembly(self.program)
        yield Registers("registers", self._shown)
        yield Memory("memories", self._shown, memories, labels)
        yield Memory("tables", self._shown, tables, labels)
        yield Contexts("contexts", self._shown)
        yield Pipeline(self.program)
        yield Stack()
        yield Stops(self.program)
        yield Messages()
        yield CommandLine(self.session.complete)
        yield Foot()
        yield Static(id="small")

    def _shown(self, value: Value, form: str) -> str:
        """Views read memory, which is the session's thread's while that is busy."""
        return self.session.show(value, form or ("words" if self._moving else ""))

    def pane(self, name: str) -> Pane:
        """A pane by its name."""
        return self.query_one(f"#{name}", Pane)

    @property
    def _messages(self) -> Messages:
        return self.query_one(Messages)

    @property
    def _command(self) -> CommandLine:
        return self.query_one(CommandLine)

    def on_mount(self) -> None:
        self._show(self.view)
        self._messages.say(self.view.stop.text)
        self.set_interval(LOOK, self._look)

    def on_unmount(self) -> None:
        self.runner.close()

    def on_resize(self, event: events.Resize) -> None:
        self._arrange()

    @on(Pane.Titled)
    def _arrange(self) -> None:
        """Every pane to its place for the terminal's size."""
        width, height = self.size
        small = not layout.fits(width, height)
        registers = self.pane("registers")
        need = max(registers.virtual_size.width + 1, 40), len(registers.lines)
        places = {} if small else layout.arrange(width, height, self._tab, need, self._zoomed)
        self.query_one("#small", Static).update(too_small(width, height) if small else "")
        self.query_one("#small").display = small
        for widget in self.screen.children:
            box = places.get(widget.id or "")
            if widget.id == "small":
                continue
            widget.display = box is not None
            if box is not None:
                widget.styles.offset = (box.x, box.y)
                widget.styles.width, widget.styles.height = box.width, box.height
        if not small:
            self._name_panes()

    def _name_panes(self) -> None:
        """Titles: a pane that takes turns names the others too."""
        turns = () if self._zoomed else layout.turns(*self.size)
        for number, name in enumerate(NUMBERED, 1):
            pane = self.pane(name)
            own = f"[b]{number} {pane.label}[/b]" + f" {pane.note}" * bool(pane.note)
            others = [own if tab == name else f"{NUMBERED.index(tab) + 1} {layout.SHORT[tab]}" for tab in turns]
            pane.border_title = " ".join(others) if name in turns else own
        self._messages.border_title = "[b]0 messages[/b]"

    def _show(self, view: View) -> None:
        self.view = view
        self.query_one(Status).view = view
        for name in NUMBERED:
            self.pane(name).show(view)
        self._arrange()
        self._look()

    # ------------------------------------------------------------------ doing

    def action_command(self, command: str) -> None:
        """A command by a key."""
        self._do(command, tasks.command(command), by_key=True)

    def _do(self, title: str, task: Task, by_key: bool = False) -> None:
        if len(self._queue) < WAITING:
            self._queue.append((title, task, by_key))
        if not self._busy:
            self._busy = True
            self.run_worker(self._work(), exit_on_error=False)

    async def _work(self) -> None:
        try:
            while self._queue:
                title, task, by_key = self._queue.popleft()
                self._moving = True
                outcome = await self.runner.do(task)
                self._moving = False
                self._tell(title, outcome, by_key)
        except Exception as error:  # of the debugger itself: `lutra` reports it when the terminal is as it was
            self.failure = error
            self.exit()
        finally:
            self._busy = self._moving = False
            self._look()

    def _tell(self, title: str, outcome: Outcome, by_key: bool) -> None:
        """What has come out of a task. Of a move the panes say all but why it ended."""
        text = outcome.text
        if outcome.moved and not outcome.failed:
            text = "" if outcome.view.stop.kind == "step" else outcome.view.stop.text
        if text or not by_key:
            self._messages.say(f"> {title}", "dim")
        self._messages.say(text, "error" if outcome.failed else "")
        if outcome.failed:
            self._queue.clear()
        if self.session.over:
            self.exit()
        self._show(outcome.view)

    def _look(self) -> None:
        status = self.query_one(Status)
        shown = self._busy and self.runner.progress is not None, self.runner.progress
        if (status.running, status.progress) != shown or not self._busy:
            status.running, status.progress = shown
            status.refresh()

    def action_interrupt(self) -> None:
        """End what runs."""
        if self._busy:
            self._queue.clear()
            self.runner.interrupt()
        else:
            self._messages.say("nothing runs; ctrl+q leaves the debugger", "dim")

    def action_escape(self) -> None:
        """End what runs; else the whole screen for all panes; else from command line to panes or back."""
        if self._busy:
            self.action_interrupt()
        elif self._zoomed:
            self.action_zoom()
        elif self.focused is self._command:
            self._command.value = ""
            self.pane(self._last).focus()
        else:
            self._command.focus()

    # ------------------------------------------------------------------ commands

    @on(Input.Submitted, "#command")
    def _entered(self) -> None:
        command = self._command.done()
        if command.startswith("/"):
            self._find(command[1:])
        elif command:
            self._do(command, tasks.command(command))

    @on(CommandLine.Offered)
    def _offered(self, message: CommandLine.Offered) -> None:
        if message.words:
            self._messages.say("  ".join(message.words), "dim")

    def action_prompt(self, text: str) -> None:
        """Begin a command."""
        self._command.value = text
        self._command.cursor_position = len(text)
        self._command.focus()

    def _find(self, text: str) -> None:
        pane = self.pane(self._last)
        if text and not pane.find(text):
            self._messages.say(f"{text!r} is not in {pane.id}", "error")

    # ------------------------------------------------------------------ panes

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        focused = self.focused
        if isinstance(focused, Pane) and focused.id in (*NUMBERED, "messages"):
            self._last = focused.id or ""
        foot = self.query_one(Foot)
        foot.pane = focused if isinstance(focused, Pane) else None
        foot.refresh()

    def action_pane(self, number: int) -> None:
        """To a pane by its number."""
        self.go_to("messages" if number == 0 else NUMBERED[number - 1])

    def go_to(self, name: str) -> Pane:
        """To a pane, which is shown then."""
        if name in layout.TABS:
            self._tab = name
        if self._zoomed:
            self._zoomed = name
        self._arrange()
        pane = self.pane(name)
        pane.focus()
        return pane

    def action_next_pane(self, direction: int) -> None:
        """The next pane; those that take turns too."""
        order = [*NUMBERED, "messages"]
        self.go_to(order[(order.index(self._last) + direction) % len(order)])

    def action_zoom(self) -> None:
        """The whole screen for a pane, or for all."""
        self._zoomed = "" if self._zoomed else self._last
        self._arrange()

    def action_theme(self) -> None:
        """Dark or light."""
        if self.theme != colors.PLAIN.name:
            self.theme = colors.LIGHT.name if self.theme == colors.DARK.name else colors.DARK.name

    def action_help(self) -> None:
        """The keys and the commands."""
        if not isinstance(self.screen, pages.Over):
            self._do("help", tasks.page(self._open_page, "help", pages.help_lines), by_key=True)

    def _open_page(self, title: str, lines: Sequence[Line]) -> None:
        self.call_from_thread(self.push_screen, pages.Over(title, lines), self._chosen)

    # ------------------------------------------------------------------ at the cursor

    def _here(self) -> tuple[str, int] | int | None:
        """A line of the source or a program address, whichever pane was used last."""
        disassembly, source = self.query_one(Disassembly), self.query_one(Source)
        if self._last == disassembly.id:
            return disassembly.item if isinstance(disassembly.item, int) else None
        return (source.file, source.item) if source.file else None

    def action_breakpoint(self) -> None:
        """A breakpoint here, or none."""
        here = self._here()
        if isinstance(here, int):
            self._do(f"breakpoint {here:#x}", tasks.toggle_address(here))
        elif here is not None:
            self._do(f"breakpoint {here[0]}:{here[1]}", tasks.toggle_line(*here))

    def action_run_here(self) -> None:
        """To here, or to what stops before."""
        here = self._here()
        if here is not None:
            self.action_command("advance " + (f"*{here:#x}" if isinstance(here, int) else f"{here[0]}:{here[1]}"))

    def action_open(self) -> None:
        """What the cursor is on, in source and disassembly."""
        item = self.pane(self._last).item
        pc, place = _target(item)
        if pc is not None and pc < len(self.program.instructions):
            self.query_one(Disassembly).open(pc)
            chain = self.program.instructions[pc].chain
            place = place or (chain[0] if chain else None)
        if place is not None:
            self.query_one(Source).open(place, self.view)

    @on(Values.Wanted)
    def _asked(self, message: Values.Wanted) -> None:
        """Of a value; a writer that is chosen on its page is gone to."""
        item = message.item
        if message.command == "set":
            self.action_prompt(f"set {item} = ")
        elif message.command == "goto":
            self._do(f"go to the last writer of {item}", tasks.writer(item), by_key=True)
        elif message.command:
            self._do(f"{message.command} {item}", tasks.command(f"{message.command} {item}"))
        else:
            task = tasks.page(self._open_page, item, lambda session: pages.inspection(session, item))
            self._do(f"inspect {item}", task, by_key=True)

    def _chosen(self, item: object) -> None:
        if isinstance(item, Write):
            self._do(f"the writer of {item.target}", tasks.seek(item.time), by_key=True)


def _target(item: Any) -> tuple[int | None, Place | None]:
    """The program address and the line that an item of a list stands for."""
    if isinstance(item, Frame):
        return item.pc, item.place
    if isinstance(item, Breakpoint):
        return (item.addresses[0] if item.addresses else None), None
    if isinstance(item, Watchpoint):
        return None, None
    return (item if isinstance(item, int) else None), None
