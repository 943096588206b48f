"""DWARF 4 of an image: the source line and the macro calls of each program word.

The line table names the line itself; the calls that led to it are inlined subroutines (DWARF4 3.3.8).
"""

from __future__ import annotations

from collections.abc import Mapping

from lutra.asm.expansions import NO_PARENT, Expansion, Written, in_order, outermost
from lutra.asm.formats.dwarf_info import InfoSections
from lutra.asm.formats.dwarf_lines import Row, line_section, read_lines
from lutra.asm.formats.dwarf_tree import read_expansions
from lutra.asm.image import Image

PREFIX = ".debug_"
SECTIONS = (".debug_abbrev", ".debug_info", ".debug_line", ".debug_ranges")


def debug_sections(image: Image, labels: Mapping[int, str]) -> dict[str, bytes]:
    """Return the sections by name; `labels`: program address -> name of the routine that begins there."""
    rows: dict[int, Row] = {pc: (*place, NO_PARENT) for pc, place in image.lines.items()}
    rows.update(image.written)
    places = [
        *image.lines.values(),
        *((file, line) for file, line, _ in image.written.values()),
        *(place for expansion in image.expansions for place in (expansion.definition, expansion.call)),
    ]
    files = list(dict.fromkeys(file for file, _ in places))
    info = InfoSections(files, len(image.program), labels, image.written, image.expansions)
    sections = {
        ".debug_abbrev": info.abbrev,
        ".debug_info": info.info,
        ".debug_line": line_section(rows, files),
        ".debug_ranges": info.ranges,
    }
    return {name: data for name, data in sections.items() if data}


def read_debug(
    sections: Mapping[str, bytes], words: int
) -> tuple[dict[int, tuple[str, int]], dict[int, Written], tuple[Expansion, ...]]:
    """Read `lines`, `written` and `expansions` of an image with `words` program words. Raises DwarfError."""
    lines, files = read_lines(sections.get(".debug_line", b""), words)
    found, innermost = read_expansions(sections, files, words)
    words_of_macros = {pc: Written(*lines[pc], index) for pc, index in innermost.items() if pc in lines}
    written, expansions = in_order(words_of_macros, found)
    for pc, word in written.items():
        lines[pc] = outermost(word, expansions)
    return lines, written, expansions
