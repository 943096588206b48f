"""Assembly that a command line names: the options -D and -I, and their errors."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from lutra.asm import AsmError, Image, assemble, severities
from lutra.asm.passes.define import COMMAND_LINE
from lutra.cli.errors import CliError, UsageError
from lutra.cli.options import number
from lutra.cli.text import printable

# Errors that are shown by default; users rarely read more before fixing the first ones.
MAX_ERRORS = 20
IncludeOption = Annotated[
    list[Path] | None, typer.Option("-I", metavar="DIR", help="Search DIR for included files; repeatable.")
]
DefineOption = Annotated[
    list[str] | None, typer.Option("-D", metavar="NAME=VALUE", help="Define a symbol; repeatable.")
]


def assembled(
    sources: Sequence[Path],
    include: Sequence[Path] | None = None,
    define: Sequence[str] | None = None,
    warnings: Sequence[str] = (),
    max_errors: int | None = MAX_ERRORS,
) -> Image:
    """Assemble sources; print warnings on standard error. Raises CliError and AsmError.

    include, define, warnings: values of -I, -D and -W.
    """
    for folder in include or ():
        if not folder.is_dir():
            raise CliError(f"-I {folder}: no such folder")
    try:
        severities(warnings)
    except ValueError as error:
        raise UsageError(str(error)) from error
    defines = definitions(define)
    try:
        image = assemble(sources, include or [], defines, warnings=warnings, max_errors=max_errors)
    except AsmError as error:
        raise _usage(error) or error from error
    for warning in image.warnings:
        print(printable(warning.render(), keep="\n\t"), file=sys.stderr)
    return image


def _usage(error: AsmError) -> UsageError | None:
    """Raise UsageError if a -D option is wrong."""
    for found in error.diagnostics:
        if found.file == COMMAND_LINE and found.severity == "error":
            return UsageError(f"-D {found.source}: {found.message}" + (f"; {found.hint}" if found.hint else ""))
    return None


def definitions(define: Sequence[str] | None) -> list[tuple[str, int]]:
    """Return the symbols of -D."""
    return [_definition(text) for text in define or ()]


def _definition(text: str) -> tuple[str, int]:
    name, equals, value = text.partition("=")
    if not equals or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
        raise UsageError(f"-D {text}: write NAME=VALUE, e.g. -D BLOCKS=16")
    negative = value.startswith("-")
    magnitude = number(value.removeprefix("-"), f"-D {text}")
    return name, -magnitude if negative else magnitude
