"""Running the command line within a test."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

PROGRAM = """\
        .section text
        .global start
start:  bcast   v0, m2[0], 0
        mov     m3[0], v0
        halt
        .global underflow
underflow:
        ret
        .global spin
spin:   jmp     spin
        .global pause
pause:  wait
        halt
"""


@dataclass(frozen=True)
class Outcome:
    """Exit code and text of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> str:
        """The one line of an error, without its prefix."""
        prefix = "lutra: error: "
        assert self.code != 0
        assert "Traceback" not in self.err
        assert self.err.startswith(prefix), self.err
        assert self.err.count("\n") == 1, self.err
        return self.err.removeprefix(prefix).rstrip("\n")

    @property
    def failure(self) -> str:
        """The error of a run that traps or does not end, which is the last line: a report is above it."""
        *_, last = self.err.splitlines()
        return Outcome(self.code, self.out, f"{last}\n").error

    @property
    def report(self) -> list[str]:
        """Output above the error of a run that traps or does not end."""
        assert self.failure
        return self.err.splitlines()[:-1]


Lutra = Callable[..., Outcome]
