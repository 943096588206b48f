"""An engine with firmware in it: tables and key set up once, then jobs.

Interface to the firmware (firmware/README.md): data in m2 and results in m3, both from offset 0; key, iv and length in
the image's parameter rows. A job leaves the chaining value in the iv row, so the next one continues the message.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lutra.asm import Image
from lutra.engine import Engine, Stop
from lutra.firmware.errors import FirmwareError
from lutra.firmware.manifest import Cipher, Direction, Entries, Implementation, Parameters, assembled

INPUT, OUTPUT = "m2", "m3"
ROW = 16


@dataclass
class Usage:
    """Cycles and units of a session so far; `tables` and `key_schedule` are those of the last set-up that ran them."""

    tables: int = 0
    key_schedule: int = 0
    jobs: int = 0
    units: int = 0
    cycles: int = 0
    instructions: int = 0


@dataclass(frozen=True)
class _Ready:
    """What the machine holds; a part that is still right is not set up again."""

    image: Image
    tables: str
    key_entry: str
    key: bytes


@dataclass
class Session:
    """Runs jobs of one cipher after another on one engine."""

    engine: Engine
    exact: bool = True
    usage: Usage = field(default_factory=Usage)
    _ready: _Ready | None = None

    def set_up(
        self,
        cipher: Cipher,
        direction: Direction,
        key: bytes,
        iv: bytes = b"",
        implementation: Implementation | None = None,
    ) -> None:
        """Prepare for jobs of a message: image, tables and round keys as far as they are not there, then the iv.

        FirmwareError where key or iv have the wrong length.
        """
        check_lengths(cipher, key, iv)
        chosen = implementation or cipher.default
        self._cipher = cipher
        self._parameters: Parameters = chosen.image.parameters
        self._entries: Entries = chosen.entries[direction]
        self._image = assembled(chosen.image)
        entries, ready = self._entries, self._ready
        # Nothing is known of the machine until all of it has gone well.
        self._ready = None
        if ready is None or ready.image is not self._image:
            self.engine.load(self._image)
            ready = None
        if ready is None or ready.tables != entries.tables:
            self.usage.tables = self._call(entries.tables).cycles
        if ready is None or (ready.key_entry, ready.key) != (entries.key, key):
            self._write(self._parameters.key, key)
            self.usage.key_schedule = self._call(entries.key).cycles
        if cipher.iv_bytes:
            self._write(self._parameters.iv, iv)
        self._ready = _Ready(self._image, entries.tables, entries.key, key)

    @property
    def job_bytes(self) -> int:
        """Most bytes that one job takes."""
        return min(self.engine.size(INPUT), self.engine.size(OUTPUT))

    def job(self, data: bytes) -> bytes:
        """One job of at most `job_bytes`; a partial last unit ends the message."""
        self.put(data)
        self.run()
        return self.engine.read(OUTPUT, 0, len(data))

    def put(self, data: bytes) -> None:
        """The input of the next job."""
        whole, rest = divmod(len(data), self._cipher.unit_bytes)
        if rest and not self._cipher.partial:
            raise FirmwareError(f"{self._cipher.name} takes whole {self._cipher.unit}s only, got {len(data)} bytes")
        if len(data) > self.job_bytes:
            raise FirmwareError(f"a job takes at most {self.job_bytes} bytes, got {len(data)}")
        self._units = whole + bool(rest)
        self._write(self._parameters.length, bytes(ROW - 4) + rest.to_bytes(2, "big") + whole.to_bytes(2, "big"))
        self.engine.write(INPUT, 0, data)

    def run(self) -> Stop:
        """The job on what `put` left; may be repeated, for measuring."""
        stop = self._call(self._entries.run)
        self.usage.jobs += 1
        self.usage.units += self._units
        self.usage.cycles += stop.cycles
        self.usage.instructions += stop.instructions
        return stop

    def _write(self, symbol: str, data: bytes) -> None:
        place = self._symbol(symbol)
        self.engine.write(place[0], place[1], data)

    def _call(self, entry: str) -> Stop:
        space, address = self._symbol(entry)
        if space != "pm":
            raise FirmwareError(f"{entry} is not a routine of the firmware but data in {space}")
        stop = self.engine.run(address, exact=self.exact)
        if stop.state != "halted":
            where = self._image.lines.get(stop.pc)
            place = f" ({where[0]}:{where[1]})" if where else ""
            reason = f": {stop.trap}" if stop.trap else ""
            raise FirmwareError(f"firmware {entry} ended {stop.state} at pc {stop.pc:#06x}{place}{reason}")
        return stop

    def _symbol(self, name: str) -> tuple[str, int]:
        symbol = self._image.symbols.get(name)
        if symbol is None:
            raise FirmwareError(f"the firmware image has no symbol {name!r}, which its manifest names")
        return symbol.space, symbol.value


def check_lengths(cipher: Cipher, key: bytes, iv: bytes) -> None:
    """FirmwareError where key or iv do not have the cipher's lengths. Never shows their values."""
    need = cipher.key_bits // 8
    if len(key) != need:
        raise FirmwareError(f"{cipher.name} takes a key of {need} bytes ({2 * need} hex digits), got {len(key)} bytes")
    if len(iv) == cipher.iv_bytes:
        return
    if cipher.iv_bytes == 0:
        raise FirmwareError(f"{cipher.name} takes no iv; leave it out")
    size = f"{cipher.iv_bytes} bytes ({2 * cipher.iv_bytes} hex digits)"
    raise FirmwareError(f"{cipher.name} needs an iv of {size}, got {f'{len(iv)} bytes' if iv else 'none'}")
