"""Firmware, and the machine as a routine of it finds it when it begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lutra.prove.affine import Affine
from lutra.prove.bits import Bits, join
from lutra.prove.machine import Machine
from lutra.prove.memory import Memory
from lutra.prove.track import INPUT, OUTPUT


@dataclass(frozen=True)
class Symbol:
    """Where a parameter is."""

    block: int
    at: int


@dataclass(frozen=True)
class Firmware:
    """An image with the entries of a direction, as words and addresses: what is proved.

    memory, banks: contents of the image, by blocks and table banks. others: entries by their names in a manifest, such
    as `update` of a MAC, the jobs before the last. tables: contents that the host writes. key, iv, length: places of
    parameters; key and iv may be missing. key_again, iv_again: where the host writes these inverted. asked, done: the
    row that routines, by their entries, write inverted.
    """

    program: Sequence[int]
    memory: Mapping[int, Sequence[tuple[int, bytes]]]
    banks: Mapping[int, Sequence[tuple[int, bytes]]]
    set_up: Sequence[int]
    start: int | None
    others: Mapping[str, int]
    run: int
    key: Symbol | None
    iv: Symbol | None
    length: Symbol
    tables: Sequence[bytes]
    offset: int
    job_bytes: int
    key_again: Symbol | None = None
    iv_again: Symbol | None = None
    asked: Symbol | None = None
    done: Symbol | None = None
    answer: frozenset[int] = frozenset()


def host_writes(machine: Machine, to: Symbol | None, value: Bits) -> None:
    """Let the host write a parameter, if there is one."""
    if to is not None:
        machine.memories[to.block].write(Affine(to.at), value, {})


def lane(m: Machine, number: Affine, name: str) -> Bits:
    """A length as the host writes it. Equal ones have equal bits."""
    if number.known:
        return Bits.number(number.constant, 16)
    for word, other in m.lengths.items():
        if other == number:
            return Bits(word)
    size = number.range(m.ranges)[1].bit_length()
    lane = join((Bits.number(0, 16 - size), Bits.unknown(("length", name), size)))
    m.lengths[lane] = number
    return lane


def fresh(machine: Machine, entry: int) -> Machine:
    """The machine as a routine finds it: memories, tables and contexts, but no register has a known value."""
    made = Machine(
        memories=[m.copy() for m in machine.memories],
        banks=[bank.copy() for bank in machine.banks],
        contexts=[c.copy() for c in machine.contexts],
        pc=entry,
    )
    made.hash.gh, gx, gy = (Bits.unknown(("hash", name), 128) for name in ("gh", "gx", "gy"))
    made.hash.load(gx, gy)
    for n in (INPUT, OUTPUT):
        made.memories[n] = Memory(f"m{n}", made.memories[n].size)
    made.vague = True
    for memory in made.memories:
        memory.lenient = True
    return made
