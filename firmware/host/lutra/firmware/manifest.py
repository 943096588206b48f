"""The manifests: which algorithms the firmware serves, and the entries of their routines.

A manifest `firmware.toml` lists algorithms, each for all its key sizes, and the images that serve them.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from lutra.asm import AsmError, Image, assemble
from lutra.firmware.ciphers import DIRECTIONS, Catalogue, Cipher, Direction, ImageSource, Implementation
from lutra.firmware.elaborate import elaborate
from lutra.firmware.errors import FirmwareError
from lutra.firmware.mentions import needs_no_more
from lutra.firmware.schema import convert
from lutra.firmware.tables import NAME, SOURCES, Manifest, read
from lutra.isa import Version
from lutra.isa import load as load_isa

__all__ = [
    "DIRECTIONS",
    "NAME",
    "SOURCES",
    "Catalogue",
    "Cipher",
    "Direction",
    "Implementation",
    "assembled",
    "assembled_with_warnings",
    "catalogue",
    "catalogue_with",
    "known",
    "lacking",
    "load",
]


@functools.cache
def assembled(source: ImageSource) -> Image:
    """Return the image of a manifest entry, assembled once and without warnings, some of which take long."""
    return source.image or _assemble(source, "no-all")


def assembled_with_warnings(source: ImageSource) -> Image:
    """Return the image with the assembler's warnings, for tests of firmware."""
    return source.image or _assemble(source)


def _assemble(source: ImageSource, *warnings: str) -> Image:
    return assemble(list(source.sources), include_dirs=list(source.include_dirs), warnings=warnings)


@functools.cache
def catalogue() -> Catalogue:
    """The installed firmware. FirmwareError where a manifest is wrong."""
    return Catalogue(_all(_installed()), able=_able)


def known(manifest: Path | str | None) -> Catalogue:
    """Return the installed firmware, preceded by that of the user's manifest if there is one."""
    return catalogue() if manifest is None else catalogue_with([Path(manifest)])


def catalogue_with(manifests: Iterable[Path]) -> Catalogue:
    """The ciphers of the user's own manifests, or of the folders that they are in, before the installed ones.

    A manifest of the installed firmware may be among them. FirmwareError where a manifest is wrong, and where two
    algorithms have one name.
    """
    files = [path / NAME if path.is_dir() else path for path in manifests]
    chosen = {file.resolve(): file for file in files}
    own = _all(chosen.values())
    others = tuple(cipher for path in _installed() if path.resolve() not in chosen for cipher in _of_installed(path))
    return Catalogue(own + others, own, able=_able)


def _able(cipher: Cipher) -> Cipher | None:
    """A cipher with the implementations that the configuration can run; None where none of them has all directions."""
    if not load_isa().absent:
        return cipher
    able, directions = tuple(i for i in cipher.implementations if _runs(i)), cipher.default.entries.keys()
    return replace(cipher, implementations=able) if able and able[0].entries.keys() == directions else None


def _runs(implementation: Implementation) -> bool:
    """Whether an image uses nothing that the configuration lacks, and has the routines still. AsmError as it comes."""
    if needs_no_more(implementation.image):
        return True
    if lacking(implementation.image):
        return False
    image = assembled(implementation.image)
    known = {s.name for s in image.symbols if s.space == load_isa().program.name}
    entries = implementation.entries.values()
    called = [name for e in entries for name in (e.key_tables, e.key, e.tables, e.start, e.run, *e.others.values())]
    return all(name in known for name in called if name)


@functools.cache
def lacking(source: ImageSource) -> str:
    """Return what the configuration lacks of an image, as the assembler says it; empty if another error is first.

    The assembler stops there, so it takes a fraction of assembling all of it.
    """
    if source.image is not None:
        return ""
    try:
        assemble(list(source.sources), include_dirs=list(source.include_dirs), warnings=("no-all",), max_errors=1)
    except AsmError as error:
        first = error.diagnostics[0]
        return first.message if first.absent else ""
    return ""


def _installed() -> list[Path]:
    return sorted(SOURCES.glob(f"*/{NAME}"))


@functools.cache
def _of_installed(path: Path) -> tuple[Cipher, ...]:
    """Ciphers of a manifest of the installed firmware, which stays as it is."""
    return load(path)


def _all(manifests: Iterable[Path]) -> tuple[Cipher, ...]:
    return tuple(cipher for path in manifests for cipher in load(path))


def load(path: Path) -> tuple[Cipher, ...]:
    """Ciphers of one manifest. FirmwareError naming file and entry where it is wrong."""
    return tuple(elaborate(path, tables_of(path)))


def tables_of(path: Path) -> Manifest:
    """The tables of one manifest, with the algorithms as they are written. FirmwareError where it is wrong."""
    table = read(path)
    _check_isa(path, table.get("isa"))  # a manifest for a later version may have keys that this one does not know
    return convert(str(path), table, Manifest)


def _check_isa(path: Path, needed: object) -> None:
    """FirmwareError where firmware is of a version of the instruction set that this one does not run."""
    if not isinstance(needed, str):
        return
    if not (parts := re.fullmatch(r"(\d{1,4})\.(\d{1,4})", needed)):
        raise FirmwareError(f"{path}: isa must be a version such as {load_isa().version}, not {needed!r}")
    version = Version(int(parts[1]), int(parts[2]))
    if not load_isa().version.runs(version):
        raise FirmwareError(f"{path}: is for instruction set {version}, but this Lutra has {load_isa().version}")
