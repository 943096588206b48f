"""Jobs that compute all outputs first, in memory, and write them in a loop of their own.

Loops over the message copy the input, do the units, and write the output. A byte of the output of any unit that a loop
has done is unknown by its place: bytes that the loop has left in memory are known by it (`arrays`), and so are those
that the last loop writes.
"""

from __future__ import annotations

from lutra.prove.affine import Affine
from lutra.prove.arrays import NUMBER, Array, Parts, last
from lutra.prove.bits import Bits
from lutra.prove.errors import Unprovable
from lutra.prove.jobs import Section
from lutra.prove.machine import Machine, code
from lutra.prove.memory import Memory
from lutra.prove.track import INPUT, OUTPUT, Differs, Track

OUTPUTS = 4  # the memory of the specification's outputs


def prepare(machine: Machine) -> None:
    """Add the specification's outputs."""
    machine.memories.append(Memory("outputs", machine.memories[OUTPUT].size))


def works(before: Machine, first: Machine) -> bool:
    """Whether a pass does units: it changes registers, and writes no output."""
    registers = before.vectors.keys() - {code("ROW"), code("HOLD")}
    same = before.memories[OUTPUT].written() == first.memories[OUTPUT].written()
    return same and any(before.vectors[n] != first.vectors[n] for n in registers)


def arrays(end: Track, index: str, left: str, units: int) -> dict[int, list[Array]]:
    """The bytes that a pass has written further on than the one before it, by memories, as those of any pass.

    index: the symbol for the number of the pass, and, after the loop, of the last one. left: the symbol for how many
    passes follow; what depends on it does not move with the pass.
    """
    known, number, turns = _parts(end, index, left, units), Affine.symbol(NUMBER), Affine.symbol(index) + 1
    found: dict[int, list[Array]] = {}
    for block, memory in enumerate(end.machine.memories):
        for terms, written in memory.written().items() if block not in (INPUT, OUTPUT) else ():
            by = dict(terms).get(index, 0)
            if not by or left in dict(terms):
                continue
            offsets = {
                at: tuple((source, where.with_(index, number)) for source, where in known[byte])
                if byte in known
                else None
                for at, byte in written.items()
            }
            base = Affine(0, tuple((name, times) for name, times in terms if name != index))
            if cells := last(offsets, by):
                found.setdefault(block, []).append(Array(base, by, turns, cells))
    return found


def _parts(end: Track, index: str, left: str, units: int) -> dict[Bits, Parts]:
    """Bytes of the input that a pass has read, outputs of its units, and sums of both, by where they are."""
    read = end.machine.memories[INPUT].unwritten()
    found: dict[Bits, Parts] = {byte: ((INPUT, at),) for at, byte in read if index in dict(at.terms)}
    for n, out in enumerate(end.ahead(units)[1] if end.job.outputs else ()):
        for i, (x, y) in enumerate(zip(end.unit(n).bytes, out.bytes, strict=True)):
            place = end.place(n) + i
            found.setdefault(x ^ y, ((INPUT, place + end.offset), (OUTPUTS, place)))
            found.setdefault(y, ((OUTPUTS, place),))
    return {byte: parts for byte, parts in found.items() if not any(left in dict(at.terms) for _, at in parts)}


def compare(end: Track, index: str) -> None:
    """Compare what a pass has written as output. Differs where it is not the specification's."""
    output = end.machine.memories[OUTPUT]
    if not (written := output.written()):
        return
    ((terms, parts), *more) = written.items()
    by = dict(terms).get(index, 0)
    place = end.compared + Affine.symbol(index) * by
    if more or by <= 0 or place.terms != terms or sorted(parts) != [*range(place.constant, place.constant + by)]:
        raise Unprovable("a loop writes the output in another order")
    if end.job.outputs:
        _equal(end, [end.machine.memories[OUTPUTS].first(place + i, 1) for i in range(by)], place)
    end.compared = end.compared + (Affine.symbol(index) + 1) * by
    output.floor = end.compared


def _equal(track: Track, expected: list[Bits], place: Affine) -> None:
    output = track.machine.memories[OUTPUT]
    for i, byte in enumerate(expected):
        if output.read(place + i, track.machine.ranges, 1)[: len(byte)] != byte:
            raise Differs(f"the output at {place + i} differs")


def finish(track: Track) -> None:
    """Do the units that are left, and compare the output that is. Differs where it is not the specification's."""
    left, count = track.total - track.done, track.rest * 8 + track.bits
    if not left.known or left.constant < 0 or not count.known:
        raise Unprovable(f"{left} units are left at the end, and {count} bits")
    assert isinstance(track.job, Section)
    begun, outputs = track.place(), track.ahead(left.constant)
    track.state, track.done = outputs[0], track.done + left
    bytes_ = [byte for out in outputs[1] for byte in out.bytes]
    if count.constant:
        track.state, out = track.job.end(track.state, track.unit(0), count.constant)
        bytes_ += out[: count.constant].bytes
    if not track.job.outputs:
        return
    if not (before := begun - track.compared).known:
        raise Unprovable(f"the output from {track.compared} on is not known at the end")
    earlier = [track.machine.memories[OUTPUTS].first(track.compared + i, 1) for i in range(before.constant)]
    _equal(track, earlier + bytes_, track.compared)
