"""The project file `lutra.toml`: what a command takes where its options do not say it.

    manifests = ["otter", "lynx/firmware.toml"]

It is looked for in the current folder and in the folders above it; paths in it begin at its folder.
"""

from __future__ import annotations

import re
from pathlib import Path

from lutra.asm.files import DOCUMENT_BYTES, read_bounded, read_toml
from lutra.firmware.errors import FirmwareError
from lutra.firmware.schema import Strings, Table, convert, optional

NAME = "lutra.toml"
WHAT = "a project file"


class Project(Table, frozen=True):
    manifests: Strings


def find(folder: Path) -> Path | None:
    """The project file of a folder: its own, or that of the nearest folder above it."""
    whole = folder.resolve()
    return next((file for each in (whole, *whole.parents) if (file := each / NAME).is_file()), None)


def manifests(folder: Path = Path()) -> list[Path]:
    """Manifests, or their folders, that the project file names; none without a file.

    FirmwareError, with file and line, where it is wrong.
    """
    file = find(folder)
    if file is None:
        return []
    try:
        table = read_toml(file, WHAT)
    except OSError as error:
        raise FirmwareError(f"{file}: {error.strerror}") from error
    except ValueError as error:
        raise FirmwareError(f"{file}: {error}") from error
    for key, value in table.items():
        line = _line(file, rf"^ *{re.escape(key)}\b")
        convert(f"{file}:{line}", {key: value}, optional(Project))
    stated: list[str] = table.get("manifests", [])
    for path in stated:
        if not (file.parent / path).exists():
            where = f"{file}:{_line(file, re.escape(path))}"
            raise FirmwareError(f"{where}: no {path}; name a manifest or its folder, from the folder of {NAME}")
    return [file.parent / path for path in stated]


def _line(file: Path, pattern: str) -> int:
    """Return the first line with a text, or the first line if none has it, as for a quoted key."""
    text = read_bounded(file, DOCUMENT_BYTES, WHAT).decode("utf-8")
    found = re.search(pattern, text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 1
