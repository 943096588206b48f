"""Run the UVM bench: one test, or the regression of all tests, every vector file and a number of random seeds.

    python -m uvm.runner.regress --seeds 50
    python -m uvm.runner.regress --test random --seed 7 --waves

Each run has a folder under build/uvm/runs with its script, log and waves. The regression writes build/uvm/results.xml
(JUnit).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from lutra.asm import disassemble
from uvm.runner import benches, scripts

RESULTS = benches.CORE.out / "results.xml"
HOST_PROGRAMS = benches.BENCH / "programs" / "host.s"
VECTORS = benches.ROOT / "tests" / "vectors"
TIMEOUT = 1800  # seconds per run; on a machine that is not busy the longest takes a few minutes
INSTRUCTION = re.compile(r"pc=(0x[0-9a-f]+) insn=(0x[0-9a-f]+)")  # a record in a report


@dataclass(frozen=True)
class Kind:
    """A test of the bench.

    variants: names of its inputs; script: makes the input's script, if it has one; seeded: whether it runs with every
    seed of the regression, instead of only the first.
    """

    variants: tuple[str, ...] = ("",)
    script: Callable[[str, int], str] | None = None
    seeded: bool = False


def _host(_: str, __: int) -> str:
    return scripts.assembled(HOST_PROGRAMS)


KINDS = {
    "memory": Kind(),
    "control": Kind(script=_host),
    "reset": Kind(script=_host),
    "back_to_back": Kind(script=_host),
    "host_port": Kind(script=_host),
    "table_reload": Kind(script=_host),
    "firmware": Kind(
        variants=tuple(sorted(path.stem for path in VECTORS.glob("*.json"))),
        script=lambda variant, _: scripts.firmware(VECTORS / f"{variant}.json"),
    ),
    "random": Kind(script=lambda _, seed: scripts.random_program(seed), seeded=True),
}


@dataclass(frozen=True)
class Run:
    """One simulation. disturb: the part of the core that is disturbed, so that the run must fail (tb_top.sv)."""

    test: str
    variant: str = ""
    seed: int = 1
    waves: bool = False
    disturb: str = ""

    @property
    def name(self) -> str:
        return "-".join(part for part in (self.test, self.variant, self.disturb, str(self.seed)) if part)

    @property
    def bench(self) -> benches.Bench:
        return benches.CORE

    @property
    def uvm_test(self) -> str:
        """Its class in the bench."""
        return f"lutra_{self.test}_test"

    @property
    def folder(self) -> Path:
        return self.bench.out / "runs" / self.name

    def script(self) -> str:
        """Its script, or an empty text. ScriptError if it cannot be made."""
        make = KINDS[self.test].script
        return make(self.variant, self.seed) if make else ""


@dataclass(frozen=True)
class Result:
    """Result of a run: `errors` are the bench's own lines."""

    run: Run
    passed: bool
    seconds: float
    errors: tuple[str, ...]


def simulate(run: Run, script: str | None = None) -> Result:
    """Run one simulation; it passes only if the program says so and exits with 0. script: replaces the run's own."""
    start = time.monotonic()
    shutil.rmtree(run.folder, ignore_errors=True)
    run.folder.mkdir(parents=True)
    command = [str(run.bench.program), f"+UVM_TESTNAME={run.uvm_test}", f"+verilator+seed+{run.seed}"]
    # State without a reset begins with random bits.
    command.append("+verilator+rand+reset+2")
    if text := run.script() if script is None else script:
        (run.folder / "script").write_text(text, encoding="ascii")
        command.append(f"+SCRIPT={run.folder / 'script'}")
    if run.waves:
        command.append(f"+WAVES={run.folder / 'waves.fst'}")
    if run.disturb:
        command.append(f"+DISTURB={run.disturb}")
    log = run.folder / "log"
    with log.open("wb") as out:
        try:
            code = subprocess.run(
                command, cwd=run.folder, stdout=out, stderr=subprocess.STDOUT, timeout=TIMEOUT, check=False
            ).returncode
            ended = f"exit status {code}"
        except subprocess.TimeoutExpired:
            code, ended = -1, f"no end after {TIMEOUT} seconds"
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    errors = messages(lines)
    said = f"PASSED {run.uvm_test}" in lines
    if (code or not said) and not errors:
        errors = [ended, *lines[-3:]]
    return Result(run, code == 0 and said, time.monotonic() - start, tuple(errors))


