"""Settings of a client: `lutra` of its settings, or its initialization options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lutra.asm.checks import severities


@dataclass(frozen=True)
class Settings:
    """include: folders, from that of the workspace on. define: as after -D. warnings: as after -W. delay: seconds
    without a change before a text is assembled. drawing: of an instruction's path, text or svg. headers: whether those
    of routines are compared with a run when a file is saved; header_seconds: the most that this may take."""

    include: Sequence[str] = ()
    define: Mapping[str, int | str] = field(default_factory=dict)
    warnings: Sequence[str] = ()
    delay: float = 0.15
    drawing: str = "text"
    hints: bool = True
    headers: bool = True
    header_seconds: float = 60.0


# Name of the protocol -> field, type.
_KNOWN: Mapping[str, tuple[str, type | tuple[type, ...]]] = {
    "includeFolders": ("include", list),
    "defines": ("define", dict),
    "warnings": ("warnings", list),
    "delay": ("delay", (int, float)),
    "drawing": ("drawing", str),
    "hints": ("hints", bool),
    "headers": ("headers", bool),
    "headerSeconds": ("header_seconds", (int, float)),
}


def read(given: object, old: Settings) -> tuple[Settings, list[str]]:
    """Settings from what a client sends, and a line for each that is wrong, which stays as it was."""
    if not isinstance(given, Mapping):
        return old, []
    inner = given.get("lutra", given)
    wrong, values = [], dict[str, Any]()
    for name, value in inner.items() if isinstance(inner, Mapping) else ():
        if name not in _KNOWN:
            wrong.append(f"unknown setting lutra.{name}; choose from {', '.join(_KNOWN)}")
        elif problem := _problem(name, value):
            wrong.append(f"setting lutra.{name}: {problem}")
        else:
            values[_KNOWN[name][0]] = value
    return replace(old, **values), wrong


def _problem(name: str, value: object) -> str:
    """Return what is wrong with a value; empty if nothing is."""
    if not isinstance(value, _KNOWN[name][1]) or (isinstance(value, bool) and name not in ("hints", "headers")):
        return f"{value!r} is of the wrong type"
    if isinstance(value, list) and not all(isinstance(item, str) for item in value):
        return "the list is to have texts only"
    if isinstance(value, dict) and not all(isinstance(n, int | str) for n in value.values()):
        return "names with numbers or expressions are needed"
    if name in ("delay", "headerSeconds") and isinstance(value, int | float) and not 0 <= value <= 3600:
        return "0 to 3600 seconds are possible"
    if name == "drawing" and value not in ("text", "svg"):
        return "text and svg are possible"
    if name == "warnings" and isinstance(value, list):
        try:
            severities(value)
        except ValueError as error:
            return str(error)
    return ""
