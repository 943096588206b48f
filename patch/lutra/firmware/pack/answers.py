"""Known answers from published vectors: chosen, run on the simulator, and noted step by step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from lutra.firmware import aead, kat
from lutra.firmware.ciphers import DIRECTIONS, Catalogue, Cipher, Direction, Implementation
from lutra.firmware.kat import Vector
from lutra.firmware.kat.interleave import interleaved
from lutra.firmware.manifest import assembled
from lutra.firmware.pack.cbor import PRINTABLE
from lutra.firmware.pack.errors import PackError
from lutra.firmware.pack.needs import occupied
from lutra.firmware.pack.recorder import Recorder
from lutra.firmware.pack.records import ANSWERS, NAME_BYTES, STEPS, Answer, Compare, Region, Run, Step, Write
from lutra.firmware.session import INPUT, OUTPUT, ROW, Session
from lutra.iss import engine as engines

# A text of so many bytes meets most rows of the tables; a longer one costs more than it shows.
ENOUGH_BYTES = 256


@dataclass(frozen=True)
class Recorded:
    """A known answer, and the parts of the memories that are not zero after it."""

    answer: Answer
    seen: tuple[Region, ...]


@dataclass(frozen=True)
class Wanted:
    """A known answer to record. vectors: the best one first. refused: with a wrong tag, so that nothing comes out."""

    cipher: Cipher
    direction: Direction
    vectors: tuple[Vector, ...]
    refused: bool = False

    @property
    def implementation(self) -> Implementation:
        return self.cipher.taken(self.direction)


REMEDY = "a pack is built of firmware that passes its vectors"


def check(algorithms: Sequence[Cipher], tests: Iterable[kat.Test]) -> None:
    """Run all vectors of the algorithms except chains on the simulator. Raises PackError if one fails."""
    served = [test for test in tests if not isinstance(test, Vector) or not test.chains]
    report = kat.run(Session(engines.make("iss")), Catalogue(tuple(algorithms)), served)
    for failed in report.failures:
        raise PackError(f"{failed.file}: {failed.id}: {failed.reason}; {REMEDY}")


def wanted(algorithms: Sequence[Cipher], known: Catalogue, tests: Iterable[kat.Test]) -> tuple[Wanted, ...]:
    """Those of images that decrypt only, with a wrong tag once per image; then encryptions, decryptions of one stream,
    and of several: as many as a pack has answers."""
    vectors = [test for test in tests if isinstance(test, Vector) and _is_plain(test)]
    found = []
    for direction in DIRECTIONS:
        for cipher in sorted(algorithms, key=lambda c: direction == "decrypt" and c.streams > 1):
            if direction in cipher.directions and (fitting := _fitting(cipher, direction, known, vectors)):
                found.append(Wanted(cipher, direction, fitting))
    opening = [w for w in found if w.direction == "decrypt" and w.implementation.opens]
    first = {w.implementation.image: w for w in reversed(opening)}
    found += [replace(w, refused=True) for w in first.values()]
    return tuple(sorted(found, key=lambda w: w.implementation is w.cipher.default)[:ANSWERS])


def _is_plain(vector: Vector) -> bool:
    """Whether it is a message with a correct answer: not a bad input, and nothing that the host pads or chains."""
    return vector.result == "valid" and not vector.chains and not vector.padded


def _fitting(cipher: Cipher, direction: Direction, known: Catalogue, vectors: Iterable[Vector]) -> tuple[Vector, ...]:
    """The vectors of an algorithm; of one with several streams and no vectors, those of the algorithm with one."""
    base = cipher
    if cipher.streams > 1 and not cipher.vectors:
        base = next((c for c in known.ciphers if c.name == cipher.base_name), cipher)
    served = [
        v
        for v in vectors
        if direction in v.directions
        and base.answers(v.algorithm, v.mode)
        and 8 * len(v.key) == cipher.key_bits
        and v.polynomial == cipher.polynomial
    ]
    if base is not cipher:
        served = [twin for v in served if (twin := interleaved(v, cipher)) is not None]
    return tuple(sorted(served, key=_rank))


def _rank(vector: Vector) -> tuple[bool, int]:
    """Sort vectors: the longest of those that are short enough first, then the shortest of the others."""
    size = len(vector.plaintext) + sum(map(len, aead.strings(vector.aad)))
    return (False, -size) if size <= ENOUGH_BYTES else (True, size)


def record(wanted: Wanted, image: int, rounds: Sequence[int], count: int) -> Recorded:
    """A known answer of the first vectors that are wanted, `count` of them as far as they fit.

    image: its index among the parts. rounds: the cores that it is for; promised are the cycles of the slowest.
    PackError where a vector fails, or where none fits.
    """
    chosen: list[Vector] = []
    most = 1 if wanted.refused else count
    for vector in wanted.vectors:
        if len(chosen) < most and len(_recorder(wanted, [*chosen, vector], rounds[0]).steps) <= STEPS:
            chosen.append(vector)
    if not chosen:
        where = f"{wanted.vectors[0].file}: {wanted.cipher.name}"
        raise PackError(f"{where}: every vector needs more than {STEPS} steps; add a shorter one")
    recorders = [_recorder(wanted, chosen, value) for value in rounds]
    if wanted.refused:
        recorders = [_refused(wanted, recorder) for recorder in recorders]
    steps = tuple(map(_slowest, zip(*(recorder.steps for recorder in recorders), strict=True)))
    return Recorded(Answer(_name(wanted, chosen), image, steps), tuple(occupied(recorders[0])))


def _slowest(same: Sequence[Step]) -> Step:
    """Merge one step from several cores: a run promises the cycles of the slowest."""
    first = same[0]
    if not isinstance(first, Run):
        return first
    return Run(first.entry, max(step.cycles for step in same if isinstance(step, Run)))


def _recorder(wanted: Wanted, vectors: Sequence[Vector], rounds: int) -> Recorder:
    """Return an engine that has run vectors one after another. Raises PackError if one fails."""
    recorder = Recorder(engines.make("iss", rounds))
    session = Session(recorder)
    for vector in vectors:
        if wrong := _wrong(session, wanted, vector):
            where = f"{vector.file}: {vector.id}: {wanted.cipher.name} ({wanted.direction})"
            raise PackError(f"{where}: {wrong}; {REMEDY}")
    return recorder


def _refused(wanted: Wanted, right: Recorder) -> Recorder:
    """Return what a host reads if it does the same with a wrong tag: nothing. PackError where it reads more."""
    source = wanted.implementation.image
    image = assembled(source)
    entry = image.symbol(wanted.implementation.entries["decrypt"].others["open"]).value
    last = max(n for n, step in enumerate(right.steps) if isinstance(step, Run) and step.entry == entry)
    steps = [step for step in right.steps[: last + 1] if not isinstance(step, Compare)]
    end = max(n for n, step in enumerate(steps) if isinstance(step, Write) and step.space == INPUT)
    recorder = Recorder(engines.make("iss", right.rounds))
    recorder.load(image)
    for n, step in enumerate(steps):
        if isinstance(step, Run):
            recorder.run(step.entry)
        elif isinstance(step, Write):
            data = bytearray(step.data)
            if n == end:
                data[ROW] ^= 0x80  # of the tag, which follows the lengths
            recorder.write(step.space, step.offset, bytes(data))
    for offset in (0, recorder.size(OUTPUT) - ROW):
        if any(recorder.read(OUTPUT, offset, ROW)):
            where = f"{wanted.vectors[0].file}: {wanted.cipher.name}: image {source.name}"
            raise PackError(f"{where} gives plaintext out with a wrong tag; its routine `open` must not")
    return recorder


def _wrong(session: Session, wanted: Wanted, vector: Vector) -> str:
    """Return how the firmware fails a vector; empty if it passes."""
    cipher = wanted.cipher
    serving = replace(cipher, vectors=((vector.algorithm, vector.mode),))
    (outcome,) = kat.run(session, Catalogue((serving,)), [replace(vector, directions=(wanted.direction,))]).outcomes
    return "" if outcome.verdict == "passed" else outcome.reason


def _name(wanted: Wanted, vectors: Sequence[Vector]) -> str:
    """Return algorithm and direction, and as many ids of the vectors as fit."""
    way = f" {wanted.direction}" if len(wanted.cipher.directions) > 1 else ""
    way += ", wrong tag" if wanted.refused else ""
    ids = ", ".join("".join(c if ord(c) in PRINTABLE else "?" for c in v.id) for v in vectors)
    return f"{wanted.cipher.name}{way}: {ids}"[:NAME_BYTES].rstrip()
