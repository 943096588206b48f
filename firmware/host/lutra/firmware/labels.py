"""Check the labels of an image against its manifest, or against the naming convention.

Found before anything runs, so that a manifest that does not fit its sources is one line and not a wrong answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from lutra.asm import Image
from lutra.firmware.ciphers import ROW, Cipher, Direction, Entries, Implementation
from lutra.firmware.errors import FirmwareError, nearest
from lutra.isa import load

# Optional routines of an algorithm: their names may be empty.
OPTIONAL = ("tables", "key_tables", "key", "start", "last")


def check(cipher: Cipher, implementation: Implementation, direction: Direction, image: Image) -> None:
    """Raise FirmwareError if a routine or parameter is not a global label, is in the wrong memory or is too short."""
    found = (*_routines(implementation.entries[direction], image), *_parameters(cipher, implementation, image))
    if found:
        where = f"{cipher.manifest}: algorithm {cipher.name}, {direction}: image {implementation.image.name}"
        raise FirmwareError(f"{where} {found[0]}")


def _routines(entries: Entries, image: Image) -> Iterator[str]:
    spaces = {s.name: s.space for s in image.symbols if s.is_global}
    own = {role: getattr(entries, role) for role in ("tables", "key_tables", "key", "start", "run")}
    for role, label in (own | dict(entries.others)).items():
        key = f"routines.{role}"
        if not label:
            if role not in OPTIONAL:
                yield f"needs a label for {key}, which is empty"
        elif label not in spaces:
            without = f'; if it has none, write routines = {{ {role} = "" }}' if role in OPTIONAL else ""
            yield f"has no global label {label!r} ({key}){_nearest(label, image, True)}{without}"
        elif spaces[label] != "pm":
            yield f"has data in {spaces[label]} at {label!r} ({key}), not a routine"


def _parameters(cipher: Cipher, implementation: Implementation, image: Image) -> Iterator[str]:
    """Check parameters that the host writes; data that would be overwritten after one is an error too."""
    symbols = {s.name: s for s in image.symbols if s.is_global}
    needed = {"key": cipher.key_bits // 8, "iv": cipher.iv_row_bytes, "length": ROW}
    if implementation.image.parameters.done:
        needed |= {"key_again": cipher.key_bits // 8, "asked": ROW, "done": ROW}
    sizes = {row: size for row, size in needed.items() if size}
    memories = [space.name for space in load().spaces if space.blocks]
    labels = {row: getattr(implementation.image.parameters, row) for row in sizes}
    for row, size in sizes.items():
        key, label = f"parameters.{row}", labels[row]
        if not label:
            yield f"needs a label for {key}, which is empty"
        elif label not in symbols:
            yield f"has no global label {label!r} ({key}){_nearest(label, image, False)}"
        elif (space := symbols[label].space) not in memories:
            yield f"has {label!r} ({key}) in {space or 'no memory'}; a parameter is in one of {', '.join(memories)}"
        else:
            begin = symbols[label].value
            # A second label of this place does no harm, but another parameter does.
            others = [s for s in image.symbols if s.space == space and s.name != label]
            after = {
                s.value: s.name for s in others if s.value > begin or (s.value == begin and s.name in labels.values())
            }
            end = min(after, default=load().machine["MemoryRows"] * ROW)
            if end - begin < size:
                upto = f"{after[end]!r}" if end in after else "the end of the memory"
                yield f"has {end - begin} bytes at {label!r} ({key}), up to {upto}; it needs {size}"


def _nearest(label: str, image: Image, routine: bool) -> str:
    if any(s.name == label for s in image.symbols):
        return f"; it is local: add .global {label}"
    return nearest(label, [s.name for s in image.symbols if s.is_global and (s.space == "pm") is routine])
