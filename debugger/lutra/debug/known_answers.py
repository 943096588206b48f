"""A known answer under the debugger: what the host does for it, and the first wrong instruction as far as it is known.

A vector says what comes out, not what happens on the way. So a session opens where the first wrong byte of the result
was written last, from where `inputs` and `last` lead back to what it was made of. Where other firmware is known to be
right and does the same instruction for instruction, as the one that a copy was made of, it opens at the first
instruction that does something else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

from lutra.asm import Image
from lutra.debug.errors import DebugError
from lutra.debug.plan import Failure, Plan, Read, Run
from lutra.debug.session import Session
from lutra.debug.stops import Stop
from lutra.debug.values import Location
from lutra.firmware import kat
from lutra.firmware.manifest import NAME, Catalogue, load
from lutra.firmware.session import Session as FirmwareSession
from lutra.iss.engine import EngineName, Simulator
from lutra.iss.places import Place
from lutra.iss.retire import Record


@dataclass(frozen=True)
class _Taken:
    """Bytes that the host has read: after which run, from where."""

    run: int
    place: Place
    data: bytes


class _Recorder(Simulator):
    """A simulator that keeps what the host does with it, from the last image on."""

    def __init__(self, rounds: int) -> None:
        super().__init__(rounds)
        self.runs: list[Run] = []
        self.taken: list[_Taken] = []
        self._data: list[tuple[Place, bytes]] = []
        self._loading = False

    def load(self, image: Image) -> None:
        self.runs, self.taken, self._data = [], [], []
        self._loading = True
        super().load(image)
        self._loading = False

    def write(self, space: str, offset: int, data: bytes) -> None:
        super().write(space, offset, data)
        if not self._loading:
            self._data.append((Place(space, offset), bytes(data)))

    def start(self, entry: int) -> None:
        super().start(entry)
        self.runs.append(Run(entry, tuple(self._data)))
        self._data = []

    def read(self, space: str, offset: int, length: int) -> bytes:
        data = super().read(space, offset, length)
        self.taken.append(_Taken(len(self.runs), Place(space, offset), data))
        return data


@dataclass(frozen=True)
class _Wrong:
    """The first wrong byte: read after so many runs, from where, its number in the answer, and what it should be."""

    run: int
    place: Place
    number: int
    right: int


@dataclass(frozen=True)
class Answer:
    """One run of a known answer. wrong: None where the answer is right, or where its wrong byte was in no memory."""

    outcome: kat.Outcome
    plan: Plan
    wrong: _Wrong | None

    @property
    def title(self) -> str:
        """Which it is, and what came of it."""
        of = self.outcome
        direction = f" ({of.direction})" if of.direction else ""
        return f"{of.file}: {of.id}{direction}: {of.reason if of.verdict == 'failed' else of.verdict}"


def answers(test: kat.Vector, catalogue: Catalogue, rounds: int, max_cycles: int | None) -> Iterator[Answer]:
    """Run a test in each of its directions; return nothing if it does not reach the firmware."""
    for direction in test.directions:
        machine = _Recorder(rounds)
        session = FirmwareSession(machine, max_cycles=max_cycles)
        outcomes = kat.run(session, catalogue, [replace(test, directions=(direction,))]).outcomes
        if machine.image is None or not machine.runs:
            continue
        wrong = _wrong(machine.taken, outcomes[0])
        runs = tuple(machine.runs[: wrong.run] if wrong else machine.runs)
        yield Answer(outcomes[0], Plan(machine.image, runs, max_cycles=max_cycles, verdict=_verdict(wrong)), wrong)


def _wrong(taken: Sequence[_Taken], outcome: kat.Outcome) -> _Wrong | None:
    """Where the first wrong byte of an answer was read; None where no read of the host gave it as it stands there."""
    got, expected = outcome.got, outcome.expected
    first = next((n for n, (a, b) in enumerate(zip(got, expected, strict=False)) if a != b), None)
    if first is None:
        return None
    at = 0
    for read in taken:
        # Data that the host reads for itself, such as a state between two jobs, is not part of the answer.
        part = got[at : at + len(read.data)]
        if not part or not read.data.startswith(part):
            continue
        if first < at + len(part):
            return _Wrong(read.run, Place(read.place.space, read.place.offset + first - at), first, expected[first])
        at += len(part)
    return None


def _verdict(wrong: _Wrong | None) -> Callable[[Read], Failure | None]:
    """Whether the byte is still wrong, however the run has been changed by hand."""

    def verdict(read: Read) -> Failure | None:
        if wrong is None:
            return None
        (byte,) = read(wrong.place.space, wrong.place.offset, 1)
        text = f"byte {wrong.number} of the answer is {byte:#04x}, not {wrong.right:#04x}"
        return None if byte == wrong.right else Failure(text, wrong.place)

    return verdict


# ---------------------------------------------------------------------- opening


def only(manifests: Sequence[Path]) -> Catalogue:
    """The ciphers of some manifests or their folders, and no others: a copy of installed firmware keeps its names."""
    files = [path / NAME if path.is_dir() else path for path in manifests]
    ciphers = tuple(cipher for file in files for cipher in load(file))
    return Catalogue(ciphers, ciphers)


def chosen(file: Path, test: str | None, catalogue: Catalogue, rounds: int, max_cycles: int | None) -> Answer:
    """The first answer of a file that is wrong; of a test also one that is right. Raises EngineError, FirmwareError."""
    tests = [t for t in kat.read(file, catalogue) if test in (None, t.id)]
    if not tests:
        raise DebugError(f"{file} has no test {test}" if test else f"{file} has no tests")
    found: list[Answer] = []
    for vector in tests:
        for answer in answers(vector, catalogue, rounds, max_cycles) if isinstance(vector, kat.Vector) else ():
            if answer.outcome.verdict == "failed":
                return answer
            found.append(answer)
    if not found:
        reasons = {t.reason for t in tests if not isinstance(t, kat.Vector)} or {"no firmware takes its key"}
        raise DebugError(f"{file}: nothing to run: {min(reasons)}")
    if test is None:
        raise DebugError(f"{file}: all {len(found)} answers are right; --test ID opens one all the same")
    return found[0]


def opened(answer: Answer, engine: EngineName, rounds: int, folders: Sequence[Path] = ()) -> Session:
    """A session at the instruction that wrote the first wrong byte, at the trap, or at the start of an answer that is
    right. Raises EngineError."""
    session = Session(answer.plan, engine, rounds, folders)
    if answer.outcome.verdict != "failed":
        return session
    stop = session.moves.go()
    text = stop.text
    if stop.kind == "failed" and answer.wrong is not None:
        place = answer.wrong.place
        byte, now = Location(place.space, "", place.offset, 1), session.inspect.where().time
        written = next(session.history.times(byte, now), None)
        text += f": {place.space}[{place.offset:#05x}:1], "
        text += "which no instruction has written" if written is None else "written here last"
        session.moves.seek(session.inspect.latest if written is None else written - 1)
    session.moves.stop = replace(stop, text=text, detail=answer.title)
    return session


def same(file: Path, answer: Answer, catalogue: Catalogue, rounds: int, max_cycles: int | None) -> Answer:
    """Run the same test on other firmware, which must pass. Raises EngineError, FirmwareError."""
    of = answer.outcome
    why = " either"
    for test in kat.read(file, catalogue):
        if test.id != of.id:
            continue
        if not isinstance(test, kat.Vector):
            why = f": {test.reason}"
        elif of.direction in test.directions:
            for found in answers(test, catalogue, rounds, max_cycles):
                if found.outcome.direction == of.direction and found.outcome.verdict == "passed":
                    return found
    raise DebugError(f"{of.id}: the reference gives no right answer{why}")


def opened_against(
    answer: Answer, reference: Answer, engine: EngineName, rounds: int, folders: Sequence[Path] = ()
) -> Session:
    """A session at the first instruction that does something else than the reference's. Raises EngineError."""
    session = Session(answer.plan, engine, rounds, folders)
    time, ours, theirs = _first_difference(answer.plan, reference.plan, rounds)
    if time is None:
        raise DebugError(f"{answer.outcome.id}: both do the same, instruction for instruction")
    session.moves.seek(time)
    what = f"instruction {time} is the first that does something else: {_did(ours)}; the reference: {_did(theirs)}"
    session.moves.stop = Stop("failed", what, detail=answer.title)
    return session


def _did(record: Record | None) -> str:
    return "nothing, it has ended" if record is None else " ".join(record.texts) or "nothing"


def _first_difference(ours: Plan, theirs: Plan, rounds: int) -> tuple[int | None, Record | None, Record | None]:
    """The time before the first instruction that differs in what it does, of two plans side by side."""
    for time, (one, other) in enumerate(zip_longest(_records(ours, rounds), _records(theirs, rounds))):
        if one is None or other is None or one.texts != other.texts:
            return time, one, other
    return None, None, None


def _records(plan: Plan, rounds: int) -> Iterator[Record]:
    machine = Simulator(rounds)
    machine.load(plan.image)
    for run in plan.runs:
        for place, data in run.data:
            machine.write(place.space, place.offset, data)
        machine.start(run.entry)
        for record in machine.records():
            yield record
            if plan.max_cycles is not None and record.cycle >= plan.max_cycles:
                return
