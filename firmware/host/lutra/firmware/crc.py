"""CRCs on the processor: the parameters of an algorithm, its tables, and a message of any length.

    from lutra.firmware import crc
    value = crc.checksum("crc-32", b"123456789")          # 0xcbf43926

Parameters as in the catalogue of parametrised CRC algorithms (reveng); width 8 to 32.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from lutra.asm import Image, assemble
from lutra.firmware.errors import FirmwareError, nearest
from lutra.firmware.manifest import SOURCES
from lutra.iss import engine as engines

# What the message may have in a job: the last step reads a row that must lie in the memory.
JOB_BYTES = 4072
INPUT = 16
ENTRIES = 256
SLICES = 8
REGISTER_BYTES = 4
ROUTINE = "crc"
WIDTHS = range(8, 33)


@dataclass(frozen=True)
class Algorithm:
    """A parametrised CRC: poly without its leading term, init and xorout as numbers of `width` bits."""

    name: str
    width: int
    poly: int
    init: int
    refin: bool
    refout: bool
    xorout: int

    def __post_init__(self) -> None:
        if self.width not in WIDTHS:
            raise FirmwareError(f"{self.name}: a CRC of {self.width} bits; the tables hold 8 to 32")

    def register(self, value: int) -> bytes:
        """A value of the CRC as the firmware's register: four bytes in the order in which the message meets them."""
        if self.refin:
            return _reflected(value, self.width).to_bytes(REGISTER_BYTES, "little")
        return (value << (32 - self.width)).to_bytes(REGISTER_BYTES, "big")

    def value(self, register: bytes) -> int:
        """The CRC of a register behind the message."""
        if self.refin:
            value = _reflected(int.from_bytes(register, "little"), self.width)
        else:
            value = int.from_bytes(register, "big") >> (32 - self.width)
        return (_reflected(value, self.width) if self.refout else value) ^ self.xorout

    def behind(self, register: bytes) -> bytes:
        """The register behind one zero byte: eight shifts."""
        poly = self.register(self.poly)
        if self.refin:
            value, feedback = int.from_bytes(register, "little"), int.from_bytes(poly, "little")
            for _ in range(8):
                value = value >> 1 ^ (feedback if value & 1 else 0)
            return value.to_bytes(REGISTER_BYTES, "little")
        value, feedback = int.from_bytes(register, "big"), int.from_bytes(poly, "big")
        for _ in range(8):
            value = (value << 1 ^ (feedback if value >> 31 else 0)) & 0xFFFFFFFF
        return value.to_bytes(REGISTER_BYTES, "big")


# The algorithms that `lutra crc` names (catalogue of parametrised CRC algorithms).
ALGORITHMS = {
    a.name: a
    for a in (
        Algorithm("crc-32", 32, 0x04C11DB7, 0xFFFFFFFF, True, True, 0xFFFFFFFF),
        Algorithm("crc-32c", 32, 0x1EDC6F41, 0xFFFFFFFF, True, True, 0xFFFFFFFF),
        Algorithm("crc-24a", 24, 0x864CFB, 0, False, False, 0),
        Algorithm("crc-16", 16, 0x1021, 0, False, False, 0),
        Algorithm("crc-16-arc", 16, 0x8005, 0, True, True, 0),
        Algorithm("crc-16-ibm-3740", 16, 0x1021, 0xFFFF, False, False, 0),
    )
}


def algorithm(name: str) -> Algorithm:
    """By name; FirmwareError with the nearest one."""
    if name not in ALGORITHMS:
        hint = nearest(name, ALGORITHMS) or f"; there are {', '.join(ALGORITHMS)}"
        raise FirmwareError(f"unknown CRC {name!r}{hint}")
    return ALGORITHMS[name]


@cache
def tables(algorithm: Algorithm) -> tuple[bytes, bytes]:
    """Contents of t0 and t1: row e, word j is the register behind byte e and 7-j, or 3-j, zero bytes."""
    slices: list[list[bytes]] = [[algorithm.behind(bytes([e, 0, 0, 0])) for e in range(ENTRIES)]]
    for _ in range(SLICES - 1):
        slices.append([algorithm.behind(register) for register in slices[-1]])
    banks = (slices[:3:-1], slices[3::-1])
    return tuple(b"".join(s[e] for e in range(ENTRIES) for s in bank) for bank in banks)  # type: ignore[return-value]


@cache
def image() -> Image:
    """The firmware's image, assembled once a process."""
    return assemble([SOURCES / "crc" / "crc.s"])


class Session:
    """An engine with one CRC's tables in place; `update` takes the message piece by piece."""

    def __init__(self, engine: engines.Engine, algorithm: Algorithm) -> None:
        self.engine = engine
        self.algorithm = algorithm
        self.cycles = 0
        engine.load(image())
        for bank, contents in zip(("t0", "t1"), tables(algorithm), strict=True):
            engine.write(bank, 0, contents)
        self._put("crc_state", algorithm.register(algorithm.init) + bytes(12))

    def _put(self, name: str, row: bytes) -> None:
        symbol = image().symbol(name)
        self.engine.write(symbol.space, symbol.value, row)

    def update(self, data: bytes) -> None:
        """The next bytes of the message."""
        for at in range(0, len(data), JOB_BYTES):
            self.put(data[at : at + JOB_BYTES])
            self.cycles += self.run().cycles

    def put(self, data: bytes) -> None:
        """The input of the next job, `JOB_BYTES` at most."""
        self.engine.write("m2", INPUT, data)
        self._put("crc_length", bytes(14) + len(data).to_bytes(2, "big"))

    def run(self, exact: bool = True) -> engines.Stop:
        """The job on what `put` left."""
        stop = self.engine.run(image().symbol(ROUTINE).value, exact=exact)
        if stop.state != "halted":
            raise FirmwareError(f"firmware {ROUTINE} ended {stop.state} at pc {stop.pc:#06x}: {stop.trap}")
        return stop

    def value(self) -> int:
        """The CRC of what has come so far."""
        symbol = image().symbol("crc_state")
        return self.algorithm.value(self.engine.read(symbol.space, symbol.value, REGISTER_BYTES))


def checksum(name: str, data: bytes, engine: engines.EngineName = "iss") -> int:
    """CRC of bytes by the algorithm of a name. FirmwareError on an unknown one."""
    return of_pieces(algorithm(name), [data], engines.make(engine))


def of_pieces(algorithm: Algorithm, pieces: Iterable[bytes] | Iterator[bytes], engine: engines.Engine) -> int:
    """CRC of a message that comes in pieces."""
    session = Session(engine, algorithm)
    for piece in pieces:
        session.update(piece)
    return session.value()


def _reflected(value: int, width: int) -> int:
    return int(f"{value:0{width}b}"[::-1], 2)
