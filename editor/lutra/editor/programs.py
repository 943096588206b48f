"""Which programs there are in folders: the images of manifests, and each source that belongs to none, on its own."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lutra.firmware import manifest
from lutra.firmware.errors import FirmwareError

# Folders that never contain firmware; links are not followed, since they may lead back.
_LEFT_OUT = frozenset({"build", "node_modules", "__pycache__", "target", "dist"})
MAX_FOLDERS = 5000
_INCLUDE = re.compile(r'^[^/;"\n]*\.include\s+"([^"\n]+)"', re.MULTILINE)
SOURCE, INCLUDED = ".s", ".inc"


@dataclass(frozen=True)
class Program:
    """Sources that are assembled together. Files go by their names without links."""

    name: str
    sources: tuple[str, ...]
    include: tuple[str, ...]

    @property
    def folder(self) -> str:
        """Where its first source is."""
        return os.path.dirname(self.sources[0])  # noqa: PTH120  # a document that is not a file has a name as well


def alone(source: str) -> Program:
    """A source on its own, as `lutra test` takes one that no manifest names."""
    folder = Path(source).parent
    return Program(Path(source).name, (source,), (str(folder), str(folder.parent)))


def find(roots: Iterable[str]) -> tuple[list[Program], list[str]]:
    """The programs in some folders and below, and a line for each manifest that cannot be read."""
    found: dict[tuple[str, ...], Program] = {}
    wrong: list[str] = []
    for folder, files in _folders(roots):
        named: set[str] = set()
        if manifest.NAME in files:
            try:
                for program in _of_manifest(folder / manifest.NAME):
                    found[program.sources] = program
                    named.update(program.sources)
            except (FirmwareError, OSError, ValueError) as error:
                wrong.append(str(error))
        for file in sorted(files):
            source = os.path.realpath(folder / file)
            if file.endswith(SOURCE) and source not in named:
                found.setdefault((source,), alone(source))
    return list(found.values()), wrong


def _of_manifest(path: Path) -> Iterator[Program]:
    images = {id(part.image): part.image for cipher in manifest.load(path) for part in cipher.implementations}
    for image in images.values():
        sources = tuple(os.path.realpath(source) for source in image.sources)
        yield Program(image.name, sources, tuple(os.path.realpath(folder) for folder in image.include_dirs))


def _folders(roots: Iterable[str]) -> Iterator[tuple[Path, list[str]]]:
    """Folders with the names of their files; at most MAX_FOLDERS."""
    count = 0
    for root in dict.fromkeys(roots):
        for folder, below, files in os.walk(root):
            below[:] = sorted(n for n in below if not n.startswith(".") and n not in _LEFT_OUT)
            count += 1
            if count > MAX_FOLDERS:
                return
            yield Path(folder), files


def included(text: str) -> list[str]:
    """The names of files that a text includes, as far as it says so plainly."""
    return _INCLUDE.findall(text)
