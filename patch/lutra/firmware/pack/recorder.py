"""An engine that notes what a host does with it: the steps of a known answer."""

from __future__ import annotations

from lutra.asm import Image
from lutra.firmware.pack.records import STEP_BYTES, Compare, Run, Step, Write
from lutra.iss.engine import Engine, Stop


class Recorder(Engine):
    """Another engine, and the steps since its last image was loaded."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine.name, engine.rounds, engine.backend)
        self.steps: list[Step] = []

    def load(self, image: Image) -> None:
        super().load(image)
        self.steps.clear()

    def write(self, space: str, offset: int, data: bytes) -> None:
        super().write(space, offset, data)
        for at in range(0, len(data), STEP_BYTES):
            self.steps.append(Write(space, offset + at, data[at : at + STEP_BYTES]))

    def read(self, space: str, offset: int, length: int) -> bytes:
        data = super().read(space, offset, length)
        for at in range(0, len(data), STEP_BYTES):
            self.steps.append(Compare(space, offset + at, data[at : at + STEP_BYTES]))
        return data

    def run(self, entry: int, max_cycles: int | None = None) -> Stop:
        stop = super().run(entry, max_cycles)
        self.steps.append(Run(entry, stop.cycles))
        return stop

    def contents(self, space: str) -> bytes:
        """A whole memory, which is not a step."""
        return super().read(space, 0, self.size(space))
