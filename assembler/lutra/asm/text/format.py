"""Lay out assembly in the style of the firmware: changes blanks and blank lines, never the assembled program.

Labels and assignments begin in column 0, statements in column 8, operands in column 16, the comments of a paragraph in
one column. Works on lines of text, not on a syntax tree, so that it can format an included file, the body of a macro,
and text with errors: a line that it cannot parse stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from lutra.asm.passes import macros
from lutra.asm.passes.blocks import without_block_comments
from lutra.asm.passes.parse import TEXT_OR_COMMENT, strip_comment
from lutra.asm.passes.suggest import DIRECTIVES
from lutra.isa import load

_STATEMENT = 8
_WIDTH = 8  # of a column
# Columns of the comments of a paragraph: the one nearer to its first comment, but the second if some of its code is too
# long for the first. A comment after even longer code follows after one blank and does not move the others.
_NEAR, _FAR = 40, 48
# A comment on a line of its own that begins here or after it continues the one at the end of the line above.
_CONTINUES = 24
_BLANKS = " \t\r\f"

# A name, in which the body of a macro may have parameters and counters.
_NAME = r"(?:\.L|[A-Za-z_]|\\(?:\(\)|@|\+|[A-Za-z_]\w*))(?:[\w$]|\\(?:\(\)|@|\+|[A-Za-z_]\w*))*"
_LABEL = re.compile(rf"({_NAME})[ \t\r\f]*:[ \t\r\f]*")
_ASSIGN = re.compile(rf"({_NAME})[ \t\r\f]*=(?!=)[ \t\r\f]*")
_WORD = re.compile(rf"(?:\.(?!L)[A-Za-z_]\w*|{_NAME})(?=[^\w$\\.]|$)")
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\x[0-9a-fA-F]{2}|\\[^x]|[^\'\\])\'|[ \t\r\f]+|,|[^"\', \t\r\f]+')
_PARAMETERS = re.compile(rf"({_NAME})[ \t\r\f]*(,?)[ \t\r\f]*")


@dataclass(frozen=True)
class _Line:
    """A parsed line. `code` is laid out; `assigned` is the name of an assignment, whose value is the code.

    `column` is the column of the comment, if fixed, and `found` its column in the source.
    """

    code: str = ""
    comment: str = ""
    assigned: str = ""
    column: int | None = None
    found: int = 0
    kept: str | None = None  # the line as it is, if it was not parsed

    @property
    def trailing(self) -> bool:
        """Whether the comment is in the column of its paragraph."""
        return bool(self.comment) and self.column is None


def format_text(text: str) -> str:
    """Return a source file laid out anew. It assembles to the same program; a second pass changes nothing."""
    torn = _torn(text)
    out: list[str] = []
    for number, line in enumerate(_laid_out(text, torn)):
        if line or number in torn or (out and out[-1]):
            out.append(line)
    while out and not out[-1]:
        out.pop()
    return "".join(f"{line}\n" for line in out)


def format_range(text: str, first: int, last: int) -> str:
    """Return a source file with only lines `first` to `last` laid out, counted from 1; keeps the number of lines."""
    old, new = text.split("\n"), _laid_out(text, _torn(text))
    # Use the line ends of the lines around.
    within = [line + "\r" * old[i].endswith("\r") for i, line in enumerate(new[first - 1 : last], first - 1)]
    return "\n".join([*old[: first - 1], *within, *old[last:]])


def _laid_out(text: str, torn: set[int]) -> list[str]:
    """Lay out each line of a text, except those whose numbers, from 0, are in `torn`."""
    text = text.removeprefix("\ufeff")
    raw, plain = text.split("\n"), without_block_comments(text).split("\n")
    lines = [_taken_apart(line, plain[i]) if i not in torn else _kept(line) for i, line in enumerate(raw)]
    return _shown(_aligned(lines))


def _torn(text: str) -> set[int]:
    """Return the numbers, from 0, of the lines with a block comment that does not end in its line."""
    torn: set[int] = set()
    for found in TEXT_OR_COMMENT.finditer(text) if "/*" in text else ():
        if found[0].startswith("/*") and ("\n" in found[0] or not found[0][2:].endswith("*/")):
            first = text.count("\n", 0, found.start())
            torn.update(range(first, first + found[0].count("\n") + 1))
    return torn


# ------------------------------------------------------------------------------------ one line


def _kept(line: str) -> _Line:
    return _Line(kept=line.rstrip(_BLANKS))


def _taken_apart(line: str, plain: str) -> _Line:
    """A line; `plain` is the same with blanks in place of block comments."""
    line = line.rstrip(_BLANKS)
    if not line:
        return _Line()
    code = strip_comment(plain).rstrip(_BLANKS)
    if not line.startswith(code):
        return _kept(line)  # a block comment before or within code
    comment = line[len(code) :].lstrip(_BLANKS)
    column = _width(line.removesuffix(comment)) if comment else 0
    if not code and column < _CONTINUES:
        return _Line(comment=comment, column=_STATEMENT if column else 0)
    laid_out = _code(code.strip(_BLANKS)) if code else _Line()
    return _kept(line) if laid_out is None else replace(laid_out, comment=comment, found=column)


def _code(code: str) -> _Line | None:
    """Parse a line without its comment; None if it cannot be parsed."""
    out, at = "", 0
    while found := _LABEL.match(code, at):
        out = f"{_after(out)}{found[1]}:"
        at = found.end()
    if at == len(code):
        return _Line(out)
    if found := _ASSIGN.match(code, at):
        value = _tokens(code[found.end() :])
        return _Line(value, assigned=_after(out) + found[1]) if value else None
    found = _WORD.match(code, at)
    if found is None:
        return None
    operands = _operands(found[0], code[found.end() :].strip(_BLANKS))
    if operands is None:
        return None
    start = _after(out) or " " * _STATEMENT
    return _Line(f"{start}{found[0]:{_WIDTH - 1}} {operands}" if operands else start + found[0])


def _after(labels: str) -> str:
    """Labels, and blanks up to the next column."""
    return labels and labels + " " * (_STATEMENT - len(labels) % _STATEMENT)


def _operands(word: str, text: str) -> str | None:
    """Lay out what follows an instruction, directive or macro; None if it cannot be parsed.

    The arguments of a macro stay as written, since they are substituted into other lines, even into strings.
    """
    if word == ".macro":
        found = _PARAMETERS.match(text)
        return None if found is None else f"{found[1]}{found[2]} {_arguments(text[found.end() :])}".rstrip(_BLANKS)
    if word in DIRECTIVES or word in load().by_mnemonic:
        return _tokens(text, columns=word in DIRECTIVES)
    return None if word.startswith(".") else _arguments(text)


def _arguments(text: str) -> str:
    """The arguments of a macro's call, or its parameters."""
    parts = _parts(text)
    laid_out = ", ".join(parts).rstrip(_BLANKS)
    return laid_out if parts and _parts(laid_out) == parts else text


