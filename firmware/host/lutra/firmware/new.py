"""A folder for new firmware: a small cipher that works, with manifest, model, vectors and tests, under a name."""

from __future__ import annotations

import re
import secrets
import shutil
from pathlib import Path

from lutra.asm.text.format import format_text
from lutra.firmware.errors import FirmwareError
from lutra.firmware.manifest import catalogue

# The folder to copy. Its name is the placeholder of the new name in its files and their names.
SKELETON = Path(__file__).parent / "skeleton"
FILES = (
    "README.md",
    "firmware.toml",
    "skeleton.s",
    "skeleton.vectors.json",
    "routines.toml",
    "model.py",
    "specification.py",
    "gitignore",
)
NAME = re.compile(r"[a-z][a-z0-9]{0,31}")
# A file of such a name would act on the skeleton itself.
HIDDEN = {"gitignore": ".gitignore"}


def check_name(name: str) -> None:
    """FirmwareError where labels cannot begin with a name, or installed firmware has it."""
    if not NAME.fullmatch(name):
        raise FirmwareError(
            f"{name!r} cannot be the name: labels and files begin with it, so it has up to 32 lower-case letters and "
            "digits and begins with a letter, such as otter or sm4"
        )
    if name in catalogue().families:
        raise FirmwareError(f"{name} is an algorithm of Lutra; choose another name")


def make(name: str, into: Path = Path()) -> list[Path]:
    """Create the folder `into`/`name`; return its files.

    FirmwareError where the name does not do or is taken, and OSError where nothing can be written; there is no folder
    then.
    """
    check_name(name)
    folder = into / name
    if not into.is_dir():
        raise FirmwareError(f"{into}: {'not a folder' if into.exists() else 'no such folder'}")
    if folder.exists() or folder.is_symlink():
        raise FirmwareError(f"{folder} already exists; choose another name, or another folder with --into")
    unfinished = into / f".{name}.{secrets.token_hex(4)}.tmp"
    try:
        unfinished.mkdir()
        for file in FILES:
            text = (SKELETON / file).read_text(encoding="utf-8").replace(SKELETON.name, name)
            target = HIDDEN.get(file, file).replace(SKELETON.name, name)
            # A longer or shorter name moves the columns.
            (unfinished / target).write_text(format_text(text) if target.endswith(".s") else text, encoding="utf-8")
        unfinished.rename(folder)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(folder)) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return sorted(folder.iterdir())
