"""The terminal debugger, driven by Textual's pilot."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

import lutra
from lutra.debug import Session
from lutra.debug.screen.app import Debugger
from lutra.debug.screen.lines import Pane
from lutra.iss.job import Job

# Two passes of a loop with a macro in a macro, and an instruction that waits.
PROGRAM = """\
        .macro  add_one x
        xor     \\x, \\x, v7
        .endm
        .macro  twice x, y
        add_one \\x
        add_one \\y
        .endm

        .section m0
key:    .row    "000102030405060708090a0b0c0d0e0f"
ones:   .row    "01010101010101010101010101010101"

        .section text
        .entry  main
        .global main
main:   mov     v7, m0[ones]
        mov     v0, m0[key]             // view: v0 state 4x4
        repeat  2, done
        twice   v0, v1
        mov     m3[ar1++], v0
done:   mov     v2, m3[0]               // waits for the store
        call    clear
        halt
clear:  mov     v1, zero
        ret
"""
ENDLESS = """\
        .section text
        .entry  main
main:   arset   ar0, 1
again:  jmp     again
"""


class Screen:
    """A debugger on a screen without a terminal."""

    def __init__(self, app: Debugger, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot
        self.session = app.session

    async def press(self, *keys: str) -> None:
        """Press keys, and wait until what they begin is done."""
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def settle(self) -> None:
        """Wait until nothing runs."""
        await self.pilot.pause()
        await self.app.workers.wait_for_complete()
        await self.pilot.pause()

    async def command(self, text: str) -> None:
        """Give a command on the command line."""
        self.app.command.focus()
        self.app.command.value = text
        await self.press("enter")

    def pane(self, name: str) -> Pane:
        """A pane by its name."""
        return self.app.panes[name]

    def current(self, name: str) -> str:
        """The line of a pane at which the machine is."""
        (found,) = [line.text.strip() for line in self.pane(name).lines if line.current]
        return found

    @property
    def messages(self) -> str:
        return self.app.messages.said

    @property
    def shown(self) -> set[str]:
        """The names of the panes that are on the screen."""
        return {name for name, pane in self.app.panes.items() if pane.display}


def opened(folder: Path, text: str = PROGRAM, engine: str = "iss") -> Session:
    """A session over a program."""
    file = folder / "program.s"
    file.write_text(text)
    image = lutra.assemble([file])
    return Session.open(Job(image, (image.entry,)), engine)


@asynccontextmanager
async def screen(session: Session, width: int = 100, height: int = 30) -> AsyncIterator[Screen]:
    """The screen over a session."""
    app = Debugger(session)
    async with app.run_test(size=(width, height)) as pilot:
        yield Screen(app, pilot)
    if app.failure is not None:
        raise app.failure
