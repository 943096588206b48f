"""Assemble a program in this process and print the CPU seconds as JSON: `once FOLDER`, called by `__main__`."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from assembly_speed.program import MAIN, WORDS
from lutra.asm import Image, assemble
from lutra.asm.formats.elf import elf_bytes

SOURCE = "cold"  # everything for the first time in a process, the parser included
AGAIN = "again"
CHANGED = "changed"
ELF = "elf"
_INSTRUCTION, _OTHER = "        arset   out, 0\n", "        arset   out, 16\n"


def measure(folder: Path) -> dict[str, float]:
    """Return CPU seconds by what was measured, and the number of program words as `words`."""
    source = folder / MAIN

    def image() -> Image:
        return assemble([source], program_words=WORDS)

    seconds, found = _timed(image)
    result = {"words": float(len(found.program)), SOURCE: seconds}
    result[ELF], _ = _timed(lambda: elf_bytes(found))
    result[AGAIN], again = _timed(image)
    part = sorted(folder.glob("part*.inc"))[-1]
    text = part.read_text(encoding="utf-8")
    part.write_text(text.replace(_INSTRUCTION, _OTHER, 1), encoding="utf-8")
    try:
        result[CHANGED], changed = _timed(image)
    finally:
        part.write_text(text, encoding="utf-8")
    if again != found or len(changed.program) != len(found.program) or changed.program == found.program:
        raise SystemExit("assembled again, the program is not what it should be")
    return result


def _timed(work: Callable[[], object]) -> tuple[float, Image]:
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result  # type: ignore[return-value]


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]))))
