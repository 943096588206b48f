"""The text of source lines, as far as the files are still there."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from lutra.asm import Image, Place
from lutra.asm.files import SOURCE_BYTES, normal, read_bounded


def chain(image: Image, pc: int) -> tuple[Place, ...]:
    """Return the lines that a word comes from, innermost first; each file has one name, however it was included."""
    return tuple(place._replace(file=normal(place.file)) for place in image.chain(pc))


class Sources:
    """Reads each file once; of one that cannot be read nothing is known."""

    def __init__(self) -> None:
        self._files: dict[str, Sequence[str]] = {}

    def lines(self, file: str) -> Sequence[str]:
        """All lines of a file, without their ends; none if it cannot be read."""
        if file not in self._files:
            text = ""
            with suppress(OSError, ValueError):
                if Path(file).is_file():
                    text = read_bounded(Path(file), SOURCE_BYTES, "a source").decode("utf-8", "replace")
            self._files[file] = text.removesuffix("\n").split("\n") if text else []
        return self._files[file]

    def line(self, file: str, number: int) -> str:
        """One line, or nothing; the first is 1."""
        lines = self.lines(file)
        return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""
