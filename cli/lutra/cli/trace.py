"""Options of `lutra run --trace`: which retired instructions to write, and how."""

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

# Limit of a trace without --trace-limit, about 150 MB: a program that never ends must not fill the disk.
LINES = 1_000_000
Form = Literal["text", "jsonl"]
# Prefix of a cycle number, where a label or a program address could be given instead.
CYCLE = "cycle:"
FromOption = Annotated[
    str | None,
    typer.Option("--trace-from", metavar="LABEL|PC|cycle:N", help="Start the trace when this instruction retires."),
]
ToOption = Annotated[
    str | None, typer.Option("--trace-to", metavar="LABEL|PC|cycle:N", help="Stop the trace after this instruction.")
]
OnlyOption = Annotated[str | None, typer.Option("--trace-only", metavar="REGEX", help="Write only lines that match.")]
LimitOption = Annotated[
    int | None,
    typer.Option(
        "--trace-limit", metavar="N", min=1, help=f"Write at most N lines; the run continues. Default {LINES}."
    ),
]
FormOption = Annotated[
    Form | None, typer.Option("--trace-format", help="Write lines of text, or one JSON object per line.")
]


@dataclass(frozen=True, kw_only=True)
class TraceOptions:
    """The options of a trace."""

    trace: Annotated[
        Path | None,
        typer.Option("--trace", metavar="FILE", help="Write one line per retired instruction; - for standard output."),
    ] = None
    trace_from: FromOption = None
    trace_to: ToOption = None
    trace_only: OnlyOption = None
    trace_limit: LimitOption = None
    trace_format: FormOption = None


@dataclass(frozen=True)
class Point:
    """The first retirement of the instruction at a program address, or the first in a cycle or after it."""

    pc: int | None
    cycle: int

    @classmethod
    def of(cls, image: Image, text: str, option: str) -> Point:
        """Parse an option. Raises UsageError."""
        with usage_checks(option):
            if text.startswith(CYCLE):
                return cls(None, number(text.removeprefix(CYCLE)))
            return cls(address(image, text), 0)

    def reached(self, record: Record) -> bool:
        """Whether this retirement is the point."""
        return record.cycle >= self.cycle and self.pc in (None, record.pc)


# Start of a trace at the first retirement.
BEGIN = Point(None, 0)


@dataclass(frozen=True)
class Selection:
    """Selection of the lines of a trace.

    start, end: first and last retirement, both included; None as end means the end of the run. only: pattern to find
    in the line of text, in either format. limit: number of lines, or None for LINES of them and a note.
    """

    path: Path
    start: Point
    end: Point | None
    only: re.Pattern[str] | None
    limit: int | None
    form: Form

    @classmethod
    def of(cls, image: Image, options: TraceOptions) -> Selection | None:
        """Parse the options; return None without --trace. Raises UsageError."""
        start, end, only = options.trace_from, options.trace_to, options.trace_only
        if options.trace is None:
            given: dict[str, object] = {"--trace-from": start, "--trace-to": end, "--trace-only": only}
            given |= {"--trace-limit": options.trace_limit, "--trace-format": options.trace_format}
            if stray := next((name for name, value in given.items() if value is not None), ""):
                raise UsageError(f"{stray} works only with --trace FILE; give that too")
            return None
        try:
            expression = None if only is None else re.compile(only)
        except re.error as error:
            raise UsageError(f"--trace-only {only}: not a regular expression: {error}") from error
        begin = BEGIN if start is None else Point.of(image, start, "--trace-from")
        last = None if end is None else Point.of(image, end, "--trace-to")
        return cls(options.trace, begin, last, expression, options.trace_limit, options.trace_format or "text")


class Writer:
    """Writer of the lines that a selection asks for."""

    def __init__(self, selection: Selection, file: TextIO, trace: Trace) -> None:
        self._selection = selection
        self._file = file
        self._trace = trace
        self._begun = False
        self._lines = 0
        self._limit = LINES if selection.limit is None else selection.limit

    def write(self, record: Record) -> bool:
        """Take the next retirement; return False when no more are needed."""
        asked, line = self._selection, self._trace.line(record)
        self._begun = self._begun or asked.start.reached(record)
        if self._begun and (asked.only is None or asked.only.search(str(line))):
            print(line if asked.form == "text" else json.dumps(line.document()), file=self._file)
            self._lines += 1
            if self._lines == self._limit and asked.limit is None:
                note = f"{printable(str(asked.path))} ends after {LINES} lines; set another number with --trace-limit"
                print(f"lutra: note: {note}", file=sys.stderr)
        ended = self._begun and asked.end is not None and asked.end.reached(record)
        return not ended and self._lines != self._limit
