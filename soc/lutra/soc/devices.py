"""Devices by name, each on a memory that begins at address 0: the model, also with a wipe where the configuration has
none, and the Verilated RTL where it is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from mmap import mmap
from types import MappingProxyType
from typing import Protocol

from lutra.firmware.errors import FirmwareError
from lutra.soc._model import Model


class Device(Protocol):
    """A device on a memory that may fail; implemented by the model and by the RTL."""

    def read(self, offset: int, /) -> int: ...
    def write(self, offset: int, value: int, /) -> None: ...
    def run(self, cycles: int, /) -> int: ...
    def fail_reads(self, first: int, end: int, /) -> None: ...
    def fail_writes(self, first: int, end: int, /) -> None: ...
    def heal(self) -> None: ...
    def escalate(self) -> None: ...
    @property
    def alert(self) -> bool: ...
    @property
    def interrupts(self) -> int: ...
    @property
    def cycles(self) -> int: ...


Maker = Callable[[bytearray], Device]


def rtl(memory: bytearray | mmap, latency: int = 0, stalls: int = 0) -> Device:
    """The Verilated device. stalls: of 100 cycles, how many each channel of the bus stalls in.

    FirmwareError where it is not built.
    """
    try:
        made: Device = import_module("lutra.soc._axi").Rtl(memory, latency=latency, stalls=stalls)
    except ModuleNotFoundError:
        raise FirmwareError("lutra_axi is not compiled as a device: make soc-rtl") from None
    return made


DEVICES: Mapping[str, Maker] = MappingProxyType(
    {
        "model": Model,
        "model-fast": partial(Model, exact=False),
        "model-wipe": partial(Model, wipe=True),
        "model-wipe-fast": partial(Model, exact=False, wipe=True),
        "rtl": rtl,
        "rtl-slow": partial(rtl, latency=40, stalls=30),
    }
)
