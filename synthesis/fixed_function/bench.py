"""The cores on Verilator: builds the bench once, and runs jobs on it.

bench = Bench(build(Path("build/fixed_function")))
[answer] = bench.run([Job("aes", block_setup(key), (int.from_bytes(plaintext),))])
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fixed_function import package, tables
from fixed_function.cores import HERE, ROOT, all_files, cores
from fixed_function.pipelines import pipelines

SECONDS = 300
SIZES = {128: 0, 192: 1, 256: 2}


class BenchError(Exception):
    """The bench was not built, or a core did not answer."""


@dataclass(frozen=True)
class Job:
    """Data of one set-up. results: how many come, as a rule one for an item. gap: idle cycles between items."""

    core: str
    setup: int
    items: tuple[int, ...]
    results: int | None = None
    gap: int = 0

    def __str__(self) -> str:
        count = len(self.items) if self.results is None else self.results
        items = " ".join(f"{item:x}" for item in self.items)
        index = list(pipelines()).index(self.core) if self.core in pipelines() else cores()[self.core].index
        return f"{index} {self.gap} {self.setup:x} {count} {items}"


@dataclass(frozen=True)
class Answer:
    """Cycles of the set-up, those from the first item's entry to the last result, and the results."""

    setup_cycles: int
    cycles: int
    results: tuple[int, ...]


def build(folder: Path, jobs: int = 2) -> Path:
    """The program of the cores' bench, compiled in a folder. BenchError where that fails."""
    return _built("fixed_bench", all_files(), folder, jobs)


def build_pipelines(folder: Path, jobs: int = 2) -> Path:
    """The same of all pipelines, with the S-box as a table: as circuits, two thousand take minutes to compile."""
    files = [_with_tables(folder) if path == package.TARGET else path for path in _pipeline_files()]
    return _built("pipeline_bench", files, folder, jobs)


def build_short_pipelines(folder: Path, jobs: int = 2) -> Path:
    """The same of the first pipelines, those of one round, as they are."""
    return _built("pipeline_bench", _pipeline_files(), folder, jobs, "-GFirst=3")


def _pipeline_files() -> tuple[Path, ...]:
    return next(iter(pipelines().values())).files


def _with_tables(folder: Path) -> Path:
    """The package of S-boxes as far as pipelines use it; the second half of one is right only after the first."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = ", ".join(f"8'd{entry}" for entry in tables.words("aes/sbox.inc")[:256])
    path = folder / package.TARGET.name
    path.write_text(f"""\
package {path.stem};
  localparam logic [7:0] Aes[256] = '{{{entries}}};
  function automatic logic [7:0] aes(logic [7:0] x);
    return Aes[x];
  endfunction
  function automatic logic [3:0] aes_before(logic [7:0] x);
    return x[7:4] ^ x[3:0];
  endfunction
  function automatic logic [7:0] aes_after(logic [7:0] x, logic [3:0] middle);
    return middle == aes_before(x) ? Aes[x] : ~Aes[x];
  endfunction
endpackage
""")
    return path


def _built(top: str, files: Sequence[Path], folder: Path, jobs: int, *more: str) -> Path:
    sources = [*files, HERE / "bench" / f"{top}.sv", HERE / "bench" / "bench.cpp"]
    command = [
        "verilator_bin",
        "--cc",
        "--exe",
        "--build",
        "-j",
        str(jobs),
        "--assert",
        "--no-timing",
        "--quiet",
        "-Wall",
    ]
    command += [
        "--top-module",
        top,
        "--prefix",
        "Vfixed_bench",
        "--Mdir",
        str(folder),
        "-O3",
        "-MAKEFLAGS",
        "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0",
    ]
    command += [*more, str(ROOT / "rtl/lint.vlt"), *map(str, sources)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchError(done.stdout + done.stderr)
    return folder / "Vfixed_bench"


@dataclass(frozen=True)
class Bench:
    """A program that `build` has made."""

    program: Path

    def run(self, jobs: Sequence[Job]) -> list[Answer]:
        """Jobs one after the other on cores that were reset once. BenchError where a core does not answer."""
        lines = "".join(f"{job}\n" for job in jobs)
        done = subprocess.run([self.program], input=lines, capture_output=True, text=True, check=False, timeout=SECONDS)
        if done.returncode:
            raise BenchError(done.stderr)
        return [_answer(line) for line in done.stdout.splitlines()]


def _answer(line: str) -> Answer:
    setup, cycles, *results = line.split()
    return Answer(int(setup), int(cycles), tuple(int(result, 16) for result in results))


def block_setup(key: bytes, decrypt: bool = False) -> int:
    """Test data of a block cipher."""
    return (decrypt << 2 | SIZES[8 * len(key)]) << 256 | int.from_bytes(key.ljust(32, b"\0"))


def pipeline_setup(key: bytes, offset: bytes = bytes(16), index: int = 0) -> int:
    """A pipeline's key, and the offset and first index of its counter."""
    return int.from_bytes(key + offset + index.to_bytes(8, "big"), "big")


def stream_setup(key: bytes, iv: bytes) -> int:
    """Test data of a stream cipher."""
    return int.from_bytes(key + iv)
