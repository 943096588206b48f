"""Find what to test in a folder: its manifest, vectors next to it, tests of single routines, and images."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from lutra.firmware.ciphers import ImageSource, Parameters
from lutra.firmware.errors import FirmwareError
from lutra.firmware.testing import routines

MANIFEST = "firmware.toml"
VECTORS = ("*.vectors.json", "vectors/**/*.json", "vectors/**/*.rsp")
NOTHING = (
    f"no vectors next to the sources: neither {MANIFEST} with *.vectors.json or vectors/, nor {routines.NAME}; "
    "`lutra new` makes an example"
)


@dataclass(frozen=True)
class Unit:
    """A folder with firmware. manifest, routines: None if missing. only: sources to test; empty for all of them."""

    folder: Path
    manifest: Path | None
    routines: Path | None
    vectors: tuple[Path, ...]
    only: frozenset[Path] = frozenset()

    @property
    def exists(self) -> bool:
        """Whether the folder contains anything to test."""
        return bool(self.manifest or self.routines or self.vectors)

    @property
    def files(self) -> list[Path]:
        """The files to read that are in the folder."""
        named = [file for file in (self.manifest, self.routines, *self.vectors) if file]
        return named + sorted([*self.folder.glob("*.s"), *self.folder.glob("*.inc")])

    def chooses(self, image: ImageSource) -> bool:
        """Whether an image is to be tested."""
        return not self.only or any(source.resolve() in self.only for source in image.sources)

    def lone_images(self) -> list[ImageSource]:
        """The image of each source on its own, if there is no manifest."""
        folders = (self.folder, self.folder.parent)
        sources = sorted(self.folder.glob("*.s"))
        return [ImageSource(s.stem, (s,), folders, Parameters("", "", ""), 0, 0) for s in sources]


def of_folder(folder: Path, manifest: Path | None = None) -> Unit:
    """The unit of one folder, not of those below it."""
    found = manifest or folder / MANIFEST
    tests = folder / routines.NAME
    vectors = sorted({v for pattern in VECTORS for v in folder.glob(pattern) if v.is_file()})
    return Unit(folder, found if found.is_file() else None, tests if tests.is_file() else None, tuple(vectors))


def find(paths: Iterable[Path | str]) -> list[Unit]:
    """The units of folders and of all folders in them, of manifests and of sources.

    FirmwareError where a path is none of these, and where there is nothing to test.
    """
    found: dict[tuple[Path, Path | None], Unit] = {}
    for path in paths:
        for unit in _of(Path(path)):
            key = unit.folder.resolve(), unit.manifest and unit.manifest.resolve()
            known = found.get(key, unit)
            # All sources that are named; and all of a folder that is named itself.
            only = known.only | unit.only if known.only and unit.only else frozenset()
            found[key] = replace(known, only=only)
    return list(found.values())


def _of(path: Path) -> Iterator[Unit]:
    if path.is_dir():
        units = [unit for folder in _folders(path) if (unit := of_folder(folder)).exists]
    elif not path.exists():
        raise FirmwareError(f"{path}: no such file or folder")
    elif path.suffix == ".toml":
        units = [of_folder(path.parent, path)]
    elif path.suffix == ".s":
        unit = replace(of_folder(path.parent), only=frozenset([path.resolve()]))
        units = [unit] if unit.manifest or unit.routines else []
    else:
        raise FirmwareError(f"{path}: must be a folder, a manifest (.toml) or a source (.s)")
    if not units:
        raise FirmwareError(f"{path}: {NOTHING}")
    yield from units


def _folders(top: Path) -> Iterator[Path]:
    """Yield a folder and those in it, except hidden ones; links are not followed, since they may lead back."""
    yield top
    for folder in sorted(top.iterdir()):
        if folder.is_dir() and not folder.is_symlink() and not folder.name.startswith((".", "__")):
            yield from _folders(folder)
