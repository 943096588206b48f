"""Requirements of images: the core that they run on, and the parts of its memories that they occupy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lutra.asm import Image
from lutra.firmware.ciphers import Cipher, Implementation
from lutra.firmware.needs import of_image
from lutra.firmware.pack.recorder import Recorder
from lutra.firmware.pack.records import Core, Region, Segment
from lutra.firmware.pack.space import code, codes, core_here, is_program, row_bytes, size, word_bytes
from lutra.firmware.session import INPUT, OUTPUT
from lutra.isa import load


def core(images: Iterable[Image], regions: Iterable[Region]) -> Core:
    """The least core for images with these maps."""
    needed = [of_image(image) for image in images]
    isa = load()
    rows = [-(-(r.first + r.size) // row_bytes()) for r in regions if isa.space_by_name[r.space].blocks]
    return Core(
        max(n.rounds for n in needed),
        max(n.program_words for n in needed),
        max(rows, default=0),
        max(n.contexts for n in needed),
    )


def segments(image: Image) -> tuple[Segment, ...]:
    """The contents of an image, in the order of the format."""
    program = b"".join(word.to_bytes(word_bytes(), "little") for word in image.program)
    found = [Segment(load().program.name, 0, program)]
    for space, parts in image.memory.items():
        for single in _single(space):
            found += [Segment(single, offset, data) for offset, data in parts if data]
    return tuple(sorted(found, key=lambda segment: (code(segment.space), segment.offset)))


def _single(space: str) -> list[str]:
    """Return the memories that a name stands for."""
    named = load().space_by_name[space]
    banks = [load().bank_by_number[bank].name for bank in named.banks]
    return banks or [space]


def regions(
    image: Image, served: Iterable[tuple[Cipher, Implementation]], seen: Iterable[Region]
) -> tuple[Region, ...]:
    """Return the memory of an image: segments, parameters, input and output, and rows used in runs."""
    found = [Region(s.space, s.offset, len(s.data)) for s in segments(image)] + list(seen)
    for cipher, implementation in served:
        source = implementation.image
        found += [Region(INPUT, source.offset, source.job_bytes), Region(OUTPUT, 0, source.job_bytes)]
        if implementation.opens:  # tag and verdict are in the last rows
            found += [Region(space, 0, size(space, core_here())) for space in (INPUT, OUTPUT)]
        names = source.parameters
        sizes = {names.key: cipher.key_bits // 8, names.iv: cipher.iv_row_bytes, names.length: row_bytes()}
        for label, count in sizes.items():
            if count:
                symbol = image.symbol(label)
                found.append(Region(symbol.space, symbol.value, count))
    return tuple(
        _hull([r for r in found if r.space == space]) for space in codes() if any(r.space == space for r in found)
    )


def occupied(engine: Recorder) -> Iterator[Region]:
    """From the first row that is not zero to the last one, of each data memory and table bank."""
    row = row_bytes()
    for space in codes():
        if is_program(space):
            continue
        data = engine.contents(space)
        end = -(-len(data.rstrip(b"\0")) // row) * row
        if end:
            first = (len(data) - len(data.lstrip(b"\0"))) // row * row
            yield Region(space, first, end - first)


def _hull(parts: list[Region]) -> Region:
    first = min(part.first for part in parts)
    return Region(parts[0].space, first, max(part.first + part.size for part in parts) - first)
