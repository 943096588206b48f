"""The checksum of an image: a SHA-256 over everything that a reader gets, in an ELF note.

It covers the contents, not the bytes of the file, so that a tool may change the layout of the file
(docs/decisions/0014-images-have-a-checksum.md).
"""

from __future__ import annotations

import hashlib
import json
import struct

from lutra.asm.image import Image

SECTION = ".note.lutra"
_NHDR = struct.Struct("<III")
_NAME = b"Lutra\0"
# Type of notes of this name; readelf would show 1 as a version.
_SHA256 = 0x100
BYTES = hashlib.sha256().digest_size


def digest(image: Image) -> bytes:
    """Return the SHA-256 of entry, program, memories, symbols, lines and any expansions as one JSON text."""
    memory = [[name, [[at, data.hex()] for at, data in parts]] for name, parts in sorted(image.memory.items()) if parts]
    everything = [
        image.entry,
        [f"{word:016x}" for word in image.program],
        memory,
        [[s.name, s.space, s.value, s.is_global, s.file] for s in image.symbols],
        [[pc, *place] for pc, place in sorted(image.lines.items())],
    ]
    if image.expansions:
        everything += [image.expansions, [[pc, *word] for pc, word in sorted(image.written.items())]]
    return hashlib.sha256(json.dumps(everything, separators=(",", ":")).encode("ascii")).digest()


def note(value: bytes) -> bytes:
    """Return the contents of the note's section for a digest."""
    name = _NAME + bytes(-len(_NAME) % 4)
    return _NHDR.pack(len(_NAME), len(value), _SHA256) + name + value
