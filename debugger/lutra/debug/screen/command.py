"""The command line: history by the arrows, completion by tab."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from lutra.debug.commands.complete import ended


class CommandLine(Input):
    """One line for commands; an empty one repeats the last, as in gdb."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "past(-1)", show=False),
        Binding("down", "past(1)", show=False),
        Binding("tab", "complete", show=False),
    ]

    def __init__(self, complete: Callable[[str], Sequence[str]]) -> None:
        super().__init__(id="command", placeholder="command, help or F1", select_on_focus=False, compact=True)
        self._complete = complete
        self.history: list[str] = []
        self._at = 0

    def done(self) -> str:
        """The command that was entered, which goes into the history; the line is empty then."""
        # The colon that leads here from the panes, typed once more.
        command = self.value.strip().removeprefix(":").strip() or (self.history[-1] if self.history else "")
        if command and self.history[-1:] != [command]:
            self.history.append(command)
        self._at = len(self.history)
        self.value = ""
        return command

    def action_past(self, steps: int) -> None:
        """An earlier or later command."""
        self._at = max(0, min(self._at + steps, len(self.history)))
        self.value = self.history[self._at] if self._at < len(self.history) else ""
        self.cursor_position = len(self.value)

    def action_complete(self) -> None:
        """Insert the common start of all possible words; offer them if that adds nothing."""
        head = self.value[: self.cursor_position]
        words = self._complete(head)
        typed = head.rpartition(" ")[2]
        common = _common(words)
        if len(words) == 1:
            common = ended(common)
        if common.startswith(typed) and len(common) > len(typed):
            self.value = head[: len(head) - len(typed)] + common + self.value[self.cursor_position :]
            self.cursor_position = len(head) - len(typed) + len(common)
            words = ()
        self.post_message(self.Offered(words if len(words) > 1 else ()))

    class Offered(Message):
        """Return words that can continue the line."""

        def __init__(self, words: Sequence[str]) -> None:
            super().__init__()
            self.words = words


def _common(words: Sequence[str]) -> str:
    """Return the common start of all words."""
    columns = takewhile(lambda letters: len(set(letters)) == 1, zip(*words, strict=False))
    return "".join(letters[0] for letters in columns)
