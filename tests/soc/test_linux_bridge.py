"""The bridge between a guest of QEMU and a device: the guest here is this process."""

from __future__ import annotations

import mmap
import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lutra.soc.linux.bridge import Bridge, mailbox
from lutra.soc.maps import load

AXI = load().axi
CLEAR, TAIL = AXI.offset("ring[0].interrupt"), AXI.offset("ring[0].tail")


class Busy:
    """A device whose interrupt rises again as soon as it is cleared."""

    def __init__(self) -> None:
        self.interrupts = 1
        self.written: list[tuple[int, int]] = []

    def read(self, offset: int) -> int:
        return 0

    def write(self, offset: int, value: int) -> None:
        self.written.append((offset, value))

    def run(self, cycles: int) -> int:
        return cycles


class Guest:
    """The other side of a bridge."""

    def __init__(self, folder: Path) -> None:
        self.device = Busy()
        self.bridge = Bridge(folder, mmap.PAGESIZE, lambda _: self.device)
        connecting = threading.Thread(target=self.bridge.connect, args=(10,))
        connecting.start()
        with socket.socket(socket.AF_UNIX) as qemu:
            qemu.connect(str(self.bridge.socket))
            connecting.join()
            data, fds, _, _ = socket.recv_fds(qemu, 64, 8)
            while len(data) < 5 * 8:
                more, further, _, _ = socket.recv_fds(qemu, 64, 8)
                data, fds = data + more, fds + further
        memory, self.doorbell, self.interrupt = fds
        self.words = memoryview(mmap.mmap(memory, 0)).cast("I")
        self.at = {path: (AXI.bytes + offset) // 4 for path, offset in mailbox().registers.items()}

    def post(self, offset: int, value: int) -> None:
        written = self.words[self.at["written"]]
        entry = self.at[f"posted[{written}].offset"]
        self.words[entry], self.words[entry + 1] = offset, value
        self.words[self.at["written"]] = written + 1

    def told(self) -> int:
        """Interrupts since the last call."""
        try:
            return os.eventfd_read(self.interrupt)
        except BlockingIOError:
            return 0


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[Guest]:
    made = Guest(tmp_path)
    yield made
    made.bridge.close()


def test_an_interrupt_that_rises_again_is_told_again(guest: Guest) -> None:
    guest.bridge.work()
    assert guest.told() == 1
    guest.bridge.work()
    assert guest.told() == 0
    guest.post(CLEAR, 1)
    guest.bridge.work()
    assert guest.told() == 1


def test_writes_arrive_in_their_order(guest: Guest) -> None:
    for n in range(5):
        guest.post(TAIL, n)
    guest.bridge.work()
    assert guest.device.written == [(TAIL, n) for n in range(5)]
    assert guest.words[guest.at["taken"]] == 5
