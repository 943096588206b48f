"""The debugger on the screen: what keys and commands do with the session."""

from __future__ import annotations

from collections import deque
from typing import Any, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widgets import Input

from lutra.asm import Place
from lutra.debug import Breakpoint, Frame, Session, Value, Write
from lutra.debug.screen import pages, tasks
from lutra.debug.screen.command import CommandLine
from lutra.debug.screen.desk import Desk
from lutra.debug.screen.keys import MOVES
from lutra.debug.screen.panes import Stops
from lutra.debug.screen.running import Outcome, Runner, Task
from lutra.debug.screen.values import Values

# Keys that are pressed while a move runs are done after it, so many of them.
WAITING = 8
# How often the screen looks at a move that runs, in seconds.
LOOK = 0.1


class Debugger(Desk):
    """The terminal debugger over one session.

    failure: what ended it other than an error of the user's.
    """

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
        super().__init__(session)
        self.failure: Exception | None = None
        self.runner = Runner(self.commands)
        self._queue: deque[tuple[str, Task, bool]] = deque()
        self._busy = False

    def on_mount(self) -> None:
        self.set_interval(LOOK, self._look)

    def on_unmount(self) -> None:
        self.runner.close()

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
        """Run all waiting tasks, one after another."""
        try:
            while self._queue:
                title, task, by_key = self._queue.popleft()
                self._tell(title, await self.runner.do(task), by_key)
        except Exception as error:  # of the debugger itself: `lutra` reports it when the terminal is as it was
            self.failure = error
            self.exit()
        finally:
            self._busy = False
            self._look()

    def _tell(self, title: str, outcome: Outcome, by_key: bool) -> None:
        """Result of a task. For a move the panes show everything but why it ended."""
        text = outcome.text
        if outcome.moved and not outcome.failed:
            stop = outcome.view.stop
            text = "" if stop.kind == "step" else f"{stop.text}\n{stop.detail}"
        if text or not by_key:
            self.messages.say(f"> {title}", "dim")
        self.messages.say(text, "error" if outcome.failed else "")
        if outcome.failed:
            self._queue.clear()
        if self.commands.over:
            self.exit()
        self.show(outcome.view)
        if outcome.sheet is not None:
            self.push_screen(pages.Over(outcome.sheet), self._chosen)

    def _shown(self, value: Value, form: str) -> str:
        """Views read memory, which is the session's thread's while that moves."""
        return super()._shown(value, form or ("words" if self.runner.moving else ""))

    def _look(self) -> None:
        """Show the progress of a long move."""
        if self.status.progress != self.runner.progress:
            self.status.progress = self.runner.progress
            self.status.refresh()

    def action_interrupt(self) -> None:
        """End what runs."""
        if self._busy:
            self._queue.clear()
            self.runner.interrupt()
        else:
            self.messages.say("nothing runs; ctrl+q leaves the debugger", "dim")

    def action_escape(self) -> None:
        """End what runs; else the whole screen for all panes; else from command line to panes or back."""
        if self._busy:
            self.action_interrupt()
        elif self.zoomed:
            self.action_zoom()
        elif self.focused is self.command:
            self.command.value = ""
            self.go_to(self.last)
        else:
            self.command.focus()

    # ------------------------------------------------------------------ commands

    @on(Input.Submitted, "#command")
    def _entered(self) -> None:
        command = self.command.done()
        if command.startswith("/"):
            self._find(command[1:])
        elif command:
            self._do(command, tasks.command(command))

    @on(CommandLine.Offered)
    def _offered(self, message: CommandLine.Offered) -> None:
        if message.words:
            self.messages.say("  ".join(message.words), "dim")

    def action_prompt(self, text: str) -> None:
        """Begin a command."""
        self.command.value = text
        self.command.cursor_position = len(text)
        self.command.focus()

    def _find(self, text: str) -> None:
        pane = self.panes[self.last]
        if text and not pane.find(text):
            self.messages.say(f"{text!r} is not in {pane.id}", "error")

    def action_help(self) -> None:
        """The keys and the commands."""
        if not isinstance(self.screen, pages.Over):
            self._do("help", tasks.page("help", pages.help_lines), by_key=True)

    # ------------------------------------------------------------------ at the cursor

    def _here(self) -> tuple[str, int] | int | None:
        """A line of the source or a program address, whichever pane was used last."""
        if self.last == self.disassembly.id:
            return self.disassembly.item if isinstance(self.disassembly.item, int) else None
        return (self.source.file, self.source.item) if self.source.file else None

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
        """Return the item under the cursor, in source and disassembly."""
        pc, place = _target(self.panes[self.last].item)
        if pc is not None and pc < len(self.program.instructions):
            self.disassembly.open(pc)
            place = place or next(iter(self.program.instructions[pc].chain), None)
        if place is not None:
            self.source.open(place, self.view)

    @on(Stops.Changed)
    def _changed(self, message: Stops.Changed) -> None:
        self.action_command(message.command)

    @on(Values.Wanted)
    def _asked(self, message: Values.Wanted) -> None:
        """Actions of a value; a writer that is chosen on its page is gone to."""
        verb, item = message.command, message.item
        if verb == "set":
            self.action_prompt(f"set {item} = ")
        elif verb == "goto":
            self._do(f"to the last writer of {item}", tasks.writer(item), by_key=True)
        elif verb:
            self._do(f"{verb} {item}", tasks.command(f"{verb} {item}"))
        else:
            task = tasks.page(item, lambda commands: pages.inspection(commands.session, item))
            self._do(f"inspect {item}", task, by_key=True)

    def _chosen(self, item: object) -> None:
        if isinstance(item, Write):
            self._do(f"to the writer of {item.target}", tasks.seek(item.time), by_key=True)


def _target(item: Any) -> tuple[int | None, Place | None]:
    """Return the program address and the line of an item in a list."""
    if isinstance(item, Frame):
        return item.pc, item.place
    if isinstance(item, Breakpoint):
        return (item.addresses[0] if item.addresses else None), item.place
    return (item if isinstance(item, int) else None), None
