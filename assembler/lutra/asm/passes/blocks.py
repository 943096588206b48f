"""A text's lines, and blocks of them: from `.macro`, `.rept`, `.interleave` or `.if` to the line that closes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from lutra.asm.errors import Line, Origin
from lutra.asm.passes.parse import TEXT_OR_COMMENT
from lutra.asm.reporter import Reporter

# Labels and the first word of a line.
HEAD = re.compile(r"\s*((?:(?:[A-Za-z_]|\.L)[\w$]*\s*:\s*)*)(\.?[A-Za-z_][\w$]*)?")

# Opening directive of a block -> closing one.
BLOCKS = {
    ".macro": ".endm",
    ".rept": ".endr",
    ".interleave": ".endi",
    ".if": ".endif",
    ".ifdef": ".endif",
    ".ifndef": ".endif",
}
_ENDS = frozenset(BLOCKS.values())
# Those with a counter.
_REPEATED = {".rept": ".endr", ".interleave": ".endi"}


def lines_of(name: str, text: str, origin: Origin | None, reporter: Reporter) -> list[Line]:
    """Return the lines of a file with block comments blanked out; report an unterminated one."""

    def unterminated(at: int) -> None:
        start = text.rfind("\n", 0, at) + 1
        line = Line(text[start:].split("\n")[0], name, text.count("\n", 0, at) + 1, origin)
        reporter.report(line, "unterminated comment", at - start, at - start + 2)

    plain = without_block_comments(text, unterminated)
    return [Line(line, name, number, origin) for number, line in enumerate(plain.split("\n"), 1)]


def without_block_comments(text: str, unterminated: Callable[[int], None] = lambda at: None) -> str:
    """Blank out the block comments of a text; call `unterminated` with the start of one that is not closed."""
    if "/*" not in text:
        return text

    def blank(found: re.Match[str]) -> str:
        if not found[0].startswith("/*"):
            return found[0]
        if len(found[0]) < len("/**/") or not found[0].endswith("*/"):
            unterminated(found.start())
        return re.sub(r"[^\n]", " ", found[0])

    return TEXT_OR_COMMENT.sub(blank, text)


def levels(lines: Iterable[Line]) -> Iterator[tuple[Line, int, re.Match[str] | None]]:
    """Yield lines with the number of open blocks; opening and closing lines count as inside."""
    level = 0
    for line in lines:
        head = HEAD.match(line.text) if "." in line.text else None
        word = head[2] if head else None
        if word in BLOCKS:
            level += 1
        yield line, level, head
        if word in _ENDS:
            level -= 1


def block_end(lines: Sequence[Line], at: int, opening: str) -> int | None:
    """Return the index of the line that closes the block whose body begins at `at`."""
    closing = BLOCKS[opening]
    for i, (_, level, head) in enumerate(levels(lines[at:])):
        if level == 0 and head is not None and head[2] in _ENDS:
            return at + i if head[2] == closing else None
    return None


def own_lines(body: Sequence[Line]) -> Iterator[tuple[Line, bool]]:
    """Yield the lines of a repeated body, and whether to substitute its counter: not in that of an inner repetition."""
    inner = 0
    for line in body:
        head = HEAD.match(line.text)
        word = head[2] if head else None
        if word in _REPEATED.values():
            inner -= 1
        yield line, inner == 0
        if word in _REPEATED:
            inner += 1
