"""The values of a machine by their places, and which of them are those of a specification's state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import compress
from operator import is_not
from typing import Any

from lutra.prove.affine import Affine
from lutra.prove.atoms import ONE
from lutra.prove.bits import Bits
from lutra.prove.errors import Unprovable
from lutra.prove.machine import Machine

State = Mapping[str, Bits]  # of a specification, by the names that it uses
Place = tuple[Any, ...]
ROW = 16
View = dict[Place, Bits]


def lasting(machine: Machine) -> View:
    """Return what a routine can leave for the next: data memory but the job's, and stream contexts."""
    return {**dict(_memory(machine, (0, 1))), **dict(_contexts(machine))}


def left(machine: Machine) -> View:
    """Return what a job leaves, without lanes of its length that are known because of the case."""
    return {place: byte for place, byte in lasting(machine).items() if (place[1], place[-1]) not in machine.shown}


def value_of(machine: Machine, place: Place) -> Bits:
    """The value of a place that can last; unknown where a loop may have overwritten it."""
    match place:
        case ("memory", n, terms, address):
            return machine.memories[n].written().get(terms, {}).get(address) or Bits.unknown(("gone", place), 8)
        case ("context", n, "buffer"):
            return machine.contexts[n].buffer
        case ("context", n, name, i):
            word: Bits = getattr(machine.contexts[n], name)[i]
            return word
    raise KeyError(place)


def differing(before: Machine, after: Machine) -> set[Place]:
    """The places that last and are not what they were, found without naming the others. Of bytes at addresses that
    depend on a length, all places where they may be."""
    found: set[Place] = set()
    for n in (0, 1):
        was, now = before.memories[n].written().get((), {}), after.memories[n].written()
        known = now.get((), {})
        # Most are the same, and so is what there are of them.
        others = compress(known, map(is_not, known.values(), map(was.get, known)))
        moved = {at for at in others if known[at] != was.get(at)} | (was.keys() - known.keys())
        for terms, parts in now.items():
            low, high = Affine(0, terms).range(after.ranges)
            moved.update(range(min(parts) + low, max(parts) + high + 1) if terms else ())
        moved |= after.memories[n].touched
        moved -= {at for (block, at), byte in after.shown.items() if block == n and known.get(at) == byte}
        found.update(("memory", n, (), at) for at in moved)
    contexts = dict(_contexts(before))
    return found | {place for place, word in _contexts(after) if contexts[place] != word}


def everything(machine: Machine) -> View:
    """All values; those of memory as far as the program has written it."""
    view: View = dict(_memory(machine, range(4)))
    view |= dict(_contexts(machine))
    view |= {("vector", n): value for n, value in machine.vectors.items()}
    view |= {("hash", name): getattr(machine.hash, name) for name in ("gh", "taken", "before")}
    view["hash", "steps"] = Bits.number(machine.hash.begun, 8)
    if machine.flag is not None:
        view["flag",] = machine.flag
    return view


def _memory(machine: Machine, blocks: Iterable[int]) -> Iterator[tuple[Place, Bits]]:
    for n in blocks:
        for terms, parts in machine.memories[n].written().items():
            yield from ((("memory", n, terms, at), byte) for at, byte in parts.items())


def _contexts(machine: Machine) -> Iterator[tuple[Place, Bits]]:
    for n, context in enumerate(machine.contexts):
        yield from ((("context", n, "s", i), word) for i, word in enumerate(context.s))
        yield from ((("context", n, "r", i), word) for i, word in enumerate(context.r))
        yield ("context", n, "buffer"), context.buffer


def put(machine: Machine, place: Place, value: Bits) -> None:
    """Give a place a value."""
    match place:
        case ("memory", n, terms, at):
            machine.memories[n].replace(terms, at, value)
        case ("vector", n):
            machine.vectors[n] = value
        case ("hash", "steps"):
            if not value.known:
                raise Unprovable("passes of a loop have begun the product of the hash unit differently")
            machine.hash.begun = value.value
        case ("hash", name):
            setattr(machine.hash, name, value)
        case ("context", n, "buffer"):
            machine.contexts[n].buffer = value
        case ("context", n, name, i):
            getattr(machine.contexts[n], name)[i] = value
        case ("flag",):
            machine.flag = value


