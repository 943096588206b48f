"""Values of expressions, and the forms in which they are shown."""

from __future__ import annotations

from dataclasses import dataclass

# Beside these, the name of a view (lutra.debug.views).
FORMS = ("bytes", "words", "lanes", "decimal", "hex")


@dataclass(frozen=True)
class Location:
    """Where a value lives. space: a memory, or "" for a register. name: of the register, as `v0` or `ar3.step`.
    offset, length: bytes within the space or the register."""

    space: str
    name: str
    offset: int
    length: int


@dataclass(frozen=True)
class Value:
    """What an expression has come to: bytes (a vector, a row, a part of them), or a number.

    text: the expression. location: where it lives, if it can be set, watched and asked for its writers.
    """

    text: str
    value: int | bytes
    location: Location | None = None
