"""Extensions from outside this repository: a folder with a description, functions in C++ and SystemVerilog.

    NAME/NAME.td           records; one of them is the Extension, which is called as the folder
    NAME/functions.hpp     functions of blocks in namespace lutra::fn (may be absent)
    NAME/functions.sv      the same in package lutra_NAME_pkg (may be absent)

docs/how-to/write-an-extension.md has an example, with firmware and tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from isagen.errors import IsaError
from isagen.model import Isa
from isagen.text import render

HEADER = "lutra_extensions.hpp"


def package(name: str) -> str:
    """The SystemVerilog package of an extension."""
    return f"lutra_{name}_pkg"


@dataclass(frozen=True)
class Folder:
    """The folder of an extension."""

    place: Path

    @classmethod
    def of(cls, place: Path) -> Folder:
        """Raise IsaError if it is not an extension."""
        folder = cls(place.resolve())
        if not folder.description.is_file():
            raise IsaError([f"{place}: not an extension: it has no {folder.description.name}"])
        if not re.fullmatch("[a-z][a-z0-9_]*", folder.name):
            raise IsaError([f"{place}: the folder's name is the extension's: lower case letters, digits and _"])
        return folder

    @property
    def name(self) -> str:
        return self.place.name

    @property
    def description(self) -> Path:
        return self.place / f"{self.name}.td"

    @property
    def package(self) -> str:
        """The generated file of its package; empty where it has none."""
        return f"{package(self.name)}.sv" if (self.place / "functions.sv").is_file() else ""

    @property
    def header(self) -> str:
        """The generated file of its C++ functions; empty where it has none."""
        return f"lutra_{self.name}.hpp" if (self.place / "functions.hpp").is_file() else ""


def files(folders: Sequence[Folder]) -> list[tuple[str, str, str]]:
    """Folder, name and text of what is copied next to the generated files, and the header that includes it."""
    out = [("sv", f.package, (f.place / "functions.sv").read_text()) for f in folders if f.package]
    out += [("cpp", f.header, (f.place / "functions.hpp").read_text()) for f in folders if f.header]
    text = render(HEADER, headers=[f.header for f in folders if f.header])
    return [*out, ("cpp", HEADER, text)]


def findings(isa: Isa, folders: Sequence[Folder]) -> list[str]:
    """Yield errors in extensions from outside, in addition to the checks of all records."""
    return [*_names(isa, folders), *_opcodes(isa)]


def _names(isa: Isa, folders: Sequence[Folder]) -> Iterator[str]:
    named = {e.record: e.name for e in isa.extensions}
    for folder in folders:
        file = folder.description.name
        own = [named[record] for record, place in isa.outside.items() if place == file]
        if own != [folder.name]:
            has = f"it has {', '.join(own)}" if own else "it has none"
            yield f"{file}: one extension is called as the folder, {folder.name}; {has}"


def _opcodes(isa: Isa) -> Iterator[str]:
    first, last = isa.opcodes_outside
    for insn in isa.described:
        if (insn.extension in isa.outside) != (first <= insn.opcode <= last):
            where = "outside this repository has" if insn.extension in isa.outside else "here has none of"
            yield f"{insn.loc}: {insn.record}: an extension {where} opcodes {first:#04x} to {last:#04x}"
