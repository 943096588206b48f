"""The key of SNOW 3G from faults in five words of its LFSR, after Debraize and Corbella (FDTC 2009).

Whoever holds the device runs it again and again with one key and IV, and flips bits of s0 to s4 at one clock: which
word it was, and which bits, is not known. Of these words only s0 reaches the output, and none the FSM for nine clocks.
Until then a keystream differs by the flipped word itself, when it leaves the LFSR, and by sums F = s15 + R1 whose s15
differs by a linear function of it. How that difference runs through the carries shows both operands (`Sum`). Eight
clocks of them are the whole state, and from there the clocks are undone up to the loaded key.

The article finds the state by algebra, from 22 faults; carries alone take some two hundred.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from injection.affine import System, Word, added, at, constant, mapped, solutions, with_zero
from models.snow3g import ALPHA, ALPHA_INVERSE, MASK, SQ, SR, Snow3g, sbox

STRUCK = 5  # words that a fault may meet
CLOCKS = 9  # from the one that is struck on, those in which no fault has reached the FSM
TOP = 31
MIX_SR, MIX_SQ = 0x1B, 0x69
_BYTES = list(range(256))


def alpha(w: int) -> int:
    """Times alpha."""
    return (w << 8 & MASK) ^ ALPHA[w >> 24]


def divided(w: int) -> int:
    """Divided by alpha."""
    return w >> 8 ^ ALPHA_INVERSE[w & 0xFF]


def s1(w: int) -> int:
    return sbox(SR, w, MIX_SR)


def s2(w: int) -> int:
    return sbox(SQ, w, MIX_SQ)


def undone(table: Sequence[int], w: int, mix: int) -> int:
    """The word that an S-box takes to this one. Its MixColumn, done four times, changes nothing."""
    for _ in range(3):
        w = sbox(_BYTES, w, mix)
    return int.from_bytes(bytes(table.index(b) for b in w.to_bytes(4, "big")), "big")


# ------------------------------------------------------------------ what a fault does


def spread(word: int, bits: int) -> dict[int, int]:
    """Differences of the LFSR's words, which are numbered from s0 of the clock that is struck on."""
    found = {word: bits}
    for n in range(CLOCKS):
        found[n + 16] = alpha(found.get(n, 0)) ^ found.get(n + 2, 0) ^ divided(found.get(n + 11, 0))
    return found


def differences(word: int, seen: Sequence[int]) -> list[tuple[int, int]] | None:
    """The differences of s15 and of the sum in each clock, if this word was struck; None if it was not."""
    differs = spread(word, seen[word])
    pairs = [(differs.get(n + 15, 0), seen[n] ^ differs.get(n, 0)) for n in range(CLOCKS)]
    # Below the lowest bit that differs no carry does.
    return pairs if all(into & -into == out & -out for into, out in pairs) else None


@dataclass(frozen=True)
class Operands:
    """x and y of a sum, and the sum. Of x bits may be unknown, of y none is."""

    x: Word
    y: int
    sum: Word


@dataclass
class Sum:
    """Knowledge of x + y modulo 2^32: of each bit and its carry c, x ^ y, y ^ c and x ^ c."""

    known: list[dict[str, int]] = field(default_factory=lambda: [{} for _ in range(TOP)])

    def add(self, into: int, out: int) -> None:
        """A difference of x, and that of the sum.

        Whether the carry out of a bit differs tells which of x, y and c are equal: the two that differ, or that do not.
        """
        carry = into ^ out
        for i, known in enumerate(self.known):
            x, c, following = (bits >> i & 1 for bits in (into, carry, carry >> 1))
            if x and c:
                known["xc"] = following ^ 1
            elif x:
                known["yc"] = following
            elif c:
                known["xy"] = following
            if len(known) == 2:
                last = next(name for name in ("xy", "yc", "xc") if name not in known)
                known[last] = sum(known.values()) & 1

    @property
    def first(self) -> int:
        """The lowest set bit of y. No carry leaves the bits below it, so they tell nothing about x."""
        return next((i for i, known in enumerate(self.known) if known.get("yc") != 0), TOP)

    @property
    def is_known(self) -> bool:
        """Whether all is known that carries can tell."""
        first = self.first
        return first < TOP and "yc" in self.known[first] and all(len(known) == 3 for known in self.known[first + 1 :])

    def candidates(self, unknown: int) -> list[Operands]:
        """Operands by what is not known and has an effect beyond its bit; further unknowns are from this number on."""
        found, first = [], self.first
        for x_first, y_top in product((0, 1), repeat=2):
            x = [*(1 << unknown + i for i in range(first)), x_first]
            y, total, carry = 1 << first, [*x[:first], 1 ^ x_first], x_first
            for known in self.known[first + 1 :]:
                a, b = known["xc"] ^ carry, known["yc"] ^ carry
                y |= b << len(x)
                x.append(a)
                total.append(a ^ b ^ carry)
                carry = (a & b) | (a & carry) | (b & carry)
            x.append(1 << unknown + first)
            total.append(x[TOP] ^ y_top ^ carry)
            found.append(Operands(tuple(x), y | y_top << TOP, tuple(total)))
        return found


# ------------------------------------------------------------------ from differences to the key


