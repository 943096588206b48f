"""Write the listing: addresses and contents next to the source."""

from __future__ import annotations

from pathlib import Path

from lutra.asm.formats.disasm import disassemble
from lutra.asm.image import Image, write_atomic
from lutra.isa import load


def write_listing(image: Image, path: Path) -> None:
    """Write the listing to a file, completely or not at all. Raises AsmError."""
    write_atomic(Path(path), listing(image).encode("utf-8", "replace"))


def listing(image: Image) -> str:
    """Return program words under their labels, source lines and macro calls, then data, then symbols."""
    isa = load()
    program = isa.program.name
    labels: dict[int, list[str]] = {}
    for symbol in image.symbols:
        if symbol.space == program:
            labels.setdefault(symbol.value, []).append(symbol.name)
    targets = image.labels(program)
    out = [f"entry 0x{image.entry:04x}", ""]
    sources: dict[str, list[str]] = {}
    shown: list[tuple[str, int]] = []  # places already shown for the last word, outermost first
    for pc, word in enumerate(image.program):
        places = [(place.file, place.line) for place in reversed(image.chain(pc))]
        if not places:
            continue  # a hole
        out += [f"{name}:" for name in labels.get(pc, [])]
        same = next((n for n, pair in enumerate(zip(places, shown, strict=False)) if pair[0] != pair[1]), len(shown))
        for depth, (file, line) in enumerate(places[same:], same):
            if file not in sources:
                sources[file] = _lines(file)
            text = sources[file]
            source = text[line - 1].strip() if 0 < line <= len(text) else ""
            out.append(f"    // {'  ' * depth}{file}:{line}: {source}".rstrip())
        shown = places
        out.append(f"    {pc:04x}  {word:016x}  {disassemble(word, pc, targets)}")
    for name, segments in image.memory.items():
        for offset, data in segments:
            out += ["", f"{name}: {len(data)} byte{'s' if len(data) != 1 else ''}"]
            for at in range(0, len(data), 16):
                out.append(f"    {offset + at:04x}  {data[at : at + 16].hex(' ')}")
    if image.symbols:
        out += ["", "symbols"]
        for symbol in sorted(image.symbols, key=lambda s: (s.space, s.value, s.name)):
            kind = "global" if symbol.is_global else "local"
            out.append(f"    {symbol.space or '-':6} {symbol.value & 0xFFFFFFFF:08x} {kind:6} {symbol.name}")
    return "\n".join(out) + "\n"


def _lines(file: str) -> list[str]:
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return []
