"""Build the initial vector, or the prefix of a message, from the inputs of the 3GPP algorithms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

# Names in manifests.
FormName = Literal["eea1", "eea2", "eea3", "eia1", "eia2", "eia3", "uia2"]
# Bits of the inputs.
WIDTHS: Mapping[str, int] = {"count": 32, "bearer": 5, "fresh": 32, "direction": 1}


def _halves(count: int, bearer: int, direction: int) -> bytes:
    """COUNT || BEARER || DIRECTION || 0, 64 bits."""
    return count.to_bytes(4, "big") + bytes([bearer << 3 | direction << 2, 0, 0, 0])


def _eea1(count: int, bearer: int, direction: int) -> bytes:
    """IV3 = IV1 = COUNT, IV2 = IV0 = BEARER || DIRECTION || 0 (TS 35.215 3.4); written IV0 first."""
    half = _halves(count, bearer, direction)
    return (half[4:] + half[:4]) * 2


def _eea2(count: int, bearer: int, direction: int) -> bytes:
    """The counter block (TS 33.401 B.1.3)."""
    return _halves(count, bearer, direction) + bytes(8)


def _eia2(count: int, bearer: int, direction: int) -> bytes:
    """Return the prefix of the message for CMAC (TS 33.401 B.2.3)."""
    return _halves(count, bearer, direction)


def _eea3(count: int, bearer: int, direction: int) -> bytes:
    """The same half twice (TS 35.221 3.3)."""
    return _halves(count, bearer, direction) * 2


def _uia2(count: int, fresh: int, direction: int) -> bytes:
    """IV3 = COUNT, IV2 = FRESH, the other half with DIRECTION added (TS 35.215 4.4); written IV0 first."""
    words = (fresh ^ direction << 15, count ^ direction << 31, fresh, count)
    return b"".join(word.to_bytes(4, "big") for word in words)


def _eia1(count: int, bearer: int, direction: int) -> bytes:
    """UIA2 with FRESH = BEARER || 0 (TS 33.401 B.2.2)."""
    return _uia2(count, bearer << 27, direction)


def _eia3(count: int, bearer: int, direction: int) -> bytes:
    """COUNT || BEARER || 0 and the same with DIRECTION added to bits 0 and 48 (TS 35.221 4.3)."""
    half = int.from_bytes(_halves(count, bearer, 0), "big")
    return (half << 64 | half ^ direction << 63 ^ direction << 15).to_bytes(16, "big")


@dataclass(frozen=True)
class Form:
    """How an algorithm encodes its inputs, and their names in `WIDTHS`."""

    make: Callable[..., bytes]
    inputs: tuple[str, ...] = ("count", "bearer", "direction")


FORMS: Mapping[str, Form] = {
    "eea1": Form(_eea1),
    "eea2": Form(_eea2),
    "eea3": Form(_eea3),
    "eia1": Form(_eia1),
    "eia2": Form(_eia2),
    "eia3": Form(_eia3),
    "uia2": Form(_uia2, ("count", "fresh", "direction")),
}


def initial_vector(form: str, **inputs: int) -> bytes:
    """Return the bytes that start a message; ValueError if an input is missing, unknown or out of range."""
    names = FORMS[form].inputs
    if set(inputs) != set(names):
        raise ValueError(f"{form} takes {', '.join(names)}, not {', '.join(inputs) or 'nothing'}")
    if not all(0 <= value < 1 << WIDTHS[name] for name, value in inputs.items()):
        raise ValueError(", ".join(f"{name} has {WIDTHS[name]} bits" for name in names))
    return FORMS[form].make(**inputs)
