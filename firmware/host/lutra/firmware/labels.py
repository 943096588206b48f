"""The labels of an image against what its manifest, or the convention in its place, names.

Found before anything runs, so that a manifest that does not fit its sources is one line and not a wrong answer.
"""

from __future__ import annotations

from collections.abc import Iterator

from lutra.asm import Image
from lutra.firmware.ciphers import Cipher, Direction, Implementation
from lutra.firmware.errors import FirmwareError, nearest

# Routines that an algorithm may do without: their names may be empty.
OPTIONAL = ("routines.tables", "routines.key_tables", "routines.key", "routines.start")


def check(cipher: Cipher, implementation: Implementation, direction: Direction, image: Image) -> None:
    """FirmwareError where a routine or a parameter row is no global label of the image, or in the wrong memory."""
    entries = implementation.entries[direction]
    routines = {role: getattr(entries, role) for role in ("tables", "key_tables", "key", "start", "run")}
    wanted = [(f"routines.{role}", label, True) for role, label in (routines | dict(entries.others)).items()]
    wanted += [(f"parameters.{row}", label, False) for row, label in _rows(cipher, implementation)]
    spaces = {s.name: s.space for s in image.symbols if s.is_global}
    for key, label, routine in wanted:
        if not label and key in OPTIONAL:
            continue
        if not label:
            reason = f"needs a label for {key}, which is empty"
        elif label not in spaces:
            reason = f"has no global label {label!r} ({key}){_remedy(key, label, image)}"
        elif routine and spaces[label] != "pm":
            reason = f"has data in {spaces[label]} at {label!r} ({key}), not a routine"
        elif not routine and spaces[label] == "pm":
            reason = f"has a routine at {label!r} ({key}), not a row of a data memory"
        else:
            continue
        where = f"{cipher.manifest}: algorithm {cipher.name}, {direction}"
        raise FirmwareError(f"{where}: image {implementation.image.name} {reason}")


def _rows(cipher: Cipher, implementation: Implementation) -> Iterator[tuple[str, str]]:
    """The parameters that the host writes for every message and job."""
    parameters = implementation.image.parameters
    if cipher.key_bits:
        yield "key", parameters.key
    if cipher.iv_bytes or cipher.kind == "mac":
        yield "iv", parameters.iv
    yield "length", parameters.length


def _remedy(key: str, label: str, image: Image) -> str:
    if any(s.name == label for s in image.symbols):
        return f"; it is local: add .global {label}"
    role = key.removeprefix("routines.")
    without = f'; where there is none, say routines = {{ {role} = "" }}' if key in OPTIONAL else ""
    return nearest(label, [s.name for s in image.symbols if s.is_global]) + without