def messages(lines: list[str]) -> list[str]:
    """The errors among a log's lines, each with the indented lines of its report."""
    errors: list[str] = []
    inside = False
    for line in lines:
        if line.startswith(("UVM_ERROR ", "UVM_FATAL ")) and "@" in line:
            errors.append(readable(line))
            inside = True
        elif inside and line.startswith("  "):
            errors[-1] += f"\n{readable(line)}"
        else:
            inside = False
    return errors


def readable(line: str) -> str:
    """Show the instructions in an error as assembly."""
    return INSTRUCTION.sub(lambda m: f"{m[0]} ({disassemble(int(m[2], 16), int(m[1], 16))})", line)


def regression(seeds: int) -> list[Run]:
    """Every test with every input; seeded ones with seeds 1 to `seeds`."""
    return [
        Run(test, variant, seed)
        for test, kind in KINDS.items()
        for variant in kind.variants
        for seed in range(1, (seeds if kind.seeded else 1) + 1)
    ]


def simulate_all(runs: Sequence[Run], jobs: int) -> Iterator[Result]:
    """Yield results as they arrive."""
    with ThreadPoolExecutor(jobs) as pool:
        for future in as_completed([pool.submit(simulate, run) for run in runs]):
            yield future.result()


def write_junit(results: list[Result], path: Path) -> None:
    failed = sum(not r.passed for r in results)
    suite = ET.Element("testsuite", name="uvm", tests=str(len(results)), failures=str(failed))
    for r in sorted(results, key=lambda r: r.run.name):
        case = ET.SubElement(suite, "testcase", classname=f"uvm.{r.run.test}", name=r.run.name, time=f"{r.seconds:.2f}")
        if not r.passed:
            ET.SubElement(case, "failure", message=r.errors[0]).text = "\n".join(r.errors)
    scratch = path.with_suffix(".tmp")
    ET.ElementTree(suite).write(scratch, encoding="utf-8", xml_declaration=True)
    scratch.replace(path)


def report(results: list[Result], seconds: float, as_json: bool) -> None:
    failed = sorted((r for r in results if not r.passed), key=lambda r: r.run.name)
    if as_json:
        failures = [{"name": r.run.name, "log": str(r.run.folder / "log"), "errors": r.errors} for r in failed]
        summary = {"runs": len(results), "failed": len(failed), "seconds": round(seconds), "failures": failures}
        print(json.dumps(summary))
        return
    for r in failed:
        print(f"FAILED {r.run.name}: {r.errors[0]}\n  {r.run.folder / 'log'}")
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed in {seconds:.0f} s")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--test", choices=KINDS, help="this test only")
    parser.add_argument("--variant", help="of `--test firmware`: a vector file's name without .json")
    parser.add_argument("--seed", type=int, default=1, help="of `--test`")
    parser.add_argument("--seeds", type=int, default=50, help="random seeds of the regression (default: 50)")
    parser.add_argument("--waves", action="store_true", help="of `--test`: write waves.fst")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="simulations at a time")
    parser.add_argument("--json", action="store_true", help="the summary as JSON")
    return parser.parse_args()


def chosen(args: argparse.Namespace) -> list[Run]:
    if not args.test:
        return regression(args.seeds)
    variants = KINDS[args.test].variants
    if args.variant and args.variant not in variants:
        known = ", ".join(variants) if any(variants) else "none"
        raise scripts.ScriptError(f"test {args.test} has no variant {args.variant!r}; choose from {known}")
    return [Run(args.test, v, args.seed, args.waves) for v in ([args.variant] if args.variant else variants)]


def main() -> int:
    args = arguments()
    start = time.monotonic()
    results: list[Result] = []
    try:
        runs = chosen(args)
        for n, result in enumerate(simulate_all(runs, args.jobs), 1):
            results.append(result)
            if not args.json:
                verdict = "ok" if result.passed else "FAILED"
                print(f"[{n:3}/{len(runs)}] {result.run.name:<32} {verdict:<6} {result.seconds:6.1f} s", flush=True)
    except scripts.ScriptError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    report(results, time.monotonic() - start, args.json)
    if not args.test:
        write_junit(results, RESULTS)
    return 0 if all(r.passed for r in results) else 1


if __name__ == "__main__":
    sys.exit(main())
