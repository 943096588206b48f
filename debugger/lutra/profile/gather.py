"""Profiles of what an engine runs: programs, and jobs of a cipher with its firmware."""

from __future__ import annotations

from lutra.asm import Image
from lutra.firmware import message
from lutra.firmware.ciphers import Cipher, Direction
from lutra.firmware.manifest import assembled
from lutra.firmware.session import Session
from lutra.iss.engine import Engine, Stop
from lutra.iss.job import Job, total
from lutra.profile.collector import WINDOW, Collector
from lutra.profile.profile import Profile


def of_job(engine: Engine, job: Job, window_from: int = 0, window: int = WINDOW) -> tuple[Profile, list[Stop]]:
    """Prepare an engine for a job and run it: the profile, and the stops of its entries.

    window_from, window: from which cycle on how many instructions are kept one by one. Raises EngineError.
    """
    collector = Collector(engine, window_from, window)
    job.prepare(engine)
    stops = list(job.run(engine))
    return Profile(job.image, collector.close(), job.entries, total(stops)), stops


def of_cipher(
    engine: Engine,
    cipher: Cipher,
    direction: Direction = "encrypt",
    size: int | None = None,
    aad: int = 0,
    window_from: int = 0,
    window: int = WINDOW,
) -> tuple[Profile, list[Stop]]:
    """Set up a cipher's firmware with some key, and run a message of `size` bytes, as many as fit a job if not given.

    The values of keys and data do not matter to the cycles. Raises FirmwareError and EngineError.
    """
    collector = Collector(engine, window_from, window)
    session = _Stops(engine)
    message.run(session, cipher, direction, message.fitting(cipher) if size is None else size, aad)
    image = assembled(cipher.default.image)
    return Profile(image, collector.close(), session.entries, total(session.stops)), session.stops


class _Stops(Session):
    """A session that keeps how its routines have ended, and where they began."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.stops: list[Stop] = []
        self.entries: list[int] = []

    def _call(self, image: Image, entry: str) -> Stop:
        stop = super()._call(image, entry)
        self.stops.append(stop)
        self.entries.append(self._symbol(entry).value)
        return stop
