"""The layers of verification that a seeded bug may name in its header, and how each is run on the changed copy."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from variant import ROOT, BuildError, Variant

Found = dict[str, object]
Search = Callable[[Variant, Sequence[str], Sequence[str]], Found]
UVM_SEEDS = range(1, 4)
ASSERTION = "Assertion failed"
# What the tests of the device need of a toolchain: the device as RTL, and what a host needs.
DEVICE_TARGETS = ("_axi", "_model", "_driver", "_driver_swapped", "_iss")
DEVICES = {"LUTRA_SOC_DEVICES": "rtl,rtl-slow"}
AXI_RULE = re.compile(r"AXI rule (\w+)")


@dataclass(frozen=True)
class Layer:
    """One kind of check.

    search: takes the variant, the words of the bug's `Run` line and the options of search.py; returns `by` (the layer's
    word for what found the bug, or nothing), `where` and more. outcomes: possible values of `by`. compiled: whether it
    runs on the compiled toolchain. words: whether the bug must say what to run.
    """

    search: Search
    outcomes: tuple[str, ...]
    compiled: bool = True
    words: bool = True


def run(variant: Variant, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a Python module of the variant and capture its output."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(variant.search_path)} | variables
    return subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True, cwd=ROOT)


def end_of(done: subprocess.CompletedProcess[str]) -> str:
    """Return the last lines of a command's output."""
    return "\n".join((done.stdout + done.stderr).splitlines()[-15:])


def random_programs(variant: Variant, _: Sequence[str], options: Sequence[str]) -> Found:
    """Search by random programs in lock-step, then by the standards' examples."""
    done = run(variant, str(ROOT / "verification/seeded_bugs/search.py"), *options)
    if done.returncode:
        raise BuildError(f"the search failed ({done.returncode}):\n{done.stderr}")
    found: Found = json.loads(done.stdout)
    return found


def directed_tests(variant: Variant, words: Sequence[str], _: Sequence[str]) -> Found:
    """Run the named tests of the checkout on the variant until one fails."""
    begin = time.perf_counter()
    done = run(variant, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *words)
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    asserted = ASSERTION in done.stdout + done.stderr
    if done.returncode not in (0, 1) and not asserted:
        raise BuildError(f"pytest {' '.join(words)} did not run ({done.returncode}):\n{end_of(done)}")
    by = "tests" if failed or asserted else ""
    where = failed[1] if failed else ASSERTION if asserted else " ".join(words)
    return {"by": by, "where": where, "seconds": time.perf_counter() - begin}


def device_tests(variant: Variant, words: Sequence[str], _: Sequence[str]) -> Found:
    """Run the named tests of the device on its RTL, to which the checkers of AXI are bound, until one fails."""
    begin = time.perf_counter()
    for target in DEVICE_TARGETS:
        variant.run("cmake", "--build", variant.work / "cmake", "--parallel", str(variant.jobs), "--target", target)
    done = run(variant, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *words, **DEVICES)
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    if done.returncode not in (0, 1) or (done.returncode and not failed):
        raise BuildError(f"pytest {' '.join(words)} did not run ({done.returncode}):\n{end_of(done)}")
    where, by = failed[1] if failed else " ".join(words), ""
    if failed and (rule := AXI_RULE.search(done.stdout)):
        by, where = "AXI rule", f"{rule[1]}, {where}"
    elif failed:
        by = "assertion in lutra_axi" if ASSERTION in done.stdout else "device tests"
    return {"by": by, "where": where, "seconds": time.perf_counter() - begin}


def core_bench(variant: Variant, words: Sequence[str], _: Sequence[str]) -> Found:
    """Run the named tests of the core's UVM bench, a few seeds each, until one fails."""
    return uvm(variant, words, "core", "uvm.runner.regress", "UVM")


def device_bench(variant: Variant, words: Sequence[str], _: Sequence[str]) -> Found:
    """Run the named tests of the UVM bench of lutra_axi, a few seeds each, until one fails."""
    return uvm(variant, words, "soc", "uvm.runner.soc", "UVM of lutra_axi")


def device_registers(variant: Variant) -> None:
    """Generate what the sources in soc/rtl include."""
    variant.run(sys.executable, "-m", "lutra.soc.generate", "--out", variant.tree / "build" / "gen" / "soc")


def uvm(variant: Variant, words: Sequence[str], bench: str, runner: str, by: str) -> Found:
    """Build a UVM bench and run tests of it."""
    begin = time.perf_counter()
    if bench == "soc":
        device_registers(variant)
    built = run(variant, "-m", "uvm.runner.build", "--bench", bench, "--jobs", str(variant.jobs))
    if built.returncode:
        raise BuildError(f"the UVM bench cannot be built:\n{end_of(built)}")
    for test in words:
        for seed in UVM_SEEDS:
            done = run(variant, "-m", runner, "--test", test, "--seed", str(seed))
            if done.returncode:
                where = f"test {test}, seed {seed}"
                return {"by": by, "where": where, "seconds": time.perf_counter() - begin}
    return {"by": "", "where": " ".join(words)}


def proofs(variant: Variant, words: Sequence[str], _: Sequence[str]) -> Found:
    """Run the proofs with these words in their names until one is refuted."""
    begin = time.perf_counter()
    device_registers(variant)
    done = run(variant, "-m", "formal", "--jobs", str(variant.jobs), *words)
    rows = re.findall(r"^\[.*\] (.+?) +(proven|refuted|undecided) ", done.stdout, re.MULTILINE)
    if not rows:
        raise BuildError(f"no proof was run:\n{end_of(done)}")
    refuted = [name for name, result in rows if result == "refuted"]
    undecided = [name for name, result in rows if result == "undecided"]
    if undecided and not refuted:
        raise BuildError(f"not decided: {', '.join(undecided)}\n{end_of(done)}")
    where = ", ".join(refuted or words)
    return {"by": "proof" if refuted else "", "where": where, "seconds": time.perf_counter() - begin}


LAYERS = {
    "random": Layer(
        random_programs,
        ("lock-step", "state after a stop", "assertion in the RTL", "known answers"),
        words=False,
    ),
    "tests": Layer(directed_tests, ("tests",)),
    "device": Layer(device_tests, ("device tests", "AXI rule", "assertion in lutra_axi"), compiled=False),
    "UVM": Layer(core_bench, ("UVM",), compiled=False),
    "UVM-device": Layer(device_bench, ("UVM of lutra_axi",), compiled=False),
    "proof": Layer(proofs, ("proof",), compiled=False),
}
LAYER_OF = {outcome: name for name, layer in LAYERS.items() for outcome in layer.outcomes}
