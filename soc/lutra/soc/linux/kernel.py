"""The kernel of the guest and the module: what the system has, what has to be fetched, and how the module is built."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile

from lutra.soc import headers
from lutra.soc.linux import bridge

SOURCE = Path(__file__).parents[3] / "linux"
HEADERS = Path("/usr/src")
# What the module's fallbacks and the cases need.
MODULES = (
    *("ctr", "cbc", "gcm", "ghash-generic"),
    *("chacha20poly1305", "chacha-generic", "poly1305-generic"),
    *("algif_skcipher", "algif_aead"),
)


class MissingError(Exception):
    """Something of the system that is needed, with what to install."""


def tool(name: str, package: str) -> str:
    """Return the path of a program. Raises MissingError."""
    found = shutil.which(name)
    if found is None:
        raise MissingError(f"{name} is not installed: apt-get install {package}")
    return found


@dataclass(frozen=True)
class Kernel:
    """A kernel by its release, such as 6.1.0-56-amd64. image: the file to boot. modules: folder of its modules."""

    release: str
    image: Path
    modules: Path

    @property
    def headers(self) -> Path:
        return HEADERS / f"linux-headers-{self.release}"

    def closure(self, names: Iterable[str]) -> Iterator[Path]:
        """Yield the files of modules and of what they depend on, in the order in which they load."""
        seen: set[str] = set()
        for name in names:
            yield from self._closure(name.replace("-", "_"), seen)

    def _closure(self, name: str, seen: set[str]) -> Iterator[Path]:
        if name in seen:
            return
        seen.add(name)
        file = self._files().get(name)
        if file is None:
            return  # built in
        for needed in _depends(file):
            yield from self._closure(needed, seen)
        yield file

    def _files(self) -> dict[str, Path]:
        return {file.stem.replace("-", "_"): file for file in self.modules.rglob("*.ko")}


def _depends(module: Path) -> list[str]:
    with module.open("rb") as file:
        section = ELFFile(file).get_section_by_name(".modinfo")
        info = section.data() if section else b""
    lists = re.findall(rb"(?:^|\0)depends=([^\0]*)", info)
    return [name.replace("-", "_") for names in lists for name in names.decode().split(",") if name]


def release() -> str:
    """Return the newest release whose headers are installed. Raises MissingError."""
    made = [makefile.parent.name for makefile in HEADERS.glob("linux-headers-*-amd64/Makefile")]
    if not made:
        raise MissingError("no headers of a Linux kernel are installed: apt-get install linux-headers-amd64")
    newest = max(made, key=lambda name: [int(n) for n in re.findall(r"\d+", name)])
    return newest.removeprefix("linux-headers-")


def find(folder: Path) -> Kernel:
    """Return the kernel of these headers: the installed one, else fetched into a folder. Raises MissingError."""
    name, fetched = release(), folder / "kernel"
    found = [kernel for root in (Path("/"), fetched) if (kernel := _in(root, name)).image.exists()]
    if not found:
        _fetch(name, folder)
    return found[0] if found else _in(fetched, name)


def _in(root: Path, name: str) -> Kernel:
    return Kernel(name, root / "boot" / f"vmlinuz-{name}", root / "lib" / "modules" / name / "kernel")


def _fetch(name: str, folder: Path) -> None:
    """Unpack Debian's package of a kernel, without installing it."""
    folder.mkdir(parents=True, exist_ok=True)
    package = f"linux-image-{name}"
    for command in (
        [tool("apt-get", "apt"), "download", "-q", package],
        [tool("dpkg-deb", "dpkg"), "-x", "{file}", "kernel"],
    ):
        files = sorted(folder.glob(f"{package}_*.deb"))
        filled = [part.format(file=files[-1].name if files else "") for part in command]
        done = subprocess.run(filled, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            why = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise MissingError(f"{package} cannot be fetched ({why}): apt-get update, or apt-get install {package}")
    for file in folder.glob(f"{package}_*.deb"):
        file.unlink()


def _generate(folder: Path) -> None:
    """Write the generated headers; those that have not changed stay, so that nothing is compiled anew for them."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        headers.write(Path(name))
        bridge.write_header(Path(name))
        for file in Path(name).iterdir():
            kept = folder / file.name
            if not kept.exists() or kept.read_bytes() != file.read_bytes():
                shutil.copy(file, kept)


def build(kernel: Kernel, folder: Path) -> Path:
    """Build the module in a folder, with sparse; a warning is an error. Return its file.

    Raises MissingError if the system cannot, subprocess.CalledProcessError if the module does not build.
    """
    make = tool("make", "make")
    tool("gcc", "gcc")
    tool("sparse", "sparse")
    source, generated = folder / "module", folder / "gen"
    _generate(generated)
    shutil.copytree(SOURCE, source, dirs_exist_ok=True, ignore=shutil.ignore_patterns("guest", "*.md", "*.rdl"))
    command = [
        *(make, "-s", "-C", str(kernel.headers), f"M={source}", f"LUTRA_GEN={generated}"),
        "CONFIG_DEBUG_INFO_BTF_MODULES=",  # there is no vmlinux to take types from
        *("KCFLAGS=-Werror", "W=1", "C=1", "CF=-Wsparse-error"),
        "modules",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise subprocess.CalledProcessError(done.returncode, command, done.stdout, done.stderr)
    return source / "lutra.ko"
