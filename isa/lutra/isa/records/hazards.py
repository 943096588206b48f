"""Hazards: resources, the accesses to them, and which instruction waits for which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Resource:
    """A resource that instructions write and read and others wait for; cells: their names in assembly."""

    record: str
    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Way:
    """How an instruction word makes an access: values of fields, and slots that access any row.

    label: what coverage calls the access.
    """

    label: str
    fields: Mapping[str, int]
    slots: tuple[str, ...]


@dataclass(frozen=True)
class Access:
    """A way in which instructions write or read a resource; ways: by cell of the resource."""

    name: str
    label: str
    resource: str
    text: str
    ways: tuple[tuple[Way, ...], ...]


@dataclass(frozen=True)
class Stall:
    """A hazard: its distance between issues for one and two rounds per instruction, and its two accesses.

    ready: the stage at whose end the results are ready that a bypassed hazard is about; "" without a bypass. sources:
    where a register comes from then, for one and two rounds, by distance from the least on.
    """

    name: str
    text: str
    distance: tuple[int, int]
    writes: tuple[str, ...]
    reads: tuple[str, ...]
    ready: str
    sources: tuple[tuple[str, ...], tuple[str, ...]]
