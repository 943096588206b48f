"""The result of assembly: contents of every memory, symbols, and where each word came from."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from lutra.asm.errors import AsmError, Diagnostic
from lutra.asm.expansions import Expansion, Place, Written, chain


@dataclass(frozen=True)
class Symbol:
    """A name and its value: a word address in program memory, a byte address in the other spaces, a number if `space`
    is empty."""

    name: str
    space: str
    value: int
    is_global: bool = False
    file: str = ""


@dataclass(frozen=True)
class Image:
    """A program and its data.

    `program` is program memory from address 0; holes are 0 (not an instruction). `memory` maps the
    name of each data memory and table bank to (byte offset, contents) in ascending order, without
    overlap. `lines` maps a program address to the file and line it was assembled from: the outermost
    macro call, for a word of a macro. `written` has the words of macros and how they were written, with
    indexes into `expansions`; `chain` puts all of these together. `files` are all files that were read for it.
    """

    program: list[int] = field(default_factory=list)
    memory: dict[str, list[tuple[int, bytes]]] = field(default_factory=dict)
    symbols: tuple[Symbol, ...] = ()
    lines: dict[int, tuple[str, int]] = field(default_factory=dict)
    entry: int = 0
    warnings: tuple[Diagnostic, ...] = ()
    files: tuple[str, ...] = ()
    written: dict[int, Written] = field(default_factory=dict)
    expansions: tuple[Expansion, ...] = ()

    def chain(self, pc: int) -> tuple[Place, ...]:
        """Return the lines that the word at a program address comes from, innermost first; empty if unknown.

        The first is the line itself, each further one the call of the macro around the previous one. The last is
        `lines[pc]`. Inclusions and repetitions do not count as calls.
        """
        outermost = self.lines.get(pc)
        return () if outermost is None else chain(outermost, self.written.get(pc), self.expansions)

    def symbol(self, name: str) -> Symbol:
        """Return the symbol of that name, preferably a global one. Raises KeyError."""
        found = [s for s in self.symbols if s.name == name]
        if not found:
            raise KeyError(f"no symbol '{name}'")
        return next((s for s in found if s.is_global), found[0])

    def labels(self, space: str) -> Mapping[int, str]:
        """Return address -> first label there, in a space; global ones are preferred."""
        return self._labels.get(space, {})

    @cached_property
    def _labels(self) -> Mapping[str, Mapping[int, str]]:
        """The labels of each space."""
        found: dict[str, dict[int, str]] = {}
        for symbol in sorted(self.symbols, key=lambda s: not s.is_global):
            found.setdefault(symbol.space, {}).setdefault(symbol.value, symbol.name)
        return found


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file and rename it into place, so that no reader ever sees half of it. Raises AsmError."""
    path = Path(path)
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name[:64]}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
        Path(temporary).replace(path)
        temporary = None
    except OSError as error:
        raise AsmError.of_file(path, f"cannot be written: {error.strerror or error}") from None
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
