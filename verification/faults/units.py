"""`python -m faults.units`: silent errors of the last campaigns of flips and stuck gates, by the unit that they are in.

A gate that has no name of the sources is counted for what it feeds: the nearest net that has one.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict

from faults import netlist
from faults.__main__ import WORK
from faults.classes import WRONG, Shard
from faults.errors import FaultsError
from faults.netlist import Netlist

# Instances that are made of units, and how many parts the name of a unit in them has.
OUTER = {"u_execute": 2, "u_memories": 2, "gen_protect": 3}


def unit(name: str) -> str:
    """Return the unit of a named net; empty for a name that Yosys has made."""
    parts = [part.partition("[")[0] for part in name.split(".")]
    if name.startswith("$"):
        return ""
    if len(parts) == 1:
        return f"lutra_core, {parts[0]}"
    return ".".join(parts[:-1][: OUTER.get(parts[0], 1)])


def units(made: Netlist) -> list[str]:
    """Return the unit of each site."""
    driven: list[int] = []
    memories: list[int] = []
    readers: defaultdict[int, list[int]] = defaultdict(list)
    ends: dict[int, str] = {}
    for line in made.file.read_text().splitlines():
        kind, *rest = line.split()
        if kind in ("gate", "flop"):
            driven.append(int(rest[0]))
            for net in map(int, rest[2:] if kind == "gate" else rest[1:2]):
                readers[net].append(int(rest[0]))
        elif kind == "memory":
            width = int(rest[2])
            memories += map(int, rest[-width:])
            ends |= dict.fromkeys(map(int, rest[4:-width]), unit(rest[0]))
        elif kind == "output":
            ends |= dict.fromkeys(map(int, rest[1:]), f"lutra_core, {rest[0]}")
    nets = driven + memories
    names = {net: unit(name) for net, (_, name) in zip(nets, made.sites, strict=True)}

    def nearest(net: int) -> str:
        found, seen = [net], {net}
        while found:
            for of in found:
                if place := names.get(of) or ends.get(of):
                    return place
            found = [reader for of in found for reader in readers[of] if reader not in seen]
            seen.update(found)
        return "nowhere"

    return [nearest(net) for net in nets]


def main() -> int:
    """Return 1 where there is no campaign of this netlist."""
    try:
        made = netlist.make(netlist.core())
    except FaultsError as error:
        print(f"faults: {error}", file=sys.stderr)
        return 1
    places, tried, silent = units(made), Counter[str](), Counter[str]()
    for path in sorted((WORK / "campaign").glob("*/*.faults")):
        shard = Shard(path)
        if shard.head["sites"] != len(places) or shard.head["reads"]:
            continue
        for one in shard.tried():
            tried.update(place for place, value in zip(places, one.classes, strict=True) if value)
            silent.update(place for place, value in zip(places, one.classes, strict=True) if value == WRONG)
    if not tried:
        print("faults: no campaign of this netlist; run: make faults", file=sys.stderr)
        return 1
    print("| unit | faults | silent wrong output |\n| --- | --- | --- |")
    for place, count in sorted(tried.items(), key=lambda item: -silent[item[0]]):
        print(f"| {place} | {count:,} | {silent[place]:,} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
