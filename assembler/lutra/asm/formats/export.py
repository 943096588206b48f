"""Export an image for hardware and C: rows of memories for `$readmemh`, lanes of SRAMs, a C header, JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from lutra.asm.image import Image, Symbol
from lutra.isa import Isa, Space, load

# A valid identifier in C.
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True)
class Part:
    """Whole rows of a memory, first byte first; bytes that the image does not set are zero."""

    space: str
    code: int
    row: int
    data: bytes


def parts(image: Image) -> Iterator[Part]:
    """Return the runs of adjacent rows with contents in data memories and tables."""
    isa = load()
    width = isa.machine["VectorBytes"]
    for name, segments in image.memory.items():
        whole = _whole(isa, isa.space_by_name[name], image)
        rows = sorted({row for at, data in segments for row in range(at // width, -(-(at + len(data)) // width))})
        for _, run in groupby(enumerate(rows), lambda pair: pair[1] - pair[0]):
            found = [row for _, row in run]
            data = whole[found[0] * width : (found[-1] + 1) * width]
            yield Part(name, isa.space_by_name[name].code, found[0], data)


def rows(image: Image) -> Mapping[str, str]:
    """Return text for `$readmemh` by the memory's name: all rows, one per line.

    Byte 0 of a row comes first, which is the most significant byte of the core's vectors and of `host_wdata_i`; a line
    of `pm` is a word. Bytes that the image does not set are zero.
    """
    isa = load()
    width, digits = isa.machine["VectorBytes"], isa.machine["InsnBits"] // 4
    words = image.program + [0] * (isa.size(isa.program) - len(image.program))
    found = {isa.program.name: _lines(f"{word:0{digits}x}" for word in words)}
    for space in _memories(isa):
        whole = _whole(isa, space, image)
        found[space.name] = _lines(whole[at : at + width].hex() for at in range(0, len(whole), width))
    return found


def lanes(image: Image) -> Mapping[str, str]:
    """Return text for `$readmemh` of each SRAM of rtl/, by memory and lane: `m0.3` has bytes 3, 19, 35, ... of m0.

    `pm` is one SRAM of words, as in `rows`.
    """
    isa = load()
    width = isa.machine["VectorBytes"]
    found = {isa.program.name: rows(image)[isa.program.name]}
    for space in _memories(isa):
        whole = _whole(isa, space, image)
        for lane in range(width):
            found[f"{space.name}.{lane}"] = _lines(f"{byte:02x}" for byte in whole[lane::width])
    return found


def document(image: Image) -> dict[str, Any]:
    """Return the object of `lutra image --format json`."""
    digits = load().machine["InsnBits"] // 4
    return {
        "entry": image.entry,
        "program": [f"{word:0{digits}x}" for word in image.program],
        "parts": [asdict(part) | {"data": part.data.hex()} for part in parts(image)],
        "symbols": [
            {"name": s.name, "space": s.space, "value": s.value, "global": s.is_global} for s in _sorted(image.symbols)
        ],
    }


def c_header(image: Image, name: str) -> str:
    """Return a C99 header with program words, rows of memories and addresses of symbols; `name` prefixes all names.

    Raises ValueError if the prefix does not make valid identifiers.
    """
    if not IDENTIFIER.fullmatch(name):
        raise ValueError(f"{name!r} is not a C identifier; give another with --name")
    isa = load()
    width = isa.machine["VectorBytes"]
    found = list(parts(image))
    guard = f"LUTRA_IMAGE_{name.upper()}_H"
    out = ["/* Made by `lutra image --format c`: an image for the host port of lutra_core. */"]
    out += [f"#ifndef {guard}", f"#define {guard}", "", "#include <stdint.h>", ""]
    out += ["#ifndef LUTRA_IMAGE_PART", "#define LUTRA_IMAGE_PART"]
    out += [f"/* Rows of {width} bytes of a memory, byte 0 first; `space` is a value of host_space_i. */"]
    out += ["struct lutra_image_part {", "    uint8_t space;", "    uint16_t row;", "    uint16_t rows;"]
    out += ["    const uint8_t *bytes;", "};", "#endif", ""]
    out += ["enum {", f"    {name}_entry = {image.entry:#06x}, /* word of pm */"]
    out += [f"    {name}_program_space = {isa.program.code}, /* pm */"]
    out += [f"    {name}_program_words = {len(image.program)},", f"    {name}_part_count = {len(found)},"]
    out += [f"    {name}_at_{s.name} = {s.value:#06x}, /* {_unit(isa, s)} of {s.space} */" for s in _named(image)]
    out += ["};", "", f"static const uint64_t {name}_program[{max(len(image.program), 1)}] = {{"]
    out += [f"    UINT64_C({word:#018x})," for word in image.program or [0]] + ["};", ""]
    for part in found:
        out += [f"static const uint8_t {_array(name, part)}[{len(part.data)}] = {{"]
        out += [_bytes(part.data[at : at + width]) for at in range(0, len(part.data), width)] + ["};", ""]
    out += [f"static const struct lutra_image_part {name}_parts[{max(len(found), 1)}] = {{"]
    out += [
        f"    {{{p.code}, {p.row}, {len(p.data) // width}, {_array(name, p)}}}, /* {p.space} */" for p in found
    ] or ["    {0, 0, 0, 0},"]
    out += ["};", "", "#endif"]
    return _lines(out)


def _memories(isa: Isa) -> list[Space]:
    return [space for space in isa.spaces if space.is_single]


def _whole(isa: Isa, space: Space, image: Image) -> bytes:
    """All bytes of a memory."""
    whole = bytearray(isa.size(space))
    for at, data in image.memory.get(space.name, ()):
        whole[at : at + len(data)] = data
    return bytes(whole)


def _named(image: Image) -> list[Symbol]:
    """Return symbols that C can name: global ones, and local ones with a unique name."""
    known = [s for s in image.symbols if s.space and IDENTIFIER.fullmatch(s.name)]
    names = [s.name for s in known]
    return _sorted(s for s in known if names.count(s.name) == 1 or s.is_global)


def _sorted(symbols: Any) -> list[Symbol]:
    return sorted(symbols, key=lambda s: (s.space, s.value, s.name))


def _unit(isa: Isa, symbol: Symbol) -> str:
    return "word" if symbol.space == isa.program.name else "byte"


def _array(name: str, part: Part) -> str:
    return f"{name}_{part.space}_{part.row}"


def _bytes(row: bytes) -> str:
    return "    " + " ".join(f"{byte:#04x}," for byte in row)


def _lines(lines: Any) -> str:
    return "".join(f"{line}\n" for line in lines)
