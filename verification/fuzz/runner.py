"""Targets: how each is built and started, and its results."""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fuzz import corpus
from variant import ROOT

WORK = ROOT / "build" / "fuzz"
# Maximum input sizes in bytes: packs a few times as long as those of the corpus; the size of a device's flash.
TARGETS = {
    "pack": (4096, "any bytes as a pack, by the loader with sanitizers"),
    "flash": (600, "any contents of flash and fuses, by the loader with sanitizers"),
    "reader": (4096, "any bytes as a pack, by the reader in Python and the one in C"),
}
LIBRARY = "LUTRA_FUZZ_LIBRARY"
PACKS = "LUTRA_FUZZ_PACKS"


class FuzzError(Exception):
    """A target could not be built or started."""


@dataclass(frozen=True)
class Outcome:
    """Outcome of a target.

    runs: inputs tried. coverage: places of the code reached. finding: a file with the failing input, or empty; what:
    the line with the reason.
    """

    target: str
    runs: int
    coverage: int
    finding: str = ""
    what: str = ""


def build(tree: Path = ROOT, work: Path = WORK) -> None:
    """Compile the fuzzers of a tree's loader with clang. FuzzError with the end of the output."""
    folder = work / "cmake"
    work.mkdir(parents=True, exist_ok=True)
    compilers = ("-DCMAKE_C_COMPILER=clang-19", "-DCMAKE_CXX_COMPILER=clang++-19")
    steps = (
        ("cmake", "-S", tree / "verification/fuzz/targets", "-B", folder, "-G", "Ninja", *compilers),
        ("cmake", "--build", folder),
    )
    # One build at a time, since tests may run in parallel.
    with (work / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for command in steps:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            if done.returncode:
                end = "\n".join(done.stdout.splitlines()[-15:])
                raise FuzzError(f"the fuzzers cannot be built:\n{end}")


def run(target: str, limits: Sequence[str], seed: int, work: Path = WORK, library: Path | None = None) -> Outcome:
    """Run one target until a limit, given as options of libFuzzer, or its first finding.

    library: the reader in C; default: that of this tree.
    """
    longest, _ = TARGETS[target]
    grown, findings = work / "corpus" / target, work / "findings"
    grown.mkdir(parents=True, exist_ok=True)
    findings.mkdir(exist_ok=True)
    packs = corpus.write(work / "packs")
    program = [sys.executable, "-m", "fuzz.reader"] if target == "reader" else [str(work / "cmake" / f"fuzz_{target}")]
    options = [f"-seed={seed}", f"-max_len={longest}", f"-artifact_prefix={findings}/{target}-", "-timeout=20", *limits]
    if target == "flash":
        options.append("-len_control=0")
    environment = os.environ | {PACKS: str(packs)} | ({LIBRARY: str(library)} if library else {})
    command = [*program, *options, str(grown), *([] if target == "flash" else [str(packs)])]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return _outcome(target, done.returncode, done.stdout.decode(errors="replace"))


def _outcome(target: str, code: int, said: str) -> Outcome:
    counted = [match for line in said.splitlines() if (match := re.match(r"#(\d+)\s.*\bcov: (\d+)", line))]
    runs, coverage = (int(n) for n in counted[-1].groups()) if counted else (0, 0)
    finding = re.search(r"Test unit written to (\S+)", said)
    if code == 0:
        return Outcome(target, runs, coverage)
    if finding is None:
        raise FuzzError(f"{target} cannot be started ({code}):\n" + "\n".join(said.splitlines()[-15:]))
    why = re.search(
        r"violated: .*|(?:Runtime)?Error: .*|ERROR: AddressSanitizer: \S+|.*runtime error: .*|ALARM.*", said
    )
    return Outcome(target, runs, coverage, finding[1], why[0] if why else "a crash")
