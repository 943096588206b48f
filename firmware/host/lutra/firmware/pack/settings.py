"""What a pack is to be called and to hold: the table [pack] of a manifest, and what a command line says instead."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lutra.asm.files import read_toml
from lutra.firmware import manifest
from lutra.firmware.ciphers import Catalogue, Cipher
from lutra.firmware.errors import FirmwareError
from lutra.firmware.pack.errors import PackError
from lutra.firmware.pack.records import PackVersion
from lutra.firmware.testing.units import of_folder
from lutra.isa import Version, load

VECTORS_PER_ANSWER = 2


@dataclass(frozen=True)
class Settings:
    """What a pack is built from.

    manifest: the file. known: the ciphers of the manifest first. algorithms: those that the pack has. vectors: files
    and folders. answers: vectors in a known answer at most.
    """

    manifest: Path
    known: Catalogue
    algorithms: tuple[Cipher, ...]
    vectors: tuple[Path, ...]
    name: str
    version: PackVersion
    counter: int
    isa: Version
    answers: int


def read(
    folder: Path,
    name: str | None = None,
    version: str | None = None,
    counter: int | None = None,
    algorithms: Sequence[str] = (),
    vectors: Sequence[Path] = (),
    answers: int | None = None,
) -> Settings:
    """Of the manifest in a folder, or of a manifest. What is given here stands for what the manifest says.

    FirmwareError where the manifest is wrong or does not say what is needed.
    """
    file = folder / manifest.NAME if folder.is_dir() else folder
    known = manifest.catalogue_with([file])
    table = read_toml(file, "a manifest")
    said: dict[str, Any] = table.get("pack", {})
    given = name, version, counter, list(algorithms), answers
    keys = "name", "version", "counter", "algorithms", "answers"
    said |= {key: value for key, value in zip(keys, given, strict=True) if value not in (None, [])}
    if "version" not in said:
        raise PackError(f'{file}: the pack has no version; say --version 1.0.0, or version = "1.0.0" in [pack]')
    files = tuple(vectors) or tuple(file.parent / path for path in said.get("vectors", ()))
    needs = table.get("isa")
    return Settings(
        manifest=file,
        known=known,
        algorithms=_algorithms(file, known, said.get("algorithms", ())),
        vectors=files or of_folder(file.parent, file).vectors,
        name=said.get("name", table["cipher"]),
        version=parsed(said["version"]),
        counter=said.get("counter", 0),
        isa=load().version if needs is None else Version(*map(int, needs.split("."))),
        answers=said.get("answers", VECTORS_PER_ANSWER),
    )


def _algorithms(file: Path, known: Catalogue, names: Sequence[str]) -> tuple[Cipher, ...]:
    """Those of the names, or all of the manifest."""
    own = Catalogue(known.own)
    try:
        return tuple(map(own.cipher, dict.fromkeys(names))) or own.ciphers
    except FirmwareError as error:
        raise PackError(f"{file}: pack: {error}") from error


def parsed(version: str) -> PackVersion:
    """A version such as 1.5.0. PackError where it is none."""
    if not re.fullmatch(r"\d{1,5}\.\d{1,5}\.\d{1,5}", version, re.ASCII):
        raise PackError(f"a version is three numbers, such as 1.5.0, not {version!r}")
    found = PackVersion(*map(int, version.split(".")))
    if max(found.major, found.minor, found.patch) > 65535:
        raise PackError(f"the numbers of a version go up to 65535, not so in {version}")
    return found
