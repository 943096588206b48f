"""Which firmware names nothing that the configuration lacks: seen in its text, which takes a fraction of assembling it.

A listing of all ciphers needs to know what runs, and there are a hundred images.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lutra.firmware.ciphers import ImageSource
from lutra.isa import load, missing_register

# Text that a macro puts together could give any name, but those here are written whole.
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|;[^\n]*", re.DOTALL)
_INCLUDE = re.compile(r'^\s*\.include\s+"([^"]*)"', re.MULTILINE)


class _File(NamedTuple):
    """The words of a source outside its comments, and the names that it includes."""

    words: frozenset[str]
    included: tuple[str, ...]


def needs_no_more(source: ImageSource) -> bool:
    """Whether the sources of an image name nothing that the configuration lacks; False where only assembling tells."""
    isa = load()
    if source.image is not None or isa.absent_operands or isa.configuration.contexts < len(isa.stream_contexts):
        return False
    return not any(_absent() & file.words for file in _files(source.sources, source.include_dirs))


@functools.cache
def _absent() -> frozenset[str]:
    """The names of what the configuration lacks, and those by which a program asks for it."""
    isa = load()
    registers = (v.name.removesuffix("++") for v in isa.vectors if missing_register(isa, v.name))
    asked = (f"has_{e.name}" for e in isa.extensions if e.name not in isa.configuration.extensions)
    return frozenset({*(insn.mnemonic for insn in isa.absent), *registers, *asked, "core_rounds"})


def _files(sources: tuple[Path, ...], folders: tuple[Path, ...]) -> Iterator[_File]:
    """The sources and what they include, each once. One that is missing is left to the assembler's message."""
    left, seen = list(sources), set(sources)
    while left:
        path = left.pop()
        yield (file := _read(path, path.stat().st_mtime_ns))
        for name in file.included:
            found = next((p for p in (folder / name for folder in (path.parent, *folders)) if p.is_file()), None)
            if found is not None and found not in seen:
                seen.add(found)
                left.append(found)


@functools.cache
def _read(path: Path, _changed: int) -> _File:
    text = _COMMENT.sub(" ", path.read_text(encoding="utf-8"))
    return _File(frozenset(_WORD.findall(text)), tuple(_INCLUDE.findall(text)))
