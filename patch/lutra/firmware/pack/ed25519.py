"""Ed25519 (RFC 8032) by the strict rule of docs/pack-format.md, and a check of public keys.

Keys, signatures and messages here are public, so nothing needs constant time.
"""

from __future__ import annotations

from functools import cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

# RFC 8032, section 5.1: the field, the curve, and the order of the base point.
FIELD = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, FIELD) % FIELD
ROOT_OF_MINUS_ONE = pow(2, (FIELD - 1) // 4, FIELD)
SIGN = 1 << 255

# Extended coordinates: x = X / Z, y = Y / Z, x * y = T / Z.
Point = tuple[int, int, int, int]
IDENTITY = (0, 1, 1, 0)


def is_right(key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether a signature is right: S is below the order, neither key nor R has small order or a second encoding, and
    [S]B - [h]A is R. OpenSSL checks all of it but small orders and the encoding of the key."""
    if _is_weak(key) or _is_weak(signature[:32]):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


@cache
def flaw(key: bytes) -> str:
    """Why a key is not one that signing software makes, or nothing."""
    if _is_weak(key):
        return "anybody can sign for it"
    point = _decode(key)
    if point is None:
        return "nobody can sign for it"
    return "" if _is_identity(_times(ORDER, point)) else "its secret signs for other keys, too"


def ordinate(key: bytes) -> int:
    """The y of a point. Of two keys with one y, the secrets are each other's negatives."""
    return int.from_bytes(key, "little") % SIGN


def _is_weak(point: bytes) -> bool:
    """Whether it has a second encoding, or small order: y is 1 or -1 (orders 1 and 2), 0 (order 4), or twice the point
    has order 4 (order 8). Then x^2 = -y^2, with which the curve's equation is the last factor."""
    y = ordinate(point)
    return y >= FIELD or y * (y * y - 1) * (D * y**4 + 2 * y * y - 1) % FIELD == 0


def _decode(encoded: bytes) -> Point | None:
    """RFC 8032, section 5.1.3."""
    y = ordinate(encoded)
    square = (y * y - 1) * pow(D * y * y + 1, -1, FIELD) % FIELD
    x = pow(square, (FIELD + 3) // 8, FIELD)
    if x * x % FIELD != square:
        x = x * ROOT_OF_MINUS_ONE % FIELD
    if x * x % FIELD != square:
        return None
    if x % 2 != encoded[31] >> 7:
        x = FIELD - x
    return (x, y, 1, x * y % FIELD)


def _sum(p: Point, q: Point) -> Point:
    """RFC 8032, section 5.1.4, which serves for a doubling as well."""
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, d = 2 * p[3] * q[3] * D, 2 * p[2] * q[2]
    e, f, g, h = (each % FIELD for each in (b - a, d - c, d + c, b + a))
    return (e * f % FIELD, g * h % FIELD, f * g % FIELD, e * h % FIELD)


def _times(scalar: int, point: Point) -> Point:
    total = IDENTITY
    for bit in f"{scalar:b}":
        total = _sum(total, total)
        if bit == "1":
            total = _sum(total, point)
    return total


def _is_identity(point: Point) -> bool:
    return point[0] == 0 and point[1] == point[2]
