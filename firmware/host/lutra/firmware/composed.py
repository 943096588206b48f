"""Initial vectors that are composed of fields of a test and of numbers, as manifests say: `frame:32`, `0x0f:8`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lutra.firmware.errors import FirmwareError

ITEM = re.compile(r"(?:([a-z]\w*)|0x([0-9a-f]+)):([1-9]\d{0,4})", re.IGNORECASE)


@dataclass(frozen=True)
class Part:
    """Bits of an initial vector: of a field, or of a number where its name is empty."""

    field: str
    number: int
    bits: int


def parts(items: Sequence[str], bits: int) -> tuple[Part, ...]:
    """Parse the items of a manifest; FirmwareError if one is malformed or if their bits do not add up."""
    found = []
    for item in items:
        match = ITEM.fullmatch(item)
        part = Part(match[1] or "", int(match[2] or "0", 16), int(match[3])) if match else None
        if part is None or part.number >> part.bits:
            raise FirmwareError(f"{item!r} is not a field or number with its bits; write frame:32 or 0x0f:8")
        found.append(part)
    if (total := sum(part.bits for part in found)) != bits:
        raise FirmwareError(
            f"these have {total} bits, and the IV of a message {bits}; numbers such as 0x0:8 may fill it"
        )
    return tuple(found)


def composed(of: Sequence[Part], test: Mapping[str, Any]) -> bytes:
    """The initial vector of a test, the first part most significant; FirmwareError where a field is not as it must
    be."""
    value, bits = 0, 0
    for part in of:
        number = _number(part, test) if part.field else part.number
        value, bits = value << part.bits | number, bits + part.bits
    return value.to_bytes(bits // 8, "big")


def _number(part: Part, test: Mapping[str, Any]) -> int:
    """Return the value of a field: a number, or hexadecimal."""
    if part.field not in test:
        raise FirmwareError(f"has no `{part.field}`")
    given = test[part.field]
    try:
        number = int.from_bytes(bytes.fromhex(given), "big") if isinstance(given, str) else given
    except ValueError:
        number = None
    if type(number) is not int or not 0 <= number < 1 << part.bits:
        raise FirmwareError(f"`{part.field}` is not a number of {part.bits} bits")
    return number
