"""What the LTE algorithms make of count, bearer and direction: an initial vector, or what stands before a message."""

from __future__ import annotations

from collections.abc import Callable, Mapping


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
    """What CMAC takes before the message (TS 33.401 B.2.3)."""
    return _halves(count, bearer, direction)


def _eea3(count: int, bearer: int, direction: int) -> bytes:
    """The same half twice (TS 35.221 3.3)."""
    return _halves(count, bearer, direction) * 2


FORMS: Mapping[str, Callable[[int, int, int], bytes]] = {"eea1": _eea1, "eea2": _eea2, "eea3": _eea3, "eia2": _eia2}


def initial_vector(form: str, count: int, bearer: int, direction: int) -> bytes:
    """The bytes that start a message; ValueError where a field is out of range."""
    if not (0 <= count < 1 << 32 and 0 <= bearer < 32 and direction in (0, 1)):
        raise ValueError("count has 32 bits, bearer 5, direction 1")
    return FORMS[form](count, bearer, direction)