def _parts(text: str) -> list[str]:
    return [part.strip(_BLANKS) for part in macros.split(text)]


def _tokens(text: str, *, columns: bool = False) -> str | None:
    """Reduce blanks in operands to one, with one after each comma; None if a quote is not closed.

    With `columns`, more blanks after a comma stay, since they align numbers.
    """
    found = _TOKEN.findall(text)
    if "".join(found) != text:
        return None
    out, blank = "", ""
    for token in found:
        if token == ",":
            out, blank = f"{out},", " "
        elif not token.strip(_BLANKS):
            blank = token if columns and out.endswith(",") and not token.strip(" ") else " "
        else:
            out, blank = f"{out}{blank}{token}", ""
    return out


# ------------------------------------------------------------------------------------ columns


def _aligned(lines: Sequence[_Line]) -> list[_Line]:
    """Align the `=` of adjacent assignments."""
    out: list[_Line] = []
    for run in _runs(lines, lambda line: bool(line.assigned)):
        width = max(_WIDTH - 1, *(len(line.assigned) for line in run))
        out += [replace(line, code=f"{line.assigned:{width}} = {line.code}") if line.assigned else line for line in run]
    return out


def _shown(lines: Sequence[_Line]) -> list[str]:
    """Lines as text, the comments of each paragraph in one column."""
    out: list[str] = []
    for run in _runs(lines, lambda line: line.trailing or (bool(line.code) and not line.comment)):
        trailing = [line for line in run if line.trailing]
        far = any(_NEAR - 2 < _width(line.code) < _FAR for line in trailing)
        # The comment of a longer line follows its code, so its column does not count.
        first = next((line for line in trailing if _width(line.code) < _FAR), None)
        column = _FAR if far or (first and first.found > (_NEAR + _FAR) // 2) else _NEAR
        out += [_text(line, column) for line in run]
    return out


def _text(line: _Line, column: int) -> str:
    if line.kept is not None:
        return line.kept
    if not line.comment:
        return line.code
    if line.column is not None:
        return " " * line.column + line.comment
    return line.code + " " * max(1, column - _width(line.code)) + line.comment


def _width(text: str) -> int:
    """Return the width of a text; the arguments of macros may have tabs."""
    return len(text.expandtabs(_STATEMENT))


def _runs(lines: Iterable[_Line], within: Callable[[_Line], bool]) -> Iterator[list[_Line]]:
    """Yield runs of lines that belong together, and each other line by itself."""
    run: list[_Line] = []
    for line in lines:
        if within(line):
            run.append(line)
            continue
        if run:
            yield run
        run = []
        yield [line]
    if run:
        yield run
