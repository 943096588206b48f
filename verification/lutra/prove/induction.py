"""Loops of any number of passes, by induction.

A representative pass is executed from a general state: address registers are as far on as the passes before have
brought them; what a pass changes is unknown, but for bytes that come from the specification's state. If machine and
specification agree after that pass wherever they were assumed to agree before it, and if they do when the loop begins,
they agree after any number of passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from lutra.prove import apart, copies, echoes
from lutra.prove.affine import Affine
from lutra.prove.bits import Bits, join
from lutra.prove.control import Induction
from lutra.prove.counts import Counted
from lutra.prove.echoes import Equal, Key
from lutra.prove.errors import Meets, Reaches, Refuted, Unprovable
from lutra.prove.jobs import Mac, completed
from lutra.prove.passes import execute, grouped, move, period, set_up, unlike
from lutra.prove.patterns import Pattern, swept
from lutra.prove.places import KEPT, ROW, SHIFTED, Moment, Place, Source, State, View, everything, put, unknown
from lutra.prove.shift import Shift
from lutra.prove.splits import Split
from lutra.prove.track import OUTPUT, Differs, Track
from lutra.prove.unread import Unread

MOST_TRIES = 40


def loop(track: Track, induction: Induction, program: Sequence[int], peeled: int = 0, behind: int = 0) -> Track:
    """The path after a loop, of which so many passes come before those that are alike. Unprovable where no pattern is
    found, Split where it may have no more passes than these.

    behind: units whose outputs are written before they are done in the state.
    """
    track = _lenient(track, yes=False)
    track.begin_again()
    # The last pass of the longest job may not be like the others.
    less = copies.MOST_AHEAD if copies.have(track.machine) else int(induction.turns.known and not track.moving)
    if track.sweeps is not None and getattr(track.job, "abreast", False):
        less = track.beyond(induction.turns)
    try:
        return _lenient(_tried(track, induction, program, peeled, behind, less), yes=True, vague=True)
    except Reaches:
        if induction.turns.known:
            raise
        raise Split(induction.turns.terms[0][0], last=True) from None


def _lenient(track: Track, *, yes: bool, vague: bool = False) -> Track:
    """The path where a write that may meet other bytes makes these unknown, or is not executed. vague: of a read."""
    track = track.copy()
    track.machine.vague = vague
    for memory in track.machine.memories:
        memory.lenient = yes
    return track


# Passes that write outputs as a loop before has not left them.
MOST_LESS = 2
MOST_UNLIKE = 2  # passes at the beginning that are not like the others


def _tried(
    track: Track, induction: Induction, program: Sequence[int], peeled: int, behind: int, less: int = 0
) -> Track:
    """less: passes at the end that are not like the others."""
    if track.apart:
        for less in range(MOST_LESS):
            with suppress(Differs):
                return _loop(track, induction, program, 0, 0, less)
        return _loop(track, induction, program, 0, 0, MOST_LESS)
    try:
        return _loop(track, induction, program, peeled, behind, less)
    except Meets:
        if isinstance(track.job, Mac):
            # A MAC keeps blocks that are not done where it has no output.
            with suppress(Meets):
                return _loop(_lenient(track, yes=True), induction, program, peeled, behind, less)
        with suppress(Meets):
            if not peeled:
                # The first pass may read what is before the input.
                return _loop(track, induction, program, 1, behind, less)
        with suppress(Meets):
            return _loop(_lenient(track, yes=True), induction, program, peeled, behind, less)
        # The last passes may read what is behind the input, for passes that do not follow.
        return _loop(track, induction, program, peeled, behind, copies.MOST_AHEAD)
    except Differs:
        if peeled or track.done != Affine(0) or not track.outputs:
            raise
    # The first output may be one that the job corrects at its end.
    return _loop(track, induction, program, 1, less=less, postpones=True)


def _loop(
    track: Track,
    induction: Induction,
    program: Sequence[int],
    peeled: int,
    behind: int = 0,
    less: int = 0,
    *,
    postpones: bool = False,
) -> Track:
    turns = induction.turns - peeled
    start = track.machine.pc
    turns, group, left = grouped(turns, period(track.machine, induction, program))
    turns, left = turns - less, left + less * group
    if not turns.known and (len(turns.terms) != 1 or turns.terms[0][1] != 1):
        raise Unprovable(f"a loop has {turns} passes")
    if not turns.known and turns.range(track.machine.ranges)[0] <= 0:
        raise Split(turns.terms[0][0])
    before, track = track, track.copy()
    execute(track.machine, start, induction.end, program, peeled)
    track.machine.pc = start
    if postpones:
        track.postpone()
    if not track.apart:
        track.catch_up(behind)
    if peeled:
        track.name()  # units that the passes before did not reach
    track.begin_loop(turns, less)
    copies.put(track, track.done, turns)
    first, unread = track.copy(), Unread()
    execute(first.machine, start, induction.end, program, group, unread)
    if peeled < MOST_UNLIKE and not track.apart and unlike(track.machine, first.machine):
        return _loop(before, induction, program, peeled + 1, behind, less)
    if track.outputs and track.sweeps is not None and not first.has_written(first.seen):
        track.sweeps.silent = True
    if not track.outputs and not track.apart and (track.sweeps is None or track.sweeps.loop is None):
        _catch_up(track, first)
    pattern, units = swept(track, first, induction, turns, program), _units(track, first)
    if track.sweeps is not None and track.sweeps.loop is None:
        track.sweeps.loop = track.done.constant, units
    pattern.unread = unread.registers
    reached, _ = track.ahead(units)
    # Values after one pass, computed once and used by every attempt.
    later = Shift(track, reached, Affine(units * track.job.unit_bytes))
    for _ in range(MOST_TRIES):
        tried = _Pass(track, first, units, pattern, Induction(turns, induction.end), program, later, group)
        if tried.holds():
            end = _lenient(tried.after(), yes=True, vague=True)
            execute(end.machine, start, induction.end, program, left)
            return end
    raise Unprovable("no invariant of a loop is found")


# Units that a program without an output can have done before a loop, and bytes of these.
MOST_BEFORE, MOST_BYTES = 16, 256


def _catch_up(track: Track, first: Track) -> None:
    """Do as many units that the specification's state is in what a pass changes."""
    new = everything(first.machine)
    changes = {b for place, a in everything(track.machine).items() if new[place] != a for b in a.bytes}
    for units in range(min(MOST_BEFORE, max(1, MOST_BYTES // track.job.unit_bytes))):
        state, after = (track.ahead(n)[0] for n in (units, units + 1))
        moving = (word for name, word in state.items() if word != after[name])
        if all(byte in changes for word in moving for byte in word.bytes):
            track.advance(units)
            first.done = track.done
            return


def _units(track: Track, first: Track) -> int:
    """How many units a pass does: as many as the first one writes, or else as many as it reads."""
    job = track.job
    if not track.outputs and track.sweeps is not None and track.sweeps.loop is not None:
        return track.sweeps.loop[1]
    if track.apart and not apart.works(track.machine, first.machine):
        return 0
    if not track.outputs or track.apart:
        moves = [move(track.machine, first.machine, n) or 0 for n in range(8)]
        return max(1, max(moves) // job.unit_bytes)
    count = seen = track.seen
    while first.has_written(count):
        count += 1
    wrong = track.wrong(count, first)
    good = (count if wrong is None else wrong) - seen
    if not good:
        raise Differs(f"the output at {first.place()} differs")
    return good


class _Pass:
    """A representative pass, under a pattern."""

    def __init__(
        self,
        track: Track,
        first: Track,
        units: int,
        pattern: Pattern,
        induction: Induction,
        program: Sequence[int],
        later: Shift,
        group: int,
    ) -> None:
        self.units, self.pattern, self.turns = units, pattern, induction.turns
        self.index = f"pass{len(track.machine.ranges)}"
        self.left = f"{self.index}+"
        self.moves = {n: move(track.machine, first.machine, n) for n in range(8)}
        self.sources: dict[Key, Source] = {}
        # Where bytes are stored one by one, all bytes of a row may be needed, as CFB shifts them in.
        self.back = max(units, ROW) if track.job.unit_bytes == 1 else units
        self.early = track.moment(track.state, 0, self.back)
        self.reached, _ = track.ahead(units)
        self.counted = Counted(track, self.reached)
        self.late = track.moment(self.reached, units, self.back)
        self.differences = self.early.differences(self.late)
        self.later = later
        self.origins: dict[Key, Bits] = {}
        self.before = track
        self.start = self._start(track, first)
        self.known = everything(self.start.machine)
        self.start.name()
        self.end = self.start.copy()
        try:
            execute(self.end.machine, self.end.machine.pc, induction.end, program, group)
        except Refuted as error:
            # The initial state that was assumed may be wrong.
            raise Unprovable(f"in a representative pass, {error}") from None

    def _beyond(self, track: Track, passes: Affine) -> Affine:
        """How far on the input is after so many passes."""
        return passes * (self.units * track.job.unit_bytes)

    # ------------------------------------------------------------------ before the pass

    def _start(self, track: Track, first: Track) -> Track:
        now = track.copy()
        machine = now.machine
        machine.ranges[self.index] = 0, self.turns.range(machine.ranges)[1] - 1
        for n, by in self.moves.items():
            value = machine.address[n]
            if by is None or value is None or n in self.pattern.lost:
                machine.address[n] = None
            else:
                machine.address[n] = value + Affine.symbol(self.index) * by
        self.done = now.done = now.done + Affine.symbol(self.index) * self.units
        inputs = now.moment({}, 0, self.back)
        general = {
            name: self._value(inputs, name, word, self.reached[name], state=False) for name, word in track.state.items()
        }
        general |= self.counted.after(machine, Affine.symbol(self.index))
        now.state = completed(now.job, general)
        if any(word.known and not now.state[name].known for name, word in track.state.items()):
            raise Unprovable("a loop changes a word of the state that is public")
        self._places(track, now, everything(track.machine), everything(first.machine))
        for name, _ in self.turns.terms if now.apart else ():
            # Passes are left, so addresses that depend on their number are beyond those of this one.
            machine.ranges[self.left] = 0, machine.ranges[self.index][1]
            passes = Affine.symbol(self.index) + Affine.symbol(self.left)
            now.restrict(name, passes + (1 - self.turns.constant))
        return now

    def _places(self, track: Track, now: Track, old: View, new: View) -> None:
        """Make what a pass changes unknown, but for what comes from the specification."""
        moving = self._found_moving(track, old, new) if now.moving else []
        by = {by for by in self.moves.values() if by}
        echoed = [*echoes.moving(old, new, echoes.places(track, echoes=self.pattern.echoes), by)]
        self.equal = Equal({(x, y) for _, x, y in echoed}, self.pattern.unequal)
        for block in self.pattern.forgotten:
            now.machine.memories[block].forget(partial(self.pattern.sweeps, block))
        self.changed = {place for place, value in new.items() if old.get(place) != value} | self.pattern.changed
        moment = now.moment(now.state, 0, self.back)
        self.shift = Shift(track, now.state, self._beyond(track, Affine.symbol(self.index)))
        for place in filter(self.pattern.remembers, self.changed):
            value = old.get(place)
            if value is None:
                put(now.machine, place, join(unknown(self.index, place, new[place])))
            else:
                put(now.machine, place, self._value(moment, place, value, new.get(place, value)))
        for name, source, x in moving:
            _, block, by, at = name
            where, byte = Affine(at) + Affine.symbol(self.index) * by, self._assumed((name, 0), source, x, moment)
            now.machine.memories[block].replace(where.terms, where.constant, byte)
        for name, x, y in echoed:
            _, block, by, at = name
            where = Affine(at) + Affine.symbol(self.index) * by
            byte = self._value(moment, name, x, y)
            now.machine.memories[block].replace(where.terms, where.constant, byte)
        if self.pattern.echoes:
            now.put_outputs(self.before.done + self.turns * self.units)
        copies.put(now, track.done, self.turns)

    def _found_moving(self, track: Track, old: View, new: View) -> list[tuple[Place, Source, Bits]]:
        """Bytes of forgotten memories at addresses that move as a register does, by what they come from."""
        found: list[tuple[Place, Source, Bits]] = []
        _, last = self.turns.range(track.machine.ranges)
        for by in {by for by in self.moves.values() if by}:
            for (kind, *about), x in old.items():
                if kind != "memory" or about[0] not in self.pattern.swept.keys() - {OUTPUT} or about[1] or x.known:
                    continue
                block, _, at = about
                y, name = new.get(("memory", block, (), at + by)), ("moving", block, by, at)
                sources = self.early.of_state(x) & self.late.of_state(y) if y is not None else set()
                sources = {source for source in sources if ((name, 0), source) not in self.pattern.refuted}
                if sources:
                    found.append((name, min(sources, key=repr), x))
                    ends = at, at + by * last
                    self.pattern.sweep(block, min(ends), max(ends))
        return found

    def _value(self, now: Moment, name: Place | str, a: Bits, b: Bits, *, state: bool = True) -> Bits:
        """A value that is a before the first pass and b after it."""
        if len(a) < 8:  # the flag
            stays = a == b and ((name, 0), KEPT) not in self.pattern.refuted
            return a if stays else Bits.unknown((self.index, name), len(a))
        sweeps = self.before.sweeps
        made = sweeps.after(self.done, name, a) if sweeps and isinstance(name, str) else unknown(self.index, name, a)
        lane = name[3] if not isinstance(name, str) and name[0] in ("memory", "moving") else 0
        for i, (x, y) in enumerate(zip(a.bytes, b.bytes, strict=True)):
            if (source := self._source((name, i), x, y, lane + i, state=state)) is not None:
                made[i] = self._assumed((name, i), source, x, now)
            elif state:
                made[i] = self.equal.assumed((name, i), x, y, made[i])
        return join(made)

    def _source(self, key: Key, x: Bits, y: Bits, lane: int, *, state: bool = True) -> Source | None:
        """The source of a byte that is x before the first pass and y after it."""
        found = self.early.sources(x, lane, state=state) & self.late.sources(y, lane, state=state)
        found |= {KEPT} if x == y else set()
        place = key[0]
        ahead = state and not found and not (y.known or self.before.moving or self.before.apart)
        ahead = ahead and not (place[0] == "vector" and place[1] in self.pattern.unread)
        if ahead and (of := self.differences.get(x ^ y)) is not None:
            found = {self.early.plus(x, of)}
        elif ahead and not x.known and self.later(x) == y:
            found = {SHIFTED}
        found = {source for source in found if (key, source) not in self.pattern.refuted}
        return KEPT if KEPT in found else min(found, key=repr, default=None)

    def _assumed(self, key: Key, source: Source, x: Bits, now: Moment) -> Bits:
        """The byte that it is before the pass."""
        self.sources[key], self.origins[key] = source, x
        if source == SHIFTED:
            return self.shift(x)
        return x if source == KEPT else now.value(source)

    # ------------------------------------------------------------------ after the pass

    def holds(self) -> bool:
        """Whether the pass preserves what is assumed; if not, the pattern assumes less now."""
        before = self.pattern.size
        for n, by in self.moves.items():
            was, now = self.start.machine.address[n], self.end.machine.address[n]
            if was is not None and now != was + (by or 0):
                self.pattern.lost.add(n)
        for n, memory in enumerate(self.end.machine.memories):
            old = self.start.machine.memories[n].written()
            for terms, parts in memory.written().items():
                if parts != old.get(terms) and any(name == self.index for name, _ in terms):
                    self.pattern.forgotten.add(n)
                    if n in self.pattern.swept:
                        low, high = Affine(0, terms).range(self.end.machine.ranges)
                        self.pattern.sweep(n, low + min(parts), high + max(parts))
        if any(
            a.arrays != b.arrays for a, b in zip(self.end.machine.memories, self.start.machine.memories, strict=True)
        ):
            raise Unprovable("a loop overwrites what another one has left")
        if set_up(self.end.machine) != set_up(self.start.machine):
            raise Unprovable("a loop changes a table, a step, a window or the width of the counter")
        if self.pattern.size == before:
            self._compare(everything(self.end.machine))
        return self.pattern.size == before

    def _compare(self, view: View) -> None:
        state, _ = self.start.ahead(self.units)
        self.counted.check(self.start.machine, state, Affine.symbol(self.index) + 1)
        later = self.start.moment(state, self.units, self.back)
        shift = Shift(self.before, state, self._beyond(self.before, Affine.symbol(self.index) + 1))
        for (name, i), source in self.sources.items():
            now, was = (state if isinstance(name, str) else view), self.origins[name, i]
            expected = shift(was) if source == SHIFTED else was if source == KEPT else later.value(source)
            if self._byte(now, name, i) != expected:
                self.pattern.refuted.add(((name, i), source))
        self.pattern.unequal |= {pair for pair in self.equal.pairs if len({self._byte(view, *key) for key in pair}) > 1}
        for place, value in view.items():
            if place not in self.changed and self.pattern.remembers(place) and self.known.get(place) != value:
                self.pattern.changed.add(place)
        if self.known.get(("flag",)) != view.get(("flag",)):
            self.pattern.refuted.add(((("flag",), 0), KEPT))

    def _byte(self, view: View | State, name: Place | str, i: int) -> Bits | None:
        """A byte after the pass; None where it is not known."""
        if not isinstance(name, str) and name[0] == "moving":
            return self._moved(*name[1:])
        return view[name].bytes[i]  # type: ignore[index]

    def _moved(self, block: int, by: int, at: int) -> Bits | None:
        """The byte after the pass that is one pass on from where it was; None where it is not known."""
        where = Affine(at) + (Affine.symbol(self.index) + 1) * by
        return self.end.machine.memories[block].written().get(where.terms, {}).get(where.constant)

    def after(self) -> Track:
        """The path after the last pass, whose units are still to be compared: it may do more than there are."""
        end = self.end
        if end.apart:
            return self._apart()
        output, place = end.machine.memories[OUTPUT], end.place(end.seen)
        if end.outputs:
            before = self.start.machine.memories[OUTPUT].written()
            kept = before.get((), {})
            beyond = end.job.unit_bytes * end.total.range(end.machine.ranges)[1]
            for terms, parts in output.written().items():
                if not terms and all(at >= beyond or kept.get(at) == byte for at, byte in parts.items()):
                    continue
                was = before.get(terms, {})
                new = [at for at, byte in parts.items() if was.get(at) is not byte]
                if terms != place.terms or min(new, default=place.constant) < place.constant:
                    raise Unprovable("a loop writes rows of the output again")
            output.floor = place
        end.copy().compare(end.seen + self.units)
        copied = copies.found(self.before, end, self.index, self.units)
        if self.turns.known:
            for n in range(self.units + copies.MOST_AHEAD):
                end.unit(n)  # bytes that were read a pass before keep their names
            end.restrict(self.index, self.turns - 1)
        else:
            ((name, _),) = self.turns.terms
            # There is one pass more than the number of the last one.
            since = self.start if copies.have(end.machine) else None
            end.restrict(name, Affine.symbol(self.index) + (1 - self.turns.constant), since)
        passes = self.turns - 1 if self.turns.known else Affine.symbol(self.index)
        end.state = {**end.state, **self.counted.after(end.machine, passes)}
        if copied:
            copies.begin(self.before, end, self.index, self.turns)
        replace(end, names=end.names + self.units).name()
        end.end_again()
        return end

    def _apart(self) -> Track:
        """The same, of a job whose outputs are written in a loop of their own."""
        if self.turns.known:
            raise Unprovable("a loop of a known number of passes is taken for one of any number")
        end = self.end
        found = apart.arrays(end, self.index, self.left, self.units)
        apart.compare(end, self.index)
        end.state, _ = end.ahead(self.units)
        end.done = end.done + self.units
        end.restrict(self.left, Affine(0))
        for block in self.pattern.forgotten:
            end.machine.memories[block].keep(self.index, found.get(block, ()), end.machine.ranges)
        return end
