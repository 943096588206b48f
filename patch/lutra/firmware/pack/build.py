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
from lutra.firmware.ciphers import DIRECTIONS, Cipher, Direction, Entries, ImageSource
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
    Call,
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
    sources = tuple(dict.fromkeys(i.image for c in algorithms for i in c.implementations))
    for what, number, most in (("images", len(sources), PARTS - 1), ("algorithms", len(algorithms), ALGORITHMS)):
        if number > most:
            text = f"{number} {what} do not fit, a pack has {most}; choose some of the algorithms by --algorithm"
            raise PackError(f"{settings.name}: {text}")
    images = [assembled(source) for source in sources]
    for cipher in algorithms:
        for direction in cipher.directions:
            chosen = cipher.taken(direction)
            labels.check(cipher, chosen, direction, images[sources.index(chosen.image)])
    rounds = range(max(of_image(image).rounds for image in images), 3)
    tests = [test for file in kat.files(settings.vectors) for test in kat.read(file, settings.known)]
    known_answers.check(settings.algorithms, tests)
    wanted = known_answers.wanted(algorithms, settings.known, tests)
    done = 0
    entries = []
    for cipher in algorithms:
        entry = _algorithm(cipher, {s: (n, images[n]) for n, s in enumerate(sources)}, rounds)
        entries.append(replace(entry, proof=(proofs or {}).get(cipher.name)))
        progress(done := done + 1)
    answers: list[Answer] = []
    seen: list[list[Region]] = [[] for _ in images]
    for want in wanted:
        n = sources.index(want.cipher.taken(want.direction).image)
        recorded = known_answers.record(want, n, rounds, settings.answers)
        answers.append(recorded.answer)
        seen[n] += recorded.seen
        progress(done := done + 1)
    if not answers:
        raise PackError(f"{settings.manifest}: no known answer for {settings.name}; {REMEDY}")
    maps = [
        needs.regions(image, [(c, i) for c in algorithms for i in c.implementations if i.image is source], regions)
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
    return Pack((), layout.MANIFEST.write(manifest), (), (*parts, encoded), manifest.format)


def unanswered(contents: Contents) -> tuple[str, ...]:
    """Algorithms of a pack without a known answer of their name, or without one of the image that decrypts."""
    names = {answer.name.partition(":")[0] for answer in contents.answers}
    served = {name.partition(" ")[0] for name in names}
    found = []
    for a in contents.manifest.algorithms:
        if a.name not in served:
            found.append(a.name)
        elif a.decryption and f"{a.name} decrypt" not in names:
            found.append(f"{a.name} (decryption)")
    return tuple(found)


def _part(kind: int, name: str, data: bytes, regions: tuple[Region, ...]) -> Part:
    return Part(kind, name, len(data), layout.digest(data), regions)


def _algorithm(cipher: Cipher, images: Mapping[ImageSource, tuple[int, Image]], rounds: Sequence[int]) -> Algorithm:
    """Return what a pack says of an algorithm. images: each with its number."""
    polynomial = cipher.polynomial
    routines: dict[Direction, tuple[Routine, ...]] = dict.fromkeys(DIRECTIONS, ())
    for direction in cipher.directions:
        chosen = cipher.taken(direction)
        routines[direction] = _routines(chosen.entries[direction], _globals(images[chosen.image][1]))
    call, *others = (_call(cipher, i.image, *images[i.image]) for i in cipher.implementations)
    return Algorithm(
        **{name: getattr(cipher, name) for name in ("name", "key_bits", "unit_bytes", "partial")},
        **{name: getattr(cipher, name) for name in ("streams", "tag_bits", "lte")},
        kind=cipher.kind.name,
        iv_bytes=cipher.stated_iv_bytes,
        cycles=max(_cycles(cipher, direction, value) for direction in cipher.directions for value in rounds),
        **vars(call),
        encrypt=routines["encrypt"],
        decrypt=routines["decrypt"],
        polynomial=Parameters(**asdict(polynomial)) if polynomial else None,
        proof=None,
        decryption=others[0] if others else None,
    )


def _call(cipher: Cipher, source: ImageSource, number: int, loaded: Image) -> Call:
    """Return where a host finds what an image takes."""
    symbols, names = _globals(loaded), source.parameters
    return Call(
        image=number,
        key=_place(symbols.get(names.key)) if cipher.key_bits else None,
        iv=_place(symbols.get(names.iv)),
        length=_place(symbols.get(names.length)),
        input=Input(INPUT, source.offset, source.job_bytes),
        output=Place(OUTPUT, 0),
    )


def _globals(loaded: Image) -> dict[str, Symbol]:
    return {s.name: s for s in loaded.symbols if s.is_global}


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
