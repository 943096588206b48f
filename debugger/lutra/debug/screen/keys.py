"""All keys: what they do, what the foot and the help say of them."""

from __future__ import annotations

from dataclasses import dataclass

from textual.binding import Binding

# A terminal that does not report shift with a function key sends the function key that is twelve further.
_SHIFTED = 12


@dataclass(frozen=True)
class Move:
    """A way to move, forward by a function key and a letter, back by the same with shift.

    command, back: of the command language; back is "" where there is none. word: in the foot. text: in the help.
    """

    function: int
    letter: str
    command: str
    back: str
    word: str
    text: str

    @property
    def bindings(self) -> list[Binding]:
        """Return the function keys, which work everywhere."""
        made = [Binding(f"f{self.function}", f"command('{self.command}')", priority=True)]
        if self.back:
            shifted = f"shift+f{self.function},f{self.function + _SHIFTED}"
            made.append(Binding(shifted, f"command('{self.back}')", priority=True))
        return made

    @property
    def letters(self) -> list[Binding]:
        """Return the letters, which work in panes."""
        made = [Binding(self.letter, f"app.command('{self.command}')")]
        if self.back:
            made.append(Binding(self.letter.upper(), f"app.command('{self.back}')"))
        return made


MOVES = (
    Move(5, "c", "continue", "reverse-continue", "go", "to a breakpoint, a watchpoint or the end"),
    Move(10, "n", "next", "reverse-next", "next", "next line, over macros, calls and passes of loops"),
    Move(11, "s", "step", "reverse-step", "step", "next line, into macros and calls"),
    Move(8, "i", "stepi", "reverse-stepi", "instr", "next instruction"),
    Move(12, "f", "finish", "reverse-finish", "finish", "to the end of the innermost macro, loop or call"),
)

# key, word in the foot, what it does
COMMON = (
    ("F9", "break", "set or remove a breakpoint at the cursor's line or instruction"),
    ("F4", "", "run to the cursor's line or instruction"),
    ("F6", "pane", "next pane; shift: the one before"),
    ("Esc", "", "interrupt what runs; otherwise from the command line to the panes, or back"),
    ("F1", "help", "this page"),
    ("ctrl+q", "", "leave"),
)
PANES = (
    ("0 to 9", "the pane of that number"),
    ("arrows, page up, page down, home, end", "the cursor"),
    ("left, right", "the value in the line that is meant, or the text"),
    ("/", "search in this pane; enter on an empty line searches on"),
    ("z", "the whole screen for this pane, and back"),
    ("t", "dark or light"),
    (":", "to the command line"),
    ("q", "leave"),
)
VALUES = (
    ("v, V", "form: words, bytes, lanes, decimal, hex, view"),
    ("l, L", "last writer; L goes there"),
    ("h", "history: the last writers"),
    ("w", "watch it: stop where it changes"),
    ("e", "edit: set it from the command line"),
    ("enter", "all forms and the last writers; enter on one of them goes there"),
    (", and .", "memories and tables: another one"),
)
OTHERS = (
    ("[ and ]", "source: the line that uses this macro, and back"),
    ("enter", "stack, pipeline, breakpoints: show it in the source"),
    ("space, delete", "breakpoints: on or off, remove"),
)
