"""How many cycles per unit a job's instructions need at least, in any order and with any registers."""

from __future__ import annotations

import math

from lutra.asm.analysis.bound import Chain, Row
from lutra.asm.analysis.dependences import cells
from lutra.asm.analysis.uses import SLOTS
from lutra.asm.image import Image
from lutra.firmware.ciphers import BenchCase, Cipher, Implementation
from lutra.firmware.session import ROW, Session
from lutra.iss import engine as engines
from lutra.iss.engine import Engine, Stop

# Of jobs that are compared: enough units that the beginning does not show.
GROUP_BYTES = 64
GROUPS = 8
_FIELDS = tuple(f"{slot}_address" for slot in SLOTS)
UNLIMITED = 1 << 40


def steady(cipher: Cipher, implementation: Implementation, case: BenchCase) -> float:
    """Return the bound of cycles per unit, as `bench` measures steady ones."""
    session = _Traced(engines.make("iss"))
    session.set_up(cipher, case.direction, cipher.any_key, bytes(cipher.iv_bytes), implementation)
    step = math.lcm(cipher.whole_bytes, ROW)
    whole = math.lcm(step, GROUP_BYTES)
    long = min(session.job_bytes // step * step, GROUPS * whole)
    short = long // 2 // whole * whole or long // 2 // step * step
    lengths = [short, long] if short else [long]
    counts = [session.measured(length) for length in lengths]
    before = counts[0] if short else (0, 0)
    issued, chained = (b - a for a, b in zip(before, counts[-1], strict=True))
    return max(issued, chained) / ((long - short) / cipher.unit_bytes)


class _Traced(Session):
    """A session that looks at each instruction of a job."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._chain: Chain | None = None

    def measured(self, length: int) -> tuple[int, int]:
        """Return instructions and longest chain of a job."""
        self.put(bytes(length))
        self._chain = Chain(self.engine.rounds)
        self.run_before()
        self.run()
        chain, self._chain = self._chain, None
        return chain.count, chain.length

    def _call(self, image: Image, entry: str) -> Stop:
        if self._chain is None:
            return super()._call(image, entry)
        self.engine.start(self._symbol(entry).value)
        for _, _, word, addresses in self.engine.retirements(_FIELDS, UNLIMITED):
            rows, store = _accessed(word, addresses)
            self._chain.add(word, rows, store)
        return self.engine.stop()


def _accessed(word: int, addresses: bytes) -> tuple[list[Row], Row | None]:
    """The rows of a retired word.

    addresses: of the slots key, data and store, each after a byte that says if there is one
    (iss/src/retire_choice.hpp).
    """
    at: dict[str, int] = {}
    place = 0
    for slot in SLOTS:
        if addresses[place]:
            at[slot] = int.from_bytes(addresses[place + 1 : place + 3], "little")
        place += 3 if addresses[place] else 1
    found = cells(word)
    rows = [(block, at[row.slot]) for row in found.rows for block in row.space.split(":")]
    return rows, None if found.store is None else (found.store.space, at["store"])
