"""A long move shows that it is on its way, where the client can show it."""

from __future__ import annotations

import time as clock

from lutra.debug.dap.state import State

# Seconds before a move is long, and between two updates.
_LONG, _EVERY = 1.0, 0.5


class Progress:
    """Progress of one move."""

    _number = 0

    def __init__(self, state: State) -> None:
        self._state = state
        self._next = clock.monotonic() + _LONG
        self._name = ""

    def tell(self, time: int, cycle: int) -> None:
        """Report the position of the move: retired instructions, and the cycle."""
        if clock.monotonic() < self._next or not self._state.client.flag("supportsProgressReporting"):
            return
        self._next = clock.monotonic() + _EVERY
        message = f"cycle {cycle:,}, {time:,} instructions"
        if self._name:
            self._state.channel.event("progressUpdate", progressId=self._name, message=message)
            return
        Progress._number += 1
        self._name = f"move{Progress._number}"
        self._state.channel.event(
            "progressStart", progressId=self._name, title="lutra: running", message=message, cancellable=True
        )

    def end(self) -> None:
        """The move has ended."""
        if self._name:
            self._state.channel.event("progressEnd", progressId=self._name)
