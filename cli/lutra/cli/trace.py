"""The options of `lutra run --trace`: which retired instructions are written, and how."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Annotated, Literal, TextIO

import typer

from lutra.cli.errors import UsageError
from lutra.iss.retire import Record
from lutra.iss.trace import Trace

Form = Literal["text", "jsonl"]
FromOption = Annotated[
    str | None, typer.Option("--trace-from", metavar="LABEL|PC", help="Begin when this instruction retires.")
]
OnlyOption = Annotated[
    str | None, typer.Option("--trace-only", metavar="REGEX", help="Only instructions whose line of text matches.")
]
LimitOption = Annotated[
    int | None, typer.Option("--trace-limit", metavar="N", min=1, help="At most N lines; the run goes on.")
]
FormOption = Annotated[Form, typer.Option("--trace-format", help="Lines of text, or a JSON object per line.")]


def pattern(text: str | None) -> re.Pattern[str] | None:
    """The expression of --trace-only."""
    try:
        return None if text is None else re.compile(text)
    except re.error as error:
        raise UsageError(f"--trace-only {text}: not a regular expression: {error}") from error


@dataclass
class TraceFile:
    """A file that takes the lines of a trace that were asked for.

    start: the program address whose first retirement begins the trace; None for the first of all. only: what is found
    in the line of text, in either form. limit: number of lines.
    """

    file: TextIO
    trace: Trace
    form: Form = "text"
    start: int | None = None
    only: re.Pattern[str] | None = None
    limit: int | None = None
    _begun: bool = field(default=False, init=False)
    _lines: int = field(default=0, init=False)

    def write(self, record: Record) -> bool:
        """Take the next retirement; False when no more are needed."""
        line = self.trace.line(record)
        self._begun = self._begun or self.start in (None, record.pc)
        if self._begun and (self.only is None or self.only.search(str(line))):
            print(line if self.form == "text" else json.dumps(line.document()), file=self.file)
            self._lines += 1
        return self._lines != self.limit
