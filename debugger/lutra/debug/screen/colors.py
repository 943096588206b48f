"""Colours of the screen: a dark and a light theme, and no colours if NO_COLOR is set.

Panes name the role of a piece of text. Every role that matters differs in more than its colour, by a mark next to it or
by an attribute, so that nothing is lost without colours.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from rich.style import Style
from textual.theme import BUILTIN_THEMES, Theme

DARK = Theme(
    name="lutra-dark",
    primary="#7aa7e8",
    accent="#e6b450",
    warning="#e6b450",
    error="#f0717a",
    success="#8cc570",
    foreground="#d3d7de",
    background="#15181d",
    surface="#15181d",
    panel="#20252d",
    dark=True,
    variables={"border": "#39414d", "block-cursor-background": "#2c3543"},
)
LIGHT = Theme(
    name="lutra-light",
    primary="#1f5fb0",
    accent="#9a5b00",
    warning="#9a5b00",
    error="#b8232f",
    success="#2c7a2c",
    foreground="#24292f",
    background="#fcfcfa",
    surface="#fcfcfa",
    panel="#ecedea",
    dark=False,
    variables={"border": "#c4c8ce", "block-cursor-background": "#dde6f3"},
)
# The terminal's own colours, which NO_COLOR then takes away.
_TERMINAL = BUILTIN_THEMES["ansi-dark"]
PLAIN = replace(
    _TERMINAL,
    name="lutra-plain",
    variables=_TERMINAL.variables | {"border": "ansi_default", "input-cursor-text-style": "reverse"},
)

# role: colour in the dark, in the light, attributes without a colour.
_ROLES: dict[str, tuple[str, str, str]] = {
    "": ("", "", ""),
    "dim": ("#7b8493", "#79808b", "dim"),
    "comment": ("#7b8493", "#79808b", "dim"),
    "label": ("#8cc570", "#2c7a2c", "bold"),
    "name": ("#7aa7e8", "#1f5fb0", ""),
    "directive": ("#c594d8", "#7d3c98", ""),
    "strong": ("bold", "bold", "bold"),
    "changed": ("bold #e6b450", "bold #9a5b00", "bold"),
    "good": ("#8cc570", "#2c7a2c", ""),
    "error": ("bold #f0717a", "bold #b8232f", "bold"),
    "stop": ("#f0717a", "#b8232f", "bold"),
    "here": ("bold #e6b450", "bold #9a5b00", "bold"),
    # Roles of a whole line:
    "current": ("on #33301f", "on #f6edcf", "bold"),
    "cursor": ("on #262d38", "on #e8eef7", "underline"),
    "chosen": ("bold on #3a4a63", "bold on #c9dbf4", "reverse"),
}
_COLUMNS = {DARK.name: 0, LIGHT.name: 1, PLAIN.name: 2}


@cache
def styles(theme: str) -> dict[str, Style]:
    """The style of every role in a theme."""
    column = _COLUMNS.get(theme, 0)
    return {role: Style.parse(definition[column]) for role, definition in _ROLES.items()}


def themes() -> tuple[Theme, ...]:
    return DARK, LIGHT, PLAIN


def first_theme(environment: dict[str, str]) -> str:
    """The theme to begin with: none with NO_COLOR, the light one where the terminal says that its background is."""
    if environment.get("NO_COLOR"):
        return PLAIN.name
    background = environment.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT.name if background in ("7", "15") else DARK.name
