"""The documents of the checkout: headings, links and fenced blocks, with their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
# The folders of packages; each imports only what comes before it.
PLACES = (
    "isa",
    "assembler",
    "iss",
    "rtl",
    "firmware",
    "patch",
    "soc",
    "debugger",
    "editor",
    "verification",
    "synthesis",
    "cli",
)
FOLDERS = ("docs", *PLACES, "tests")
# The licence of a library that comes with the project: its author's words.
OF_OTHERS = frozenset({ROOT / "patch/loader/monocypher/LICENCE.md"})
DOCUMENTS = sorted({*ROOT.glob("*.md"), *(d for f in FOLDERS for d in (ROOT / f).rglob("*.md"))} - OF_OTHERS)

_FENCE = re.compile(r"(`{3,})(\S*)(.*)")
_MARK = re.compile(r"<!-- test: (.*?) -->")


def name(document: Path) -> str:
    """Name of a document, in messages and test ids."""
    return document.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Block:
    """A fenced block, and the mark in front of it; without a block where the mark stands before anything else."""

    line: int
    mark: str
    language: str
    text: str


def blocks(document: Path) -> Iterator[Block]:
    """Fenced blocks in their order; a mark belongs to the block that begins on the next line that is not blank."""
    mark, mark_line = "", 0
    fence, first, language, inside = "", 0, "", list[str]()
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
        if fence:
            if line.strip() == fence:
                yield Block(first, mark, language, "\n".join([*inside, ""]))
                fence, mark, inside = "", "", []
            else:
                inside.append(line)
        elif found := _FENCE.match(line):
            fence, first, language = found[1], number, found[2]
        elif line.strip():
            if mark:
                yield Block(mark_line, mark, "", "")
            found = _MARK.fullmatch(line.strip())
            mark, mark_line = (found[1], number) if found else ("", 0)
    assert not fence, f"{name(document)}:{first}: a block without its end"
    if mark:
        yield Block(mark_line, mark, "", "")


def prose(document: Path) -> Iterator[tuple[int, str]]:
    """Lines outside of fenced blocks."""
    fence = ""
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
        found = _FENCE.match(line)
        if fence:
            fence = "" if line.strip() == fence else fence
        elif found:
            fence = found[1]
        else:
            yield number, line


def anchors(document: Path) -> set[str]:
    """Targets of `#...` in a document: its headings, as GitHub and MyST turn them into anchors."""
    found = set()
    for _, line in prose(document):
        if heading := re.match(r"#+ (.*)", line):
            found.add(re.sub(r"[^\w\- ]", "", heading[1].strip().lower()).replace(" ", "-"))
        elif label := re.fullmatch(r"\((.+)\)=", line):
            found.add(label[1])
    return found
