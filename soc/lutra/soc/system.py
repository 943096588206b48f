"""Builds and runs the systems of soc/systems: RTL by Verilator, programs by clang and lld.

A system is a program on disk, made once per host and set of attachments and again only after one of its sources has
changed; latencies are arguments of a run.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

ROOT = Path(__file__).resolve().parents[3]
SYSTEMS = ROOT / "soc" / "systems"
SIMULATION = SYSTEMS / "sim" / "main.cpp"
GENERATED = ROOT / "build" / "gen" / "sv"
BUILD = ROOT / "build" / "soc" / "systems"

RAM_BYTES = 512 << 10
# Beyond this a program does not end by itself.
CYCLES = 400_000_000
SECONDS = 3600

CLANG = ["clang-19", "--target=riscv32-unknown-elf", "-march=rv32im", "-mabi=ilp32", "-ffreestanding", "-fno-pic"]
CLANG += ["-mno-relax", "-nostdlib", "-fuse-ld=lld", "-O2", "-Wall", "-Wextra", "-Werror", "-std=c11"]
# A program has only what it uses, so that it stays the same when a function that it does not use changes.
CLANG += ["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"]


class SystemsError(Exception):
    """A system or a program does not build, or does not run to its end."""


@dataclass(frozen=True)
class Host:
    """A RISC-V processor from a package of Python: its number in lutra_system, sources and include folders."""

    name: str
    index: int
    package: str
    sources: tuple[str, ...]
    includes: tuple[str, ...] = ()
    manifest: str = ""  # a list of further sources, of which those in rtl/ are wanted
    instructions: int = 0  # the CSR that counts instructions, if the host's programs can read one

    def folder(self) -> Path:
        try:
            found = importlib.import_module(self.package)
        except ImportError:
            raise SystemsError(f"{self.name} is not there; run: make setup (it installs {self.package})") from None
        return Path(found.data_location)

    def arguments(self) -> list[str]:
        folder = self.folder()
        found = (
            re.findall(r"^\$\{DESIGN_RTL_DIR\}(/\w.*\.sv)$", (folder / self.manifest).read_text(), re.M)
            if self.manifest
            else []
        )
        files = [*(f"{folder}/rtl{source}" for source in found), *(str(folder / source) for source in self.sources)]
        return [*(f"-I{folder / include}" for include in self.includes), *files]


_PRIM = "vendor/lowrisc_ip/ip/prim/rtl"
_PRIM_PACKAGES = ("util", "count", "cipher", "ram_1p", "secded", "mubi")
HOSTS = {
    "picorv32": Host("picorv32", 0, "pythondata_cpu_picorv32", ("picorv32.v",), instructions=0xC02),
    "ibex": Host(
        "ibex",
        1,
        "pythondata_cpu_ibex",
        (
            "dv/uvm/core_ibex/common/prim/prim_pkg.sv",
            *(f"{_PRIM}/prim_{name}_pkg.sv" for name in _PRIM_PACKAGES),
            "rtl/ibex_pkg.sv",
        ),
        (
            "rtl",
            _PRIM,
            "vendor/lowrisc_ip/ip/prim_generic/rtl",
            "dv/uvm/core_ibex/common/prim",
            "vendor/lowrisc_ip/dv/sv/dv_utils",
        ),
    ),
    "cv32e40x": Host(
        "cv32e40x",
        2,
        "pythondata_cpu_cv32e40x",
        ("bhv/cv32e40x_sim_clock_gate.sv",),
        ("rtl/include",),
        "cv32e40x_manifest.flist",
    ),
}


@dataclass(frozen=True)
class System:
    """A host and its attachments (a subset of 1 to 5, for S1 to S5)."""

    host: str
    attachments: frozenset[int] = frozenset({1, 2, 3, 4})

    @property
    def folder(self) -> Path:
        named = "".join(map(str, sorted(self.attachments))) or "0"
        return BUILD / f"{self.host}-s{named}"

    def command(self) -> list[str]:
        """The arguments of Verilator that name sources and parameters."""
        host = HOSTS[self.host]
        bits = sum(1 << (number - 1) for number in self.attachments)
        lists = [(GENERATED, "lutra_packages.f"), (ROOT / "rtl", "lutra.f"), (GENERATED, "lutra_modules.f")]
        sources = [str(ROOT / "rtl" / "lint.vlt"), str(SYSTEMS / "sim" / "lint.vlt")]
        for folder, name in lists:
            sources += ["-F", str(folder / name)]
        if 5 in self.attachments:
            sources += [str(ROOT / "soc" / "rtl" / "lint.vlt"), "-F", str(ROOT / "soc" / "rtl" / "lutra_soc.f")]
            sources.append(str(SYSTEMS / "rtl" / "lutra_system_busy.sv"))
        sources += [*host.arguments(), "-F", str(SYSTEMS / "rtl" / "lutra_system.f")]
        sources += [str(SYSTEMS / "rtl" / f"lutra_host_{self.host}.sv"), str(SYSTEMS / "rtl" / "lutra_system.sv")]
        parameters = [f"-GHOST={host.index}", f"-GATTACHMENTS=5'd{bits}"]
        warnings = ["-Wall", "-Wno-TIMESCALEMOD", "--no-timing", "--assert", "--quiet"]
        return ["verilator_bin", *warnings, "--top-module", "lutra_system", *parameters, *sources]

    def _state(self) -> str:
        command = self.command()
        return json.dumps({"command": command, "sources": _digest(command)})

    def is_built(self) -> bool:
        """Whether the program is there and up to date."""
        stamp = self.folder / "sources.json"
        return (self.folder / "Vlutra_system").exists() and stamp.exists() and stamp.read_text() == self._state()

    def digest(self) -> str:
        """Identify what Verilator makes of the sources, so that comments and what is not configured do not count."""
        command = self.command()
        kept = BUILD / "digests" / f"{self.folder.name}-{_digest(command)[:16]}"
        with _DIGESTING:
            if not kept.exists():
                kept.parent.mkdir(parents=True, exist_ok=True)
                with TemporaryDirectory(dir=kept.parent) as folder:
                    run_tool(self._verilating(Path(folder)))
                    found = _elaborated(Path(folder))
                kept.write_text(found)
        return kept.read_text()

    def _verilating(self, folder: Path, *more: str) -> list[str]:
        command = self.command()
        made = ["--cc", "-O3", "--Mdir", str(folder), "--output-split", "20000"]
        return [command[0], *made, *more, *command[1:]]

    def build(self, jobs: int = 1) -> Path:
        """Return the program, built where it is not up to date."""
        program = self.folder / "Vlutra_system"
        if self.is_built():
            return program
        state = self._state()
        self.folder.mkdir(parents=True, exist_ok=True)
        make = ["--exe", "--build", "-j", str(jobs)]
        make += ["-MAKEFLAGS", "OPT_FAST=-O2 OPT_SLOW=-O0 OPT_GLOBAL=-O1"]
        run_tool([*self._verilating(self.folder, *make), str(SIMULATION)])
        (self.folder / "sources.json").write_text(state)
        return program


_DIGESTING = Lock()
# Where a message of an assertion says that it is from.
_PLACES = re.compile(rb'"[^"\n]*\.svh?", \d+|\b\w+\.svh?:\d+')


def _elaborated(folder: Path) -> str:
    """A digest of a design in C++, and of the program around it."""
    digest = hashlib.sha256(SIMULATION.read_bytes())
    for file in sorted([*folder.glob("*.h"), *folder.glob("*.cpp")]):
        digest.update(_PLACES.sub(b"", file.read_bytes()))
    return digest.hexdigest()


def _digest(command: Sequence[str]) -> str:
    """A digest of the files of a command, with those that a list names."""
    digest = hashlib.sha256()
    lists = {index + 1 for index, word in enumerate(command) if word == "-F"}
    files = [SIMULATION]
    for index, word in enumerate(command):
        path = Path(word)
        if index in lists:
            files += [path.parent / line for line in path.read_text().split()]
        elif path.is_absolute() and path.is_file():
            files.append(path)
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


_COMPILING = Lock()


def compile_program(
    sources: Sequence[Path], defines: Mapping[str, object], include: Sequence[Path] = (), data: str = ""
) -> Path:
    """A bare-metal program as contents of RAM for $readmemh; returns that file.

    data: more of it. A program that was compiled from the same sources with the same definitions is taken again.
    """
    host = SYSTEMS / "host"
    digest = hashlib.sha256(repr([CLANG, sources, sorted(defines.items()), include, data]).encode())
    own = [host / "start.S", host / "library.c"]
    folders = {host, *include, *(source.parent for source in sources)}
    headers = [file for folder in sorted(folders) for file in sorted(folder.glob("*.h"))]
    for file in (host / "system.ld", *own, *sources, *headers):
        digest.update(file.read_bytes())
    target = BUILD / "programs" / digest.hexdigest()[:16]
    elf, binary, words = (target.with_suffix(suffix) for suffix in (".elf", ".bin", ".hex"))
    options = [f"-D{name}={value}" for name, value in defines.items()]
    options += [f"-I{folder}" for folder in (host, *include)]
    script = ["-Wl,-T," + str(host / "system.ld"), "-Wl,-melf32lriscv"]
    with _COMPILING:
        if words.exists():
            return words
        target.parent.mkdir(parents=True, exist_ok=True)
        run_tool([*CLANG, *options, *script, *map(str, (*own, *sources)), "-o", str(elf)])
        run_tool(["llvm-objcopy-19", "-O", "binary", str(elf), str(binary)])
        content = binary.read_bytes()
        content += bytes(-len(content) % 4)
        values = (int.from_bytes(content[at : at + 4], "little") for at in range(0, len(content), 4))
        words.write_text("".join(f"{value:08x}\n" for value in values) + data)
        return words


@dataclass(frozen=True)
class Mark:
    """The counters when a program wrote a number to `mark`: cycles, 32-bit words of data that crossed the attachment,
    cycles in which it was occupied, cycles in which the core ran."""

    number: int
    cycle: int
    words: int
    busy: int
    running: int


@dataclass
class Output:
    """The lines that a program has printed, by kind."""

    marks: list[Mark] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    dumps: list[bytes] = field(default_factory=list)
    text: str = ""


def run(program: Path, ram: Path, **arguments: int) -> Output:
    """Run a program on a system; `arguments` are plusargs of lutra_system. SystemsError unless it exits with 0."""
    options = {"cycles": CYCLES, **arguments}
    command = [str(program), f"+ram={ram}", *(f"+{name}={value}" for name, value in options.items())]
    output, status = Output(), None
    for line in run_tool(command).splitlines():
        word, _, rest = line.partition(" ")
        if word == "mark":
            output.marks.append(Mark(*map(int, rest.split())))
        elif word == "first":
            output.first.append(int(rest))
        elif word == "dump":
            output.dumps.append(bytes.fromhex(rest))
        elif word == "exit":
            status = int(rest)
        elif not re.match(r"- .*\$finish", line):
            output.text += line + "\n"
    if status != 0:
        raise SystemsError(f"{ram.stem} ended with {status}: {output.text}")
    return output


def run_tool(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
    if done.returncode:
        raise SystemsError(f"{' '.join(command[:1])} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def lint() -> int:
    """Run Verilator's lint on a system of each host; `make lint-soc-systems`."""
    for name in HOSTS:
        command = System(name).command()
        done = subprocess.run([*command, "--lint-only"], check=False, timeout=SECONDS)
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(lint())
