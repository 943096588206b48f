"""Running a few lines of assembly on an engine."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass

import lutra
from lutra.iss.engine import Stop


@dataclass(frozen=True)
class Ran:
    """A program that has run: how it ended, and the engine with its memories."""

    stop: Stop
    engine: lutra.Engine

    def row(self, space: str, row: int = 0) -> bytes:
        """A row of a memory."""
        return self.engine.read(space, 16 * row, 16)

    def then(self, source: str) -> Ran:
        """Another program on the machine as the first one left it."""
        words = lutra.assemble_text(source, warnings=["no-all"]).program
        self.engine.write("pm", 0, struct.pack(f"<{len(words)}Q", *words))
        return Ran(self.engine.run(0, 100_000), self.engine)


Run = Callable[..., Ran]
