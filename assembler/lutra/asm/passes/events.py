"""What the expansion of a source has seen that leaves no statement: the index of names is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias, Union

from lutra.asm.errors import Line
from lutra.asm.passes.macros import Macro
from lutra.asm.passes.nodes import Expr


class MacroMade(NamedTuple):
    """`.macro` to `.endm`."""

    line: Line
    macro: Macro


class MacroCalled(NamedTuple):
    """A call: where the macro's name stands, and the names of parameters that are given by name."""

    line: Line
    macro: Macro
    column: int
    named: Mapping[str, int]


class AliasMade(NamedTuple):
    """`.alias`: where the new name stands."""

    line: Line
    name: str
    column: int
    register: str


class Computed(NamedTuple):
    """An expression that decides about lines: of `.if`, `.elseif`, `.rept`."""

    line: Line
    expr: Expr


class Asked(NamedTuple):
    """The name of `.ifdef` or `.ifndef`."""

    line: Line
    name: str
    column: int


class Included(NamedTuple):
    """`.include`: where the file's name stands, and which file it is."""

    line: Line
    column: int
    end: int
    path: Path


Event: TypeAlias = Union[MacroMade, MacroCalled, AliasMade, Computed, Asked, Included]  # noqa: UP007
