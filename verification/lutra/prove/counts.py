"""Words of a specification's state that a unit adds a constant to, such as the counter of CTR.

After any number of units such a word is its first value and a multiple of that number. Firmware may add the length of a
job to it in advance, which is the same sum.
"""

from __future__ import annotations

from lutra.prove.atoms import current
from lutra.prove.bits import Bits
from lutra.prove.jobs import Section
from lutra.prove.machine import Machine
from lutra.prove.places import Moment, value_of
from lutra.prove.relations import Broken, Relation
from lutra.prove.renaming import Renaming
from lutra.prove.track import Track


def kept(begun: Track, end: Track, relation: Relation, wrong: Broken) -> Broken:
    """Which bytes of the machine are those of such words after all, at the end of a job that has begun in any state."""
    if isinstance(begun.job, Section) or any(word.known for word in begun.state.values()):
        return set()  # a section may end in another way; a unit may add something else in another state
    after, _ = begun.ahead(1)
    names = {source.of[0] for source in map(relation.__getitem__, wrong) if source.of}
    differences = {name: after[name] - begun.state[name] for name in names}
    steps = {name: by.value for name, by in differences.items() if by.known}
    if not steps:
        return set()
    done, made = end.machine.number(end.done), dict(end.state)
    for name, step in steps.items():
        word = begun.state[name]
        made[name] = Bits(current().add([(word, 1), (tuple(done)[-len(word) :], step)]))
    moment, now = Moment(made, []), _lengths(end.machine)
    found: Broken = set()
    for place, i in wrong:
        source = relation[place, i]
        if source.of and source.of[0] in steps:
            byte = value_of(end.machine, place).bytes[i]
            if moment.value(source) in (byte, Bits(now(byte))):
                found.add((place, i))
    return found


def _lengths(machine: Machine) -> Renaming:
    """Words in which lengths that are known have their values."""
    atoms, known = current(), {}
    for word, length in machine.lengths.items():
        for bit, value in zip(word, Bits.number(length.constant, len(word)) if length.known else (), strict=False):
            if len(bit) == 1:
                known[atoms.atoms[min(bit)].name] = value  # type: ignore[union-attr]
    return Renaming(atoms, known.get)
