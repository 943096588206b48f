"""The C loader over a device in memory (tests/loader/memory_device.c), called from Python."""

from __future__ import annotations

import ctypes
import hashlib
import re
import struct
from pathlib import Path
from typing import Any, Self

from support.packs import FIRST_ROOT

ROOT = Path(__file__).resolve().parents[2]
LOADER = ROOT / "patch" / "loader"
HEADER = (LOADER / "include" / "lutra_loader.h").read_text()
RESULTS: tuple[str, ...] = tuple(re.findall(r'^  X\((\w+), "', HEADER, re.M))
TEXTS: tuple[str, ...] = tuple(re.findall(r'^  X\(\w+, "(.*)"\)', HEADER, re.M))
EMPTY, TEST, TRIAL, CONFIRMED = range(4)
NO_SLOT = 0xFF
SECTOR, GRANULE, SLOT = 256, 8, 4096
ENTRY = 64
FUSE_MARK, FUSE_COUNTER, FUSE_BYTES = 256, 264, 296


class Error(ctypes.Structure):
    _fields_ = [
        ("result", ctypes.c_uint),
        ("offset", ctypes.c_uint32),
        ("answer", ctypes.c_uint16),
        ("step", ctypes.c_uint16),
    ]


class Info(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char * 65),
        ("version", ctypes.c_uint16 * 3),
        ("counter", ctypes.c_uint8),
        ("root_version", ctypes.c_uint8),
        ("images", ctypes.c_uint8),
        ("algorithms", ctypes.c_uint8),
        ("answers", ctypes.c_uint16),
        ("digest", ctypes.c_uint8 * 32),
    ]


class Status(ctypes.Structure):
    _fields_ = [
        ("primary", ctypes.c_uint8),
        ("running", ctypes.c_uint8),
        ("counter", ctypes.c_uint8),
        ("roots", ctypes.c_uint8),
        ("sequence", ctypes.c_uint32),
        ("state", ctypes.c_uint * 2),
        ("size", ctypes.c_uint32 * 2),
        ("check", ctypes.c_uint * 2),
        ("info", Info * 2),
    ]


class Place(ctypes.Structure):
    _fields_ = [("space", ctypes.c_uint8), ("offset", ctypes.c_uint16)]


class Algorithm(ctypes.Structure):
    _fields_ = [
        ("image", ctypes.c_uint8),
        *(
            (name, ctypes.c_uint32)
            for name in ("key_bits", "iv_bytes", "unit_bytes", "streams", "tag_bits", "job_bytes")
        ),
        ("partial", ctypes.c_bool),
        *((name, Place) for name in ("key", "iv", "length", "input", "output")),
    ]


class Flash(ctypes.Structure):
    _fields_ = [
        ("context", ctypes.c_void_p),
        ("sector_bytes", ctypes.c_uint32),
        ("granule_bytes", ctypes.c_uint32),
        ("record", ctypes.c_uint32 * 2),
        ("slot", ctypes.c_uint32 * 2),
        ("slot_bytes", ctypes.c_uint32),
        ("calls", ctypes.c_void_p * 3),
    ]


class Fuses(ctypes.Structure):
    _fields_ = [("context", ctypes.c_void_p), ("calls", ctypes.c_void_p * 2)]


class Core(ctypes.Structure):
    _fields_ = [
        ("context", ctypes.c_void_p),
        ("rounds", ctypes.c_uint8),
        ("contexts", ctypes.c_uint8),
        ("program_words", ctypes.c_uint16),
        ("memory_rows", ctypes.c_uint16),
        ("calls", ctypes.c_void_p * 4),
    ]


class Device(ctypes.Structure):
    _fields_ = [("flash", Flash), ("fuses", Fuses), ("core", Core), ("running", ctypes.c_uint8)]


class Source(ctypes.Structure):
    _fields_ = [("context", ctypes.c_void_p), ("size", ctypes.c_uint32), ("read", ctypes.c_void_p)]


class Memory(ctypes.Structure):
    """struct memory_device."""

    _fields_ = [
        ("device", Device),
        ("source", Source),
        ("flash", ctypes.POINTER(ctypes.c_uint8)),
        ("pack", ctypes.c_char_p),
        ("flash_bytes", ctypes.c_uint32),
        ("fuses", ctypes.c_uint8 * FUSE_BYTES),
        ("rows", ctypes.c_uint8 * 16 * 1024 * 8),
        *(
            (name, ctypes.c_uint32)
            for name in ("calls", "fail_at", "changes", "flash_reads", "change_at", "change_place")
        ),
        ("stuck", ctypes.c_uint8),
        ("fuses_stuck", ctypes.c_uint8),
        ("answers_wrong", ctypes.c_uint8),
        ("log", ctypes.c_char * 65536),
    ]


DRIVER = ROOT / "tests" / "loader" / "memory_device.c"


