"""Captures through a protocol: each frame becomes a job of the cores, and its result a frame."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from lutra.soc.packets.errors import PacketError
from lutra.soc.packets.jobs import Cores, Job
from lutra.soc.packets.pcap import Capture, Frame


class Made(NamedTuple):
    """A frame that was made, and how many bytes of it were plain before or are now."""

    data: bytes
    size: int


class Pending(NamedTuple):
    """A frame whose job is to be done. finish: makes the frame of the job's result, which is None where a tag is wrong;
    None where nothing is left of it. PacketError where the frame is to be dropped."""

    job: Job
    finish: Callable[[bytes | None], Made | None]


class Protocol(ABC):
    """One direction of a protocol, with what it keeps from packet to packet."""

    @abstractmethod
    def link(self, link: int) -> int:
        """The link type of what is written. PacketError where captures of this type are not read."""

    @abstractmethod
    def take(self, link: int, frame: bytes, number: int) -> Pending | None:
        """The job of a frame, None where it stays as it is. PacketError where it is to be dropped."""


@dataclass(frozen=True)
class Report:
    """A run: packets that were changed, those that were left as they are, and why packets were dropped."""

    changed: int
    passed: int
    dropped: Sequence[str]
    bytes: int


def run(
    capture: Capture, frames: Sequence[Frame], protocol: Protocol, cores: Cores
) -> tuple[Capture, list[Frame], Report]:
    """The capture that a protocol makes of another one. What cannot be sent, or is replayed or changed, is dropped, and
    the report says why. PacketError where the protocol does not read such captures."""
    link = protocol.link(capture.link)
    out: list[Frame] = []
    dropped: list[str] = []
    passed = size = 0
    for number, frame in enumerate(frames, 1):
        try:
            pending = protocol.take(capture.link, frame.data, number)
            if pending is None:
                out.append(frame)
                passed += 1
                continue
            (result,) = cores.run([pending.job])
            made = pending.finish(result)
        except PacketError as error:
            dropped.append(f"packet {number}: {error}")
            continue
        if made is not None:
            size += made.size
            out.append(replace(frame, data=made.data))
    return replace(capture, link=link), out, Report(len(out) - passed, passed, dropped, size)
