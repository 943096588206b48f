"""Line and branch coverage of the loader's own code by its tests: all of it, but for exceptions with a reason."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from loader_checks.build import LOADER, ROOT, CheckError, run, shared_library, sources

EXCEPTIONS = Path(__file__).with_name("exceptions.toml")
DRIVER = ROOT / "tests" / "loader" / "memory_device.c"
COUNTING = ("-O0", "-g", "-fprofile-instr-generate", "-fcoverage-mapping")


@dataclass(frozen=True)
class Point:
    """A line, or one way of a branch in a line; `source` is its text."""

    file: str
    line: int
    kind: str
    source: str

    def __str__(self) -> str:
        return f"patch/loader/src/{self.file}:{self.line}: {self.kind} not covered: {self.source}"


@dataclass(frozen=True)
class Allowed:
    """Points that no test reaches: those of `kind` in lines of `file` with this text."""

    file: str
    kind: str
    source: str
    reason: str

    def covers(self, point: Point) -> bool:
        """Whether it is for this point."""
        return (self.file, self.kind, self.source) == (point.file, point.kind, point.source)


@dataclass(frozen=True)
class Coverage:
    """Points by kind, and those that were not reached."""

    total: dict[str, int]
    missed: tuple[Point, ...]


def read_exceptions(path: Path = EXCEPTIONS) -> tuple[Allowed, ...]:
    """Those of the file.

    Raises:
        CheckError: One has another field, or no reason.
    """
    try:
        rows = tomllib.loads(path.read_text()).get("exception", [])
        found = tuple(Allowed(**row) for row in rows)
    except (tomllib.TOMLDecodeError, TypeError) as error:
        raise CheckError(f"{path.name}: {error}") from None
    for each in found:
        if not each.reason.strip():
            raise CheckError(f"{path.name}: an exception of {each.file} has no reason")
    return found


def parse(lcov: str) -> Coverage:
    """Export of llvm-cov. A branch in several expansions of a macro is one point per expansion."""
    total = {"line": 0, "branch": 0}
    missed: list[Point] = []
    file, text = "", [""]
    for row in lcov.splitlines():
        tag, _, rest = row.partition(":")
        if tag == "SF":
            path = Path(rest)
            file, text = path.name, ["", *path.read_text().splitlines()]
        elif tag in ("DA", "BRDA"):
            line, *_, count = rest.split(",")
            kind = "line" if tag == "DA" else "branch"
            total[kind] += 1
            if count in ("0", "-"):
                missed.append(Point(file, int(line), kind, text[int(line)].strip()))
    return Coverage(total, tuple(missed))


def judge(coverage: Coverage, exceptions: Sequence[Allowed]) -> list[str]:
    """Failures, one line each."""
    findings = [str(point) for point in coverage.missed if not any(each.covers(point) for each in exceptions)]
    for each in exceptions:
        if not any(each.covers(point) for point in coverage.missed):
            findings.append(f"{EXCEPTIONS.name}: an exception of {each.file} is not used: {each.source}")
    return findings


def measure(folder: Path, arguments: Iterable[str] = ()) -> Coverage:
    """Coverage of the loader's tests, run on an instrumented build.

    Raises:
        CheckError: A test failed, or a tool.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.profraw"):
        old.unlink()
    library = shared_library(folder / "counting.so", DRIVER, "clang-19", COUNTING)
    environment = os.environ | {
        "LUTRA_LOADER_LIBRARY": str(library),
        "LLVM_PROFILE_FILE": str(folder / "%p.profraw"),
    }
    tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments, "tests/loader"]
    done = subprocess.run(tests, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CheckError(f"the tests fail on the build that counts:\n{done.stdout[-3000:]}")
    profile = folder / "profile.profdata"
    run(["llvm-profdata-19", "merge", "-o", profile, *sorted(folder.glob("*.profraw"))])
    files = [path for path in sources(freestanding=False) if path.parent == LOADER / "src"]
    lcov = run(["llvm-cov-19", "export", "-format=lcov", f"-instr-profile={profile}", library, *files])
    return parse(re.sub(r"^SF:(?!/)", f"SF:{ROOT}/", lcov, flags=re.M))
