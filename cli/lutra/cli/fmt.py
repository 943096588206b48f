"""`lutra fmt`: format assembly."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from lutra.asm import AsmError
from lutra.asm.files import SOURCE_BYTES, read_stream
from lutra.asm.passes.sources import decoded
from lutra.asm.text.format import format_text
from lutra.cli.errors import CliError, UsageError, reason
from lutra.cli.files import STANDARD, opened
from lutra.cli.options import existing
from lutra.cli.output import output
from lutra.cli.text import printable

SUFFIXES = (".s", ".inc")


def command(
    paths: Annotated[
        list[Path], typer.Argument(metavar="PATH...", help="Sources, folders of sources, or - for standard input.")
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with code 1 if a file would change.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Write nothing; print what would change.")] = False,
) -> None:
    """Lay out assembly in columns; the assembled program never changes.

    Prints the name of each file that it changes. Sources are .s and .inc files; a folder stands for all of them in it,
    except in hidden folders. Standard input is formatted to standard output. Lines that cannot be parsed stay as they
    are.

    \b
    Example:
      lutra fmt first.s
      lutra fmt --check firmware
    """
    if len(paths) > 1 and any(str(path) == STANDARD for path in paths):
        raise UsageError("- cannot be combined with other files; leave them out")
    good = True
    for path in _files(paths):
        try:
            good &= _done(_read(path), check=check, diff=diff)
        except BrokenPipeError:
            # The reader has closed standard output, which is not an error.
            raise
        except (AsmError, CliError, OSError) as error:
            print(f"lutra: error: {printable(_one_line(error))}", file=sys.stderr)
            good = False
    if not good:
        raise typer.Exit(1)


@dataclass(frozen=True)
class _Source:
    """A file, its text, and its formatted text."""

    path: Path
    text: str
    formatted: str

    @property
    def is_standard(self) -> bool:
        return str(self.path) == STANDARD

    @property
    def shown(self) -> str:
        return "<stdin>" if self.is_standard else str(self.path)


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    """Return the files of a command line, each once."""
    seen: set[Path] = set()
    for path in paths:
        for file in _sources(path) or [path]:
            if (place := file.resolve()) not in seen:
                seen.add(place)
                yield file


def _sources(folder: Path) -> list[Path]:
    """Return the sources in a folder, except those in hidden folders; none for a file."""
    found = (path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    return sorted(p for p in found if not any(part.startswith(".") for part in p.relative_to(folder).parts))


def _read(path: Path) -> _Source:
    if path.is_dir():
        raise CliError(f"{path}: no {' or '.join(SUFFIXES)} file in this folder")
    if str(path) != STANDARD and not existing(path).is_file():
        raise CliError(f"{path}: not a regular file, cannot be rewritten")
    if str(path) != STANDARD and path.suffix not in SUFFIXES:
        raise CliError(f"{path}: not a {' or '.join(SUFFIXES)} file, not changed; `lutra fmt -` accepts any assembly")
    with opened(path) as file:
        text = decoded(path, read_stream(file, SOURCE_BYTES, "a source", str(path)))
    return _Source(path, text, format_text(text))


def _done(source: _Source, *, check: bool, diff: bool) -> bool:
    """Check, diff or rewrite a file; return False if it fails the check."""
    changes = source.formatted != source.text
    if diff:
        old, new = (text.splitlines(keepends=True) for text in (source.text, source.formatted))
        for line in difflib.unified_diff(old, new, source.shown, source.shown):
            print(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n", end="")
    elif check:
        if changes:
            print(f"{printable(source.shown)}: not formatted")
    elif changes or source.is_standard:
        with output(source.path) as file:
            file.write(source.formatted.encode())
        if not source.is_standard:
            print(printable(source.shown))
    return not (check and changes)


def _one_line(error: AsmError | CliError | OSError) -> str:
    if isinstance(error, AsmError):
        (found,) = error.diagnostics
        place = f"{found.file}:{found.line}:{found.column}" if found.line else found.file
        return f"{place}: {found.message}" + (f"; {found.hint}" if found.hint else "")
    return reason(error) if isinstance(error, OSError) else str(error)
