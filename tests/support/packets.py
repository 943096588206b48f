"""Packets, and what the protocols of packets refuse."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import pytest

from lutra.soc.packets import esp
from lutra.soc.packets.errors import PacketError
from lutra.soc.packets.jobs import CBC_CMAC, CHACHA20_POLY1305, GCM, Cores, Job

SPI = 0x1000


def refused(make: Callable[[], object]) -> str:
    """Why something is refused."""
    with pytest.raises(PacketError) as error:
        make()
    return str(error.value)


def run(job: Job) -> bytes | None:
    """The result of a job, on a core of its own."""
    (result,) = Cores(1).run([job])
    return result


def association(extended: bool = False, algorithm: Any = GCM) -> esp.Association:
    """An association of ESP whose key is zeros."""
    material = {GCM.name: 20, CBC_CMAC.name: 32, CHACHA20_POLY1305.name: 36}[algorithm.name]
    return esp.Association(SPI, algorithm, bytes(material), extended)


def four(payload: bytes, protocol: int = 17, fragment: int = 0) -> bytes:
    """An IPv4 packet."""
    return struct.pack(">BBHIBBH8x", 0x45, 0, 20 + len(payload), fragment, 64, protocol, 0) + payload


def six(payload: bytes, protocol: int = 17) -> bytes:
    """An IPv6 packet."""
    return struct.pack(">IHBB32x", 6 << 28, len(payload), protocol, 64) + payload


def udp(payload: bytes) -> bytes:
    """A datagram to port 5004."""
    return struct.pack(">HHHH", 6000, 5004, 8 + len(payload), 0) + payload
