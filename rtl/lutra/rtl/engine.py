"""The Verilated core as an engine."""

from __future__ import annotations

from pathlib import Path

from lutra.iss.engine import Engine, EngineError, clearing
from lutra.rtl.library import module


class RtlEngine(Engine):
    """The core alone. core: its binding's object."""

    def __init__(self, rounds: int) -> None:
        self._wave = Path()
        self.core = module().RtlMachine(rounds)
        super().__init__("rtl", rounds, self.core)
        if module().counting():
            self._as_new()

    def _as_new(self) -> None:
        """Zero the registers of a core that counts: it has been used before, and a reset keeps them. What this writes
        to memories is zeroed, too."""
        if not self.isa.configuration.wipe:
            program = clearing(self.rounds)
            self.core.clear(program)
            self.core.write(self.isa.space_by_name["pm"].code, 0, bytes(len(program)))
            self.core.write(self.isa.space_by_name["m2"].code, 0, bytes(self.isa.machine["VectorBytes"]))

    def trace(self, path: Path) -> None:
        """Write waves (FST) from now on; EngineError where the file cannot be written."""
        try:
            path.open("wb").close()
        except OSError as error:
            raise EngineError(f"{path}: waves cannot be written: {error.strerror}") from error
        self._wave = path
        self.core.trace(str(path))

    def close(self) -> None:
        """Finish the wave file. EngineError where it cannot be written to its end; it is removed then."""
        try:
            self.core.trace_close()
        except RuntimeError as error:
            if self._wave.is_file():
                self._wave.resolve().unlink()
            raise EngineError(f"{self._wave}: {error}") from error
