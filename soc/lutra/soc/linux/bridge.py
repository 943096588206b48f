"""A device on the memory of a guest: the other side of `soc/linux/lutra_ivshmem.c`.

QEMU connects to a socket as to an ivshmem server (its docs/specs/ivshmem-spec) and gets a file of shared memory and two
event file descriptors: one by which the guest tells of posted writes, one that interrupts the guest. The guest's RAM is
a file, too, so that the device reaches it.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import socket
import struct
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Protocol

from peakrdl_cheader.c_standards import CStandard
from peakrdl_cheader.exporter import CHeaderExporter
from systemrdl.compiler import RDLCompiler
from systemrdl.node import AddrmapNode

from lutra.soc.maps import WORD, Map, load

SOURCE = Path(__file__).parents[3] / "linux" / "lutra_bridge.rdl"
PROTOCOL = 0
# Peers of the ivshmem protocol, and the number before the file descriptor of the memory.
DEVICE, GUEST, MEMORY = 0, 1, -1
# Cycles for which a device works before its guest is asked again.
SLICE = 2_000


class Device(Protocol):
    """A device as the bridge drives it: the device model, the RTL, the stand-in."""

    def read(self, offset: int, /) -> int: ...
    def write(self, offset: int, value: int, /) -> None: ...
    def run(self, cycles: int, /) -> int: ...
    @property
    def interrupts(self) -> int: ...


def mailbox() -> Map:
    """The map of what follows the registers in the shared memory."""
    return Map(_node())


@cache
def _node() -> AddrmapNode:
    compiler = RDLCompiler()
    compiler.compile_file(str(SOURCE))
    return compiler.elaborate("lutra_bridge").top


def write_header(folder: Path) -> None:
    """Write `lutra_bridge.h`."""
    CHeaderExporter().export(
        _node(),
        path=str(folder / "lutra_bridge.h"),
        std=CStandard["gnu23"],
        generate_bitfields=False,
        bitfield_order_ltoh=True,
        reuse_typedefs=True,
        wide_reg_subword_size=32,
        explode_top=False,
        instantiate=False,
        inst_offset=0,
        testcase=False,
    )


class Bridge:
    """The guest's memory, and a device on it that `connect` lets QEMU reach and `work` lets work."""

    def __init__(self, folder: Path, ram: int, device: Callable[[mmap.mmap], Device]) -> None:
        self.socket = folder / "lutra.socket"
        self.ram = folder / "ram"
        with self.ram.open("wb+") as file:
            file.truncate(ram)
            self.device = device(mmap.mmap(file.fileno(), ram))
        axi, posts = load().axi, mailbox()
        # The others change when they are written only.
        self._changing = sorted({field.offset for field in axi.fields.values() if field.access != "rw"})
        self._clears = axi.offset("ring[0].interrupt")
        self._entries = sum(path.endswith("offset") for path in posts.registers)
        size = 1 << (axi.bytes + posts.bytes - 1).bit_length()
        self._memory = os.memfd_create("lutra")
        os.truncate(self._memory, size)
        # Words, so that each is read and written as one.
        self._words = memoryview(mmap.mmap(self._memory, size)).cast("I")
        self._mailbox = {path: (axi.bytes + offset) // WORD for path, offset in posts.registers.items()}
        self.doorbell = os.eventfd(0, os.EFD_NONBLOCK)
        self._interrupt = os.eventfd(0, os.EFD_NONBLOCK)
        self._pending = False
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.socket))
        self._listener.listen(1)
        self._connection: socket.socket | None = None
        self._mirror(axi.registers.values())

    def connect(self, seconds: float) -> None:
        """Wait for QEMU and give it what it shares with the device. TimeoutError."""
        self._listener.settimeout(seconds)
        self._connection, _ = self._listener.accept()
        for number, *descriptors in (
            (PROTOCOL,),
            (GUEST,),
            (MEMORY, self._memory),
            (DEVICE, self.doorbell),
            (GUEST, self._interrupt),
        ):
            socket.send_fds(self._connection, [struct.pack("<q", number)], descriptors)

    def work(self) -> bool:
        """Take posted writes, then let the device work for a while; return whether it has more to do."""
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self.doorbell)
        self._take()
        if self._has_work():
            self.device.run(SLICE)
        self._mirror(self._changing)
        pending = bool(self.device.interrupts & 1)
        if pending and not self._pending:
            os.eventfd_write(self._interrupt, 1)
        self._pending = pending
        return self._has_work()

    def _has_work(self) -> bool:
        """Whether time has to pass for the device, by its registers."""
        open_ = self._field("control.enable") and self._field("ring[0].control.enable")
        waiting = self._field("ring[0].tail.tail") != self._field("ring[0].head.head")
        return bool(self._field("status.busy") or (open_ and waiting and not self._field("ring[0].state.stopped")))

    def _field(self, path: str) -> int:
        field = load().axi.fields[path]
        return field.of(self.device.read(field.offset))

    def _take(self) -> None:
        words, mailbox = self._words, self._mailbox
        taken, written = words[mailbox["taken"]], words[mailbox["written"]]
        while taken != written:
            entry = mailbox[f"posted[{taken % self._entries}].offset"]
            offset = words[entry]
            self.device.write(offset, words[entry + 1])
            # An interrupt that the guest clears may rise again before we look at it.
            if offset == self._clears:
                self._pending = False
            taken = taken + 1 & 0xFFFFFFFF
            # After the last one a read of the guest goes on.
            self._mirror([offset, *(self._changing if taken == written else ())])
            words[mailbox["taken"]] = taken

    def _mirror(self, offsets: Iterable[int]) -> None:
        for offset in offsets:
            self._words[offset // WORD] = self.device.read(offset)

    def close(self) -> None:
        for descriptor in (self.doorbell, self._interrupt, self._memory):
            os.close(descriptor)
        self._listener.close()
        if self._connection is not None:
            self._connection.close()
