"""Functions of four bits as truth tables, the instructions that combine them, and the S-boxes of Serpent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from models.serpent import BACKWARD, FORWARD

# Bit i is the value for inputs i.
ALL = 0xFFFF
INPUTS = tuple(sum((x >> i & 1) << x for x in range(16)) for i in range(4))
# The instructions of formulas; the third register of those that have one is XORed.
PAIRS: Mapping[str, Callable[[int, int], int]] = {
    "xor": lambda a, b: a ^ b,
    "and": lambda a, b: a & b,
    "andn": lambda a, b: a & ~b & ALL,
    "or": lambda a, b: a | b,
}
TRIPLES = {"xor": "xor3", "and": "andx", "andn": "andnx", "or": "orx"}
OPERATIONS: Mapping[str, Callable[..., int]] = {
    **PAIRS,
    **{TRIPLES[name]: lambda a, b, c, pair=pair: pair(a, b) ^ c for name, pair in PAIRS.items()},
}
BOXES: Mapping[str, Sequence[int]] = {
    **{f"S{n}": box for n, box in enumerate(FORWARD)},
    **{f"inverse S{n}": box for n, box in enumerate(BACKWARD)},
}


def results(box: Sequence[int]) -> tuple[int, ...]:
    """The functions of an S-box."""
    return tuple(sum((y >> i & 1) << x for x, y in enumerate(box)) for i in range(4))


def normal(function: int) -> int:
    """A function or its complement, whichever is 0 for inputs 0."""
    return function ^ ALL if function & 1 else function
