"""Tells stories of patching, on one core that does not change.

python -m patch_stories [--engine iss|rtl|cosim] [STORY...]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from lutra.asm import AsmError
from lutra.firmware.errors import FirmwareError
from lutra.iss import engine as engines
from lutra.iss.engine import EngineError
from patch_stories import core
from patch_stories.scene import Scene, StoryError
from patch_stories.stories import STORIES


def main() -> int:
    """Return 0 if every story went as told."""
    parser = argparse.ArgumentParser(prog="patch_stories", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--engine", default="iss", choices=engines.names(), help="what the device's core is")
    parser.add_argument("stories", nargs="*", metavar="STORY", help=f"of {', '.join(STORIES)}; all without one")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.stories if name not in STORIES]:
        parser.error(f"no story {unknown[0]!r}; choose from {', '.join(STORIES)}")
    before, begun = core.digest(), time.monotonic()
    print(f"the core: {len(core.files())} files, SHA-256 {before[:16]}...; engine {arguments.engine}")
    for name in arguments.stories or STORIES:
        print(f"\n{(STORIES[name].__doc__ or '').strip()}\n", flush=True)
        try:
            with tempfile.TemporaryDirectory(prefix="lutra-") as folder:
                STORIES[name](Scene(Path(folder), arguments.engine, lambda line: print(line, flush=True)))
        except (StoryError, FirmwareError, EngineError, AsmError) as error:
            print(f"patch_stories: error: {error}", file=sys.stderr)
            return 1
    if core.digest() != before:
        print("patch_stories: error: the core has changed meanwhile", file=sys.stderr)
        return 1
    print(f"\nthe core is the same, to the byte; {time.monotonic() - begun:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
