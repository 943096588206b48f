"""`lutra bench`: cycles of the firmware beside published figures."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from lutra.cli.options import JsonOption
from lutra.cli.output import print_json, progress
from lutra.firmware import bench
from lutra.firmware.manifest import catalogue


def command(
    cipher: Annotated[list[str] | None, typer.Option("--cipher", metavar="NAME", help="Only this cipher.")] = None,
    engine: Annotated[
        Literal["rtl", "iss"], typer.Option("--engine", help="The core's own counters, or the simulator's.")
    ] = "rtl",
    json: JsonOption = False,
) -> None:
    """Measure cycles a block, beside published figures.

    Jobs of 256 blocks, from start to halt: loads, keys, XOR and stores included.

    \b
    Example:
      lutra bench --cipher aes-128-ctr --cipher aes-256-cbc
    """
    served = catalogue()
    ciphers = [served.cipher(name) for name in cipher or ()] or list(served.ciphers)
    cases = sum(len(i.bench) for c in ciphers for i in c.implementations)
    results: list[bench.Result] = []
    with progress("measuring", cases) as done:
        for result in bench.measure(ciphers, engine):
            results.append(result)
            done(len(results))
    if json:
        print_json([r.as_json() for r in results])
    else:
        print(table(results))


def table(results: list[bench.Result]) -> str:
    """Results as lines, with the published figure beside ours and its sources below."""
    heads = ["cipher", "variant", "steady", "all-in", "published", "unit", "tables", "key", "words"]
    if any(r.speed for r in results):
        heads += ["MIPS", "MIPS cycle-exact"]
    rows = [_row(r) for r in results]
    widths = [max(len(row[n]) for row in [heads, *rows]) for n in range(len(heads))]
    text = [_line(row, widths) for row in [heads, *rows]]
    sources = dict.fromkeys(r.literature.source for r in results if r.literature)
    text += ["", "cycles of steady, all-in and published are per unit; tables and key schedule are cycles of set-up"]
    text += [f"published: {source}" for source in sources]
    return "\n".join(text)


def _row(r: bench.Result) -> list[str]:
    published = f"{r.literature.cycles_per_unit:g}" if r.literature else "-"
    row = [r.cipher, r.variant, f"{r.steady:.2f}", f"{r.all_in:.2f}", published, r.unit]
    row += [str(r.tables), str(r.key_schedule), str(r.code_words)]
    if r.speed:
        row += [f"{r.speed.functional:.1f}", f"{r.speed.cycle_exact:.1f}"]
    return row


def _line(row: list[str], widths: list[int]) -> str:
    cells = [c.ljust(w) if n in (0, 1, 5) else c.rjust(w) for n, (c, w) in enumerate(zip(row, widths, strict=True))]
    return "  ".join(cells).rstrip()
