"""Checks of programs that can be assembled: the table of the names for `-W`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Check(NamedTuple):
    """A check: the severity of its findings, what it finds, and whether it is on by default."""

    name: str
    severity: str
    text: str
    on: bool = True


CHECKS: Mapping[str, Check] = {
    check.name: check
    for check in (
        Check("loop-depth", "error", "loops nested deeper than the loop stack"),
        Check("loop-end", "error", "a loop that begins or ends at the last instruction of the loop around it"),
        Check("loop-crossing", "warning", "a loop that begins in the body of another and ends after it"),
        Check("runs-off", "warning", "a program that runs past its last instruction"),
        Check("unreachable", "warning", "instructions that cannot be reached"),
        Check("unset-register", "warning", "a register that is read before it is set"),
        Check("overwritten", "warning", "a result or a stored row that is overwritten before it is read"),
        Check("header-clobbers", "warning", "a header whose Clobbers differ from the registers its routine writes"),
        Check("header-cycles", "warning", "a header whose Cycles differ from those of its routine"),
        Check("stalls", "warning", "an instruction that waits for an earlier one, with the cycles lost", on=False),
        Check(
            "parentheses",
            "warning",
            "a comparison next to a bitwise operator without parentheses: the comparison comes first",
        ),
        Check("semicolon", "warning", "an instruction after ;, which starts a comment"),
        Check("empty-file", "warning", "a source file without instructions and data"),
        Check("unused-label", "warning", "a label that is neither used nor .global"),
        Check("unused-symbol", "warning", "a symbol, function or array that is not used"),
        Check("unused-define", "warning", "a symbol of -D that no source file uses"),
        Check("repeated-define", "warning", "the same -D twice"),
        Check("user", "warning", "the text of .warning"),
    )
}
ALL = "all"
ERROR = "error"


def severities(options: Sequence[str] = ()) -> Mapping[str, str]:
    """Return name of a check -> "warning", "error", or "" for off, reading `-W` options as compilers do.

    An option is NAME, no-NAME, error, error=NAME, no-error or no-error=NAME; the NAME `all` means every check.
    Options that name a check override those that do not; otherwise the last one wins. Raises ValueError with one line
    for any other option.
    """
    parsed = [_parse(option) for option in options]
    found: dict[str, str] = {}
    for check in CHECKS.values():
        enabled, fatal = check.on, None
        for general in (True, False):
            for on, error, name in parsed:
                if name not in ((ALL,) if general else (check.name,)):
                    continue
                if error:
                    fatal = on
                    enabled = enabled or (on and not general)
                else:
                    enabled = on
        severity = check.severity if fatal is None else ("error" if fatal else "warning")
        found[check.name] = severity if enabled else ""
    return found


def _parse(option: str) -> tuple[bool, bool, str]:
    """Return (on, whether the option changes the severity, name) of an option."""
    positive = option.removeprefix("no-")
    word, equals, name = positive.partition("=")
    error = word == ERROR
    name = (name if equals else ALL) if error else positive
    if name != ALL and name not in CHECKS:
        raise ValueError(f"-W {option}: no such check; choose from {', '.join(CHECKS)}")
    return positive == option, error, name
