"""A unit read and assembled: what of it can be run, and a failed check for each file that cannot be used."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lutra.asm import AsmError, Image
from lutra.asm.analysis.headers import Headers
from lutra.firmware import labels, manifest
from lutra.firmware.ciphers import Catalogue, Cipher, Implementation
from lutra.firmware.errors import FirmwareError
from lutra.firmware.testing import routines
from lutra.firmware.testing.cases import Case, cases
from lutra.firmware.testing.outcome import Check
from lutra.firmware.testing.routines import Routine
from lutra.firmware.testing.units import Unit
from lutra.isa import least_rounds
from lutra.isa import load as load_isa

TWO_ROUNDS = "the firmware uses both halves of the core; it needs --rounds 2"


@dataclass
class Loaded:
    """images: those that are to be tested and could be assembled, by name. whole: these are all images of the unit."""

    unit: Unit
    catalogue: Catalogue = field(default_factory=lambda: Catalogue(()))
    images: dict[str, Image] = field(default_factory=dict)
    routines: list[Routine] = field(default_factory=list)
    whole: bool = False
    # By the names of their ciphers and images: what the manifest names and the image does not have is reported once.
    without_labels: set[tuple[str, str]] = field(default_factory=set)

    def runs(self, cipher: Cipher, implementation: Implementation) -> bool:
        """Whether an implementation can be tested, and is to be."""
        name = implementation.image.name
        return name in self.images and (cipher.name, name) not in self.without_labels

    def cases(self) -> list[Case]:
        """The cases that can and should run, each once."""
        return [
            case
            for case in cases(self.catalogue)
            if self.runs(case.cipher, case.implementation) and not case.is_repeated
        ]

    def headers(self) -> Headers:
        """Headers of all files of the images."""
        files = [Path(file) for image in self.images.values() for file in image.files]
        return Headers.of_files({file.resolve(): file for file in files}.values())

    def globals(self) -> dict[str, Image]:
        """Global routines of all images, and an image of each."""
        found: dict[str, Image] = {}
        for image in self.images.values():
            for symbol in image.symbols:
                if symbol.is_global and symbol.space == "pm":
                    found.setdefault(symbol.name, image)
        return found

    def code(self) -> dict[str, Image]:
        """Global routines, and others that are tested on their own, in their order."""
        found = self.globals()
        for test in self.routines:
            for image in self.images.values():
                if any(s.name == test.entry and s.space == "pm" for s in image.symbols):
                    found.setdefault(test.entry, image)
        return found

    def home(self, routine: str) -> str:
        """The source in which a routine is, as far as images know."""
        return next(s.file for i in self.images.values() for s in i.symbols if s.name == routine and s.space == "pm")


def too_few(rounds: int, image: Image) -> str:
    """Why a core of so many rounds per instruction cannot run an image; empty where it can."""
    isa = load_isa()
    insns = (insn for word in image.program if (insn := isa.decode(word)) is not None)
    return TWO_ROUNDS if rounds < 2 and least_rounds(insns) > rounds else ""


def load(unit: Unit) -> tuple[Loaded, list[Check]]:
    """Contents of a unit, and a check for its manifest and its tests of routines if wrong, and for every image."""
    loaded, found = Loaded(unit), list[Check]()
    if unit.manifest:
        found += _tried(unit.manifest, "manifest", lambda path: _catalogue(loaded, path))
    if unit.routines:
        found += _tried(unit.routines, "routines", lambda path: loaded.routines.extend(routines.read(path)))
    if not any(c.state == "failed" for c in found):
        found += _assembly(loaded)
        found += _labels(loaded)
    return loaded, found


def _catalogue(loaded: Loaded, path: Path) -> None:
    loaded.catalogue = Catalogue(manifest.load(path))


def _tried(path: Path, what: str, read: Callable[[Path], None]) -> list[Check]:
    try:
        read(path)
    except FirmwareError as error:
        return [Check("file", str(path), what, "failed", str(error).removeprefix(f"{path}: "))]
    return []


def _assembly(loaded: Loaded) -> Iterator[Check]:
    """A check for each image: that it assembles, and a warning for each that the assembler gives."""
    unit = loaded.unit
    own = {case.implementation.image for case in cases(loaded.catalogue)}
    images = sorted(own, key=lambda image: image.name) or unit.lone_images()
    for source in (image for image in images if unit.chooses(image)):
        file, name = str(source.sources[0]), f"assembly of {source.name}"
        try:
            image = manifest.assembled_with_warnings(source)
        except AsmError as error:
            yield Check("assembly", file, name, "failed", str(error))
            continue
        loaded.images[source.name] = image
        yield Check("assembly", file, name, "passed")
        for number, warning in enumerate(image.warnings, 1):
            yield Check("assembly", file, f"{name}, warning {number}", "warned", warning.render())
    loaded.whole = len(loaded.images) == len(images)
    covered = {file.resolve() for image in images for file in image.sources}
    for left in sorted(unit.folder.glob("*.s")):
        if left.resolve() not in covered and not unit.only:
            text = f"{left}: warning: no algorithm of the manifest uses it, so nothing tests it"
            yield Check("assembly", str(left), "use", "warned", text)


def _labels(loaded: Loaded) -> Iterator[Check]:
    """A check for each case whose labels are not those of its image."""
    for case in loaded.cases():
        try:
            labels.check(
                case.cipher, case.implementation, case.direction, loaded.images[case.implementation.image.name]
            )
        except FirmwareError as error:
            loaded.without_labels.add((case.cipher.name, case.implementation.image.name))
            file = str(loaded.unit.manifest)
            yield Check("file", file, f"labels of {case}", "failed", str(error).removeprefix(f"{file}: "))
