"""Turn a pack back into images and ciphers that a session can run.

contents = pack.contents(pack.decode(data))
aes = opened.catalogue(contents, Path("aes.pack")).cipher("aes-128-ctr")
Session(engine).set_up(aes, "encrypt", key, iv)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

from lutra.asm import Image, Symbol
from lutra.firmware import ciphers
from lutra.firmware.ciphers import DIRECTIONS, Catalogue, Cipher, Direction, Entries, ImageSource, Implementation
from lutra.firmware.kinds import KINDS, KindName
from lutra.firmware.pack.errors import PackError
from lutra.firmware.pack.records import Algorithm, Contents, Part, Segment
from lutra.firmware.pack.space import is_program, word_bytes
from lutra.firmware.polynomial import Polynomial
from lutra.firmware.session import INPUT, OUTPUT
from lutra.isa import load
from lutra.iss.places import Place

OWN = ("key_tables", "key", "tables", "start", "run")


def image(segments: Iterable[Segment], symbols: tuple[Symbol, ...] = ()) -> Image:
    """An image as the assembler makes it."""
    program: list[int] = []
    memory: dict[str, list[tuple[int, bytes]]] = {}
    size = word_bytes()
    for segment in segments:
        if not is_program(segment.space):
            memory.setdefault(segment.space, []).append((segment.offset, bytes(segment.data)))
            continue
        program += [0] * (segment.offset // size - len(program))
        words = range(0, len(segment.data), size)
        program += [int.from_bytes(segment.data[at : at + size], "little") for at in words]
    return Image(program, memory, symbols)


def images(contents: Contents) -> tuple[Image, ...]:
    """The images, with a global symbol for each place and entry that an algorithm names."""
    return tuple(
        image(segments, tuple(dict.fromkeys(s for a in contents.manifest.algorithms for s in _symbols(a, n))))
        for n, segments in enumerate(contents.images)
    )


def catalogue(contents: Contents, file: Path) -> Catalogue:
    """The algorithms of a pack, as a session takes them. PackError where one is for another kind of host.

    file: what errors name.
    """
    loaded = images(contents)
    return Catalogue(tuple(_cipher(a, contents, loaded, file) for a in contents.manifest.algorithms))


def _cipher(algorithm: Algorithm, contents: Contents, loaded: Sequence[Image], file: Path) -> Cipher:
    a = algorithm
    kind = KINDS.get(cast(KindName, a.kind))
    if kind is None:
        raise PackError(f"{file}: algorithm {a.name} has the unknown kind {a.kind}")
    for call in a.calls:
        if (call.input.space, call.output) != (INPUT, Place(OUTPUT, 0)):
            places = f"its input in {call.input.space} and its output at {call.output}"
            raise PackError(f"{file}: algorithm {a.name} has {places}, not in {INPUT} and at {OUTPUT}@0x000")
    polynomial = a.polynomial
    return Cipher(
        **{name: getattr(a, name) for name in ("name", "key_bits", "unit_bytes", "partial")},
        **{name: getattr(a, name) for name in ("streams", "lte", "tag_bits")},
        kind=kind,
        **ciphers.initial_bytes(kind, a.iv_bytes),
        vectors=(),
        polynomial=Polynomial(**vars(polynomial)) if polynomial else None,
        implementations=tuple(_implementations(a, contents.manifest.parts, loaded)),
        manifest=file,
    )


def _implementations(algorithm: Algorithm, parts: Sequence[Part], loaded: Sequence[Image]) -> Iterator[Implementation]:
    """Yield how each image of an algorithm serves it."""
    for call in algorithm.calls:
        parameters = ciphers.Parameters(*(str(where) if where else "" for where in (call.key, call.iv, call.length)))
        name, offset, most = parts[call.image].name, call.input.offset, call.input.job_bytes
        source = ImageSource(name, (), (), parameters, offset, most, loaded[call.image])
        entries: dict[Direction, Entries] = {d: _entries(algorithm.routines[d]) for d in _served(algorithm, call.image)}
        yield Implementation(source, entries, ())


def _served(algorithm: Algorithm, image: int) -> Iterator[Direction]:
    """Yield the directions that an image has routines for."""
    for direction in DIRECTIONS:
        if algorithm.routines[direction] and algorithm.call(direction).image == image:
            yield direction


def _entries(routines: Mapping[str, int]) -> Entries:
    named = {role: _label(entry) for role, entry in routines.items()}
    own = {role: named.pop(role, "") for role in OWN}
    return Entries(**own, others=named)


def _symbols(algorithm: Algorithm, image: int) -> Iterator[Symbol]:
    """Yield what an algorithm names of an image."""
    for call in algorithm.calls:
        for where in (call.key, call.iv, call.length):
            if where is not None and call.image == image:
                yield Symbol(str(where), where.space, where.offset, is_global=True)
    for direction in _served(algorithm, image):
        for entry in algorithm.routines[direction].values():
            yield Symbol(_label(entry), load().program.name, entry, is_global=True)


def _label(entry: int) -> str:
    return str(Place(load().program.name, entry))
