"""A path of a job through the firmware, with the specification next to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from lutra.prove.affine import Affine
from lutra.prove.bits import Bits, join
from lutra.prove.errors import Unprovable
from lutra.prove.jobs import Closing, Delayed, Job, Mac, Section, Stealing, Windowed
from lutra.prove.machine import Machine
from lutra.prove.places import Moment, State
from lutra.prove.sweeps import Sweeps
from lutra.prove.units import Units

INPUT, OUTPUT = 2, 3  # memory blocks of a job


NOWHERE = Affine(0)


class Differs(Unprovable):
    """The firmware's result is not found equal to the specification's."""


@dataclass
class Track:
    """A path: the machine, the state of the specification, and how far both are.

    done: units that the specification has done. seen: units after these whose outputs have been compared. total: units
    of the job, and rest, bits: bytes and bits of a last one. offset: of the input. ends: the job ends a message in
    another way. names: units in which the specification names words before the firmware does them. first: the output
    of the first unit, where the firmware's is compared at the end of the job only. moving: the specification's state
    may be at addresses that move. apart: outputs are written in a loop of their own; compared: bytes of these.
    sweeps: of a job whose loops each begin with the first unit. units: of one whose state is the last bytes of the
    input.
    """

    machine: Machine
    job: Job
    state: State
    done: Affine
    total: Affine
    rest: Affine
    bits: Affine
    offset: int
    ends: bool = False
    names: int = 0
    first: Bits | None = None
    seen: int = 0
    moving: bool = False
    apart: bool = False
    compared: Affine = NOWHERE
    sweeps: Sweeps | None = None
    units: Units | None = None

    def copy(self) -> Track:
        """A path of its own."""
        sweeps, units = self.sweeps and replace(self.sweeps), self.units and replace(self.units)
        return replace(self, machine=self.machine.copy(), sweeps=sweeps, units=units)

    @property
    def outputs(self) -> bool:
        """Whether units have outputs that are compared."""
        return self.job.outputs and not (self.sweeps and self.sweeps.silent)

    def restrict(self, name: str, value: Affine, since: Track | None = None) -> None:
        """From here on a symbol has a value. since: words of the state are made of those of this path, if they are as
        many units later as a number says."""
        if self.sweeps is not None:
            known = partial(self._after, since)
            self.state = self.sweeps.renamed(self.machine, self.state, name, value, known)
        self.machine.restrict(name, value)
        self.done, self.total = self.done.with_(name, value), self.total.with_(name, value)
        self.rest, self.bits = self.rest.with_(name, value), self.bits.with_(name, value)
        self.compared = self.compared.with_(name, value)
        if self.units is not None:
            self.state = self.units.restrict(self.machine, self.state, name, value)
        self._name_end()

    def _after(self, since: Track | None, done: Affine) -> State | None:
        """The state after so many units of the job, if it can be made of that at its beginning, or of a path's."""
        assert self.sweeps is not None
        begin = (NOWHERE, self.sweeps.state) if since is None or done.known else (since.done, since.state)
        units, state = done - begin[0], begin[1]
        if not units.known or units.constant < 0:
            return None
        for n in range(units.constant):
            place = (begin[0] + n) * self.job.unit_bytes + self.offset
            state, _ = self.job.step(state, self.machine.memories[INPUT].first(place, self.job.unit_bytes))
        return state

    def begin_again(self) -> None:
        """Go on with the first unit, as the next loop does."""
        sweeps = self.sweeps
        if sweeps is None or self.done == NOWHERE:
            return
        if self.outputs:
            self.catch_up()
            self.advance(max(self.seen, 0))
            sweeps.compared = self.state, self.done
            self.machine.memories[OUTPUT].floor = self.place()
        self.state, self.done, self.seen = sweeps.state, NOWHERE, 0
        sweeps.silent = sweeps.compared is not None

    def end_again(self) -> None:
        """Go on with what has not been compared, after a loop over what has."""
        if self.sweeps is not None and self.sweeps.compared is not None:
            (self.state, self.done), self.seen, self.sweeps.silent = self.sweeps.compared, 0, False

    def begin_loop(self, turns: Affine, less: int) -> None:
        """Do as many units as before the first loop, where another one goes over what has been compared; none where
        there are not so many. less: passes that are not of these turns."""
        if self.sweeps is not None and self.sweeps.silent and self.sweeps.loop is not None:
            before, units = self.sweeps.loop
            end = self.done + before + (turns + less) * units
            compared = self.sweeps.compared
            whole = compared is not None and (compared[1] - end).range(self.machine.ranges)[0] < 0
            self.advance(0 if whole else before)
            self.put_outputs(self.done + turns * units)

    def beyond(self, turns: Affine) -> int:
        """How many passes of a loop are left after that of the last whole unit but one, with which each loop ends."""
        more = turns - (self.total - 1)
        return max(more.constant, 0) if more.known else 0

    def put_outputs(self, end: Affine) -> None:
        """Let the memory of the output have what has been compared: of units of a pass, and of those before it, as far
        as the specification knows these. end: units after the last pass."""
        if self.sweeps is None or self.sweeps.compared is None or self.sweeps.loop is None:
            return
        if (self.sweeps.compared[1] - end).range(self.machine.ranges)[0] < 0:
            return
        units = self.sweeps.loop[1]
        earlier = units - 1 if isinstance(self.job, Delayed) else 0
        if earlier and self.delays_wrongly(earlier):
            raise Unprovable("the specification's outputs that are written later are not those of its units")
        outputs = dict(enumerate(self.ahead(units)[1]))
        for n in range(-earlier, 0):
            assert isinstance(self.job, Delayed)
            outputs[n] = self.job.earlier(self.state, -n, self.unit(n))
        for n, output in outputs.items():
            place = self.place(n)
            for i, byte in enumerate(output.bytes):
                self.machine.memories[OUTPUT].know(place + i, byte)

    @property
    def parts(self) -> Affine:
        """How many units there are, with one of which only some bits count."""
        bits = (self.rest * 8 + self.bits).range(self.machine.ranges)
        if bits[0] <= 0 < bits[1]:
            raise Unprovable("it is not known whether there is a part of a unit")
        return self.total + int(bits[1] > 0)

    def window(self, done: Affine) -> State:
        """The state after so many units of a job whose state is the last bytes of the input."""
        assert isinstance(self.job, Windowed)
        return self.job.window(self.machine.memories[INPUT].first(done, self.offset))

    def place(self, n: int = 0) -> Affine:
        """Where the output of a unit after those that are done begins."""
        return (self.done + n) * self.job.unit_bytes

    def unit(self, n: int) -> Bits:
        """The input of a unit after those that are done."""
        return self.machine.memories[INPUT].first(self.place(n) + self.offset, self.job.unit_bytes)

    def moment(self, state: State, later: int, back: int) -> Moment:
        """The comparison so many units later, with as many units of the input as `back` says."""
        places = [self.place(later - 1 - n) + self.offset for n in range(back)]
        first, size = self.machine.memories[INPUT].first, self.job.unit_bytes
        units = [None if at.known and at.constant < self.offset else first(at, size) for at in places]
        return Moment(state, units, constants=self.apart)

    def output(self, n: int, size: int) -> Bits:
        """Return what the firmware has written as output of a unit."""
        return self.machine.memories[OUTPUT].read(self.place(n), self.machine.ranges, size)

    def ahead(self, units: int) -> tuple[State, list[Bits]]:
        """The state after more units, and their outputs."""
        state, outputs = self.state, []
        for n in range(units):
            state, output = self.job.step(state, self.unit(n))
            outputs.append(output)
        return state, outputs

    def name(self) -> None:
        """Do units of the specification only to name words before firmware makes them."""
        self.ahead(self.names)

    def _name_end(self) -> None:
        """Compute how the job ends only to name words, once the lengths are known."""
        if self.units is not None and (last := self.parts - 1).range(self.machine.ranges)[0] >= 0:
            self.job.step(
                self.window(last), self.machine.memories[INPUT].first(last + self.offset, self.job.unit_bytes)
            )
        left, count = self.total - self.done, self.rest * 8 + self.bits
        if not (self.names and left.known and count.known):
            return
        if self.ends and isinstance(self.job, Mac):
            self._tag_after(max(left.constant, 0), count.constant)
        elif self.ends and isinstance(self.job, Stealing):
            self._tail_after(left.constant, count.constant)
        elif count.constant and isinstance(self.job, Section) and not isinstance(self.job, Closing):
            state, _ = self.ahead(max(left.constant, 0))
            self.job.end(state, self.unit(max(left.constant, 0)), count.constant)
        elif isinstance(self.job, Closing) and self._begun is not None:
            state, _ = self.ahead(max(left.constant, 0))
            self.job.close(state, self.unit(max(left.constant, 0)), count.constant, self._begun)

    @property
    def _begun(self) -> bool | None:
        """Whether there are whole units, if that is known."""
        low, high = self.total.range(self.machine.ranges)
        return None if low <= 0 < high else high > 0

    def _tag_after(self, left: int, count: int) -> tuple[int, Bits]:
        """Bits of a last unit, and the tag, after so many units and bits. A last unit that is whole is not a unit like
        those before it."""
        assert isinstance(self.job, Mac)
        whole = count == 0 and left > 0
        bits = 8 * self.job.unit_bytes if whole else count
        state, _ = self.ahead(left - whole)
        return bits, self.job.tag(state, self.unit(left - whole), bits)

    def compare(self, units: int) -> None:
        """Compare the outputs of units after those that are done. Differs where the firmware's are not these."""
        if self.outputs and (wrong := self.wrong(units)) is not None:
            raise Differs(f"the output at {self.place(wrong)} differs")
        self.seen = max(self.seen, units)

    def wrong(self, units: int, path: Track | None = None) -> int | None:
        """The first of units, after those that are seen, of which the firmware's output differs; None if there is none.
        path: another one, which has written them."""
        by, size, state = path or self, self.job.unit_bytes, self.state
        for n in range(self.seen, 0):
            assert isinstance(self.job, Delayed)
            if by.output(n, size) != self.job.earlier(state, -n, self.unit(n)):
                return n
        # One by one, because what is written may be the rest of a row, and so no output.
        for n in range(units):
            state, out = self.job.step(state, self.unit(n))
            if n >= self.seen and by.output(n, size) != out:
                return n
        return None

    def delays_wrongly(self, units: int) -> bool:
        """Whether the outputs of so many units, after any state, are not those of `earlier`."""
        assert isinstance(self.job, Delayed)
        state, outputs = self.ahead(units)
        early = [self.job.earlier(state, units - n, self.unit(n)) for n in range(units)]
        return early != outputs

    def advance(self, units: int) -> None:
        """Do units of the specification, and compare. Differs where the firmware's are not these."""
        self.compare(units)
        self.state, _ = self.ahead(units)
        self.done, self.seen = self.done + units, self.seen - units

    def has_written(self, n: int) -> bool:
        """Whether the firmware has written the output of a unit after those that are done."""
        at = self.place(n)
        cells = self.machine.memories[OUTPUT].written().get(at.terms, {})
        return all(at.constant + i in cells for i in range(self.job.unit_bytes))

    def catch_up(self, behind: int = 0) -> None:
        """Do as many units that only so many are left of those whose outputs the firmware has written. Less than zero
        are units that are done before their outputs are written (`Delayed`).

        What is written but is not an output may be the rest of a row, which is overwritten later.
        """
        while self.outputs and self.has_written(self.seen) and self.total - self.done != Affine(self.seen):
            _, outputs = self.ahead(self.seen + 1)
            if self.output(self.seen, self.job.unit_bytes) != outputs[-1]:
                return
            self.compare(self.seen + 1)
            if self.seen > behind:
                self.advance(1)
        if behind < 0:
            self.state, _ = self.ahead(-behind)
            self.done, self.seen = self.done - behind, behind

    def postpone(self) -> None:
        """Do a first unit whose output is not right yet."""
        size = self.job.unit_bytes
        self.state, (self.first,) = self.ahead(1)
        self.done = self.done + 1
        self.machine.memories[OUTPUT].kept = frozenset(range(size))

    def finish(self) -> None:
        """Compare what the job leaves. Differs where it is not what the specification has."""
        output, size = self.machine.memories[OUTPUT], self.job.unit_bytes
        if self.job.outputs and not self.outputs:
            self.begin_again()  # what writes the outputs is not a loop
        if self.first is not None and output.read(Affine(0), self.machine.ranges, size) != self.first:
            raise Differs("the output at 0 differs at the end")
        left = self.total - self.done
        if not left.known or left.constant < 0:
            raise Unprovable(f"{left} units are left at the end")
        if self.ends:
            (self._tail if isinstance(self.job, Stealing) else self._tag)(left.constant)
            return
        self.advance(left.constant)
        if isinstance(self.job, Section):
            self._section()
            return
        # Where the way through the program does not depend on the count, the longest unit stands for all.
        _, count = (self.rest * 8 + self.bits).range(self.machine.ranges)
        if count and self.job.outputs:
            size = (count + 7) // 8
            expected = self.job.last(self.state, self.unit(0), size)
            if self.output(0, size)[:count] != expected[:count]:
                raise Differs(f"the output at {self.place()} differs, of {count} bits")

    def _section(self) -> None:
        """Do a last unit of some bytes, after which the message goes on."""
        count = self.rest * 8 + self.bits
        if not count.known:
            raise Unprovable("the length of the last unit is not known at the end")
        assert isinstance(self.job, Section)
        if isinstance(self.job, Closing):
            self._close(self.job, count.constant)
            return
        if not count.constant:
            return
        self.state, expected = self.job.end(self.state, self.unit(0), count.constant)
        size = (count.constant + 7) // 8
        if self.job.outputs and self.output(0, size)[: count.constant] != expected[: count.constant]:
            raise Differs(f"the output at {self.place()} differs, of {count} bits")

    def _close(self, job: Closing, bits: int) -> None:
        if self._begun is None:
            raise Unprovable("it is not known at the end whether there are whole units")
        self.state = job.close(self.state, self.unit(0), bits, self._begun)

    def _tail(self, left: int) -> None:
        """Compare the outputs of the last units, where bits of these are stolen."""
        assert isinstance(self.job, Stealing)
        count, unit = self.rest * 8 + self.bits, 8 * self.job.unit_bytes
        if not count.known:
            raise Unprovable("the length of the last unit is not known at the end")
        if not self._steals(count.constant):
            self.advance(left)
            return
        self.advance(left - 1 - (count.constant == 0))
        bits = count.constant or unit
        expected = self.job.tail(self.state, join((self.unit(0), self.unit(1))), bits)
        if self.output(0, (unit + bits + 7) // 8)[: unit + bits] != expected:
            raise Differs(f"the output at {self.place()} differs, of a last unit of {bits} bits")

    def _steals(self, count: int) -> bool:
        """Whether the last unit, of so many bits or whole, changes the one before it."""
        assert isinstance(self.job, Stealing)
        return bool(count) or (self.job.always and self.total.range(self.machine.ranges)[0] > 1)

    def _tail_after(self, left: int, count: int) -> None:
        """Do the last units after so many, only to name words."""
        before = left - 1 - (count == 0)
        if before < 0 or not self._steals(count):
            return
        assert isinstance(self.job, Stealing)
        state, _ = self.ahead(before)
        pair = join((self.unit(before), self.unit(before + 1)))
        self.job.tail(state, pair, count or 8 * self.job.unit_bytes)

    def _tag(self, left: int) -> None:
        """Compare the tag."""
        count = self.rest * 8 + self.bits
        if not count.known:
            raise Unprovable("the length of the last unit is not known at the end")
        bits, expected = self._tag_after(left, count.constant)
        got = self.machine.memories[OUTPUT].read(Affine(0), self.machine.ranges, len(expected) // 8)
        # Firmware may have made something of a length before it was known.
        if got != expected and Bits(self.machine.with_lengths()(got)) != expected:
            raise Differs(f"the tag differs, of a last unit of {bits} bits")
