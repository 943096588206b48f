"""Specifications of jobs: what each kind has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from lutra.prove.atoms import current
from lutra.prove.bits import Bits
from lutra.prove.places import State


class Job(Protocol):
    """A specification: a message as a sequence of units.

    unit_bytes: of a unit of the input, and of the output if there is one. outputs: whether a unit has one. continues: a
    job of a multiple of so many units can be followed by another one of the message. A method depends on its arguments
    only, and keeps nothing that it makes: atoms change their meaning from path to path.
    """

    @property
    def unit_bytes(self) -> int: ...
    @property
    def outputs(self) -> bool: ...
    @property
    def continues(self) -> int: ...

    def begin(self, iv: Bits) -> State:
        """The state at the beginning of a message."""

    def step(self, state: State, unit: Bits) -> tuple[State, Bits]:
        """A whole unit: the next state, and the output."""

    def last(self, state: State, unit: Bits, count: int) -> Bits:
        """The output of a last unit that has some bytes only; what comes after these is not looked at."""


@runtime_checkable
class Mac(Job, Protocol):
    """A specification of a message that ends with a tag."""

    def tag(self, state: State, unit: Bits, bits: int) -> Bits:
        """The tag after a last unit of which so many bits count: all of them, or none only of an empty message."""


@runtime_checkable
class Delayed(Job, Protocol):
    """A specification whose state has what the outputs of the last units are made of: firmware writes them later."""

    def earlier(self, state: State, units: int, unit: Bits) -> Bits:
        """The output of a unit, of its input and the state so many units after it began."""


@runtime_checkable
class Following(Job, Protocol):
    """A specification whose state also has words that follow from its others: firmware is ahead with these."""

    def following(self, state: State) -> State:
        """Compute these words from the others, whatever the state is."""


@runtime_checkable
class Windowed(Job, Protocol):
    """A specification whose state is the last bytes of the input."""

    def window(self, before: Bits) -> State:
        """The state after these."""


def completed(job: object, state: State) -> State:
    """Return a state with the words that follow from its others."""
    return {**state, **job.following(state)} if isinstance(job, Following) else state


def begun(job: object, state: State) -> State:
    """Return a state between jobs with the words that each job begins with."""
    return {**state, **getattr(job, "begin_job", dict)()}


@runtime_checkable
class Stealing(Job, Protocol):
    """A specification of a message whose last unit, of some bits, changes the one before it.

    always: a whole last unit does so, too, if it is not the only one.
    """

    @property
    def always(self) -> bool: ...

    def tail(self, state: State, pair: Bits, bits: int) -> Bits:
        """The output of a last whole unit and of so many bits of another, whose input is a pair of units."""


@runtime_checkable
class Section(Protocol):
    """A specification of a part of a message, as `Job`, after which the message goes on.

    partial: whether a last unit may have some bytes only.
    """

    @property
    def unit_bytes(self) -> int: ...
    @property
    def outputs(self) -> bool: ...
    @property
    def continues(self) -> int: ...
    @property
    def partial(self) -> bool: ...

    def step(self, state: State, unit: Bits) -> tuple[State, Bits]:
        """A whole unit: the next state, and the output."""

    def end(self, state: State, unit: Bits, bits: int) -> tuple[State, Bits]:
        """A last unit that has so many bits only, which alone count in the output."""


@runtime_checkable
class Closing(Protocol):
    """A `Section` that ends in a way of its own, whether or not its last unit is whole."""

    def close(self, state: State, unit: Bits, bits: int, begun: bool) -> State:
        """The state after the part. bits: of a last unit that is not whole. begun: whether there are whole ones."""


class Remembered:
    """A specification whose steps are done once: many paths have the same."""

    def __init__(self, job: Job | Section) -> None:
        self._job = job
        self.unit_bytes, self.outputs, self.continues = job.unit_bytes, job.outputs, job.continues
        self.apart, self.again = getattr(job, "apart", False), getattr(job, "again", False)
        self.abreast = getattr(job, "abreast", False)
        self.counted = getattr(job, "counted", ())
        if isinstance(job, Section):
            self.partial, self._end = job.partial, job.end
            self.end = self._ended
            if isinstance(job, Closing):
                self.close = job.close
            return
        self.begin, self.last, self.begin_job = job.begin, job.last, getattr(job, "begin_job", dict)
        if isinstance(job, Delayed):
            self.earlier = job.earlier
        if isinstance(job, Following):
            self.following = job.following
        if isinstance(job, Windowed):
            self.window = job.window
        if isinstance(job, Mac):
            self.tag = job.tag
        if isinstance(job, Stealing):
            self.always, self.tail = job.always, job.tail

    def step(self, state: State, unit: Bits) -> tuple[State, Bits]:
        """As the specification's."""
        return self._once((unit, *state.values()), lambda: self._stepped(state, unit))

    def _stepped(self, state: State, unit: Bits) -> tuple[State, Bits]:
        after, out = self._job.step(state, unit)
        return completed(self._job, after), out

    def _once(self, key: tuple[Bits | int, ...], make: Callable[[], tuple[State, Bits]]) -> tuple[State, Bits]:
        made: tuple[State, Bits] = current().results.once((self, *key), make)
        return made

    def _ended(self, state: State, unit: Bits, bits: int) -> tuple[State, Bits]:
        return self._once((bits, unit, *state.values()), lambda: self._end(state, unit, bits))
