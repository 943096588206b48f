"""Proof of one algorithm in one direction: set-up and jobs of any length against a specification."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from lutra.isa import load
from lutra.prove import apart, counts, ends, induction, places, windows, wraps
from lutra.prove.affine import Affine
from lutra.prove.atoms import current
from lutra.prove.bits import BYTES, Bits, join
from lutra.prove.control import Induction
from lutra.prove.entries import Firmware, fresh, host_writes, lane
from lutra.prove.errors import Refuted, Unprovable
from lutra.prove.executor import MOST_PASSES, paths, run
from lutra.prove.jobs import Job, Mac, Remembered, Stealing, begun, completed
from lutra.prove.kept import Kept
from lutra.prove.limits import MOST_TERMS
from lutra.prove.machine import Machine
from lutra.prove.memory import Memory
from lutra.prove.places import Moment, Place, Source, State, View, differing, lasting, likeliest, put, unknown, value_of
from lutra.prove.public import Public
from lutra.prove.relations import Relation, broken, row, shared
from lutra.prove.sections import Message, Routine
from lutra.prove.specifications.wrap import Unwrap, Wrap
from lutra.prove.stream import BUFFER
from lutra.prove.sweeps import Sweeps
from lutra.prove.track import INPUT, Differs, Track

ROW = 16
MOST_TRIES = 24
Found = dict[tuple[Place, int], set[Source]]  # what bytes of the machine may be


@dataclass(frozen=True)
class Specification:
    """A result that firmware has to compute.

    key_bits, iv_bytes: of a message; of a MAC without an IV, its chaining values. partial, to_the_bit: a last unit may
    have some bytes, or bits, only. each: units by which the host counts of one message in a unit of the job; a last one
    may have fewer. peeled: passes of a loop that are not like the others. most_terms: of products that are multiplied
    out. ahead: units that the specification does before firmware does, where it names words. degree: of outputs of
    tables that are multiplied out. moving: in a loop the state moves through memory. windowed: the state is the last
    bytes of the input, and loops do a part of every unit, one after the other. behind: as of `Track.catch_up`.
    register: the word of the state that is the IV, with zeros up to a row, and the result. job: the specification under
    a key. Of a message in several parts `iv_bytes` are the row with which it begins.
    """

    key_bits: int
    iv_bytes: int
    job: Callable[[Bits], Job | Message | Wrap | Unwrap]
    partial: bool = False
    to_the_bit: bool = False
    streams: int = 1
    each: int = 1
    peeled: int = 0
    most_terms: int = MOST_TERMS
    ahead: int = 0
    degree: int = 1
    register: str = ""
    moving: bool = False
    windowed: bool = False
    behind: int = 0


@dataclass(frozen=True)
class _Work:
    """Jobs of a message: their entry and what each is. ends: the message. partial, to_the_bit: of a last unit. least:
    units of a job."""

    entry: int
    job: Job
    ends: bool = False
    partial: bool = False
    to_the_bit: bool = False
    least: int = 0


@dataclass(frozen=True)
class _Call:
    """A routine between the jobs, or after the last one. job: any of them."""

    entry: int
    routine: Routine
    job: Job


class Goal:
    """A proof."""

    def __init__(self, firmware: Firmware, specification: Specification) -> None:
        self.firmware, self.specification = firmware, specification
        self.calls: list[_Call] = []
        self.behind = specification.behind
        self.twice = firmware.asked is not None
        self.broken = False  # whether something of a relation did not hold

    def prove(self) -> None:
        """Differs or Unprovable where there is no proof, Refuted where the time depends on data."""
        try:
            self._prove()
        except (Unprovable, Refuted):
            if not self.calls or not (self.broken or self.twice):
                raise
            # Bytes that a loop writes may enter the hash or MAC in the next pass, of which a second hash has a pair.
            self.behind = 2 if self.twice else 1
            self._prove()

    def _prove(self) -> None:
        current().most_terms, current().degree = self.specification.most_terms, self.specification.degree
        key = Bits.unknown("key", self.specification.key_bits)
        iv = Bits.unknown("iv", 8 * self.specification.iv_bytes)
        # The specification first: it may name words.
        whole = self.specification.job(key)
        whole = getattr(whole, "twice", lambda: whole)() if self.twice else whole
        if isinstance(whole, Wrap | Unwrap):
            wraps.prove(self.firmware, whole, self._begun(self._set_up(key), iv), iv)
            return
        self.alike = getattr(whole, "alike", False)
        state = completed(whole, whole.begin(iv))
        ready = self._set_up(key)
        self.works, self.calls = self._parts(whole)
        first = self._begun(ready, iv)
        current().unused = Kept(whole, self.specification.job).check
        self.public = Public(getattr(whole, "public", {}))
        private = self.public.private(state)
        found = shared(first, private)
        # Bytes that begin as constants, such as a count, may be the state's if jobs change them.
        constant = shared(first, private, known=True)
        counts = self._counts(first, state, {place for place, _ in constant})
        found |= {key: sources for key, sources in constant.items() if key[0] in counts}
        if self.public.values or self.twice or self.alike or not isinstance(whole, Message):
            self._tell_apart(first, state, found, {*constant} if self.alike else set())
        if self.specification.moving and not isinstance(whole, Message):
            self._leave_out(first, state, found)
        self._turn(first, state, found)
        changed: set[Place] = set()
        mark = current().mark()
        for _ in range(MOST_TRIES):
            if self.specification.degree > 1:
                current().forget(mark)  # the try before has multiplied out as much
            relation = {key: likeliest(key, sources) for key, sources in found.items() if sources}
            wrong, more = self._jobs(first, state, relation, changed)
            if not wrong and more <= changed:
                wrong = self._next_message(ready, iv, state, relation, changed)
                if not wrong:
                    self._leaves(state, relation)
                    return
            self.broken |= bool(wrong)
            for place in wrong:
                found[place] = found[place] - {relation[place]}
            changed |= more
        raise Unprovable("no invariant of jobs is found")

    def _leaves(self, state: State, relation: Relation) -> None:
        """Differs where jobs without an output or a tag do not leave the register."""
        name = self.specification.register
        if name and self.firmware.iv is not None:
            at = self.firmware.iv
            places = [(("memory", at.block, (), at.at + i), 0) for i in range(len(state[name]) // 8)]
            if any(relation.get(place) != Source((name, i)) for i, place in enumerate(places)):
                raise Differs(f"the {name} that a job leaves differs")

    def _parts(self, whole: Job | Message) -> tuple[list[_Work], list[_Call]]:
        """Return the jobs of a message, and the other routines."""
        fw, spec = self.firmware, self.specification
        entries = {**fw.others, "run": fw.run}
        if isinstance(whole, Message):
            jobs = {name: Remembered(section) for name, section in whole.sections.items()}
            # Routines of one entry and one specification are the same.
            alone = {(entries[name], section): name for name, section in whole.sections.items()}
            works = [_Work(entry, jobs[name], partial=section.partial) for (entry, section), name in alone.items()]
            calls = [_Call(entries[name], routine, jobs["run"]) for name, routine in whole.routines.items()]
            return works[::-1], calls
        job = Remembered(whole)
        if isinstance(whole, Stealing):
            last = _Work(fw.others["last"], job, True, spec.partial, spec.to_the_bit, least=1)
            return [_Work(fw.run, job), last], []
        update = fw.others.get("update")
        works = [_Work(fw.run, job, update is not None, spec.partial and job.unit_bytes > 1, spec.to_the_bit)]
        return ([] if update is None else [_Work(update, job)]) + works, []

    def _set_up(self, key: Bits) -> Machine:
        """Tables and key schedule."""
        fw = self.firmware
        rows = load().machine["MemoryRows"]
        machine = Machine(memories=[Memory(f"m{n}", ROW * rows) for n in range(4)])
        for n, context in enumerate(machine.contexts):
            for at in range(BUFFER + 1):
                context.load(at, Bits.unknown(("context", n, at), 128))
        for block, segments in fw.memory.items():
            for at, data in segments:
                machine.memories[block].write(Affine(at), Bits.of(data), {})
        host_writes(machine, fw.key, key)
        host_writes(machine, fw.key_again, ~key)
        for number, segments in [*fw.banks.items(), *((n, [(0, table)]) for n, table in enumerate(fw.tables))]:
            for at, data in segments:
                machine.banks[number].fill(at, data)
        for entry in fw.set_up:
            machine = self._entered(machine, entry)
        return machine

    def _begun(self, machine: Machine, iv: Bits) -> Machine:
        """The beginning of a message."""
        fw = self.firmware
        machine = machine.copy()
        if "begin" in fw.others:
            machine = fresh(machine, fw.others["begin"])
            machine.memories[INPUT].write(Affine(0), iv, {})
            return self._answered(run(machine, fw.program), fw.others["begin"])
        if fw.iv is not None and iv:
            if self.specification.register:
                iv = join((iv, Bits.number(0, 8 * ROW - len(iv))))
            host_writes(machine, fw.iv, iv)
            host_writes(machine, fw.iv_again, ~iv)
        return machine if fw.start is None else self._entered(machine, fw.start)

    def _next_message(
        self, ready: Machine, iv: Bits, state: State, relation: Relation, changed: set[Place]
    ) -> set[tuple[Place, int]]:
        """Begin a message after the jobs of another one; what of the relation does not hold."""
        machine = ready.copy()
        values = lasting(machine)
        for place in changed | self.public.places | {place for place, _ in relation}:
            put(machine, place, join(unknown("message", place, values.get(place, BYTES[0]))))
        machine = self._begun(machine, iv)
        if self.public.broken(machine, state):
            raise Unprovable("a message does not begin with the public words of the state")
        return broken(machine, state, relation)

    def _entered(self, machine: Machine, entry: int) -> Machine:
        return self._answered(run(fresh(machine, entry), self.firmware.program), entry)

    def _answered(self, machine: Machine, entry: int) -> Machine:
        """The machine after a routine. Differs where the routine does not say that it has come to its end."""
        asked, done = self.firmware.asked, self.firmware.done
        if asked is not None and done is not None and entry in self.firmware.answer:
            rows = [machine.memories[at.block].read(Affine(at.at), machine.ranges) for at in (asked, done)]
            if rows[1] != ~rows[0]:
                raise Differs("a routine does not invert the row that says that it has come to its end")
        return machine

    # ------------------------------------------------------------------ jobs

    def _counts(self, machine: Machine, state: State, constant: set[Place]) -> set[Place]:
        """Find which constants a job of one unit changes, if all of a row that it changes can be anything."""
        if not constant:
            return set()
        rows = {row(place) for place in self._changed(machine, state)}
        # Firmware that computes twice compares a count, or its complement, with the other one, of the same lane.
        for same in (False, True):
            now = machine.copy()
            for place in constant:
                if row(place) in rows:
                    kind, lane = ("lane", place[-1] % ROW) if same and place[0] == "memory" else ("count", place)
                    value = value_of(machine, place)
                    put(now, place, join(unknown(kind, lane, value)) ^ value)
            if changed := self._changed(now, state):
                return changed & constant
        return set()

    def _changed(self, machine: Machine, state: State) -> set[Place]:
        """Find what short jobs change; nothing where they cannot be executed."""
        found: set[Place] = set()
        for track, units in self._going_on(machine, state):
            before = track.machine.copy()
            found |= {place for end in self._once(track, units) for place in differing(before, end.machine)}
        return found

    def _going_on(self, machine: Machine, state: State) -> Iterator[tuple[Track, int]]:
        """Yield each job after which the message goes on, or any, of one unit, or of so many that a MAC goes on."""
        tracks = [*self._lengths(machine, state)]
        tracks = [track for track in tracks if not track.ends] or tracks[:1]
        tracks = tracks if self.alike else tracks[:1]  # a specification may name words of one of them only
        for n, track in enumerate(tracks):
            if all(track.job is not other.job for other in tracks[:n]):
                yield track, track.job.continues if isinstance(track.job, Mac) else 1

    def _once(self, track: Track, units: int = 1) -> Iterator[Track]:
        """Yield what comes of a job of some units, as far as it can be executed."""
        track.restrict("n", Affine(units))
        with suppress(Unprovable, Refuted):
            for end in paths(track, self.firmware.program, self._loop()):
                assert isinstance(end, Track)
                yield end

    def _loop(self, peeled: int = 0, behind: int = 0) -> Callable[[Any, Induction], Track]:
        """The method for loops."""
        if self.specification.windowed:
            return partial(windows.loop, program=self.firmware.program)
        return partial(induction.loop, program=self.firmware.program, peeled=peeled, behind=behind)

    def _tell_apart(self, machine: Machine, state: State, found: Found, constant: set[tuple[Place, int]]) -> None:
        """Words of the state that are equal at the beginning, or bytes of one where firmware computes twice, by what
        they are after a unit. constant: bytes that are none of the state unless they are after it, too."""
        parts = [{source.of and source.of[: 1 + self.twice] for source in sources} for sources in found.values()]
        if all(len(of) == 1 for of in parts) and not constant & found.keys():
            return
        for track, units in self._going_on(machine, state):
            # Before firmware does the same: it may name words.
            later = Moment(replace(track, state=begun(track.job, state)).ahead(units)[0], [])
            for end in self._once(track, units):
                view = lasting(end.machine)
                for (place, i), sources in found.items():
                    after = later.sources(view[place].bytes[i], i) & sources
                    found[place, i] = after if after or (place, i) in constant else sources

    def _leave_out(self, machine: Machine, state: State, found: Found) -> None:
        """Leave out what a job of as many units as another one may follow leaves otherwise: scratch memory."""
        relation = {key: likeliest(key, sources) for key, sources in found.items()}
        track = next(self._lengths(machine, state))
        self._assume(track, state, relation, set())
        track.name()
        for end in self._once(track, track.job.continues):
            with suppress(Unprovable):
                end.finish()
                later, view = Moment(end.state, []), lasting(end.machine)
                for (place, i), sources in found.items() if ends.continues(end) else ():
                    found[place, i] = sources & later.sources(view[place].bytes[i], i) if place in view else set()

    def _jobs(
        self, machine: Machine, state: State, relation: Relation, changed: set[Place]
    ) -> tuple[set[tuple[Place, int]], set[Place]]:
        """Do jobs of all lengths; what of the relation they break, and which other places they change."""
        wrong: set[tuple[Place, int]] = set()
        more: set[Place] = set()
        tied = {place for place, _ in relation} | self.public.places
        spec = self.specification
        behind = self.behind
        loop = self._loop(spec.peeled, behind)
        parts = [part for case in self.public.cases(state) for part in self._parts_of(machine, case)]
        for track, routine in parts:
            if behind < 0 and track.delays_wrongly(-behind):
                raise Unprovable("the specification's outputs that are written later are not those of its units")
            self._assume(track, state, relation, changed)
            track.name()
            before = track.machine.copy()
            first = replace(track, machine=before)
            if (self.twice or getattr(track.job, "abreast", False)) and getattr(track.job, "again", False):
                track.sweeps = Sweeps(before, track.state)
            rows = [dict(bank.rows) for bank in track.machine.banks]
            for end in paths(track, self.firmware.program, loop):
                assert isinstance(end, Track)
                if routine is None:
                    ends.finish(end)
                else:
                    ends.returned(end, routine)
                self._answered(end.machine, before.pc)
                if [bank.rows for bank in end.machine.banks] != rows:
                    raise Unprovable("a job changes the tables")
                if ends.continues(end) if routine is None else routine.state:
                    if self.public.broken(end.machine, end.state):
                        raise Unprovable("a job does not keep the public words of the state")
                    lost = broken(end.machine, end.state, relation)
                    wrong |= lost - (counts.kept(first, end, relation, lost) if lost and routine is None else set())
                more |= differing(before, end.machine) - tied
                by_bits = isinstance(track.job, Mac) and spec.to_the_bit
                slow = spec.moving or spec.degree > 1 or self.public.values or routine is not None or by_bits
                if slow and (wrong or not more <= changed):
                    return wrong, more  # the other paths are slow, and would be done again
        return wrong, more

    def _parts_of(self, machine: Machine, state: State) -> list[tuple[Track, Routine | None]]:
        """The routines between the jobs, and the jobs."""
        return [*self._called(machine, state), *((track, None) for track in self._lengths(machine, state))]

    def _turn(self, machine: Machine, state: State, found: Found) -> None:
        """Find what belongs to the public words of the state, by jobs of few units."""
        relation = {key: likeliest(key, sources) for key, sources in found.items() if sources}
        views: list[View | None] = []
        for units in range(sum(self.public.values.values())):
            track = next(self._lengths(machine, state))
            self._assume(track, state, relation, set())
            views.append(next((places.left(end.machine) for end in self._once(track, units)), None))
        if views:
            self.public.find(views)
        rows = {row(place) for place in self.public.places}
        for key in [key for key in found if row(key[0]) in rows]:
            del found[key]  # constants next to them

    def _lengths(self, machine: Machine, state: State) -> Iterator[Track]:
        """Jobs of whole units, and those with bytes and bits more, each of any length."""
        fw, spec = self.firmware, self.specification
        for work in self.works:
            job = work.job
            most, last = fw.job_bytes // job.unit_bytes, job.unit_bytes - 1
            parts = [((0, 0), (0, 0), (0, 0))]
            if work.partial and work.to_the_bit and isinstance(job, Mac):
                parts.append(((0, 0), (0, last), (0, 7)))  # as many paths have the same loop
            elif work.partial:
                parts.append(((0, 0), (1, last), (0, 7) if work.to_the_bit else (0, 0)))
            if work.to_the_bit and not (work.partial and isinstance(job, Mac)):
                parts.append(((0, 0), (0, 0), (1, 7)))
            if spec.each > 1:
                parts.append(((1, spec.each - 1), (0, 0), (0, 0)))
            for units, rest, bits in parts:
                m, odd = fresh(machine, work.entry), any((*units, *rest, *bits))
                numbers = {"n": (work.least, most - odd), "units": units, "bytes": rest, "bits": bits}
                m.inductive = 1 if spec.windowed else MOST_PASSES if spec.moving else 0
                m.ranges = {name: range_ for name, range_ in numbers.items() if range_[1]}
                n, part, bytes_, bits_ = (Affine.symbol(name) if numbers[name][1] else Affine(0) for name in numbers)
                count = n * spec.each + part
                # Lane 4 has the units of each stream, 5 bits, 6 bytes, 7 the units of all streams.
                lanes = [lane(m, count, "n"), lane(m, bits_, "bits"), lane(m, bytes_, "bytes")]
                row = join((Bits.number(0, 64), *lanes, lane(m, count * spec.streams, "units")))
                m.memories[fw.length.block].write(Affine(fw.length.at), row, {})
                m.length = fw.length.block, fw.length.at
                bytes_ = bytes_ + part * (job.unit_bytes // spec.each)
                numbers_ = Affine(0), n, bytes_, bits_, fw.offset
                general = begun(job, completed(job, self.public.general(state)))
                apart_ = getattr(job, "apart", False)
                if apart_:
                    apart.prepare(m)
                track = Track(m, job, general, *numbers_, work.ends, spec.ahead, moving=spec.moving, apart=apart_)
                if spec.windowed:
                    windows.prepare(track)
                yield track

    def _called(self, machine: Machine, state: State) -> Iterator[tuple[Track, Routine]]:
        """The routines between the jobs."""
        for call in self.calls:
            m, none = fresh(machine, call.entry), Affine(0)
            general = completed(call.job, self.public.general(state))
            if call.routine.reveals is not None:
                m.reveals = frozenset(
                    call.routine.reveals(general, m.memories[INPUT].first(none, ROW * call.routine.rows))
                )
            elif call.routine.output is not None and self.specification.ahead:
                # It may name words.
                call.routine.output(general, m.memories[INPUT].first(none, ROW * call.routine.rows))
            yield Track(m, call.job, general, none, none, none, none, 0), call.routine

    def _assume(self, track: Track, state: State, relation: Relation, changed: set[Place]) -> None:
        """Let the job before have left the specification's state where that is assumed, and anything elsewhere."""
        moment, views = Moment(track.state, []), lasting(track.machine)
        related = {place for place, _ in relation}
        for place in changed | related:
            if place not in related and place[0] == "memory" and track.machine.memories[place[1]].lose(place[3]):
                continue
            value = views.get(place, BYTES[0])
            made = Bits.unknown(("left", place), len(value)).bytes
            for i in range(len(made)):
                if (place, i) in relation:
                    made[i] = moment.value(relation[place, i])
            put(track.machine, place, join(made))
        self.public.assume(track.machine, track.state)
