"""Annotate the source with the cost of each line."""

from __future__ import annotations

from pathlib import PurePath

from lutra.profile.profile import Line, Profile, Site
from lutra.profile.text import causes

HEAD = f"{'cycles':>10} {'%':>5} {'issued':>10}  {'stalls':<28} {'line':>5} | source"
_EMPTY = " " * 57  # as wide as the columns before the line's number


def annotated(profile: Profile, file: str) -> str:
    """One source: cycles, share, instructions issued and stalls before each line that gives instructions.

    What stands for a call of a macro is what the macro's own lines have cost there, marked by `*`; the cycles of all
    other lines add up. A line that gives instructions and has never run is marked by `-`.
    """
    out = [file, HEAD]
    text = profile.sources.lines(file)
    last = max([len(text), *(line for name, line in profile.lines if name == file)])
    for number in range(1, last + 1):
        site: Site = file, number
        line = profile.lines.get(site)
        before = _EMPTY if line is None else _before(line, profile.stop.cycles)
        out.append(f"{before} {number:>5} | {profile.sources.line(*site)}".rstrip())
    return "\n".join(out) + "\n"


def _before(line: Line, cycles: int) -> str:
    if not line.total.issued:
        return f"{'-':>10}".ljust(len(_EMPTY))
    cost, mark = (line.own, " ") if line.own.issued else (line.total, "*")
    lost = causes(cost)
    lost = lost if len(lost) <= 28 else f"{lost[:25]}..."
    return f"{cost.cycles:>10} {100 * cost.cycles / cycles:>5.1f} {cost.issued:>10}{mark} {lost:<28}"


def name_of(file: str, others: list[str]) -> PurePath:
    """Where the annotated file goes within the folder: by its place below what all sources have in common."""
    parents = [PurePath(name).parent.parts for name in others]
    common = 0
    while all(len(parts) > common and parts[common] == parents[0][common] for parts in parents):
        common += 1
    parts = [part if part != ".." else "_" for part in PurePath(file).parts[common:]]
    return PurePath(*parts[:-1], f"{parts[-1]}.txt")
