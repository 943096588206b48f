"""Images of the firmware, assembled once for all processes and runs of the tests until a source changes.

The tests of the assembler call it themselves; all others take what is kept in build/test-images.
"""

from __future__ import annotations

import functools
import os
import pickle
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from lutra.asm import Image
from lutra.firmware import manifest
from lutra.firmware.ciphers import ImageSource
from lutra.isa.generated import generated
from support.documents import ROOT

KEPT = ROOT / "build/test-images"
MADE_FROM = (
    ("isa/lutra", ".py"),
    ("assembler", ".py"),
    ("assembler", ".lark"),
    ("firmware", ".s"),
    ("firmware", ".inc"),
)
ASSEMBLE = manifest._assemble
LACKING = manifest.lacking


def keep() -> None:
    """Make `manifest.assembled` take what is kept, and `manifest.lacking`."""
    manifest._assemble = assembled
    manifest.lacking = functools.cache(lacking)


def assembled(source: ImageSource, *warnings: str) -> Image:
    """An image from the folder, or assembled and kept there; those with warnings are about the assembler."""
    if warnings != ("no-all",):
        return ASSEMBLE(source, *warnings)
    image = _kept(source, "", lambda: ASSEMBLE(source, *warnings))
    assert isinstance(image, Image)
    return image


def lacking(source: ImageSource) -> str:
    """Say what the configuration lacks of an image, as it was kept or as the assembler says it."""
    return str(_kept(source, "lacking", lambda: LACKING(source)))


def _kept(source: ImageSource, what: str, make: Callable[[], object]) -> object:
    """Return what is made of a source of the firmware, from the folder, or after it was made and kept there."""
    if source.image is not None or not all(path.is_relative_to(ROOT / "firmware") for path in source.sources):
        return make()
    folder = KEPT / state()
    file = folder / sha256(f"{what}{source!r}".encode()).hexdigest()
    try:
        found: object = pickle.loads(file.read_bytes())
    except FileNotFoundError:
        found = make()
        for old in set(KEPT.glob("*")) - {folder}:
            shutil.rmtree(old, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        new = file.with_suffix(f".{os.getpid()}")
        new.write_bytes(pickle.dumps(found))
        new.replace(file)
    return found


@functools.cache
def state() -> str:
    """Return a digest of all that an image is made from: instruction set, assembler, sources."""
    tables = Path(os.environ.get("LUTRA_ISA_TABLES", generated("tables.json")))
    made_from = [file for folder, suffix in MADE_FROM for file in sorted((ROOT / folder).rglob(f"*{suffix}"))]
    digest = sha256()
    for file in (tables, *made_from):
        digest.update(f"{file} {file.stat().st_size} ".encode() + file.read_bytes())
    return digest.hexdigest()
