"""Words of a specification's state that a unit adds a constant to, such as the counter of CTR.

After any number of units such a word is its first value and a multiple of that number. Firmware may add the length of a
job to it in advance, which is the same sum.
"""

from __future__ import annotations

from itertools import pairwise

from lutra.prove.affine import Affine
from lutra.prove.atoms import current
from lutra.prove.bits import Bits, join
from lutra.prove.errors import Unprovable
from lutra.prove.jobs import Section
from lutra.prove.machine import LANE, Machine
from lutra.prove.places import Moment, State, value_of
from lutra.prove.relations import Broken, Relation
from lutra.prove.track import Track


class Counted:
    """The words of the state that a job says it counts in, such as the length of a message, in a loop: what they are
    before the first pass, and what a pass adds."""

    def __init__(self, track: Track, reached: State) -> None:
        names: tuple[str, ...] = getattr(track.job, "counted", ())
        self._words = {name: (track.state[name], reached[name] - track.state[name]) for name in names}
        if any(not by.known for _, by in self._words.values()):
            raise Unprovable("a pass does not add a constant to a word in which the specification counts")

    def after(self, machine: Machine, passes: Affine) -> State:
        """The words after so many passes, of lengths as the host has written them where possible."""
        return {name: _added(machine, word, passes * by.value) for name, (word, by) in self._words.items()}

    def check(self, machine: Machine, state: State, passes: Affine) -> None:
        """Unprovable where a state does not have them."""
        if any(state[name] != word for name, word in self.after(machine, passes).items()):
            raise Unprovable("a pass adds something else to a word in which the specification counts")


def _added(machine: Machine, word: Bits, number: Affine) -> Bits:
    """A word and a number that depends on a length."""

    def wide(lane: Bits) -> Bits:
        return join((Bits.number(0, len(word) - LANE), lane))

    for lane, length in machine.lengths.items():
        name, times = (number.terms or (("", 0),))[0]
        factor = times // dict(length.terms).get(name, times + 1)
        if factor and (rest := number - length * factor).known:
            return Bits(current().add([(word, 1), (wide(Bits(lane)), factor)], rest.constant))
    terms = [(wide(Bits.unknown(("number", name), LANE)), times) for name, times in number.terms]
    return Bits(current().add([(word, 1), *terms], number.constant))


def kept(begun: Track, end: Track, relation: Relation, wrong: Broken) -> Broken:
    """Which bytes of the machine are those of such words after all, at the end of a job that has begun in any state."""
    if isinstance(begun.job, Section):
        return set()  # it may end in another way
    known = {name: word for name, word in begun.state.items() if word.known}
    states = [begun.ahead(n)[0] for n in range((begun.job.continues if known else 1) + 1)]
    if known != {name: states[-1][name] for name in known}:
        return set()  # a unit may add something else in another state
    names = {source.of[0] for source in map(relation.__getitem__, wrong) if source.of}
    differences = {name: {b[name] - a[name] for a, b in pairwise(states)} for name in names}
    steps = {name: by.value for name, (by, *others) in differences.items() if by.known and not others}
    if not steps:
        return set()
    done, made = end.machine.number(end.done), dict(end.state)
    for name, step in steps.items():
        word = begun.state[name]
        made[name] = Bits(current().add([(word, 1), (tuple(done)[-len(word) :], step)]))
    moment, now = Moment(made, []), end.machine.with_lengths()
    found: Broken = set()
    for place, i in wrong:
        source = relation[place, i]
        if source.of and source.of[0] in steps:
            byte = value_of(end.machine, place).bytes[i]
            if moment.value(source) in (byte, Bits(now(byte))):
                found.add((place, i))
    return found
