"""Cycles from one algorithm to another: from the end of a job of the first until the core can start one of the second.

Counted are all clock cycles of the Verilated core in between: the host port (the second's program, constants, key and
iv, of a CRC its tables; a word or row a cycle, starts, and the reset before), and the routines for tables, key schedule
and start of a message on the core, of which its own counters tell. What of the first is still right is not loaded
again: nothing, where the two are served by different images. The input of the first job is not counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lutra.firmware.ciphers import Cipher
from lutra.firmware.session import Session, Usage
from lutra.iss import engine as engines

# One of each cipher.
NAMES = ("aes-128-ctr", "aria-128-ctr", "camellia-128-ctr", "chacha20", "snow3g", "zuc-128", "crc-32")


@dataclass(frozen=True)
class Switch:
    """From source to target. clocks: all cycles; tables, key_schedule, start: of routines, by the core's counter."""

    source: str
    target: str
    clocks: int
    tables: int
    key_schedule: int
    start: int

    @property
    def host(self) -> int:
        """Cycles in which no program runs: the host's accesses, starts and reset."""
        return self.clocks - self.tables - self.key_schedule - self.start

    def as_json(self) -> dict[str, object]:
        """An object of `lutra bench --switch --json`."""
        return {
            "from": self.source,
            "to": self.target,
            "cycles": self.clocks,
            "host_port": self.host,
            "tables": self.tables,
            "key_schedule": self.key_schedule,
            "start": self.start,
        }


def measure(algorithms: Sequence[Cipher]) -> Iterator[Switch]:
    """Every ordered pair of different algorithms, on the Verilated core."""
    session = Session(engines.make("rtl"))
    for source in algorithms:
        for target in algorithms:
            if source.name != target.name:
                _begin(session, source)
                session.put(bytes(source.whole_bytes))
                session.run()
                before = session.engine.backend.clocks
                usage = _begin(session, target)
                clocks = session.engine.backend.clocks - before
                yield Switch(source.name, target.name, clocks, usage.tables, usage.key_schedule, usage.start)


def _begin(session: Session, algorithm: Cipher) -> Usage:
    """Ready for a job; cycles do not depend on key and iv."""
    session.usage = Usage()
    session.set_up(algorithm, "encrypt", bytes(algorithm.key_bits // 8), bytes(algorithm.iv_bytes))
    return session.usage
