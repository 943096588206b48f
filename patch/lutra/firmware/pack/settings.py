"""Name and contents of a pack: the table [pack] of a manifest, and options that override it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from msgspec.structs import asdict
from msgspec.structs import replace as replace_struct

from lutra.firmware import manifest
from lutra.firmware.ciphers import Catalogue, Cipher, Implementation
from lutra.firmware.errors import FirmwareError, nearest
from lutra.firmware.pack.errors import PackError
from lutra.firmware.pack.records import PackVersion
from lutra.firmware.testing.units import of_folder
from lutra.isa import Version, load

VECTORS_PER_ANSWER = 2


@dataclass(frozen=True)
class LeftOut:
    """An image that the configuration cannot run, so that a pack has no algorithm that it serves, or another image.

    why: what the configuration lacks. instead: the other image, or empty.
    """

    algorithm: str
    image: str
    why: str
    instead: str


@dataclass(frozen=True)
class Settings:
    """The inputs of a pack.

    manifest: the first file. known: the ciphers of the manifests first. algorithms: those that the pack has, each with
    its one implementation, or with another one that decrypts. left_out: what it would have for a larger core. vectors:
    files and folders. answers: vectors in a known answer at most.
    """

    manifest: Path
    known: Catalogue
    algorithms: tuple[Cipher, ...]
    left_out: tuple[LeftOut, ...]
    vectors: tuple[Path, ...]
    name: str
    version: PackVersion
    counter: int
    isa: Version
    answers: int


@dataclass
class _Firmware:
    """A manifest that a pack takes algorithms from. algorithms: their names; empty: those of [pack], or all."""

    manifest: Path
    cipher: str
    said: dict[str, Any]
    isa: str | None
    algorithms: list[str]

    @property
    def vectors(self) -> tuple[Path, ...]:
        """Return the vectors that [pack] names, or those next to the sources."""
        folder = self.manifest.parent
        named = tuple(folder / path for path in self.said.get("vectors", ()))
        return named or of_folder(folder, self.manifest).vectors


def read(
    firmware: Path | Sequence[Path],
    name: str | None = None,
    version: str | None = None,
    counter: int | None = None,
    algorithms: Sequence[str] = (),
    vectors: Sequence[Path] = (),
    answers: int | None = None,
) -> Settings:
    """Sources of one or several firmwares: folders, manifests, and names of installed ciphers (`aes`, `aes-128-gcm`).

    What is given here stands for what the manifests say. Of several, [pack] says algorithms and vectors, and the
    greatest counter and answers count; vectors that are given are added. FirmwareError where a manifest is wrong or
    does not say what is needed.
    """
    sources = _firmwares([firmware] if isinstance(firmware, Path) else firmware)
    known = manifest.catalogue_with([source.manifest for source in sources])
    said = _said(sources)
    if algorithms:
        said["algorithms"] = list(algorithms)
    given = {"name": name, "version": version, "counter": counter, "answers": answers}
    said |= {key: value for key, value in given.items() if value is not None}
    if "version" not in said:
        of_file = ', or version = "1.0.0" in [pack]' if len(sources) == 1 else ""
        raise PackError(f"{sources[0].manifest}: the pack has no version; give --version 1.0.0{of_file}")
    beside = tuple(path for source in sources for path in source.vectors)
    needs = [Version(*map(int, source.isa.split("."))) for source in sources if source.isa is not None]
    chosen, left_out = _algorithms(sources[0].manifest, known, said.get("algorithms", ()))
    return Settings(
        manifest=sources[0].manifest,
        known=known,
        algorithms=chosen,
        left_out=left_out,
        vectors=(*vectors, *beside) if len(sources) > 1 else tuple(vectors) or beside,
        name=said["name"],
        version=parsed(said["version"]),
        counter=said.get("counter", 0),
        isa=max(needs) if len(needs) == len(sources) else load().version,
        answers=said.get("answers", VECTORS_PER_ANSWER),
    )


def _firmwares(paths: Sequence[Path]) -> list[_Firmware]:
    """Each manifest once."""
    found: dict[Path, _Firmware] = {}
    for path in paths:
        file, names = (path / manifest.NAME if path.is_dir() else path, []) if path.exists() else _installed(path)
        manifest.load(file)  # reports the error
        table = manifest.tables_of(file)
        said = {key: value for key, value in asdict(table.pack).items() if value is not None}
        new = _Firmware(file, table.cipher, said, table.isa, names)
        old = found.setdefault(file.resolve(), new)
        if old is not new:  # all of it, if it was named without an algorithm once
            old.algorithms = [*old.algorithms, *names] if old.algorithms and names else []
    return list(found.values())


def _installed(path: Path) -> tuple[Path, list[str]]:
    """Manifest and algorithms of an installed cipher: of one algorithm, or of all in the folder that is called so."""
    name, installed = str(path), manifest.catalogue().ciphers
    for cipher in installed:
        if cipher.name == name:
            return cipher.manifest, [name]
        if cipher.manifest.parent.name == name:
            return cipher.manifest, []
    hint = nearest(name, {n for c in installed for n in (c.name, c.manifest.parent.name)})
    remedy = f"name a folder with {manifest.NAME}, a manifest, or an installed cipher"
    raise PackError(f"{path}: no such file or folder, nor an installed cipher{hint or f'; {remedy}'}")


def _said(sources: Sequence[_Firmware]) -> dict[str, Any]:
    """Return what the manifests say about a pack."""
    if len(sources) == 1:
        (one,) = sources
        return {"name": one.cipher} | one.said | ({"algorithms": one.algorithms} if one.algorithms else {})
    said: dict[str, Any] = {"name": "-".join(source.cipher for source in sources)}
    for key in ("counter", "answers"):
        if values := [source.said[key] for source in sources if key in source.said]:
            said[key] = max(values)
    said["algorithms"] = [
        name
        for source in sources
        for name in source.algorithms
        or source.said.get("algorithms")
        or [cipher.name for cipher in manifest.load(source.manifest)]
    ]
    return said


def _algorithms(file: Path, known: Catalogue, names: Sequence[str]) -> tuple[tuple[Cipher, ...], tuple[LeftOut, ...]]:
    """Return the ciphers with these names, or all of the manifests, as far as the configuration runs them.

    Each with the images that a pack has of it. PackError where none is left.
    """
    own = Catalogue(known.own)
    try:
        chosen = tuple(map(own.cipher, dict.fromkeys(names))) or own.ciphers
    except FirmwareError as error:
        raise PackError(f"{file}: pack: {error}") from error
    found, left_out = list[Cipher](), list[LeftOut]()
    for cipher in chosen:
        able = known.able(cipher)
        if able is not None:
            found.append(replace(able, implementations=_images(able)))
        if able is None or able.default is not cipher.default:
            image = cipher.default.image
            why = manifest.lacking(image) or f"image {image.name} is without routines of {cipher.name}"
            left_out.append(LeftOut(cipher.name, image.name, why, able.default.image.name if able else ""))
    if not found:
        first = left_out[0]
        raise PackError(f"{file}: nothing is left for a pack: {first.algorithm}: {first.why}")
    return tuple(found), tuple(left_out)


def _images(cipher: Cipher) -> tuple[Implementation, ...]:
    """Return the first implementation, and another one that decrypts only, if plaintext leaves the core with its tag
    there. Not one that computes twice, whose host writes more than a pack says."""
    opens = (i for i in cipher.implementations if i.opens and not i.image.parameters.done)
    other = next(opens, cipher.default)
    if cipher.default.opens or other is cipher.default:
        return (cipher.default,)
    return cipher.default, replace_struct(other, entries={"decrypt": other.entries["decrypt"]}, bench=())


def parsed(version: str) -> PackVersion:
    """A version such as 1.5.0. PackError where it is none."""
    if not re.fullmatch(r"\d{1,5}\.\d{1,5}\.\d{1,5}", version, re.ASCII):
        raise PackError(f"a version must be three numbers, e.g. 1.5.0, not {version!r}")
    found = PackVersion(*map(int, version.split(".")))
    if max(found.major, found.minor, found.patch) > 65535:
        raise PackError(f"version {version}: each number must be at most 65535")
    return found
