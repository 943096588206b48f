"""A pack from folders of firmware: their images, how they are called, and known answers that they give.

Each image stays one of its own. The host loads that of the algorithm which it uses, so that two ciphers never meet in
the memories: tables that one fills when it is set up could be those of the other.

    settings = pack.read_settings(Path("firmware/zuc"), version="1.5.0", vectors=[Path("vectors/zuc")])
    data = pack.encode(pack.build(settings))

The same inputs make the same bytes: nothing of the machine, of paths or of time goes into a pack.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from msgspec.structs import asdict

from lutra.asm import Image, Symbol
from lutra.firmware import bench, kat, labels
from lutra.firmware.ciphers import DIRECTIONS, Cipher, Direction, Entries
from lutra.firmware.manifest import assembled
from lutra.firmware.needs import of_image
from lutra.firmware.pack import answers as known_answers
from lutra.firmware.pack import format as layout
from lutra.firmware.pack import needs
from lutra.firmware.pack.errors import PackError
from lutra.firmware.pack.opened import OWN
from lutra.firmware.pack.records import (
    ALGORITHMS,
    ANSWER,
    IMAGE,
    PARTS,
    Algorithm,
    Answer,
    Contents,
    Input,
    Manifest,
    Pack,
    Parameters,
    Part,
    Proof,
    Region,
    Routine,
)
from lutra.firmware.pack.settings import Settings
from lutra.firmware.session import INPUT, OUTPUT, Session
from lutra.iss import engine as engines
from lutra.iss.places import Place

REMEDY = (
    "a device checks packs by known answers; write vectors next to the sources (NAME.vectors.json), "
    "or name files by --vectors or by `vectors` in [pack]"
)
ANSWERS_NAME = "answers"


def build(
    settings: Settings, progress: Callable[[int], None] = lambda _: None, proofs: Mapping[str, Proof] | None = None
) -> Pack:
    """Build an unsigned pack. progress: called with the number of algorithms and known answers done. proofs: of
    algorithms, by name.

    Raises FirmwareError if firmware or vectors are wrong, if a vector fails, or if there is no known answer.
    """
    algorithms = settings.algorithms
    sources = tuple(dict.fromkeys(c.default.image for c in algorithms))
    for what, number, most in (("images", len(sources), PARTS - 1), ("algorithms", len(algorithms), ALGORITHMS)):
        if number > most:
            text = f"{number} {what} do not fit, a pack has {most}; choose some of the algorithms by --algorithm"
            raise PackError(f"{settings.name}: {text}")
    images = [assembled(source) for source in sources]
    for cipher in algorithms:
        for direction in cipher.default.entries:
            labels.check(cipher, cipher.default, direction, images[sources.index(cipher.default.image)])
    rounds = range(max(of_image(image).rounds for image in images), 3)
    tests = [test for file in kat.files(settings.vectors) for test in kat.read(file, settings.known)]
    known_answers.check(settings.algorithms, tests)
    wanted = known_answers.wanted(algorithms, settings.known, tests)
    done = 0
    entries = []
    for cipher in algorithms:
        n = sources.index(cipher.default.image)
        entry = _algorithm(cipher, n, images[n], rounds)
        entries.append(replace(entry, proof=(proofs or {}).get(cipher.name)))
        progress(done := done + 1)
    answers: list[Answer] = []
    seen: list[list[Region]] = [[] for _ in images]
    for want in wanted:
        n = sources.index(want.cipher.default.image)
        recorded = known_answers.record(want, n, rounds, settings.answers)
        answers.append(recorded.answer)
        seen[n] += recorded.seen
        progress(done := done + 1)
    if not answers:
        raise PackError(f"{settings.manifest}: no known answer for {settings.name}; {REMEDY}")
    maps = [
        needs.regions(image, [c for c in algorithms if c.default.image is source], regions)
        for source, image, regions in zip(sources, images, seen, strict=True)
    ]
    parts = [layout.SEGMENTS.write(needs.segments(image)) for image in images]
    named = [_part(IMAGE, s.name, data, regions) for s, data, regions in zip(sources, parts, maps, strict=True)]
    encoded = layout.ANSWERS.write(tuple(answers))
    manifest = Manifest(
        name=settings.name,
        version=settings.version,
        counter=settings.counter,
        isa=settings.isa,
        core=needs.core(images, [region for regions in maps for region in regions]),
        parts=(*named, _part(ANSWER, ANSWERS_NAME, encoded, ())),
        algorithms=tuple(sorted(entries, key=lambda a: a.name)),
    )
    return Pack((), layout.MANIFEST.write(manifest), (), (*parts, encoded))


def unanswered(contents: Contents) -> tuple[str, ...]:
    """Algorithms of a pack without a known answer of their name."""
    names = {answer.name.partition(":")[0].partition(" ")[0] for answer in contents.answers}
    return tuple(a.name for a in contents.manifest.algorithms if a.name not in names)


def _part(kind: int, name: str, data: bytes, regions: tuple[Region, ...]) -> Part:
    return Part(kind, name, len(data), layout.digest(data), regions)


def _algorithm(cipher: Cipher, image: int, loaded: Image, rounds: Sequence[int]) -> Algorithm:
    source = cipher.default.image
    labels_of = source.parameters
    symbols = {s.name: s for s in loaded.symbols if s.is_global}
    polynomial = cipher.polynomial
    directions = cipher.default.entries
    routines = {d: _routines(directions[d], symbols) if d in directions else () for d in DIRECTIONS}
    return Algorithm(
        **{name: getattr(cipher, name) for name in ("name", "key_bits", "unit_bytes", "partial")},
        **{name: getattr(cipher, name) for name in ("streams", "tag_bits", "lte")},
        kind=cipher.kind.name,
        iv_bytes=cipher.stated_iv_bytes,
        image=image,
        cycles=max(_cycles(cipher, direction, value) for direction in directions for value in rounds),
        key=_place(symbols.get(labels_of.key)) if cipher.key_bits else None,
        iv=_place(symbols.get(labels_of.iv)),
        length=_place(symbols.get(labels_of.length)),
        input=Input(INPUT, source.offset, source.job_bytes),
        output=Place(OUTPUT, 0),
        encrypt=routines["encrypt"],
        decrypt=routines["decrypt"],
        polynomial=Parameters(**asdict(polynomial)) if polynomial else None,
        proof=None,
    )


def _place(symbol: Symbol | None) -> Place | None:
    return Place(symbol.space, symbol.value) if symbol else None


def _routines(entries: Entries, symbols: dict[str, Symbol]) -> tuple[Routine, ...]:
    named = {role: getattr(entries, role) for role in OWN} | dict(entries.others)
    return tuple(Routine(role, symbols[label].value) for role, label in sorted(named.items()) if label)


def _cycles(cipher: Cipher, direction: Direction, rounds: int) -> int:
    """Return the cycles of one more unit of a long job, in thousandths; independent of values (tests/firmware)."""
    session = Session(engines.make("iss", rounds))
    session.set_up(cipher, direction, cipher.any_key, bytes(cipher.iv_bytes))
    jobs = bench.measured_jobs(session, cipher)
    return -(-1000 * jobs.more_cycles // jobs.more_units)
