"""Views: how the bytes of a register or symbol are meant, as a comment in the source says.

    // view: v0 state 4x4                       a state as 4 rows of 4 bytes, in the column order of FIPS 197
    // view: length job blocks:2 bits:2         named fields, big-endian, of so many bytes
    // view: rk keys key:16*11                  eleven fields key[0] to key[10]
    // view: * quarters q:4*4                   of no register in particular: `print/quarters v3`

The first word is a register or symbol, the second the name of the view; `print v0` shows v0 as the first view of v0,
and `print/state v1` any other value. The comments of all source files of the image count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lutra.debug.errors import DebugError
from lutra.debug.values import FORMS, ROW, number

ANY = "*"
_COMMENT = re.compile(r"(?://|;)\s*view:\s*(.*?)\s*(?:(?://|;).*)?$")
_MATRIX = re.compile(r"([1-9][0-9]?)x([1-9][0-9]?)")
_FIELD = re.compile(r"([A-Za-z_]\w*):([1-9][0-9]{0,3})(?:\*([1-9][0-9]{0,3}))?")
# Syntax of a view in a comment.
USAGE = "write `view: TARGET NAME 4x4`, or `view: TARGET NAME FIELD:BYTES FIELD:BYTES*COUNT ...`"


@dataclass(frozen=True)
class Matrix:
    """Bytes in rows and columns; they run down the columns, as in the state of FIPS 197 (3.4)."""

    rows: int
    columns: int

    @property
    def size(self) -> int:
        return self.rows * self.columns

    def lines(self, data: bytes) -> list[str]:
        """A line a row."""
        return [data[row :: self.rows].hex(" ") for row in range(self.rows)]


@dataclass(frozen=True)
class Field:
    """A big-endian number of some bytes, or several of them."""

    name: str
    bytes: int
    count: int | None

    @property
    def size(self) -> int:
        return self.bytes * (self.count or 1)

    def items(self) -> list[str]:
        """`key[0]`, `key[1]`, or the name alone."""
        return [self.name] if self.count is None else [f"{self.name}[{i}]" for i in range(self.count)]


@dataclass(frozen=True)
class Fields:
    """Fields that follow each other."""

    fields: tuple[Field, ...]

    @property
    def size(self) -> int:
        return sum(field.size for field in self.fields)

    def lines(self, data: bytes) -> list[str]:
        """One line per field."""
        width = max(len(item) for field in self.fields for item in field.items())
        lines, at = [], 0
        for field in self.fields:
            for item in field.items():
                part = data[at : at + field.bytes]
                at += field.bytes
                small = f" ({number(int.from_bytes(part, 'big'), 'decimal')})" if len(part) <= ROW // 2 else ""
                lines.append(f"{item:<{width}}  {part.hex()}{small}")
        return lines


@dataclass(frozen=True)
class View:
    """One view. target: a register or symbol, or ANY. place: `file:line` of its comment, or "" where a user gave it."""

    target: str
    name: str
    shape: Matrix | Fields
    text: str
    place: str = ""

    def lines(self, data: bytes) -> list[str]:
        """The bytes, line by line. Raises DebugError where there are too few."""
        if len(data) < self.shape.size:
            raise DebugError(f"view {self.name} takes {self.shape.size} bytes, and this is {len(data)}")
        return self.shape.lines(data[: self.shape.size])


def parse(text: str, place: str = "") -> View:
    """`TARGET NAME SHAPE`. Raises DebugError."""
    where = f"{place}: " if place else ""
    target, name, *shapes = text.split() if len(text.split()) > 1 else ["", ""]
    if not re.fullmatch(r"[A-Za-z_]\w*", name) or not shapes:
        raise DebugError(f"{where}not a view: {text!r}; {USAGE}")
    if name in FORMS:
        raise DebugError(f"{where}{name} is a form already; name the view otherwise")
    shape = _matrix(shapes) or _fields(shapes)
    if shape is None:
        raise DebugError(f"{where}not the shape of a view: {' '.join(shapes)!r}; {USAGE}")
    return View(target, name, shape, text, place)


def _matrix(shapes: list[str]) -> Matrix | None:
    found = _MATRIX.fullmatch(shapes[0])
    return Matrix(int(found[1]), int(found[2])) if found and len(shapes) == 1 else None


def _fields(shapes: list[str]) -> Fields | None:
    found = [_FIELD.fullmatch(shape) for shape in shapes]
    if not all(found):
        return None
    return Fields(tuple(Field(f[1], int(f[2]), int(f[3]) if f[3] else None) for f in found if f))


class Views:
    """All views of a program. problems: comments that are none, a line each."""

    def __init__(self) -> None:
        self._views: list[View] = []
        self.problems: list[str] = []

    def read(self, file: str, lines: Iterable[str]) -> None:
        """Take the views of a source file's comments."""
        for number_, line in enumerate(lines, 1):
            if "view:" in line and (found := _COMMENT.search(line)):
                try:
                    self.add(parse(found[1], f"{file}:{number_}"))
                except DebugError as error:
                    self.problems.append(str(error))

    def add(self, view: View) -> None:
        """One more; it replaces the one of the same target and name."""
        self._views = [v for v in self._views if (v.target, v.name) != (view.target, view.name)] + [view]

    def of(self, target: str) -> View | None:
        """The first view of a register or symbol."""
        return next((view for view in self._views if view.target == target), None)

    def named(self, name: str, target: str = "") -> View | None:
        """The view of a name, that of the target first."""
        found = [view for view in self._views if view.name == name]
        return next((view for view in found if view.target == target), found[0] if found else None)

    def all(self) -> list[View]:
        """In the order of the sources."""
        return list(self._views)
