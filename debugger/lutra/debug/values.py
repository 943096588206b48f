"""Values of expressions, and the forms in which they are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lutra.isa import load

ROW = load().machine["VectorBytes"]
WORD = 4


@dataclass(frozen=True)
class Location:
    """Where a value lives. space: a memory, or "" for a register. name: of the register, as `v0` or `ar3.step`, or of
    the symbol. offset, length: bytes within the space or the register; length 0 is a register that holds a number."""

    space: str
    name: str
    offset: int
    length: int


@dataclass(frozen=True)
class Value:
    """The value of an expression: bytes (a vector, a row, a part of them), or a number.

    text: the expression. location: where it lives, if it can be set, watched and asked for its writers.
    """

    text: str
    value: int | bytes
    location: Location | None = None


def _groups(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


def _bytes(data: bytes) -> list[str]:
    return [row.hex(" ") for row in _groups(data, ROW)]


def _words(data: bytes) -> list[str]:
    return [" ".join(word.hex() for word in _groups(row, WORD)) for row in _groups(data, ROW)]


def _lanes(data: bytes) -> list[str]:
    head = " ".join(f"{lane:2}" for lane in range(min(len(data), ROW)))
    return [head, *_bytes(data)]


def _decimal(data: bytes) -> list[str]:
    """A number of up to 8 bytes, else the words of each row."""
    if len(data) <= 2 * WORD:
        return [str(int.from_bytes(data, "big"))]
    return [" ".join(str(int.from_bytes(w, "big")) for w in _groups(row, WORD)) for row in _groups(data, ROW)]


def _hex(data: bytes) -> list[str]:
    return [row.hex() for row in _groups(data, ROW)]


# Formatting of bytes in each form: one line per row, after a heading in some.
_FORMS: Mapping[str, Callable[[bytes], list[str]]] = {
    "bytes": _bytes,
    "words": _words,
    "lanes": _lanes,
    "decimal": _decimal,
    "hex": _hex,
}
# In addition to these, the name of a view (lutra.debug.views).
FORMS = tuple(_FORMS)


def rows(data: bytes, form: str = "words") -> list[str]:
    """Bytes as lines, one for each row of 16."""
    return _FORMS[form](data)


def number(value: int, form: str = "", length: int = 0) -> str:
    """A number in a form; without one in decimal, and with its digits where they say more. length: bytes, if known."""
    if form == "decimal" or (not form and -10 < value < 10):
        return str(value)
    digits = f"-{-value:#x}" if value < 0 else f"{value:#0{2 * length + 2}x}"
    return digits if form else f"{value} ({digits})"


def shown(value: int | bytes, form: str = "", length: int = 0) -> str:
    """A value in a form of FORMS; several lines of more than a row. length: bytes of a number, if known."""
    if isinstance(value, bytes):
        return "\n".join(rows(value, form or "words"))
    return number(value, form, length)
