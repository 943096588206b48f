"""A schedule without search: every instruction as early as it can be, in the order of the text.

It often takes as few cycles as there are instructions; the solver then only has to find registers.
"""

from __future__ import annotations

from lutra.optimize.body import Body, Edge


def times(body: Body, period: int) -> list[int] | None:
    """Return the time of each instruction; None if one finds no place."""
    into: list[list[Edge]] = [[] for _ in range(body.count)]
    out_of: list[list[Edge]] = [[] for _ in range(body.count)]
    for edge in body.edges:
        into[edge.after].append(edge)
        out_of[edge.before].append(edge)
    taken: dict[int, int] = {}  # a cycle of the period -> its instruction
    at: list[int] = []
    for i in range(body.count):
        earliest = max([0, *(at[e.before] + e.gap - period * e.passes for e in into[i] if e.before < i)])
        latest = min(
            [earliest + period - 1, *(at[e.after] + period * e.passes - e.gap for e in out_of[i] if e.after < i)]
        )
        free = (t for t in range(earliest, latest + 1) if t % period not in taken)
        found = next((t for t in free if _undisturbed(body, i, t, at, period)), None)
        if found is None:
            return None
        at.append(found)
        taken[found % period] = i
    return at


def _undisturbed(body: Body, i: int, t: int, at: list[int], period: int) -> bool:
    """Whether an instruction at a time neither stalls those that have a place nor is stalled by them."""
    for apart in body.apart:
        a = t if apart.first == i else at[apart.first] if apart.first < i else None
        b = t if apart.second == i else at[apart.second] if apart.second < i else None
        if i in (apart.first, apart.second) and a is not None and b is not None and (b - a) % period < apart.gap:
            return False
    return True
