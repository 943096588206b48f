"""The options of `lutra run --trace`: which retired instructions are written, and how."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, TextIO

import typer

from lutra.asm import Image
from lutra.cli.errors import UsageError, usage_checks
from lutra.iss.places import address
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
FormOption = Annotated[Form | None, typer.Option("--trace-format", help="Lines of text, or a JSON object per line.")]


@dataclass(frozen=True)
class Selection:
    """What is written to the file of a trace.

    start: the program address whose first retirement begins the trace; None for the first of all. only: what is found
    in the line of text, in either form. limit: number of lines.
    """

    path: Path
    start: int | None
    only: re.Pattern[str] | None
    limit: int | None
    form: Form

    @classmethod
    def of(
        cls, image: Image, path: Path | None, start: str | None, only: str | None, limit: int | None, form: Form | None
    ) -> Selection | None:
        """What the options say; None without --trace. Raises UsageError."""
        if path is None:
            given = {"--trace-from": start, "--trace-only": only, "--trace-limit": limit, "--trace-format": form}
            if stray := next((name for name, value in given.items() if value is not None), ""):
                raise UsageError(f"{stray} is for a trace; give --trace FILE")
            return None
        try:
            expression = None if only is None else re.compile(only)
        except re.error as error:
            raise UsageError(f"--trace-only {only}: not a regular expression: {error}") from error
        with usage_checks("--trace-from"):
            begin = None if start is None else address(image, start)
        return cls(path, begin, expression, limit, form or "text")


class Writer:
    """Writes the lines that a selection asks for."""

    def __init__(self, selection: Selection, file: TextIO, trace: Trace) -> None:
        self._selection = selection
        self._file = file
        self._trace = trace
        self._begun = False
        self._lines = 0

    def write(self, record: Record) -> bool:
        """Take the next retirement; False when no more are needed."""
        asked, line = self._selection, self._trace.line(record)
        self._begun = self._begun or asked.start in (None, record.pc)
        if self._begun and (asked.only is None or asked.only.search(str(line))):
            print(line if asked.form == "text" else json.dumps(line.document()), file=self._file)
            self._lines += 1
        return self._lines != asked.limit
