"""`python -m translated`: random programs, interpreted and translated; state, cycles and stalls must be equal.

python -m translated --programs 2000                       # every level that this machine has, each with all programs
python -m translated --level avx2 --programs 1 --seed 77   # one again, as a difference names it
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from lutra.iss import _iss
from translated.campaign import Result, results

WORK = Path(__file__).parents[2] / "build" / "translated"


def arguments(usable: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m translated", description="Translated code must be the simulator.")
    parser.add_argument("--level", choices=usable, help="one level of host instructions instead of all that there are")
    parser.add_argument("--programs", type=_positive, default=2000, metavar="N", help="programs for each level (2000)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the first program (0)")
    parser.add_argument("--jobs", type=_positive, default=2, help="processes (2)")
    parser.add_argument("--json", type=Path, metavar="FILE", default=WORK / "report.json", help="for programs")
    return parser.parse_args()


def _positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text}: expected a number from 1 on")
    return number


def progress(total: int) -> Callable[[Result], None]:
    """Return what says on a terminal how far the campaign is."""

    def say(so_far: Result) -> None:
        if sys.stderr.isatty():
            print(f"\r{so_far.programs:,} of {total:,} programs", end="", file=sys.stderr, flush=True)

    return say


def main() -> int:
    """Return 0 if nothing differs."""
    usable = [name for name, is_usable in _iss.levels() if is_usable]
    if not usable:
        print(
            "translated: this build or this machine has no translator; see `lutra --version --verbose`", file=sys.stderr
        )
        return 2
    options = arguments(usable)
    levels = (options.level,) if options.level else tuple(usable)
    say = progress(options.programs * len(levels))
    whole = Result()
    for part in results(levels, range(options.seed, options.seed + options.programs), options.jobs):
        for f in part.found:
            print(
                f"seed {f.seed}, {f.mode}, ROUNDS_PER_INSTR {f.rounds}, {f.level}: {f.what} differ; {f.command}",
                flush=True,
            )
        whole += part
        say(whole)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(asdict(whole) | {"levels": levels}, indent=1))
    print(
        f"{whole.programs:,} programs at {', '.join(levels)}, {whole.instructions:,} instructions translated, "
        f"{len(whole.found)} differ; {options.json}"
    )
    return 1 if whole.found else 0


if __name__ == "__main__":
    sys.exit(main())
