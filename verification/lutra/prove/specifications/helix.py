"""Helix (Ferguson, Whiting, Schneier, Kelsey, Lucks, Kohno, FSE 2003), and Phelix (Whiting, Schneier, Lucks, Muller,
eSTREAM 2005). Messages are shorter than 2^33 bytes; the word of the block's number that others need is left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lutra.prove.bits import Bits, Data, join
from lutra.prove.jobs import Section
from lutra.prove.sections import Routine, checked, tagged
from lutra.prove.specifications.modes import State

WORD, BLOCKS = 4, 8  # bytes; blocks before a message, and words of a working key
MAC, ASSOCIATED = 0x912D94F1, 0xAADAADAA
NONE = Bits.number(0, 32)
Words = Sequence[Bits]


def half(z: Words, a: Bits, b: Bits) -> list[Bits]:
    """H of either paper: half a block."""
    z0, z1, z2, z3, z4 = z
    z0, z3 = z0 + (z3 ^ a), z3.rotated(15)
    z1, z4 = z1 + z4, z4.rotated(25)
    z2, z0 = z2 ^ z0, z0.rotated(9)
    z3, z1 = z3 ^ z1, z1.rotated(10)
    z4, z2 = z4 + z2, z2.rotated(17)
    z0, z3 = z0 ^ (z3 + b), z3.rotated(30)
    z1, z4 = z1 ^ z4, z4.rotated(13)
    z2, z0 = z2 + z0, z0.rotated(20)
    z3, z1 = z3 + z1, z1.rotated(11)
    z4, z2 = z4 ^ z2, z2.rotated(5)
    return [z0, z1, z2, z3, z4]


def little(data: Bits) -> list[Bits]:
    """Words of bytes, the least significant byte first; and a word as bytes."""
    return [join(word.bytes[::-1]) for word in data.parts(32)]


def working_key(key: Bits) -> list[Bits]:
    """Eight words, from a key of up to 32 bytes and its length."""
    k, size = little(join((key, Bits.number(0, 256 - len(key))))), Bits.number(len(key) // 8 + 64, 32)
    for _ in range(BLOCKS):
        z = half(half([*k[:4], size], NONE, NONE), NONE, NONE)
        k = [x ^ y for x, y in zip(z, k[4:], strict=False)] + k[:4]
    return k


class Helix:
    """A message. `turn` is the number of its next block modulo 8, and public; `count` is that number plus 8; `x` are
    the second words that a block takes of key and nonce, without its number, by turns. Z0 and Z2 are rotated, as
    firmware has them."""

    public: Mapping[str, int] = {"turn": BLOCKS}
    iv_bytes = 16

    def __init__(self, key: Bits, decrypts: bool) -> None:
        self.k, self.key_bytes = working_key(key), len(key) // 8
        self.sections: Mapping[str, Section] = {"run": Text(self, decrypts)}
        self.routines: Mapping[str, Routine] = {"finish": checked(self.tag) if decrypts else tagged(self.tag)}

    def begin(self, rows: Bits) -> State:
        """The state from a nonce, and eight blocks."""
        n = little(rows[:128])
        n += [Bits.number(at, 32) - word for at, word in enumerate(n)]
        extra = [NONE, self.extra(rows), NONE, NONE] * 2
        x = [k + word + more for k, word, more in zip(self.k[4:] + self.k[:4], n, extra, strict=True)]
        z = [k ^ word for k, word in zip(self.k[3:7], n, strict=False)] + [self.k[7]]
        state: State = {**_turned(z), "count": NONE, "turn": Bits.number(0, 8), "x": join(x), **self.first()}
        for _ in range(BLOCKS):
            state = self.block(state, NONE)
        return state

    def extra(self, rows: Bits) -> Bits:
        """A number in every fourth block."""
        return Bits.number(4 * self.key_bytes, 32)

    def first(self) -> State:
        """More of a state before the first block."""
        return {}

    def stream(self, state: State) -> Bits:
        """The keystream of a block."""
        return state["z0"].rotated(20)

    def middle(self, state: State) -> list[Bits]:
        """The first half of a block."""
        return half(_z(state), NONE, self.k[state["turn"].value])

    def block(self, state: State, plain: Bits) -> State:
        """A block that takes a word of plaintext."""
        turn, count = state["turn"].value, state["count"]
        z = half(self.middle(state), plain, state["x"].parts(32)[turn] + count)
        return {**state, **_turned(z), "count": count + 1, "turn": Bits.number((turn + 1) % BLOCKS, 8)}

    def ended(self, state: State, size: Bits, aad: Bits) -> tuple[State, Bits]:
        """The state before the last blocks, and what is added to their keystream; of sizes in bytes."""
        return state, NONE

    def tag(self, state: State, row: Bits) -> Bits:
        """Twelve blocks that take the length, of which the last four make the tag. row: lengths in bits."""
        aad, size = (number >> 3 for number in row.parts(64))
        last = size[32:] & 3
        state, mask = self.ended(state, last, aad)
        z0, out = state["z0"].rotated(20) ^ MAC, []
        state = {**state, "z0": z0.rotated(-20)}
        for _ in range(12):
            out.append(self.stream(state) ^ mask)
            state = self.block(state, last)
        return join(little(join(out[-4:])))

    def script(self, nonce: Data, aad: Data, text: Data, tag_bytes: int) -> Sequence[tuple[str, Data]]:
        """Associated data, if there is any, and text, each in one job."""
        lengths = (8 * len(aad)).to_bytes(8, "big") + (8 * len(text)).to_bytes(8, "big")
        row = nonce + (8 * tag_bytes).to_bytes(16, "big")
        parts = [("absorb_last", aad)] if "absorb_last" in self.sections else []
        return [("begin", row[: self.iv_bytes]), *parts, ("run", text), ("finish", lengths)]


class Phelix(Helix):
    """`old` is Z4 after the last four blocks, by turns. The vectors say so, and that a word of the tag has the length
    modulo 4 added; the paper says otherwise in both."""

    iv_bytes = 32

    def __init__(self, key: Bits, decrypts: bool) -> None:
        super().__init__(key, decrypts)
        data = Associated(self)
        self.sections = {"absorb": data, "absorb_last": data, **self.sections}

    def extra(self, rows: Bits) -> Bits:
        """With the length of the tag."""
        return ((rows[-32:] & 127) << 8) + super().extra(rows)

    def first(self) -> State:
        """There are no blocks before."""
        return {"old": Bits.number(0, 128)}

    def stream(self, state: State) -> Bits:
        """From both halves of blocks."""
        return self.middle(state)[4] + state["old"].parts(32)[state["turn"].value % 4]

    def block(self, state: State, plain: Bits) -> State:
        """Keeps Z4, too."""
        after, old = super().block(state, plain), state["old"].parts(32)
        old[state["turn"].value % 4] = after["z4"]
        return {**after, "old": join(old)}

    def ended(self, state: State, size: Bits, aad: Bits) -> tuple[State, Bits]:
        """The length of associated data enters the state."""
        high, low = aad.parts(32)
        z2 = state["z2"].rotated(5) ^ high
        return {**state, "z2": z2.rotated(-5), "z4": state["z4"] ^ low}, size


def _turned(z: Words) -> State:
    z0, z1, z2, z3, z4 = z
    return {"z0": z0.rotated(-20), "z1": z1, "z2": z2.rotated(-5), "z3": z3, "z4": z4}


def _z(state: State) -> list[Bits]:
    return [state["z0"].rotated(20), state["z1"], state["z2"].rotated(5), state["z3"], state["z4"]]


class Text:
    """Words, and bytes of a last one."""

    unit_bytes, outputs, continues, partial, apart = WORD, True, 1, True, True

    def __init__(self, message: Helix, decrypts: bool) -> None:
        self.message, self.decrypts = message, decrypts

    def step(self, state: State, unit: Bits) -> tuple[State, Bits]:
        """A whole word."""
        return self.end(state, unit, 8 * WORD)

    def end(self, state: State, unit: Bits, bits: int) -> tuple[State, Bits]:
        """A word of which so many bits count."""
        (stream,) = little(self.message.stream(state))
        out = unit ^ stream
        plain = out if self.decrypts else unit
        (word,) = little(join((plain[:bits], Bits.number(0, 8 * WORD - bits))))
        return self.message.block(state, word), out


class Associated:
    """Words of associated data, and bytes of a last one. Firmware adds the constant around each job."""

    unit_bytes, outputs, continues, partial, apart = WORD, False, 1, True, True

    def __init__(self, message: Helix) -> None:
        self.message = message

    def step(self, state: State, unit: Bits) -> tuple[State, Bits]:
        """A whole word."""
        return self.end(state, unit, 8 * WORD)

    def end(self, state: State, unit: Bits, bits: int) -> tuple[State, Bits]:
        """A word of which so many bits count."""
        (word,) = little(join((unit[:bits], Bits.number(0, 8 * WORD - bits))))
        after = self.message.block({**state, "z1": state["z1"] ^ ASSOCIATED}, word)
        return {**after, "z1": after["z1"] ^ ASSOCIATED}, unit
