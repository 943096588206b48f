"""Wheels of what is installed in this environment, for an installation without a network and of the pinned versions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
from zipfile import ZipFile

from packaging.requirements import Requirement
from packaging.tags import sys_tags

# Files that an installer adds.
ADDED = {"INSTALLER", "RECORD", "REQUESTED", "direct_url.json"}


def needed(name: str, extras: Collection[str] = ()) -> Iterator[Distribution]:
    """The distributions that one needs at run time, with some of its extras; some more than once."""
    for text in distribution(name).requires or []:
        requirement = Requirement(text)
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield distribution(requirement.name)
            yield from needed(requirement.name, requirement.extras)


def repack(installed: Distribution, folder: Path) -> Path:
    """The wheel that a distribution was installed from, but for the compression."""
    files = [
        f for f in installed.files or [] if ".." not in f.parts and "__pycache__" not in f.parts and f.name not in ADDED
    ]
    info = next(f.parent for f in files if f.name == "METADATA")
    tags = {line.removeprefix("Tag: ") for line in (installed.read_text("WHEEL") or "").splitlines()}
    tag = next(str(t) for t in sys_tags() if str(t) in tags)
    path = folder / f"{info.name.removesuffix('.dist-info')}-{tag}.whl"
    with ZipFile(path, "w") as wheel:
        for file in files:
            wheel.write(str(file.locate()), file.as_posix())
        record = info / "RECORD"
        wheel.writestr(record.as_posix(), "".join(f"{file.as_posix()},,\n" for file in [*files, record]))
    return path
