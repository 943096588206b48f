"""The core behind the ring as an engine: whatever works on an engine runs on the device, by raw operations.

    engine = RingEngine(device, memory)
    lutra.firmware.session.Session(engine)

A raw operation does not tell the program counter or the instructions, nor can it resume a core that waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn, Protocol

from lutra.isa import load as load_isa
from lutra.iss import _iss
from lutra.iss.engine import Engine, EngineError
from lutra.soc import _driver
from lutra.soc.maps import load

ROW, WORD = 16, 8
RING = 0x1000
LOG2 = 4
# The rows that a raw operation moves: as many as the greatest memory has.
BUFFER = 0x8000
# Memory from here on is not used.
USED = 0x10000
LARGEST_LIMIT = 2**32 - 1


class Device(Protocol):
    """A device by its registers: the model, or the RTL."""

    def read(self, offset: int, /) -> int: ...
    def write(self, offset: int, value: int, /) -> None: ...
    def run(self, cycles: int, /) -> int: ...


class RingBackend:
    """The backend of an engine (`lutra.iss.engine.Backend`) over the driver.

    ring: has all contexts. turn: cycles for which the device runs before the driver looks again.
    """

    def __init__(self, device: Device, memory: bytearray, turn: int = 2000, patience: int = 100_000_000) -> None:
        layout, isa = load(), load_isa()
        self._raw = layout.raw
        self._status = layout.status
        self._result = {
            name: layout.completion.fields[f"result.{name}"] for name in ("status", "core", "trap", "notify")
        }
        self._running = layout.axi.fields["status.core"].codes["running"]
        self._program = next(s.code for s in isa.spaces if s.name == "pm")
        self._sizes = {s.code: _iss.Machine().size(s.code) for s in isa.spaces}
        self._stalls = [0] * len(isa.stalls)
        self._memory = memory
        self.host = _driver.Host(device, memory, patience=patience, turn=turn)
        contexts = layout.axi.fields["capabilities.contexts"].reset
        self.ring = _driver.Ring(self.host, 0, RING, LOG2, 0, contexts)
        self._check(self.host.open())
        self._check(self.host.set_window(0, 0, len(memory)))
        self._check(self.ring.open())
        self._check(self.host.start())
        built, sizes = isa.configuration, isa.machine
        self._core = _driver.Core(
            self.ring, built.rounds[-1], built.contexts, sizes["ProgramWords"], sizes["MemoryRows"]
        )
        self.reset()

    def reset(self) -> None:
        self._core.reset()
        self._entry = 0
        self.state = self.trap = self.notified = self.cycles = 0

    def size(self, space: int) -> int:
        return self._sizes[space]

    def write(self, space: int, offset: int, data: bytes) -> None:
        width = self._width(space, offset, len(data))
        first, end = offset // width, -(-(offset + len(data)) // width)
        whole = bytearray(self._rows(space, first, end)) if (offset | len(data)) % width else bytearray(len(data))
        whole[offset - first * width : offset - first * width + len(data)] = data
        rows = b"".join(whole[i : i + width].ljust(ROW, b"\0") for i in range(0, len(whole), width))
        self._memory[BUFFER : BUFFER + len(rows)] = rows
        self._do("write", len(rows), source=BUFFER, aad_bytes=first, tag=space)

    def read(self, space: int, offset: int, length: int) -> bytes:
        width = self._width(space, offset, length)
        first = offset // width
        rows = self._rows(space, first, -(-(offset + length) // width))
        return rows[offset - first * width :][:length]

    def wipe(self) -> None:
        self._check(self.host.wipe())

    def escalate(self) -> None:
        self._check(self.host.escalate())

    def start(self, pc: int) -> None:
        self._entry = pc

    def run(self, limit: int) -> int:
        """Run to the stop; the instructions are not known."""
        result, done = self.ring.crypt(self._job("run", min(limit, LARGEST_LIMIT), aad_bytes=self._entry))
        if result not in (0, self._status["timeout"], self._status["core_trap"]):
            self._check(result)
        fields = {name: f.of(done[1]) for name, f in self._result.items()}
        timeout = fields["status"] == self._status["timeout"]
        self.state = self._running if timeout else fields["core"]
        self.trap, self.notified, self.cycles = fields["trap"], fields["notify"], done[3]
        return 0

    @property
    def pc(self) -> int:
        return 0

    @property
    def instructions(self) -> int:
        return 0

    @property
    def stalls(self) -> list[int]:
        return self._stalls

    def resume(self) -> NoReturn:
        raise EngineError("a core behind a ring cannot be resumed")

    def _no_records(self) -> EngineError:
        return EngineError("a core behind a ring does not show its instructions; use another engine")

    def step(self) -> NoReturn:
        raise self._no_records()

    def registers(self) -> NoReturn:
        raise self._no_records()

    def timeline(self) -> NoReturn:
        raise self._no_records()

    def retirements(self, names: Sequence[str], limit: int) -> NoReturn:
        raise self._no_records()

    def combinations(self, names: Sequence[str], limit: int) -> NoReturn:
        raise self._no_records()

    def add_counts(self, cycles: int, instructions: int, stalls: list[int]) -> NoReturn:
        raise self._no_records()

    # ------------------------------------------------------------------ raw operations

    def _width(self, space: int, offset: int, length: int) -> int:
        if not 0 <= offset <= offset + length <= self._sizes[space]:
            raise _iss.HostError("access beyond the memory space")
        return WORD if space == self._program else ROW

    def _rows(self, space: int, first: int, end: int) -> bytes:
        length = ROW * (end - first)
        self._do("read", length, destination=BUFFER, aad_bytes=first, tag=space)
        rows = bytes(self._memory[BUFFER : BUFFER + length])
        if space != self._program:
            return rows
        return b"".join(rows[i : i + WORD] for i in range(0, length, ROW))

    def _job(self, name: str, length: int, **fields: Any) -> bytes:
        return _driver.job(_driver.control(self._raw[name]), length, **fields)

    def _do(self, name: str, length: int, **fields: int) -> None:
        if length:
            self._check(self.ring.crypt(self._job(name, length, **fields))[0])

    def _check(self, result: int) -> None:
        if result:
            raise EngineError(_driver.text(result))


class RingEngine(Engine):
    """An engine on a device and its memory, which it uses up to `USED`."""

    def __init__(self, device: Device, memory: bytearray, turn: int = 2000) -> None:
        self.driven = RingBackend(device, memory, turn)
        super().__init__("ring", load_isa().configuration.rounds[-1], self.driven)
