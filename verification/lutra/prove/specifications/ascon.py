"""Ascon-AEAD128 (SP 800-232). Words of 64 bits are little-endian in blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lutra.prove.bits import Bits, Data, join, named
from lutra.prove.jobs import Section
from lutra.prove.sections import Routine, checked, tagged
from lutra.prove.specifications.modes import State

RATE = 16  # bytes
AHEAD = 2  # units that name words
INITIAL = 0x00001000808C0001  # 4.1
# 3.2, table 5: c_4 to c_15, of which 8 rounds take the last ones.
CONSTANTS = (0xF0, 0xE1, 0xD2, 0xC3, 0xB4, 0xA5, 0x96, 0x87, 0x78, 0x69, 0x5A, 0x4B)
# 3.4: rotations to the right.
_TURNS = ((19, 28), (61, 39), (1, 6), (10, 17), (7, 41))
Words = Sequence[Bits]


def permuted(s: Words, rounds: int) -> list[Bits]:
    """3: constants, S-boxes of all columns at once (3.3, figure 3), linear layer, after which words have names."""
    x0, x1, x2, x3, x4 = s
    for constant in CONSTANTS[len(CONSTANTS) - rounds :]:
        x0, x2, x4 = x0 ^ x4, x2 ^ constant ^ x1, x4 ^ x3
        chi = [x0 ^ (~x1 & x2), x1 ^ (~x2 & x3), x2 ^ (~x3 & x4), x3 ^ (~x4 & x0), x4 ^ (~x0 & x1)]
        x0, x1, x2, x3, x4 = chi
        x0, x1, x2, x3 = x0 ^ x4, x1 ^ x0, ~x2, x3 ^ x2
        x0, x1, x2, x3, x4 = (
            named(x ^ x.rotated(-a) ^ x.rotated(-b)) for x, (a, b) in zip((x0, x1, x2, x3, x4), _TURNS, strict=True)
        )
    return [x0, x1, x2, x3, x4]


def words(block: Bits) -> list[Bits]:
    """The words of a block; and bytes of words."""
    return [join(word.bytes[::-1]) for word in block.parts(64)]


def padded(block: Bits, bits: int) -> Bits:
    """The first bits of a block, a byte of one and zeros (4.1, in bits of bytes as they are stored)."""
    return join((block[:bits], Bits.number(1, 8), Bits.number(0, 128)))[:128]


def _state(s: Words) -> State:
    """A state between jobs, of which S2 is complemented, as the firmware has it."""
    return {"s0": s[0], "s1": s[1], "not s2": ~s[2], "s3": s[3], "s4": s[4]}


def _words_of(state: State) -> list[Bits]:
    return [state["s0"], state["s1"], ~state["not s2"], state["s3"], state["s4"]]


def _added(s: Words, at: int, block: Bits) -> list[Bits]:
    """A block, added to two words from one on."""
    first, second = words(block)
    return [*s[:at], s[at] ^ first, s[at + 1] ^ second, *s[at + 2 :]]


class Ascon:
    """4.1 and 4.2, algorithms 3 and 4.

    Text ends with a block that is partial or empty, with its padding, but no job knows whether it is the last. So the
    tag adds the padding of an empty block, and a job with a partial block takes that away.
    """

    def __init__(self, key: Bits, decrypts: bool) -> None:
        self.key, self.decrypts = key, decrypts
        self.sections: Mapping[str, Section] = {"absorb": Absorbed(), "absorb_last": Last(), "run": Text(decrypts)}
        self.routines: Mapping[str, Routine] = {"finish": checked(self.tag) if decrypts else tagged(self.tag)}

    def begin(self, row: Bits) -> State:
        """The state from key and nonce."""
        s = permuted([Bits.number(INITIAL, 64), *words(self.key), *words(row)], 12)
        return _state(_added(s, 3, self.key))

    def tag(self, state: State, _: Bits) -> Bits:
        """The padding, and the tag."""
        s = _added(_words_of(state), 0, padded(self.key, 0))
        s = permuted(_added(s, 2, self.key), 12)
        return join(words(join(_added(s, 3, self.key)[3:])))

    def script(self, nonce: Data, aad: Data, text: Data, tag_bytes: int) -> Sequence[tuple[str, Data]]:
        """Associated data and text, each in one job."""
        return [("begin", nonce), ("absorb_last", aad), ("run", text), ("finish", bytes(RATE))]


class Absorbed:
    """Associated data that goes on, in whole blocks."""

    unit_bytes, outputs, continues, partial = RATE, False, 1, False

    def step(self, state: State, unit: Bits) -> tuple[State, Bits]:
        after = _state(permuted(_added(_words_of(state), 0, unit), 8))
        return after, unit

    def end(self, state: State, unit: Bits, bits: int) -> tuple[State, Bits]:
        """There is none."""
        raise NotImplementedError


class Last(Absorbed):
    """Ends associated data: a padded block unless there is none at all, then the bit in front of the text."""

    partial = True

    def close(self, state: State, unit: Bits, bits: int, begun: bool) -> State:
        """After blocks, if `begun`, and so many bits more."""
        if begun or bits:
            state, _ = self.step(state, padded(unit, bits))
        return {**state, "s4": state["s4"] ^ 1 << 63}


class Text:
    """Ciphertext is the sum of plaintext and rate, and the new rate."""

    unit_bytes, outputs, continues, partial = RATE, True, 1, True

    def __init__(self, decrypts: bool) -> None:
        self.decrypts = decrypts

    def step(self, state: State, unit: Bits) -> tuple[State, Bits]:
        s = _words_of(state)
        out = unit ^ join(words(join(s[:2])))
        return _state(permuted(_added(s, 0, out if self.decrypts else unit), 8)), out

    def end(self, state: State, unit: Bits, bits: int) -> tuple[State, Bits]:
        """A block of so many bits, padded."""
        s = _words_of(state)
        out = unit ^ join(words(join(s[:2])))
        block = padded(out if self.decrypts else unit, bits) ^ padded(unit, 0)
        return _state(_added(s, 0, block)), out
