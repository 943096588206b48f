"""The options of `lutra run --trace`: which retired instructions are written, and how."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, TextIO

import typer

from lutra.asm import Image
from lutra.cli.checks import usage_checks
from lutra.cli.errors import UsageError
from lutra.cli.text import printable
from lutra.iss.places import address, number
from lutra.iss.retire import Record
from lutra.iss.trace import Trace

# What a trace without --trace-limit ends at, some 150 MB: a program that never ends does not fill the disk.
LINES = 1_000_000
Form = Literal["text", "jsonl"]
# Before the number of a cycle, where a label or a program address could stand.
CYCLE = "cycle:"
FromOption = Annotated[
    str | None, typer.Option("--trace-from", metavar="LABEL|PC|cycle:N", help="Begin when this instruction retires.")
]
ToOption = Annotated[
    str | None, typer.Option("--trace-to", metavar="LABEL|PC|cycle:N", help="End after this instruction.")
]
OnlyOption = Annotated[
    str | None, typer.Option("--trace-only", metavar="REGEX", help="Only instructions whose line of text matches.")
]
LimitOption = Annotated[
    int | None,
    typer.Option("--trace-limit", metavar="N", min=1, help=f"At most N lines, {LINES} if not given; the run goes on."),
]
FormOption = Annotated[Form | None, typer.Option("--trace-format", help="Lines of text, or a JSON object per line.")]


@dataclass(frozen=True)
class Point:
    """The first retirement of the instruction at a program address, or the first in a cycle or after it."""

    pc: int | None
    cycle: int

    @classmethod
    def of(cls, image: Image, text: str, option: str) -> Point:
        """The point that an option names. Raises UsageError."""
        with usage_checks(option):
            if text.startswith(CYCLE):
                return cls(None, number(text.removeprefix(CYCLE)))
            return cls(address(image, text), 0)

    def reached(self, record: Record) -> bool:
        """Whether it is this retirement."""
        return record.cycle >= self.cycle and self.pc in (None, record.pc)


# Of a trace from the first retirement on.
BEGIN = Point(None, 0)


@dataclass(frozen=True)
class Selection:
    """What is written to the file of a trace.

    start, end: the retirements that begin and end it, the lines of both included; end None for the last of all. only:
    what is found in the line of text, in either form. limit: number of lines, or None for LINES of them and a note.
    """

    path: Path
    start: Point
    end: Point | None
    only: re.Pattern[str] | None
    limit: int | None
    form: Form

    @classmethod
    def of(
        cls,
        image: Image,
        path: Path | None,
        start: str | None,
        end: str | None,
        only: str | None,
        limit: int | None,
        form: Form | None,
    ) -> Selection | None:
        """What the options say; None without --trace. Raises UsageError."""
        if path is None:
            given: dict[str, object] = {"--trace-from": start, "--trace-to": end, "--trace-only": only}
            given |= {"--trace-limit": limit, "--trace-format": form}
            if stray := next((name for name, value in given.items() if value is not None), ""):
                raise UsageError(f"{stray} is for a trace; give --trace FILE")
            return None
        try:
            expression = None if only is None else re.compile(only)
        except re.error as error:
            raise UsageError(f"--trace-only {only}: not a regular expression: {error}") from error
        begin = BEGIN if start is None else Point.of(image, start, "--trace-from")
        last = None if end is None else Point.of(image, end, "--trace-to")
        return cls(path, begin, last, expression, limit, form or "text")


class Writer:
    """Writes the lines that a selection asks for."""

    def __init__(self, selection: Selection, file: TextIO, trace: Trace) -> None:
        self._selection = selection
        self._file = file
        self._trace = trace
        self._begun = False
        self._lines = 0
        self._limit = LINES if selection.limit is None else selection.limit

    def write(self, record: Record) -> bool:
        """Take the next retirement; False when no more are needed."""
        asked, line = self._selection, self._trace.line(record)
        self._begun = self._begun or asked.start.reached(record)
        if self._begun and (asked.only is None or asked.only.search(str(line))):
            print(line if asked.form == "text" else json.dumps(line.document()), file=self._file)
            self._lines += 1
            if self._lines == self._limit and asked.limit is None:
                note = f"{printable(str(asked.path))} ends after {LINES} lines; --trace-limit asks for another number"
                print(f"lutra: note: {note}", file=sys.stderr)
        ended = self._begun and asked.end is not None and asked.end.reached(record)
        return not ended and self._lines != self._limit
