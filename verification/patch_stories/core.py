"""The core that every story runs on, file by file: what a patch must never need to change.

python -m patch_stories.core > verification/patch_stories/core.sha256

writes the digests anew after the core itself has been changed; `sha256sum --check` reads them as well.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

ROOT = Path(__file__).parents[2]
# In the order in which they are compiled; names in a list are relative to its folder.
LISTS = (Path("build/gen/sv/lutra_packages.f"), Path("rtl/lutra.f"), Path("build/gen/sv/lutra_modules.f"))
RECORDED = Path(__file__).with_name("core.sha256")


def files() -> list[Path]:
    """Sources of the core, written by hand and generated, relative to the tree."""
    return [
        list_.parent / line
        for list_ in LISTS
        for line in (ROOT / list_).read_text().splitlines()
        if line and not line.startswith("//")
    ]


def digests() -> str:
    """A line for each file, as sha256sum writes it."""
    return "".join(f"{hashlib.sha256((ROOT / f).read_bytes()).hexdigest()}  {f}\n" for f in files())


def digest() -> str:
    """One number for the whole core."""
    return hashlib.sha256(digests().encode()).hexdigest()


if __name__ == "__main__":
    print(digests(), end="")
