"""How the simulator translates: the level of host instructions, which `LUTRA_SIMULATOR` can choose."""

from __future__ import annotations

import os
from typing import Any, Literal, get_args

from lutra.iss import _iss

VARIABLE = "LUTRA_SIMULATOR"
INTERPRETER = "interpreter"
Choice = Literal["avx512", "avx2", "portable", "interpreter"]
PATIENCE: int = _iss.Machine.PATIENCE  # how often a block is entered before it is translated


class TranslationError(ValueError):
    """The variable names a level that this machine or this build does not have."""


def apply(machine: Any) -> None:
    """Have a machine of the simulator translate as `LUTRA_SIMULATOR` says; by default with the best level there is.

    Raises TranslationError.
    """
    chosen = os.environ.get(VARIABLE, "")
    if chosen == INTERPRETER:
        return
    if chosen not in ("", *get_args(Choice)):
        raise TranslationError(f"{VARIABLE}={chosen}: choose from {', '.join(get_args(Choice))}")
    if not machine.translate(chosen, PATIENCE) and chosen:
        raise TranslationError(
            f"{VARIABLE}={chosen}: this machine or this build does not have it; leave the variable out"
        )


def describe() -> str:
    """Say in a line how the simulator executes on this machine, and which other levels it has here."""
    try:
        machine = _iss.Machine()
        apply(machine)
    except TranslationError as error:
        return str(error)
    usable = [name for name, is_usable in _iss.levels() if is_usable]
    if not _iss.levels():
        return "interprets; this build has no translator, which needs x86-64 and clang 19 where it is built"
    text = f"translates with {machine.level} instructions" if machine.level else "interprets"
    return f"{text}; {VARIABLE} chooses from {', '.join([*usable, INTERPRETER])}"
