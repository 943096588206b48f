"""The generated reference by its sections, for `lutra isa`: a forge and a terminal show one text."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from lutra.isa.generated import generated
from lutra.isa.tables import IsaTablesError

PAGE = "isa-reference.md"
# Its entries are printed by mnemonic.
_INSTRUCTIONS = "instructions"


@dataclass
class Table:
    """Names of the columns, and rows of cells."""

    columns: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)

    def text(self, width: int) -> str:
        """A line per row where that fits the width, else a paragraph per row."""
        grid = [self.columns, *self.rows]
        widths = [max(len(row[n]) for row in grid) for n in range(len(self.columns))]
        if sum(widths) + 2 * len(widths) > width:
            return "\n\n".join(self._paragraph(row, width) for row in self.rows)
        lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) for row in grid]
        return "\n".join(line.rstrip() for line in lines)

    def _paragraph(self, row: list[str], width: int) -> str:
        """The first cell, and the others that are not empty below it by the names of their columns."""
        indent = 4 + max(map(len, self.columns))
        lines = [
            textwrap.fill(cell, width, initial_indent=f"  {column}".ljust(indent), subsequent_indent=" " * indent)
            for column, cell in zip(self.columns[1:], row[1:], strict=True)
            if cell
        ]
        return "\n".join([row[0], *lines])


@dataclass
class Section:
    """A heading, and the paragraphs and tables below it. name: as links to it are written."""

    name: str
    title: str
    level: int
    body: list[str | Table] = field(default_factory=list)

    def text(self, width: int) -> str:
        """Return the text for a terminal."""
        parts = [part.text(width) if isinstance(part, Table) else textwrap.fill(part, width) for part in self.body]
        return "\n\n".join([self.title, *parts]) + "\n"


@lru_cache(maxsize=1)
def sections() -> dict[str, tuple[Section, ...]]:
    """Return name -> the section and those below it, without instructions. Raises IsaTablesError without a page."""
    place = generated(PAGE)
    try:
        text = place.read_text(encoding="utf-8")
    except OSError as error:
        raise IsaTablesError(f"{place}: cannot be read: {error}; build first") from error
    found = list(_read(text))
    whole: dict[str, tuple[Section, ...]] = {}
    for at, section in enumerate(found):
        below = [n for n in range(at + 1, len(found)) if found[n].level <= section.level]
        whole[section.name] = tuple(found[at : below[0] if below else len(found)])
    return whole


def _read(text: str) -> Iterator[Section]:
    """Sections of the second level and below, up to the instructions."""
    section: Section | None = None
    for paragraph in re.split(r"\n{2,}", text):
        if heading := re.fullmatch(r"(##+) (.*)", paragraph.strip()):
            if section is not None:
                yield section
            name = re.sub(r"[^\w\- ]", "", heading[2].lower()).replace(" ", "-")
            if name == _INSTRUCTIONS:
                return
            section = Section(name, heading[2], len(heading[1]))
        elif section is not None and paragraph.strip():
            lines = paragraph.strip().splitlines()
            section.body.append(_table(lines) if lines[0].startswith("|") else _plain(" ".join(lines)))


def _table(lines: list[str]) -> Table:
    cells = [[_plain(cell.strip()) for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return Table(cells[0], cells[2:])


def _plain(text: str) -> str:
    """Without the marks of Markdown."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("`", "").replace("\\|", "|")
