"""Proof of key wrap: jobs of any number of semiblocks, and the check of what is unwrapped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from lutra.firmware.wrap import WRAPPED
from lutra.prove.affine import Affine
from lutra.prove.atoms import KNOWN, ONE
from lutra.prove.bits import BYTES, Bits, join
from lutra.prove.entries import Firmware, fresh, lane
from lutra.prove.errors import Unprovable
from lutra.prove.executor import paths
from lutra.prove.machine import LANE, Machine
from lutra.prove.memory import ROW, Cells, Memory
from lutra.prove.places import differing
from lutra.prove.rewriting import loop
from lutra.prove.rounds import UNIT, Path
from lutra.prove.specifications.wrap import ROUNDS, Unwrap, Wrap, evaluated
from lutra.prove.track import INPUT, OUTPUT, Differs

FEW = 4  # of fewer units, each number is done by itself


def finish(path: Path) -> None:
    """Compare what a job has left. Differs where it is not what the specification has."""
    memory = path.machine.memories[OUTPUT]
    a = [memory.known(Affine(WRAPPED) + i) for i in range(UNIT)]
    if path.units.known:
        count = path.units.constant
        path.a, units = evaluated(path.wrap, path.first, [path.unit(Affine(i)) for i in range(count)])
        path.round, path.made = ROUNDS, {(ROUNDS, Affine(i)): unit for i, unit in enumerate(units)}
        left = [memory.known(path.place(Affine(0)) + i) for i in range(UNIT * count)]
        if left != join(units).bytes:
            raise Differs("the units differ at the end")
    else:
        path.settle()
        path.a = path.wrap.a(path.begun())
        for i, byte in enumerate(path.a.bytes if a == path.a.bytes else []):
            path.machine.memories[OUTPUT].replace((), WRAPPED + i, byte)
    if path.round != ROUNDS or a != path.a.bytes:
        raise Differs(f"A differs at the end, after {path.round} rounds")


def prove(firmware: Firmware, wrap: Wrap | Unwrap, ready: Machine, iv: Bits) -> None:
    """Prove jobs of any number of units, and the check of what is unwrapped.

    Differs or Unprovable where there is no proof.
    """
    most = firmware.job_bytes // UNIT - int(not wrap.backwards)
    for semiblocks, ranges in _lengths(int(wrap.backwards), most):
        path = _begun(firmware, wrap, ready, iv, semiblocks, ranges)
        before = path.machine.copy()
        for end in paths(path, firmware.program, partial(loop, program=firmware.program)):
            assert isinstance(end, Path)
            finish(end)
            _keeps(before, end.machine)
            if isinstance(wrap, Unwrap):
                _checked(firmware, wrap, end, iv)


def _lengths(more: int, most: int) -> Iterator[tuple[Affine, dict[str, tuple[int, int]]]]:
    """Yield numbers of semiblocks: of few units, even ones and odd ones. more: semiblocks in addition to the units."""
    least = FEW + more
    yield from ((Affine(n), {}) for n in range(1 + more, least))
    for odd in range(2):
        yield Affine.symbol("n") * 2 + odd, {"n": ((least - odd + 1) // 2, (most - odd) // 2)}


def _begun(
    firmware: Firmware,
    wrap: Wrap | Unwrap,
    ready: Machine,
    iv: Bits,
    semiblocks: Affine,
    ranges: dict[str, tuple[int, int]],
) -> Path:
    machine = fresh(ready, firmware.run)
    machine.ranges = ranges
    number = lane(machine, semiblocks, "n")
    none = Bits.number(0, LANE)
    length = join((Bits.number(0, 4 * LANE), number, none, none, number))
    machine.memories[firmware.length.block].write(Affine(firmware.length.at), length, {})
    machine.length = firmware.length.block, firmware.length.at
    machine.memories += [Memory(f"units {n}", machine.memories[INPUT].size) for n in range(1, ROUNDS + 1)]
    if wrap.backwards:
        first = machine.memories[INPUT].first(Affine(0), UNIT)
        return Path(machine, wrap, semiblocks - 1, first, UNIT)
    return Path(machine, wrap, semiblocks, iv, 0)


def _keeps(before: Machine, after: Machine) -> None:
    """Unprovable where a routine changes what the next message finds."""
    if differing(before, after) or [b.rows for b in after.banks] != [b.rows for b in before.banks]:
        raise Unprovable("a routine changes memory that lasts")


def _beyond(cells: Cells) -> dict[Affine, Bits]:
    """The bytes of a memory but those of its first row."""
    found = {Affine(at, terms): byte for terms, parts in cells.items() for at, byte in parts.items()}
    return {at: byte for at, byte in found.items() if not (at.known and at.constant < ROW)}


def _checked(firmware: Firmware, wrap: Unwrap, end: Path, iv: Bits) -> None:
    """Prove that the check says whether what is found is right, and that it changes nothing else."""
    right = wrap.right(end.a, end.unit(end.units - 1), iv)
    machine = fresh(end.machine, firmware.others["check"])
    machine.memories[OUTPUT] = end.machine.memories[OUTPUT].copy()
    machine.lengths, machine.length = dict(end.machine.lengths), end.machine.length
    machine.ranges, machine.reveals = dict(end.machine.ranges), frozenset(bit for word in right for bit in word)
    machine.shown = dict(end.machine.shown)
    before = _beyond(end.machine.memories[OUTPUT].written())
    routine = replace(end, machine=machine, state=None, done=Affine(0))
    for found in paths(routine, firmware.program, partial(loop, program=firmware.program)):
        assert isinstance(found, Path)
        bits = {found.machine.revealed.get(bit, bit) for (bit,) in right}
        memory = found.machine.memories[OUTPUT]
        verdict = [memory.known(Affine(i)) for i in range(ROW)]
        if verdict != [BYTES[0xFF if ONE in bits else 0]] * ROW or not bits <= KNOWN:
            raise Differs("the check of what is found differs")
        if _beyond(memory.written()) != before or len(memory.arrays) != len(end.machine.memories[OUTPUT].arrays):
            raise Differs("the check changes what is found")
        _keeps(end.machine, found.machine)
