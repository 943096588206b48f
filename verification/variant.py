"""Another toolchain, built in a changed copy of the checkout under build/."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Sources of a toolchain, its proofs and its UVM bench.
PACKAGES = ("isa", "assembler", "iss", "rtl", "firmware", "patch", "soc", "debugger", "editor", "verification", "cli")
PARTS = (".ci", "CMakeLists.txt", *PACKAGES)
BUILD_TYPE = "Variant"


class BuildError(Exception):
    """Failure message, with the end of the tool's output."""


def _search_path() -> tuple[str, ...]:
    """The folders of a checkout on Python's path: its packages, and compiled modules."""
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["scikit-build"]["wheel"]["packages"]
    return ("build/python", *sorted({folder.removesuffix("/" + name) for name, folder in packages.items()}))


def write_if_changed(path: Path, data: str | bytes) -> None:
    """Write a file unless it is so already: what did not change is not compiled again."""
    data = data.encode() if isinstance(data, str) else data
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


@dataclass(frozen=True)
class Variant:
    """A folder for a changed copy (tree) and its build. flags: of the C++ compiler; translates: the simulator does."""

    work: Path
    flags: str
    jobs: int
    translates: bool = True

    @property
    def tree(self) -> Path:
        return self.work / "tree"

    @property
    def search_path(self) -> list[str]:
        """For sys.path or PYTHONPATH, in front of the checkout's own."""
        return [str(self.tree / folder) for folder in _search_path()]

    @property
    def log(self) -> Path:
        return self.work / "build.log"

    def copy(self, changed: Mapping[str, str | bytes]) -> None:
        """Make the tree the checkout with some files changed or added, by path; unchanged ones keep their time."""
        self.work.mkdir(parents=True, exist_ok=True)
        self.log.write_text("")
        files = {
            path.relative_to(ROOT).as_posix()
            for part in PARTS
            for path in (ROOT / part, *(ROOT / part).rglob("*"))
            if path.is_file() and "__pycache__" not in path.parts
        }
        wanted = files | set(changed)
        for path in list(self.tree.rglob("*")):
            name = path.relative_to(self.tree).as_posix()
            if path.is_file() and name.split("/")[0] in PARTS and name not in wanted:
                path.unlink()
        for name in sorted(wanted):
            write_if_changed(self.tree / name, changed[name] if name in changed else (ROOT / name).read_bytes())
            if name in files:
                (self.tree / name).chmod((ROOT / name).stat().st_mode)

    def generate(self) -> None:
        """Configure, once, and run the ISA generator."""
        cmake = self.work / "cmake"
        if not (cmake / "build.ninja").exists():
            options = {
                "CMAKE_BUILD_TYPE": BUILD_TYPE,
                "CMAKE_CXX_FLAGS": self.flags,
                "Python_EXECUTABLE": sys.executable,
                "LUTRA_TRANSLATE": "ON" if self.translates else "OFF",
            }
            defines = [f"-D{name}={value}" for name, value in options.items()]
            self.run("cmake", "-S", self.tree, "-B", cmake, "-G", "Ninja", *defines)
        self.run("cmake", "--build", cmake, "--target", "isagen")

    def build(self) -> None:
        """Compile what changed."""
        self.run("cmake", "--build", self.work / "cmake", "--parallel", str(self.jobs))

    def run(self, *command: str | Path) -> None:
        """A command whose output goes to the log; BuildError when it fails."""
        with self.log.open("a") as out:
            out.write(f"$ {' '.join(map(str, command))}\n")
            out.flush()
            code = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, cwd=ROOT).returncode
        if code:
            end = "\n".join(self.log.read_text().splitlines()[-15:])
            raise BuildError(f"{command[0]} failed ({code}), see {self.log}:\n{end}")
