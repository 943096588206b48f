"""GF(2^8), and S-boxes from their definitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lutra.prove.bits import Table


def multiply(a: int, b: int, polynomial: int) -> int:
    """The product modulo a polynomial of degree 8."""
    product = 0
    while b:
        product ^= a if b & 1 else 0
        a, b = a << 1 ^ (polynomial if a & 0x80 else 0), b >> 1
    return product


def power(x: int, n: int, polynomial: int) -> int:
    """x^n."""
    out = 1
    for bit in f"{n:b}":
        out = multiply(out, out, polynomial)
        out = multiply(out, x, polynomial) if bit == "1" else out
    return out


def inverse(x: int, polynomial: int) -> int:
    """1/x, and 0 for 0."""
    return power(x, 254, polynomial)


def matrix(x: int, rows: Sequence[int]) -> int:
    """Bit i of the result is the sum of the bits of x that row i names."""
    return sum(((x & row).bit_count() & 1) << i for i, row in enumerate(rows))


def rotated(x: int, n: int) -> int:
    """A byte to the left."""
    return (x << n | x >> 8 - n) & 0xFF


def table(box: Callable[[int], int]) -> Table:
    """The table of a function of bytes."""
    return Table([box(x) for x in range(256)])


def inverted(box: Table) -> Table:
    """The table of the inverse function."""
    at = {entry.value: x for x, entry in enumerate(box.entries)}
    return Table([at[y] for y in range(256)])
