"""An engine with firmware in it: tables and key set up once, then jobs.

Interface to the firmware (firmware/README.md): data in m2 and results in m3; key, iv and length in the image's
parameter rows. A job leaves the chaining value in the iv row, so the next one continues the message. A CRC is a cipher
without a key, whose tables the host writes and whose register is the iv row.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from struct import Struct

from lutra.asm import Image, Symbol
from lutra.firmware import labels
from lutra.firmware.ciphers import Cipher, Direction, Entries, ImageSource, Implementation
from lutra.firmware.errors import FirmwareError, InputError
from lutra.firmware.manifest import assembled
from lutra.firmware.segments import check_left, left
from lutra.firmware.twice import Checked, inverted
from lutra.iss.engine import UNLIMITED, Engine, Stop
from lutra.iss.retire import source_line
from lutra.iss.traps import explain

INPUT, OUTPUT = "m2", "m3"
BANKS = ("t0", "t1")
ROW = 16
# The row of a job's length: whole units of a stream, bits of the last byte, bytes of the last unit, whole units of all.
LENGTH = Struct(">8x4H")


@dataclass
class Usage:
    """Cycles and units of a session so far; `tables`, `key_schedule` and `start` (of a message) are those of the last
    set-up that ran them."""

    tables: int = 0
    key_schedule: int = 0
    start: int = 0
    jobs: int = 0
    units: int = 0
    cycles: int = 0
    instructions: int = 0


@dataclass(frozen=True)
class _Setup:
    """The state of the machine; a part that is still valid is not set up again."""

    cipher: Cipher
    direction: Direction
    implementation: Implementation
    image: Image
    key: bytes

    @property
    def source(self) -> ImageSource:
        return self.implementation.image

    @property
    def entries(self) -> Entries:
        return self.implementation.entries[self.direction]

    @property
    def twice(self) -> bool:
        """Whether the host checks what it writes and reads."""
        return bool(self.source.parameters.done)

    @cached_property
    def job_bytes(self) -> int:
        """Most bytes that one job takes: units of all streams."""
        return self.source.job_bytes - self.source.job_bytes % self.cipher.whole_bytes


class Session:
    """Runs jobs of one cipher after another on one engine.

    max_cycles: limit for one routine, so that an endless one is an error. checked: accesses for firmware that computes
    twice, if others than those of lutra.firmware.twice.
    """

    def __init__(
        self, engine: Engine, max_cycles: int | None = None, checked: Callable[..., Checked] = Checked
    ) -> None:
        self.engine = engine
        self.max_cycles = max_cycles
        self.checked = checked(engine, self.forget)
        self.usage = Usage()
        self._setup: _Setup | None = None
        self._symbols: dict[str, Symbol] = {}
        self._tables: tuple[str, tuple[bytes, ...]] | None = None
        self._units = 0
        # Bytes to the end of the message's segment, if it has one.
        self._left: int | None = None

    def set_up(
        self,
        cipher: Cipher,
        direction: Direction,
        key: bytes,
        iv: bytes = b"",
        implementation: Implementation | None = None,
    ) -> None:
        """Prepare for jobs of a message: image, tables and round keys as far as they are not there, then the iv.

        Raises InputError if key or iv have the wrong length, or if the firmware lacks the direction.
        """
        cipher.check_direction(direction)
        check_lengths(cipher, key, iv)
        chosen = implementation or cipher.taken(direction)
        new = _Setup(cipher, direction, chosen, assembled(chosen.image), key)
        entries = new.entries
        old, self._setup = self._setup, None  # after a set-up that fails half-way, the state of the machine is unknown
        if old is None or old.image is not new.image:
            self._load(new.source)
            self._symbols = {s.name: s for s in new.image.symbols if s.is_global}
            self._tables = None
            old = None
        if old is None or old.entries is not entries:
            labels.check(cipher, chosen, direction, new.image)
        if old is None or (old.entries.key, old.key) != (entries.key, key):
            self._load_tables(new, entries.key_tables)
            if key:
                self._write_key(new, key)
            self.usage.key_schedule = self._routine(new, entries.key).cycles if entries.key else 0
        self._load_tables(new, entries.tables)
        if cipher.iv_bytes:
            self._write_iv(new, iv)
        self._left = left(iv)
        if entries.start:
            self.usage.start = self._routine(new, entries.start).cycles
        self._setup = new

    def _load(self, source: ImageSource) -> None:
        """An image into the engine."""
        self.engine.load(assembled(source))

    def forget(self) -> None:
        """The engine has been used for something else: the next set-up begins from nothing."""
        self._setup = None

    def _load_tables(self, setup: _Setup, entry: str) -> None:
        """Fill the tables with a routine, or with contents that the host computes if there is none."""
        wanted = entry, setup.cipher.host_tables
        if self._tables != wanted:
            self._tables = None
            self.usage.tables = self._checked_call(setup, entry).cycles if entry else 0
            for bank, contents in zip(BANKS, setup.cipher.host_tables, strict=False):
                self.engine.write(bank, 0, contents)
            self._tables = wanted

    @property
    def job_bytes(self) -> int:
        """Most bytes that one job takes: units of all streams."""
        return self._ready().job_bytes

    @property
    def streams(self) -> int:
        """Messages that a job interleaves."""
        return self._ready().cipher.streams

    @property
    def last_units(self) -> int:
        """Units that the last job of a message has more of, if the message has."""
        return 1 if self._ready().entries.last else 0

    def job(self, data: bytes, bits: int | None = None, size: int | None = None, last: bool = False) -> bytes:
        """One job of at most `job_bytes`; a partial last unit ends the message.

        bits: of the data, if not all count. size: of the result, where it is not that of the data. last: whether the
        message ends with it, for a cipher that has a routine for that.
        """
        check_left(self._ready().cipher.name, self._left, len(data))
        self.put(data, bits)
        self.run(last)
        if self._left is not None:
            self._left -= len(data)
        return self._read(len(data) if size is None else size)

    def put(self, data: bytes, bits: int | None = None) -> None:
        """The input of the next job."""
        setup = self._ready()
        cipher = setup.cipher
        if bits is None:
            bits = 8 * len(data)
        if bits % 8 and not cipher.to_the_bit:
            raise InputError(f"{cipher.name} works on whole bytes, not on {bits} bits")
        whole, rest = divmod(bits // 8, cipher.unit_bytes)
        if (rest or bits % 8) and not cipher.partial:
            raise InputError(f"{cipher.name} works on whole {cipher.unit}s, not on {bits} bits")
        if whole % cipher.streams:
            raise InputError(f"{cipher.name} needs equally many {cipher.unit}s in each of its {cipher.streams} streams")
        if len(data) > setup.job_bytes:
            raise FirmwareError(f"a job takes at most {setup.job_bytes} bytes, got {len(data)}")
        self._units = whole + bool(rest or bits % 8)
        length = LENGTH.pack(whole // cipher.streams, bits % 8, rest, whole)
        symbol = self._symbol(setup.source.parameters.length)
        parts = [(symbol.space, symbol.value, length), (INPUT, setup.source.offset, data)]
        if setup.twice:
            self.checked.probe([INPUT, OUTPUT], first=True)
        self._put(setup, parts)

    def run(self, last: bool = False) -> Stop:
        """The job on what `put` left; may be repeated, for measuring."""
        setup = self._ready()
        stop = self._routine(setup, (last and setup.entries.last) or setup.entries.run)
        self._count(stop, self._units)
        return stop

    def repeat(self, times: int, recorded: bool = False) -> int:
        """The job on what `put` left, so many times, on the simulator, to measure its speed; the instructions done.

        recorded: make the record of every instruction, as for observers.
        """
        entry = self._symbol(self._ready().entries.run).value
        done: int = self.engine.backend.repeat(entry, times, UNLIMITED, recorded)
        return done

    def run_before(self) -> int:
        """Like `run`, for the first pass of an encryption that reads its text twice; return its cycles, or 0."""
        setup = self._ready()
        entry = setup.entries.others.get("text", "")
        return self._routine(setup, entry).cycles if entry else 0

    def call(self, name: str, data: bytes, size: int = 0, counted: bool = False) -> bytes:
        """One of the entries' other routines on data of at most `job_bytes`; the first `size` bytes of its output.

        Counts as a job, but its data as units only where it is `counted`: those are of the text.
        """
        setup = self._ready()
        self.put(data)
        self._count(self._routine(setup, setup.entries.others[name]), self._units if counted else 0)
        return self._read(size)

    def _count(self, stop: Stop, units: int) -> None:
        """Add a job to the usage."""
        self.usage.jobs += 1
        self.usage.units += units
        self.usage.cycles += stop.cycles
        self.usage.instructions += stop.instructions

    @property
    def opens(self) -> bool:
        """Whether the core gives plaintext out with its tag only."""
        return "open" in self._ready().entries.others

    def open(self, data: bytes, end: bytes) -> bytes | None:
        """The whole text of a decryption in one job, with memories closed until the tag is right; end: input of
        `finish`.

        None if the tag is wrong: the core has been wiped then, and set up once more.
        """
        setup, verdict = self._ready(), self.engine.size(OUTPUT) - ROW
        self.put(data)
        self._put(setup, [(OUTPUT, verdict, bytes(ROW)), (INPUT, self.engine.size(INPUT) - len(end), end)])
        self._count(self._routine(setup, setup.entries.others["open"], opens=False), self._units)
        if not self.checked.holds(OUTPUT, verdict, b"\xff" * ROW):
            self.engine.wipe()
            self.forget()
            self.set_up(setup.cipher, setup.direction, setup.key, bytes(setup.cipher.iv_bytes), setup.implementation)
            return None
        if setup.twice:
            self.checked.answered(self._symbol(setup.source.parameters.done))
        return self._read(len(data))

    def state(self, size: int) -> bytes:
        """Return the first bytes of the iv row, with which the next job would continue."""
        setup = self._ready()
        symbol = self._symbol(setup.source.parameters.iv)
        if setup.twice:
            return self.checked.result(self._symbol(setup.source.parameters.done), symbol.space, symbol.value, size)
        return self.engine.read(symbol.space, symbol.value, size)

    def restart(self, iv: bytes) -> None:
        """Begin another message: the iv or the state that it starts from."""
        self._write_iv(self._ready(), iv)

    def _ready(self) -> _Setup:
        if self._setup is None:
            raise FirmwareError("the session is not set up for a cipher")
        return self._setup

    def _write_iv(self, setup: _Setup, iv: bytes) -> None:
        rows = setup.source.parameters
        symbol, again = self._symbol(rows.iv), self._symbols.get(rows.iv_again)
        parts = [(symbol.space, symbol.value, iv)]
        if again is not None:
            parts.append((again.space, again.value, inverted(iv)))
        self._put(setup, parts)

    def _put(self, setup: _Setup, parts: Sequence[tuple[str, int, bytes]]) -> None:
        """Write into memories."""
        if setup.twice:
            self.checked.write(parts)
            return
        for part in parts:
            self.engine.write(*part)

    def _write_key(self, setup: _Setup, key: bytes) -> None:
        rows = setup.source.parameters
        symbol = self._symbol(rows.key)
        if setup.twice:
            self.checked.probe(sorted({symbol.space, self._symbol(rows.done).space}))
            self.checked.write_key(symbol, self._symbol(rows.key_again), key)
        else:
            self.engine.write(symbol.space, symbol.value, key)

    def _read(self, size: int) -> bytes:
        """The first bytes of the output."""
        setup = self._ready()
        if setup.twice:
            return self.checked.result(self._symbol(setup.source.parameters.done), OUTPUT, 0, size)
        return self.engine.read(OUTPUT, 0, size)

    def _symbol(self, name: str) -> Symbol:
        return self._symbols[name]

    def _routine(self, setup: _Setup, entry: str, opens: bool = True) -> Stop:
        """Run a routine that says when it has come to its end, if the firmware computes twice. opens: whether memories
        are open then in any case."""
        if not setup.twice:
            return self._call(setup.image, entry)
        rows = setup.source.parameters
        self.checked.ask(self._symbol(rows.asked))
        stop = self._checked_call(setup, entry)
        if opens:
            self.checked.answered(self._symbol(rows.done))
        return stop

    def _checked_call(self, setup: _Setup, entry: str) -> Stop:
        """Run a routine; of firmware that computes twice a trap is a fault."""
        try:
            return self._call(setup.image, entry)
        except FirmwareError as error:
            if setup.twice:
                self.checked.fault(str(error))
            raise

    def _call(self, image: Image, entry: str) -> Stop:
        symbol = self._symbol(entry)
        stop = self.engine.run(symbol.value, self.max_cycles)
        if stop.state != "halted":
            where = source_line(image, stop.pc)
            place = f" ({where})" if where else ""
            reason = f": {explain(self.engine)}" if stop.trap else ""
            raise FirmwareError(f"firmware {entry} ended {stop.state} at pc {stop.pc:#06x}{place}{reason}")
        return stop


def check_lengths(cipher: Cipher, key: bytes, iv: bytes) -> None:
    """InputError where key or iv do not have the cipher's lengths. Never shows their values."""
    need = cipher.key_bits // 8
    if len(key) != need:
        raise InputError(f"{cipher.name} needs a key of {need} bytes ({2 * need} hex digits), not {len(key)}")
    if len(iv) == cipher.iv_bytes:
        return
    if cipher.iv_bytes == 0:
        raise InputError(f"{cipher.name} does not take an iv; leave it out")
    size = f"{cipher.iv_bytes} bytes ({2 * cipher.iv_bytes} hex digits)"
    raise InputError(f"{cipher.name} needs an iv of {size}, {f'not {len(iv)}' if iv else 'give --iv'}")
