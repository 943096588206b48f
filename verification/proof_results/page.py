"""The tables of docs/proofs.md."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from lutra.firmware.manifest import catalogue
from lutra.prove import coverage
from proof_results.record import ROOT, Record, Result

PAGE = ROOT / "docs" / "proofs.md"
COMMAND = "python -m proof_results --page"
# The goal for a routine, in processor seconds.
GOAL = 10
_TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.S)

Rows = Iterator[Sequence[object]]


def _folders(record: Record) -> Rows:
    """Each folder of firmware."""
    yield (
        *("folder", "proved", "tried", "specified", "claims", f"within {GOAL} s", "seconds, all"),
        *("the longest, seconds", "why not all are specified"),
    )
    whole: list[Result] = []
    known = coverage(catalogue().offered)
    for folder in known:
        found = {name: result for name, result in record.results.items() if result.folder == folder.name}
        longest = max(found, key=lambda name: found[name].seconds, default="")
        shown = f"{found[longest].seconds:.1f}, `{longest}`" if longest else ""
        yield f"`{folder.name}`", *_counts([*found.values()], folder.specified, folder.claims), shown, folder.reason
        whole += found.values()
    yield "all", *_counts(whole, sum(f.specified for f in known), sum(f.claims for f in known)), "", ""


def _counts(found: Sequence[Result], specified: int, claims: int) -> tuple[object, ...]:
    proved = [result for result in found if result.state == "proved"]
    fast = sum(result.seconds <= GOAL for result in proved)
    return len(proved), len(found), specified, claims, fast, f"{sum(result.seconds for result in found):.0f}"


def _open(record: Record) -> Rows:
    """Claims that were tried and are not proved."""
    yield "claim", "outcome", "reason", "seconds"
    for name, result in sorted(record.results.items()):
        if result.state != "proved":
            state = "not proved" if result.state == "open" else result.state
            yield f"`{name}`", state, result.reason, f"{result.seconds:.1f}"


def _commits(record: Record) -> Rows:
    """Where the results are from."""
    yield "commit", "claims", "processor seconds"
    seconds: Counter[str] = Counter()
    for result in record.results.values():
        seconds[result.commit] += result.seconds  # type: ignore[assignment]
    for commit, count in Counter(result.commit for result in record.results.values()).most_common():
        yield f"`{commit}`", count, f"{seconds[commit]:.0f}"


TABLES: Mapping[str, Callable[[Record], Rows]] = {"folders": _folders, "open": _open, "commits": _commits}


def table(name: str, record: Record) -> str:
    """A table as Markdown."""
    heads, *lines = TABLES[name](record)
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in (heads, ["---"] * len(heads), *lines))


def filled(text: str, record: Record) -> str:
    """The page with its tables written anew. KeyError where it has another one."""
    return _TABLE.sub(lambda found: found[1] + table(found[2], record) + found[3], text)
