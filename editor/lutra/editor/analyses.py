"""A program as it is known: assembled from open texts and files, with the index of its names."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from lutra.asm.link import Analysis, analyse
from lutra.asm.passes.define import Unit
from lutra.asm.passes.layout import Placed
from lutra.asm.passes.sources import Sources
from lutra.asm.text.index import Index, build
from lutra.editor.documents import Document
from lutra.editor.programs import Program
from lutra.editor.settings import Settings

MAX_ERRORS = 500


class Overlay(Sources):
    """Files as they are in the editor, where it has them open; all go by one name each, without links."""

    def __init__(self, include: Sequence[str], texts: Mapping[str, str]) -> None:
        super().__init__([Path(folder) for folder in include])
        self._open = texts

    def is_file(self, path: Path) -> bool:
        """Whether it is open or on the disk."""
        return os.path.realpath(path) in self._open or path.is_file()

    def find(self, name: str, from_file: str, col: int, end: int) -> Path:
        """As the assembler finds it, under its one name."""
        return Path(os.path.realpath(super().find(name, from_file, col, end)))

    def contents(self, path: Path) -> bytes:
        """The file that an open text would be."""
        text = self._open.get(str(path))
        if text is None:
            return super().contents(path)
        self._read.setdefault(str(path))
        return text.encode("utf-8", "surrogatepass")


@dataclass(frozen=True)
class Analysed:
    """A program after assembly. versions: stamps of what it was made from; of "", what all of them have in common."""

    program: Program
    analysis: Analysis
    index: Index
    texts: Mapping[str, str]
    versions: Mapping[str, int] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)  # texts that are not open, by file

    @cached_property
    def files(self) -> frozenset[str]:
        """Return all files that were read."""
        return frozenset((*self.analysis.files, *self.program.sources))

    @cached_property
    def words(self) -> Mapping[tuple[str, int], list[tuple[int, Placed]]]:
        """File and line -> the program words that come from it: where it is written, and where a macro is called."""
        found: dict[tuple[str, int], list[tuple[int, Placed]]] = {}
        for address, placed in sorted(self.analysis.owners.items()):
            line = placed.line
            places = {(line.file, line.number): None, line.flow: None}
            for place in places:
                found.setdefault(place, []).append((address, placed))
        return found

    def units(self, file: str) -> Sequence[Unit]:
        """The units that a file is part of."""
        return self.index.scopes.get(file, ())


def analysed(
    program: Program, settings: Settings, base: str, texts: Mapping[str, str], versions: Mapping[str, int]
) -> Analysed:
    """Assemble a program. base: the folder that folders of the settings are in."""
    include = [*program.include, *(os.path.realpath(Path(base, folder)) for folder in settings.include)]
    files = Overlay(include, texts)
    sources = [Path(source) for source in program.sources]
    analysis = analyse(sources, files, settings.define, warnings=settings.warnings, max_errors=MAX_ERRORS)
    used = {file: versions[file] for file in ("", *analysis.files, *program.sources) if file in versions}
    return Analysed(program, analysis, build(analysis, files.texts), files.texts, used)
