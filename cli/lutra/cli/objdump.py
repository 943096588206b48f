"""`lutra objdump`: show the contents of an image."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lutra.asm import Image, disassemble, read_elf
from lutra.cli.options import existing
from lutra.iss.retire import source_text


def command(
    image: Annotated[Path, typer.Argument(metavar="FILE.elf", help="Image from `lutra asm`.")],
    disassembly: Annotated[bool, typer.Option("-d", help="Disassemble program memory.")] = False,
    headers: Annotated[bool, typer.Option("-h", help="Show the entry and the contents of each memory.")] = False,
    symbols: Annotated[bool, typer.Option("-t", help="Show symbols.")] = False,
) -> None:
    """Show headers, symbols and disassembly of an image.

    Without an option, all three are shown.

    \b
    Example:
      lutra objdump -d first.elf
    """
    program = read_elf(existing(image))
    everything = not (disassembly or headers or symbols)
    parts = [
        (headers, "memories", _headers),
        (symbols, "symbols", _symbols),
        (disassembly, "program", _disassembly),
    ]
    print(f"{image}: entry {program.entry:#06x}")
    for wanted, title, text in parts:
        if wanted or everything:
            print(f"\n{title}:")
            print("\n".join(text(program)))


def _headers(image: Image) -> list[str]:
    """Print one line per contiguous part: space, first byte, length (program: word address and words)."""
    lines = [f"  {'pm':6} {0:#06x}  {len(image.program)} words"]
    lines += [
        f"  {space:6} {offset:#06x}  {len(data)} bytes"
        for space, segments in image.memory.items()
        for offset, data in segments
    ]
    return lines


def _symbols(image: Image) -> list[str]:
    """Print symbols: program labels as word addresses, data labels as byte addresses, constants as numbers."""
    width = max((len(s.name) for s in image.symbols), default=0)
    return [
        f"  {s.name:{width}}  {s.space or '-':6} {s.value:#06x}  {'global' if s.is_global else 'local'}"
        for s in sorted(image.symbols, key=lambda s: (s.space, s.value, s.name))
    ]


def _disassembly(image: Image) -> list[str]:
    labels = image.labels("pm")
    lines: list[str] = []
    for pc, word in enumerate(image.program):
        if pc in labels:
            lines += ["", f"{labels[pc]}:"]
        place = source_text(image, pc)
        text = disassemble(word, pc, labels)
        lines.append(f"  {pc:04x}  {word:016x}  {text:<48}" + (f"  // {place}" if place else ""))
    return [line.rstrip() for line in lines]