@dataclass(frozen=True)
class Source:
    """Where a byte of a value comes from: the XOR of a byte of the specification's state and one of the input.

    of: name and byte in the state. back, lane: byte of the unit so many units back. A source of neither is what the
    byte was: it does not change; or, shifted, what it was of a later input. plus: a number, or a byte that the
    loop does not change, that is added, too.
    """

    of: tuple[str, int] | None = None
    back: int = -1
    lane: int = 0
    shifted: bool = False
    plus: int | Bits = 0


KEPT, SHIFTED = Source(), Source(shifted=True)


def likeliest(key: tuple[Place, int], sources: set[Source]) -> Source:
    """A source that is as far from the beginning of a row as the byte, or else any, always the same one."""
    (*_, at), i = key
    at = at if isinstance(at, int) else 0

    def unlikely(source: Source) -> tuple[bool, bool, bool, str]:
        apart = source.of[1] - at - i if source.of else 1
        return apart % 8 != 0, apart % ROW != 0, apart % 4 != 0, repr(source)

    return min(sources, key=unlikely)


class Moment:
    """A time at which machine and specification are compared: its state, and the units of the input before it.

    constants: a byte may be the sum of one of the state and a constant.
    """

    def __init__(
        self, state: State, back: list[Bits | None], *, constants: bool = False, complements: bool = False
    ) -> None:
        self._state = {name: word.bytes for name, word in state.items()}
        self._back = [unit.bytes if unit is not None else [] for unit in back]
        self._where: dict[Bits, list[tuple[str, int]]] = {}
        for name, word in self._state.items():
            for i, byte in enumerate(word):
                self._where.setdefault(byte, []).append((name, i))
        self._complements = complements
        self._sums: dict[Bits, list[tuple[str, int]]] = {}
        for byte, of in self._where.items() if constants else ():
            if not byte.known:
                self._sums.setdefault(_linear(byte), []).extend(of)

    def of_state(self, byte: Bits) -> set[Source]:
        """Which bytes of the specification's state it is."""
        if found := {Source(of) for of in self._where.get(byte, ())}:
            return found
        if self._complements:
            return {Source(of, plus=0xFF) for of in self._where.get(~byte, ())}
        sums = self._sums.get(_linear(byte), ()) if self._sums else ()
        return {Source((name, i), plus=(byte ^ self._state[name][i]).value) for name, i in sums}

    def sources(self, byte: Bits, i: int, *, state: bool = True) -> set[Source]:
        """Return what byte i of a value may be; state: also of the specification's state."""
        found = self.of_state(byte) if state else set()
        for n, unit in enumerate(self._back):
            # Bytes of rows meet those at the same place of a row.
            for lane in range(i % min(len(unit), ROW) if unit else 0, len(unit), ROW):
                if unit[lane] == byte:
                    found.add(Source(None, n, lane))
                if state:
                    found |= {Source(of, n, lane) for of in self._where.get(byte ^ unit[lane], ())}
        return found

    def differences(self, later: Moment) -> dict[Bits, tuple[str, int]]:
        """The bytes of the state that are others later, by the differences."""
        return {
            byte ^ later._state[name][i]: (name, i)
            for name, word in self._state.items()
            for i, byte in enumerate(word)
            if later._state[name][i] != byte
        }

    def plus(self, x: Bits, of: tuple[str, int]) -> Source:
        """A byte as the sum of one of the state and another one."""
        return Source(of, plus=x ^ self._state[of[0]][of[1]])

    def value(self, source: Source) -> Bits:
        """The byte that a source is now."""
        value = Bits.number(0, 8)
        if source.of is not None:
            value = value ^ self._state[source.of[0]][source.of[1]]
        if source.back >= 0:
            value = value ^ self._back[source.back][source.lane]
        return value ^ source.plus


def _linear(byte: Bits) -> Bits:
    """A byte without a constant."""
    return Bits(bit - ONE if 0 in bit else bit for bit in byte)


def unknown(kind: str, name: object, like: Bits) -> list[Bits]:
    """Unknown bytes in place of those of a value."""
    return Bits.unknown((kind, name), len(like)).bytes
