"""Key wrap: KW (SP 800-38F 6.2, RFC 3394) and KWP (6.3, RFC 5649) of a cipher of 128-bit blocks."""

from __future__ import annotations

from collections.abc import Callable

from lutra.prove.bits import Bits, Data, is_zero, join
from lutra.prove.places import State

HALF = 64
ROUNDS = 6
Block = Callable[[Bits], Bits]


class Wrap:
    """W (6.1, algorithm 1), step by step: the state is the first half of the last block, to which the number of its
    step is to be added, and this number. function: CIPH, or its inverse."""

    backwards = False

    def __init__(self, function: Block) -> None:
        self.function = function

    def begin(self, first: Bits, steps: Bits) -> State:
        """The IV is R(1), to which nothing is added. steps: the number of all, in a block."""
        return {"a": first, "t": Bits.number(0, HALF)}

    def step(self, state: State, unit: Bits) -> tuple[State, Bits]:
        """2.b: for a semiblock the block of A and it, whose second half replaces it."""
        block = self.function(join((state["a"] ^ state["t"], unit)))
        return {"a": block[:HALF], "t": state["t"] + 1}, block[HALF:]

    @staticmethod
    def a(state: State) -> Bits:
        """A after a step."""
        return state["a"] ^ state["t"]


class Unwrap:
    """The inverse of W (6.1, algorithm 2): the state is A and the number of the next step, in a block. function: the
    inverse of CIPH, or CIPH. padded: KWP."""

    backwards = True

    def __init__(self, function: Block, padded: bool) -> None:
        self.function, self.padded = function, padded

    def begin(self, first: Bits, steps: Bits) -> State:
        """The last step is the first one."""
        return {"a": first, "t": steps}

    def step(self, state: State, unit: Bits) -> tuple[State, Bits]:
        """2.b."""
        block = self.function(join((state["a"] ^ state["t"][HALF:], unit)))
        return {"a": block[:HALF], "t": state["t"] - 1}, block[HALF:]

    @staticmethod
    def a(state: State) -> Bits:
        """A after a step."""
        return state["a"]

    def right(self, a: Bits, last: Bits, iv: Bits) -> list[Bits]:
        """Conditions, one of which has to hold (6.2, algorithm 4, step 4; 6.3, algorithm 6, steps 6 to 9).

        iv: what A has to be. In KWP it ends with the least length that the semiblocks allow, seven bytes of padding;
        with each byte less of these, the length is one more. last: the last semiblock.
        """
        if not self.padded:
            return [is_zero(join((Bits.number(0, HALF), a ^ iv)))]
        found = []
        for more in range(8):
            padding = join((Bits.number(0, 8 * (more + 1)), last[8 * (more + 1) :]))
            found.append(is_zero(join((padding, a ^ join((iv[:32], iv[32:] + more))))))
        return found


def evaluated(wrap: Wrap | Unwrap, first: Bits, units: list[Bits]) -> tuple[Bits, list[Bits]]:
    """A and the semiblocks. A single one is part of one block (6.3, algorithm 5, step 4)."""
    if len(units) == 1:
        block = wrap.function(join((first, *units)))
        return block[:HALF], [block[HALF:]]
    units = list(units)
    state = wrap.begin(first, Bits.number(ROUNDS * len(units), 2 * HALF))
    order = range(len(units) - 1, -1, -1) if wrap.backwards else range(len(units))
    for _ in range(ROUNDS):
        for i in order:
            state, units[i] = wrap.step(state, units[i])
    return wrap.a(state), units


ICV1, ICV2 = bytes.fromhex("a6" * 8), bytes.fromhex("a65959a6")  # 6.2, 6.3


def sealed(wrap: Wrap, data: Data, padded: bool, first: Data = b"") -> Data:
    """The wrapped key (algorithms 3 and 5). first: in place of the standard's value."""
    begun = (first or ICV2) + len(data).to_bytes(4, "big") if padded else first or ICV1
    units = Bits.of(data + bytes(-len(data) % 8)).parts(HALF)
    a, units = evaluated(wrap, Bits.of(begun), units)
    return join([a, *units]).to_bytes()


def opened(unwrap: Unwrap, data: Data, first: Data = b"") -> Data | None:
    """The key, or None where it is not right (algorithms 4 and 6)."""
    begun, *units = Bits.of(data).parts(HALF)
    a, units = evaluated(unwrap, begun, units)
    least = 8 * len(units) - 7
    iv = (first or ICV2) + least.to_bytes(4, "big") if unwrap.padded else first or ICV1
    found = [condition.value for condition in unwrap.right(a, units[-1], Bits.of(iv))]
    text = join(units).to_bytes()
    if not any(found):
        return None
    return text[: least + found.index(1)] if unwrap.padded else text
