"""The simulator twice: interpreted, and translated from the first instruction on, always in the same state."""

from __future__ import annotations

import struct
from collections.abc import Callable

import lutra
from lutra.iss import _iss
from lutra.iss.engine import Engine, Stop
from translated.compare import Pair

# What this machine can execute. The first test of tests/iss/test_translation.py says what a build has to have.
LEVELS = [name for name, is_usable in _iss.levels() if is_usable]
# Translated code leaves to the interpreter what is closer to the limit: 64 cycles per word of the program memory.
MARGIN = 64 * 1024


class Both:
    """Two simulators to which the same is done; every run is compared, with all state after it."""

    def __init__(self, level: str, rounds: int = 0, patience: int = 1) -> None:
        self.pair = Pair(level, rounds, patience)
        assert self.pair.usable
        self.entry = 0

    @property
    def contents(self) -> tuple[str, str]:
        """Contents of the table banks, as translated code takes them."""
        t0, t1 = self.pair.translated.backend.contents
        return t0, t1

    @property
    def engines(self) -> tuple[Engine, Engine]:
        return self.pair.interpreted, self.pair.translated

    def load(self, source: str | lutra.Image, **spaces: bytes) -> None:
        """A program, as text or image, and contents of memories."""
        image = source
        if isinstance(image, str):
            image = lutra.assemble_text(image, warnings=["no-all"])
        self.entry = image.entry
        for engine in self.engines:
            engine.load(image)
        for space, data in spaces.items():
            self.write(space, 0, data)

    def write(self, space: str, offset: int, data: bytes) -> None:
        """The host writes."""
        for engine in self.engines:
            engine.write(space, offset, data)

    def program(self, source: str, at: int = 0) -> None:
        """The host writes another program, without a reset."""
        words = lutra.assemble_text(source, warnings=["no-all"]).program
        self.write("pm", 8 * at, struct.pack(f"<{len(words)}Q", *words))

    def same(self, act: Callable[[Engine], Stop]) -> Stop:
        """Do something on both, and compare how it stops and all state."""
        interpreted, translated = (act(engine) for engine in self.engines)
        assert translated == interpreted
        assert self.pair.state() is None
        return translated

    def run(self, limit: int | None = None, times: int = 1) -> Stop:
        """Start, so many times, without a reset: code that has seen an interlock before goes on without leaving."""
        for _ in range(times):
            stop = self.same(lambda engine: engine.run(self.entry, limit))
        return stop

    def start(self, limit: int) -> Stop:
        """Start after whatever there was, with a limit."""

        def act(engine: Engine) -> Stop:
            engine.backend.start(self.entry)
            return engine.go(limit)

        return self.same(act)

    def go(self, limit: int | None = None) -> Stop:
        """Run on."""
        return self.same(lambda engine: engine.go(limit))

    def resume(self, limit: int | None = None) -> Stop:
        """Go on after a wait."""
        return self.same(lambda engine: engine.resume(limit))
