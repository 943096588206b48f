"""What is reported though the program can be assembled: the one table of names that `-W` takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Check(NamedTuple):
    """A check, how severe its findings are, what it finds, and whether it is made if nothing is said."""

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
        Check("runs-off", "warning", "a program that runs on to where it has no instruction"),
        Check("unreachable", "warning", "instructions that nothing leads to"),
        Check("unset-register", "warning", "a register that is read before it is set"),
        Check("overwritten", "warning", "a result or a stored row that is overwritten before anything reads it"),
        Check("header-clobbers", "warning", "a header whose Clobbers are not the registers that its routine writes"),
        Check("header-cycles", "warning", "a header whose Cycles are not those of its routine"),
        Check("stalls", "warning", "an instruction that waits for an earlier one, with the cycles lost", on=False),
        Check(
            "parentheses",
            "warning",
            "a comparison next to a bitwise operator without parentheses: it is computed first",
        ),
        Check("semicolon", "warning", "an instruction after ; in a line, which is a comment"),
        Check("empty-file", "warning", "a source file without instructions and data"),
        Check("unused-label", "warning", "a label that nothing uses and that is not .global"),
        Check("unused-symbol", "warning", "a symbol, function or array that nothing uses"),
        Check("unused-define", "warning", "a symbol of -D that no source file uses"),
        Check("repeated-define", "warning", "the same -D twice"),
        Check("user", "warning", "what .warning says"),
    )
}
ALL = "all"
ERROR = "error"


def severities(options: Sequence[str] = ()) -> Mapping[str, str]:
    """Name of a check -> "warning", "error", or "" for off, as a compiler reads its `-W` options.

    An option is NAME, no-NAME, error, error=NAME, no-error or no-error=NAME; for NAME, `all` is every check. What names
    a check goes before what does not; otherwise the last one counts. Raises ValueError with one line for an option that
    is none of these.
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
    """(on, whether it is about being an error, name) of an option."""
    positive = option.removeprefix("no-")
    word, equals, name = positive.partition("=")
    error = word == ERROR
    name = (name if equals else ALL) if error else positive
    if name != ALL and name not in CHECKS:
        raise ValueError(f"-W {option}: no such check; the checks are {', '.join(CHECKS)}")
    return positive == option, error, name
