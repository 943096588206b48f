"""Events of expansion that leave no statement; the index of names is built from them."""

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
    """A call: the place of the macro's name, and the parameters that are given by name."""

    line: Line
    macro: Macro
    column: int
    named: Mapping[str, int]


class AliasMade(NamedTuple):
    """`.alias`: the place of the new name."""

    line: Line
    name: str
    column: int
    register: str


class Computed(NamedTuple):
    """An expression that selects lines: of `.if`, `.elseif`, `.rept`."""

    line: Line
    expr: Expr


class Asked(NamedTuple):
    """The name of `.ifdef` or `.ifndef`."""

    line: Line
    name: str
    column: int


class Included(NamedTuple):
    """`.include`: the place of the file's name, and the file."""

    line: Line
    column: int
    end: int
    path: Path


Event: TypeAlias = Union[MacroMade, MacroCalled, AliasMade, Computed, Asked, Included]  # noqa: UP007
