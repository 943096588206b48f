"""A report as a page of Markdown."""

from __future__ import annotations

from lutra.coverage.plan import plan
from lutra.coverage.report import Report

HOLES_SHOWN = 200


def page(found: Report) -> str:
    """The whole page: sum, coverpoints, exclusions, holes."""
    parts = [
        "# Functional coverage\n",
        f"{found.hit} of {found.bins - found.excluded} bins were hit, {found.percent:.2f} %; "
        f"{found.excluded} are excluded.\n",
        "## Coverpoints\n",
        _table(
            ["coverpoint", "what", "R", "bins", "excluded", "hit", "%"],
            [
                [
                    f"`{p.name}`",
                    plan().by_name[p.name].text,
                    *map(str, (p.rounds, p.bins, p.excluded, p.hit)),
                    f"{p.percent:.2f}",
                ]
                for p in found.points
            ],
        ),
    ]
    if found.exclusions:
        rows = [[f"`{e.pattern}`", str(n), e.reason] for e, n in found.exclusions]
        parts += ["## Exclusions\n", _table(["bins", "number", "why"], rows)]
    if found.holes:
        shown = [[str(h.rounds), f"`{h}`"] for h in found.holes[:HOLES_SHOWN]]
        rest = len(found.holes) - len(shown)
        parts += ["## Holes\n", _table(["R", "bin"], shown), f"and {rest} more\n" if rest else ""]
    return "\n".join(parts)


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"
