"""`python -m speed`: how fast simulator, core and commands are on this machine (docs/speed.md).

python -m speed --cipher aes-128-ctr     # one cipher, in seconds
python -m speed --record                 # all rows, then the page and its picture
python -m speed --spike --record         # the same, and Spike in the same session
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from assembly_speed import program
from lutra.firmware.errors import FirmwareError
from lutra.firmware.manifest import catalogue
from speed import commands, core, machine, page, simulator, spike
from speed.errors import SpeedError

FIGURES = Path(__file__).with_name("figures.json")
PICTURE = commands.ROOT / "docs/pictures/speed.py"
# Of each command, and of Spike; the best is kept.
RUNS = 3
SPIKE_INSTRUCTIONS = 1_000_000_000


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line; exits where options do not fit together."""
    parser = argparse.ArgumentParser(prog="python -m speed", description="Speed of simulator, core and commands.")
    parser.add_argument("--cipher", action="append", metavar="NAME", help="only this cipher's rows; repeatable")
    parser.add_argument("--seconds", type=_positive, default=0.06, metavar="S", help="CPU time per figure (0.06)")
    parser.add_argument("--megabytes", type=_positive_int, default=100, metavar="N", help="for `lutra crypt` (100)")
    parser.add_argument("--lines", type=_positive_int, default=program.LINES, metavar="N", help="to assemble (50,000)")
    parser.add_argument("--spike", action="store_true", help="also Spike, which is installed in build/spike first")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--record", action="store_true", help="write figures.json, docs/speed.md and its picture")
    parser.add_argument("--page", action="store_true", help="measure nothing; write page and picture anew")
    options = parser.parse_args(given)
    if options.cipher and (options.record or options.page):
        parser.error("the page has every row; leave out --cipher, or --record and --page")
    if options.page and (options.record or options.spike or options.json):
        parser.error("--page measures nothing; leave out the other options")
    return options


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < 3600:
        raise argparse.ArgumentTypeError("must be more than 0 and less than 3600")
    return value


def _positive_int(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return value


def measured(options: argparse.Namespace) -> dict[str, Any]:
    """The document of all figures. Raises SpeedError and FirmwareError."""
    known = catalogue()
    chosen = [known.cipher(name) for name in options.cipher or ()] or list(known.listed)
    if options.spike:
        spike.check()
    load = [machine.load()]
    document: dict[str, Any] = {"machine": machine.described(), "seconds": options.seconds}
    document["rows"] = []
    for row in simulator.rows(chosen, options.seconds):
        document["rows"].append(asdict(row))
        _say(f"{row.cipher}, {row.variant}")
    _say("lutra crypt")
    document["crypt"] = commands.crypt(options.megabytes, RUNS)
    _say("the core")
    document["core"] = core.measured(known.cipher(page.HEADLINE), options.seconds)
    document["others"] = {}
    for what, seconds in commands.others(options.lines).items():
        _say(what)
        document["others"][what] = round(seconds(), 3)
    if options.spike:
        _say("Spike")
        document["spike"] = spike.measured(SPIKE_INSTRUCTIONS, RUNS)
    document["load"] = [*load, machine.load()]
    return document


def _say(what: str) -> None:
    """Show on a terminal what is measured now."""
    if sys.stderr.isatty():
        print(f"\r\x1b[Kspeed: {what}", end="", file=sys.stderr, flush=True)


def shown(document: Mapping[str, Any]) -> str:
    """The document as JSON for people's programs: rates instead of jobs per second."""
    rows = [
        {
            "cipher": row.cipher,
            "variant": row.variant,
            **{
                mode: {
                    "mips": round(row.mips(mode), 2),
                    "gbit_per_second": round(row.gbits(mode), 4),
                    "cycles_per_second": round(row.cycles_per_second(mode)),
                }
                for mode in row.jobs_per_second
            },
        }
        for row in page.rows(document)
    ]
    return json.dumps({**document, "rows": rows}, indent=2)


def record(document: Mapping[str, Any]) -> None:
    """Write the figures, a row of them per line."""
    rows = ",\n".join(f"  {json.dumps(row)}" for row in document["rows"])
    rest = json.dumps({**document, "rows": []}, indent=1)
    FIGURES.write_text(rest.replace('"rows": []', f'"rows": [\n{rows}\n ]') + "\n")


def write_page() -> None:
    """Page and picture from the figures. Raises SpeedError."""
    document = json.loads(FIGURES.read_text())
    page.PAGE.write_text(page.filled(page.PAGE.read_text(), document))
    subprocess.run([sys.executable, PICTURE], check=True)


def main() -> int:
    """Measure, print, and write what was asked for."""
    options = arguments()
    try:
        if not options.page:
            document = measured(options)
            if sys.stderr.isatty():
                print("\r\x1b[K", end="", file=sys.stderr)
            print(shown(document) if options.json else page.printed(document))
            if options.record:
                record(document)
        if options.record or options.page:
            write_page()
    except (SpeedError, FirmwareError) as error:
        print(f"speed: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("interrupted")