class Library:
    """The compiled loader."""

    def __init__(self, path: Path) -> None:
        self.c = ctypes.CDLL(str(path))
        self.c.memory_new.restype = ctypes.POINTER(Memory)
        self.c.memory_flips.restype = ctypes.c_int64
        self.c.lutra_text.restype = ctypes.c_char_p

    def device(self, **sizes: int) -> Board:
        """A device with FIRST_ROOT in its fuses."""
        return Board(self, **sizes)


class Board:
    """A device in memory. Calls return the name of their result; `error` has the rest."""

    def __init__(self, library: Library, sector: int = SECTOR, granule: int = GRANULE, slot: int = SLOT) -> None:
        self.library = library
        self.memory = library.c.memory_new(sector, granule, slot).contents
        self.error = Error()
        self.burn_root(0, FIRST_ROOT.digest)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.library.c.memory_free(ctypes.byref(self.memory))

    def burn_root(self, place: int, digest: bytes, mark: int = 0xFF) -> None:
        """As a factory does."""
        self.memory.fuses[32 * place : 32 * place + 32] = list(digest)
        self.memory.fuses[FUSE_MARK + place] = mark

    def _call(self, name: str, *args: Any) -> str:
        result: int = getattr(self.library.c, name)(ctypes.byref(self.memory.device), *args, ctypes.byref(self.error))
        assert result == self.error.result
        return RESULTS[result]

    def _source(self, pack: bytes) -> Any:
        self.memory.pack = pack
        self.memory.source.size = len(pack)
        return ctypes.byref(self.memory.source)

    def check(self, pack: bytes, info: Info | None = None) -> str:
        return self._call("lutra_check", self._source(pack), ctypes.byref(info or Info()))

    def apply(self, pack: bytes) -> str:
        return self._call("lutra_apply", self._source(pack))

    def reset(self) -> None:
        """Power-up: what is volatile is lost."""
        self.memory.device.running = NO_SLOT

    def boot(self) -> str:
        return self._call("lutra_boot")

    def confirm(self) -> str:
        return self._call("lutra_confirm")

    def revert(self) -> str:
        return self._call("lutra_revert")

    def load(self, image: int) -> str:
        return self._call("lutra_load", ctypes.c_uint8(image))

    def self_test(self) -> str:
        return self._call("lutra_self_test")

    def status(self) -> Status:
        """Asserts that the device works."""
        status = Status()
        assert self._call("lutra_get_status", ctypes.byref(status)) == "OK"
        return status

    def try_status(self) -> str:
        return self._call("lutra_get_status", ctypes.byref(Status()))

    def find(self, name: str, found: Algorithm | None = None, decrypt: bool = False) -> str:
        return self._call("lutra_find", name.encode(), ctypes.c_bool(decrypt), ctypes.byref(found or Algorithm()))

    def find_routine(self, name: str, role: str, decrypt: bool = False) -> tuple[str, int]:
        entry = ctypes.c_uint16(0xFFFF)
        arguments = (name.encode(), ctypes.c_bool(decrypt), role.encode(), ctypes.byref(entry))
        return self._call("lutra_find_routine", *arguments), entry.value

    def save(self) -> tuple[bytes, bytes]:
        """Snapshot for `restore`."""
        return bytes(self.memory), self.flash

    def restore(self, saved: tuple[bytes, bytes]) -> None:
        """The device is again as it was."""
        ctypes.memmove(ctypes.byref(self.memory), saved[0], len(saved[0]))
        self.write_flash(0, saved[1])

    def install(self, pack: bytes) -> None:
        """Applied, booted, confirmed."""
        assert [self.apply(pack), self.boot(), self.confirm()] == ["OK"] * 3

    @property
    def flash(self) -> bytes:
        return bytes(self.memory.flash[: self.memory.flash_bytes])

    def write_flash(self, address: int, data: bytes) -> None:
        """Past the loader."""
        ctypes.memmove(ctypes.byref(self.memory.flash.contents, address), data, len(data))

    def slot_at(self, slot: int) -> int:
        return int(self.memory.device.flash.slot[slot])

    @property
    def fuses(self) -> bytes:
        return bytes(self.memory.fuses)

    @property
    def core(self) -> bytes:
        return bytes(self.memory.rows)

    def row(self, space: int, row: int) -> bytes:
        return bytes(self.memory.rows[space][row])

    @property
    def everything(self) -> tuple[bytes, bytes, bytes, int]:
        """State that a refused pack does not change."""
        return self.flash, self.fuses, self.core, self.memory.device.running


def entry(sequence: int, primary: int, states: tuple[int, int], sizes: tuple[int, int] = (0, 0)) -> bytes:
    """An entry of the boot record, written a second time from its description in src/record.c."""
    body = struct.pack("<4sIBBBxII36x", b"LBR1", sequence, primary, *states, *sizes)
    return body + hashlib.sha512(body).digest()[:8]