class Attack:
    """Takes keystreams with faults, and says key and IV once they are enough. right: the one without."""

    def __init__(self, right: Sequence[int]) -> None:
        self.right = right
        self.seen: list[list[int]] = []

    def add(self, wrong: Sequence[int]) -> None:
        """A keystream with a fault."""
        self.seen.append([a ^ b for a, b in zip(self.right, wrong, strict=True)])

    def key(self) -> tuple[bytes, bytes] | None:
        """Key and IV; None where more faults are needed."""
        firsts = [next(n for n, word in enumerate(seen) if word) for seen in self.seen if any(seen)]
        if not firsts:
            return None
        struck = min(firsts)  # the clock: a fault of s0 shows at once
        sums = [Sum() for _ in range(CLOCKS)]
        for seen in self.seen:
            possible = [found for word in range(STRUCK) if (found := differences(word, seen[struck:]))]
            if len(possible) == 1:
                for known, pair in zip(sums, possible[0], strict=True):
                    known.add(*pair)
        # In the first of these clocks no s15 differs.
        if not all(known.is_known for known in sums[1:]):
            return None
        unknown, candidates = 1, []
        for known in sums[1:]:
            candidates.append(known.candidates(unknown))
            unknown += known.first + 1
        for state in _states(candidates, self.right[struck:], unknown - 1):
            loaded = _undo(state, struck + 3)
            if loaded.r == [0, 0, 0]:
                return _key_of(loaded.s)
        return None


def _states(sums: Sequence[Sequence[Operands]], z: Sequence[int], unknowns: int) -> Iterator[Snow3g]:
    """The state three clocks after the one that was struck, from the operands in clocks 1 to 8 after it.

    Words of the LFSR are numbered from that clock. Some are known twice: the operands fit or do not.
    """

    def s0(n: int, here: Operands, before: Operands) -> Word:
        """Word n, by the output z = (s15 + R1) ^ R2 ^ s0."""
        return added(here.sum, constant(z[n] ^ s1(before.y)))

    def s5(after: Operands, before: Operands, earlier: Operands) -> Word:
        """Word n + 5, by R1 of the clock after n, and R2 and R3 of it."""
        return constant((after.y - s1(before.y) & MASK) ^ s2(s1(earlier.y)))

    def fits(system: System, new: Word, first: Word, second: Word, eleventh: Word) -> System | None:
        return with_zero(system, added(new, mapped(alpha, first), second, mapped(divided, eleventh)))

    c1, c2, c3, c4, c5, c6, c7, c8 = sums
    for o1, o4, o5, o6, o7 in product(c1, c4, c5, c6, c7):
        w5, w7 = s0(5, o5, o4), s0(7, o7, o6)
        if (one := fits({}, o6.x, w5, w7, o1.x)) is None:
            continue
        w6 = s0(6, o6, o5)
        for o8, o2 in product(c8, c2):
            w8 = s0(8, o8, o7)
            if (two := fits(one, o7.x, w6, w8, o2.x)) is None:
                continue
            if (three := with_zero(two, added(w8, s5(o4, o2, o1)))) is None:
                continue
            for o3 in c3:
                four = fits(three, o8.x, w7, s5(o5, o3, o2), o3.x)
                if four is None:
                    continue
                low = [s0(2, o2, o1), s0(3, o3, o2), s0(4, o4, o3), w5, w6, w7, w8]
                middle = [s5(o5, o3, o2), s5(o6, o4, o3), s5(o7, o5, o4), s5(o8, o6, o5)]
                # Words 13 to 15, by the words that they enter.
                enters = enumerate((o3.x, o4.x, o5.x))
                rest = [mapped(alpha, added(new, mapped(alpha, low[i]), low[i + 2])) for i, new in enters]
                words = (*low[1:], *middle, *rest, o1.x, o2.x, o3.x)
                for values in solutions(four, unknowns):
                    state = Snow3g(bytes(16), bytes(16))
                    state.s = [at(word, values) for word in words]
                    state.r = [o3.y, s1(o2.y), s2(s1(o1.y))]
                    yield state


def _undo(state: Snow3g, clocks: int) -> Snow3g:
    """The loaded state: back over so many words, the clock that is thrown away, and 32 with feedback."""
    for n in range(clocks + 1 + 32):
        new, (r1, r2, r3) = state.s[15], state.r
        s = state.s[:15]  # s1 to s15 of the clock before
        before = undone(SR, r2, MIX_SR), undone(SQ, r3, MIX_SQ)
        state.r = [*before, (r1 - before[1] & MASK) ^ s[4]]
        fed = (s[14] + before[0] & MASK) ^ before[1] if n > clocks else 0
        state.s = [divided(new ^ s[1] ^ divided(s[10]) ^ fed), *s]
    return state


def _key_of(s: Sequence[int]) -> tuple[bytes, bytes]:
    """Key and IV in a loaded LFSR."""

    def joined(*words: int) -> bytes:
        return b"".join(word.to_bytes(4, "big") for word in words)

    return joined(*s[4:8]), joined(s[15] ^ s[7], s[12] ^ s[4], s[10] ^ s[6] ^ MASK, s[9] ^ s[5] ^ MASK)
