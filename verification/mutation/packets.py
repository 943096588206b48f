"""`python -m mutation.packets`: mutants of the protocols of packets against their tests.

python -m mutation.packets                           # all of them
python -m mutation.packets --only '*/macsec.py'      # those of a file
python -m mutation.packets --sample 40               # a fixed sample
python -m mutation.packets --keep killed             # those that survived, after new tests
"""

from __future__ import annotations

import argparse
import builtins
import fnmatch
import json
import random
import sys
from pathlib import Path

from mutation import report, runner
from mutation.__main__ import digest, kept, progress
from mutation.python import PYTHON, sites
from mutation.schemata import Mutant, Writer
from variant import ROOT

SOURCES = ROOT / "soc" / "lutra" / "soc" / "packets"
WORK = ROOT / "build" / "mutation" / "packets"
REASONS = Path(__file__).with_name("packet_survivors.toml")
LAYERS = {
    "rules": ("tests/soc/test_packet_rules.py", "tests/soc/test_packet_inputs.py"),
    "protocols": ("tests/soc/test_packets.py", "tests/soc/test_protocols.py"),
    "captures": ("tests/soc/test_packet_captures.py", "tests/soc/test_srtp_peers.py"),
}


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m mutation.packets", description="Mutants of protocols of packets.")
    parser.add_argument("--sample", type=int, metavar="N", help="N mutants chosen by the seed instead of all")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    parser.add_argument("--only", metavar="PATTERN", default="*", help="files, as */srtp.py")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument(
        "--keep",
        choices=("nothing", "killed"),
        default="nothing",
        help="verdicts of earlier runs of the same mutants that are not tried again (nothing)",
    )
    return parser.parse_args()


def build(folder: Path = WORK / "site") -> list[Mutant]:
    """Write the sources with all mutants into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    writer = Writer()
    for path in sorted(SOURCES.glob("*.py")):
        source = path.read_text()
        name = path.relative_to(ROOT).as_posix()
        (folder / path.name).write_text(writer.write(name, source, list(sites(source)), PYTHON))
    return writer.mutants


class Active:
    """The mutant that is active; 0 for none. The sources ask `lutra_mutant`, which is this."""

    number = 0

    def __call__(self, number: int) -> bool:
        """Whether a mutant is the active one."""
        return number == self.number

    def select(self, number: int) -> None:
        """Make a mutant the active one."""
        self.number = number


def install(folder: Path) -> Active:
    """Let the package come from a folder. It must not be imported yet."""
    import lutra.soc.packets

    active = Active()
    builtins.lutra_mutant = active  # type: ignore[attr-defined]
    lutra.soc.packets.__path__ = [str(folder)]
    return active


def main() -> int:
    """Return 0 if every survivor has a reason and enough were killed."""
    options = arguments()
    mutants = build()
    tried = [m for m in mutants if fnmatch.fnmatch(m.file, options.only)]
    if options.sample is not None:
        tried = random.Random(options.seed).sample(tried, min(options.sample, len(tried)))
    if not tried:
        print(f"mutation.packets: no mutants in {options.only}", file=sys.stderr)
        return 1
    active = install(WORK / "site")
    record = WORK / f"verdicts-{digest(mutants)}.jsonl"
    known = kept(record, tried, options.keep)
    if options.keep == "nothing":
        record.unlink(missing_ok=True)
    left = [m for m in tried if m.number not in known]
    done = runner.Runner(left, options.jobs, WORK / "run", record, progress, LAYERS, active.select)
    if left and runner.tried(done).failure:
        print(f"mutation.packets: {done.failure}", file=sys.stderr)
        return 1
    found = report.result(tried, [*known.values(), *done.verdicts.values()], ROOT, REASONS)
    (WORK / "report.json").write_text(json.dumps(report.as_json(found), indent=1))
    page = WORK / "report.md"
    page.write_text(report.as_page(found, LAYERS))
    print(f"{len(tried)} mutants, {100 * found.score:.1f} % killed; {page}")
    faults = [f"{len(found.unexplained)} survivors without a reason"] if found.unexplained else []
    if len(tried) == len(mutants) and found.unused:
        faults.append(f"{len(found.unused)} reasons without a survivor")
    for fault in faults:
        print(f"mutation.packets: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
