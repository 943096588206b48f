"""`python -m loader_checks`: size, stack, warnings and coverage of the loader; 1 if one is not as it must be."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from loader_checks import coverage, lint, rv32
from loader_checks.build import ROOT, CheckError, firmware_elf


def check_size(elf: Path) -> list[str]:
    """Code and constants of everything, the cryptography too."""
    sizes = rv32.sizes(elf)
    total = sum(sizes.values())
    print(f"size     {total} bytes for rv32imc ({sizes['text']} code, {sizes['rodata']} constants) of {rv32.LIMIT}")
    variables = sum(sizes.get(name, 0) for name in ("data", "bss", "sdata", "sbss"))
    findings = [f"there are {variables} bytes of variables: the loader has no state of its own"] if variables else []
    return [*findings, f"{total - rv32.LIMIT} bytes above the limit"] if total > rv32.LIMIT else findings


def check_stack(elf: Path) -> list[str]:
    """The deepest chain of calls; the host's callbacks come on top of it."""
    most, path = rv32.stack(elf)
    print(f"stack    {most} bytes and the host's callbacks; no recursion: {' > '.join(path)}")
    return []


def check_warnings() -> list[str]:
    """Findings of the compilers and the analyzer."""
    findings = lint.findings()
    print(f"warnings {len(findings)} of {', '.join(lint.CHECKS)}")
    return findings


def check_coverage(folder: Path, jobs: int) -> list[str]:
    """By the tests of the loader."""
    exceptions = coverage.read_exceptions()
    found = coverage.measure(folder, ["-n", str(jobs)])
    for kind, total in found.total.items():
        missed = sum(point.kind == kind for point in found.missed)
        print(f"coverage {total - missed} of {total} {kind} points")
    print(f"         {len(exceptions)} exceptions with a reason")
    return coverage.judge(found, exceptions)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m loader_checks", description=__doc__, epilog="example: make loader")
    parser.add_argument("--jobs", type=int, default=1, help="processes for the tests")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "loader", help="where to work")
    args = parser.parse_args(argv)
    try:
        elf = firmware_elf(args.out / "rv32")
        findings = [*check_size(elf), *check_stack(elf), *check_warnings()]
        findings += check_coverage(args.out / "coverage", args.jobs)
    except CheckError as error:
        findings = [str(error)]
    for line in findings:
        print(line, file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
