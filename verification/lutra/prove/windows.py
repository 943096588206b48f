"""Jobs whose loops do a part of every unit, one loop after the other, where a state is the last bytes of the input.

A representative pass is executed with the address registers as far on as the passes before have brought them. What
it reads must lie outside of all that these have written, so it finds what the loops before have left; what it leaves is
known by where it is (`layers`). The specification's output of a unit is unknown by its place, and what a loop makes of
a unit is compared with the bits that its output has.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from lutra.prove.affine import Affine, Terms
from lutra.prove.atoms import NONE, Bit, current
from lutra.prove.bits import Bits
from lutra.prove.control import Induction
from lutra.prove.errors import Refuted, Unprovable
from lutra.prove.executor import MOST_PASSES
from lutra.prove.layers import Content, Layer, Layered, Meaning, Origin, Original, least
from lutra.prove.machine import Loop, Machine, code
from lutra.prove.passes import execute, move
from lutra.prove.splits import Split
from lutra.prove.track import INPUT, OUTPUT, Differs, Track
from lutra.prove.units import Units
from lutra.prove.words import decode

JOB = INPUT, OUTPUT
OUTPUTS = 4  # the memory of the specification's outputs
PASS = "pass"  # the number of a pass
MOST_UNITS = 4  # of a pass that does units; one that goes on by more bytes does none


def prepare(track: Track) -> None:
    """Let memories be known by layers, and add the specification's outputs. Units that all paths have are done once."""
    memories = track.machine.memories
    for block in JOB:
        memories[block] = Layered(memories[block].name, memories[block].size)
    memories.append(Original("outputs", memories[OUTPUT].size))
    first = memories[INPUT]
    assert isinstance(first, Layered)
    first.before = track.offset
    track.units = Units()
    track.machine.divides = True
    index = Affine.symbol(PASS) * 2
    for place in (index, index + 1, track.parts - 1):
        _unit(track, place)


# ---------------------------------------------------------------------- the specification


def _unit(track: Track, place: Affine) -> dict[Bit, tuple[Origin, ...]]:
    """The bits that a unit of the specification makes of its window."""
    job, first = track.job, track.machine.memories[INPUT].first
    size, state = track.offset, track.window(place)
    text = first(place + size, job.unit_bytes)
    after, out = job.step(state, text)
    if after != track.window(place + job.unit_bytes):
        raise Unprovable("the specification's state is not the last bytes of its input")
    found: dict[Bit, tuple[Origin, ...]] = {}
    for i, (plain, made) in enumerate(zip(text, out, strict=True)):
        own = (OUTPUTS, place + i // 8, i % 8)
        found[made] = (own,)
        found[made ^ plain] = own, (INPUT, place + size + i // 8, i % 8)
    return found


def _meaning(track: Track) -> Meaning:
    units, memories = track.units, track.machine.memories
    assert units is not None
    known = {n: memory for n in (INPUT, OUTPUTS) if isinstance(memory := memories[n], Original)}
    return Meaning(known, units.known)


# ---------------------------------------------------------------------- what is left


def _layered(machine: Machine) -> Iterator[Layered]:
    for block in JOB:
        memory = machine.memories[block]
        assert isinstance(memory, Layered)
        yield memory


def _settle(track: Track) -> None:
    """Let what has been written be known by where it is; with the last unit, which may be done outside of loops."""
    units, ranges, last = track.units, track.machine.ranges, track.parts - 1
    assert units is not None
    if last.range(ranges)[0] >= 0 and last != units.last:
        units.known, units.last = units.known | _unit(track, last), last
    meaning = _meaning(track)
    for memory in _layered(track.machine):
        memory.settle(meaning, ranges)
        _beyond(track, memory)


def _beyond(track: Track, memory: Layered) -> None:
    """Where a loop has left bits of all units, let those of the output have such values beyond the last unit that what
    follows in memory is as if it were made of units, too. Nothing is known of these units, and each bit of theirs gets
    a value once."""
    units, ranges = track.units, track.machine.ranges
    assert units is not None
    total = track.parts
    for n, layer in enumerate(memory.layers if not total.known else ()):
        (content, *more), places = layer.cells, {}
        for at, known in enumerate(content if not more and layer.base.known and layer.count == total else ()):
            outputs = [part for part in known[1] if part[0] == OUTPUTS] if known is not None else []
            if len(outputs) == 1 and layer.base + outputs[0][1] == Affine(0):
                places[outputs[0][2]] = at
        if not places or units.ahead & places.keys():
            continue
        if all(new.apart(layer.base, layer.end, ranges, {}) for new in memory.layers[:n]):
            kept = tuple(known if at in places.values() else None for at, known in enumerate(content))
            units.ahead |= places.keys()
            memory.add(Layer(layer.base, (kept,), Affine(memory.size) - layer.base), ranges)
            return


# ---------------------------------------------------------------------- loops


def loop(track: Track, induction: Induction, program: Sequence[int]) -> Track:
    """The path after a loop. Unprovable where a pass needs what another one has made."""
    track = track.copy()
    machine, start = track.machine, track.machine.pc
    if induction.turns.known and (known := _known(track, induction, program)) is not None:
        return known
    moves, changed = _moves(machine, induction, program), _changed(induction, start, program)
    units = max(moves, default=0) // track.job.unit_bytes
    works = 0 < units <= MOST_UNITS
    # The last pass may read what follows the bytes of all others.
    turns, left = (induction.turns, 0) if works else (induction.turns - 1, 1)
    _settle(track)
    now = track.copy()
    _begin(now, changed, moves, turns)
    assert now.units is not None
    for i in range(units if works else 0):
        place = Affine.symbol(PASS) * units + i
        if least(now.parts - 1 - place, now.machine.ranges, {PASS: turns - 1}) < 0:
            raise Unprovable("a loop may do more units than there are")
        now.units.known = now.units.known | _unit(now, place)
    before = now.machine.copy()
    _executed(now.machine, start, induction, program)
    _preserves(before, now.machine, changed, moves)
    _leave(track, now, turns, moves, changed)
    execute(machine, start, induction.end, program, left)
    machine.pc = induction.end + 1
    _settle(track)
    return track


def _executed(machine: Machine, start: int, induction: Induction, program: Sequence[int]) -> None:
    """Execute a representative pass."""
    try:
        execute(machine, start, induction.end, program, 1)
    except Refuted as error:
        raise Unprovable(f"in a representative pass, {error}") from None
    except Split as split:
        if split.name == PASS:
            raise Unprovable("the way through a loop depends on the number of the pass") from None
        raise


def _known(track: Track, induction: Induction, program: Sequence[int]) -> Track | None:
    """The path after a loop of a few passes, or in one that has loops."""
    machine, start, turns = track.machine, track.machine.pc, induction.turns.constant
    words = (decode(program[pc]) for pc in range(start + 1, induction.end + 1))
    nested = any(word.insn.facts.sq in ("SqRepeat", "SqRepeatAr") for word in words)
    if turns >= MOST_PASSES and not nested:
        return None
    _settle(track)
    if nested:
        machine.loops.append(Loop(start + 1, induction.end, turns))
        machine.pc = start + 1
        return track
    execute(machine, start, induction.end, program, turns)
    machine.pc = induction.end + 1
    _settle(track)
    return track


def _moves(machine: Machine, induction: Induction, program: Sequence[int]) -> list[int]:
    """How far a pass brings the address registers, as its words say; whether it does is compared later."""
    after = machine.copy()
    after.skims = True
    _executed(after, machine.pc, induction, program)
    return [move(machine, after, n) or 0 for n in range(8)]


def _changed(induction: Induction, start: int, program: Sequence[int]) -> set[int]:
    """The registers that words of a loop write."""
    found: set[int] = set()
    for pc in range(start + 1, induction.end + 1):
        word = decode(program[pc])
        facts = word.insn.facts
        if word.insn.vector:
            found |= {code("ROW")} if facts.data else set()
            found |= {code("HOLD")} if facts.move else set()
            found |= {word["rd"]} if facts.destination and word["rd"] != code("NONE") else set()
            found |= {word["rd"] + 1} if facts.destination == "pair" else set()
    return found


def _begin(now: Track, changed: set[int], moves: Sequence[int], turns: Affine) -> None:
    """The machine before a representative pass."""
    m = now.machine
    m.ranges[PASS] = 0, max(turns.range(m.ranges)[1] - 1, 0)
    m.address = [a and a + Affine.symbol(PASS) * by for a, by in zip(m.address, moves, strict=True)]
    m.vectors |= {n: Bits.unknown((PASS, n), 128) for n in changed}
    for memory in _layered(m):
        memory.most, memory.reads = {PASS: turns - 1}, []


def _preserves(before: Machine, after: Machine, changed: set[int], moves: Sequence[int]) -> None:
    """Unprovable where a pass changes more than registers that its words write, and layered memories."""
    if after.address != [a and a + by for a, by in zip(before.address, moves, strict=True)]:
        raise Unprovable("an address register does not move as far in each pass")
    registers = (before.vectors.keys() | after.vectors.keys()) - changed
    if _rest(before, registers) != _rest(after, registers):
        raise Unprovable("a loop changes more than rows of the job and registers")


def _rest(m: Machine, registers: Collection[int]) -> tuple[object, ...]:
    """The values that a pass may not change."""
    memories = [memory.written() for n, memory in enumerate(m.memories) if n not in JOB]
    contexts = [(context.s, context.r, context.buffer) for context in m.contexts]
    setting = m.flag, vars(m.hash), m.step, m.window, m.counter_bytes, [bank.rows for bank in m.banks], m.calls, m.loops
    return memories, contexts, [m.vector(n) for n in registers], setting


def _leave(track: Track, end: Track, turns: Affine, moves: Sequence[int], changed: set[int]) -> None:
    """Let the machine be as after all passes."""
    m, units = track.machine, track.units
    assert units is not None
    units.loops += 1
    m.address = [a and a + turns * by for a, by in zip(m.address, moves, strict=True)]
    m.vectors |= {n: Bits.unknown((PASS, units.loops, n), 128) for n in changed}
    meaning = _meaning(end)
    for memory, after in zip(_layered(m), _layered(end.machine), strict=True):
        made = [layer for terms, cells in after.written().items() for layer in _made(terms, cells, turns, meaning)]
        for n, layer in enumerate(made):
            if not all(other.apart(layer.base, layer.end + layer.more, m.ranges, {}) for other in made[:n]):
                raise Unprovable("bytes that a loop writes at two places may be the same ones")
            earlier = replace(layer, count=Affine.symbol(PASS))
            if not all(earlier.apart(at, at + size, end.machine.ranges, after.most) for at, size in after.reads):
                raise Unprovable("a pass may read what another one has written")
        for layer in made:
            memory.add(layer.joined(), m.ranges)


def _made(terms: Terms, cells: Mapping[int, Bits], turns: Affine, meaning: Meaning) -> Iterator[Layer]:
    """Yield what all passes leave of bytes that one of them writes."""
    by, others = dict(terms).get(PASS, 0), tuple((name, times) for name, times in terms if name != PASS)
    places = sorted(cells)
    starts = [at for at in places if at - 1 not in cells]
    for start in starts:
        size = next(n for n in range(len(places) + 1) if start + n not in cells)
        if not 0 < by <= size:
            raise Unprovable("a loop does not write rows that follow each other")
        # The next pass overwrites the bytes after these.
        kept = tuple(meaning.content(Affine(at, terms), cells[at]) for at in range(start, start + by))
        yield Layer(Affine(start, others), kept, turns, size - by)


# ---------------------------------------------------------------------- the end


def finish(track: Track) -> None:
    """Compare what the job leaves. Differs where it is not what the specification has."""
    _settle(track)
    memories, ranges, total = track.machine.memories, track.machine.ranges, track.total
    if any(word != track.state[name] for name, word in track.window(Affine(0)).items()):
        raise Differs("the bytes before the input are not the state")
    output = memories[OUTPUT]
    assert isinstance(output, Layered)
    if total.range(ranges)[1] > 0:
        _whole(output, total, track)
    _, bits = (track.rest * 8 + track.bits).range(ranges)
    if bits:
        if not _same(track, total):
            raise Unprovable("the specification has another output of a part of a unit")
        if output.row(memories, total, ranges, 1)[:bits] != memories[OUTPUTS].first(total, 1)[:bits]:
            raise Differs(f"the output at {total} differs, of {bits} bits")
    track.state, track.done = track.window(total), total


def _same(track: Track, place: Affine) -> bool:
    """Whether a part of a unit has the output that a whole one has."""
    job, state, text = track.job, track.window(place), track.machine.memories[INPUT].first(place + track.offset, 1)

    def compared() -> bool:
        return job.last(state, text, 1) == job.step(state, text)[1]

    same: bool = current().results.once((_same, job, text, *state.values()), compared)
    return same


def _whole(output: Layered, total: Affine, track: Track) -> None:
    """Compare the bytes of whole units."""
    expected: Content = tuple((NONE, frozenset({(OUTPUTS, 0, place)})) for place in range(8))
    ranges = track.machine.ranges
    for layer in output.layers:
        if layer.base == Affine(0) and layer.cells == (expected,) and least(layer.end - total, ranges, {}) >= 0:
            return
        if not layer.apart(Affine(0), total, ranges, {}):
            break
    raise Differs("the output differs")
