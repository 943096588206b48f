"""KASUMI (3GPP TS 35.202), f8 and f9 (TS 35.201), and KGCORE (TS 55.216)."""

from __future__ import annotations

from lutra.prove.bits import Bits, Table, join, named, once
from lutra.prove.specifications.modes import BlockCipher, State

BLOCK = 64
# S7 and S9 have the degrees 3 and 2: firmware divides the inputs of S9 between tables, and multiplies.
DEGREE = 3
# Firmware does eight blocks at once.
AHEAD = 8

# 4.5.1 and 4.5.2: the decimal tables.
_S7 = (
    "36323e3816225e6026063f5d02127b21377127721543410c2f492e1b196f7c513509794f343c3a30657f28786846472b"
    "147a483d176d0d644d011007520a696275744c0b596a007d766356451e397e57703311055f0e5a545b08236720611c42"
    "661f1a2d4b04555c254a5031441d732c406b6c186e53244e2a130f2958773b03"
)
_S9 = (
    "0a70ef0a117b18714e0091520260e20301661c418105a18d0b70fd09314b19f15403316a1321f41060520d809f1640b1"
    "0af0f11e90250ce01100014d02c0fe17a03a08f0dc05119005f00313b0f50360eb0da1951d81080ac1ee17312218f04c"
    "0a50c518b0791011e01a70d40f001c1ce0b01961fb1200df1f51970f91090590ba0dd1ac0a404a1b80c41ca1a515e0a3"
    "0e809e08616200d0fa1eb08e0bf0450c11a90980e316e08715812c1140f21b514007111600b0f305713d02405d1f001b"
    "1e71be1e202904409c1c90831461931530140270731ba07c1db1801fc0350700aa1df09707e0a904910c1171410a816c"
    "16b12402e1f31891471440181c810b09d1cc1e81aa1350e51b71fa0d010f15d1911b20ec0100d11670340380780c7115"
    "1d11a00fc11f0f60060531311a41590991f604103d0f411a0ad0de1a20431821701050651dc1230c31ae03104f0a614a"
    "11817f17508017e19809b1ef16f18411206b1cb1a103e1c60840e10cb13c0ea00e12d05b1f711e1a80d315b13308c176"
    "02306707d1ab0130d61c50921f213a1bc0e61001490c611d03207404e19a00a0cd1fe0ab0e702d08b1d301d0561f9020"
    "04801a1560961391ea1af0ee19b1450951d90280770ae1630b90e91850471c011117403706e0b214200c1d51881710be"
    "00106d1770890b505804b1341041e406211017211319c06f15013e0041f81ec10313004d1511b301516512f14c1e3012"
    "02f0550191f11da12106410d1281de10e06a01f0681b105419e1e618a06006309a1ff09419d1691990ff0a20d712e0c9"
    "10a15f1570901b916d06c12a0fb0220b61fd08a0d214f08513716014808d18c15a07b13f1c21191ad0e41bb1e105c194"
    "1e51a60f81290170d50821d20160d911b0461261681a307f1381790071d40c20020751271cf1020e01bf0f70bb05018e"
    "11c16106918612b1d71d60b80390c815c03f0cc0bc0211c306101e1360db05e0a00811ed0400b31070660bd0cf072192"
    "1b61dd18307a0c002a17d0050910760b41c112514308817c02b04203c1c71551bd0ca1b00080ed00f1781b41d003b1cd"
)
S7 = Table([int(_S7[at : at + 2], 16) for at in range(0, len(_S7), 2)], 7)
S9 = Table([int(_S9[at : at + 3], 16) for at in range(0, len(_S9), 3)], 9)
# 4.2, table 1: what is added to the key.
_CONSTANTS = bytes.fromhex("0123456789abcdeffedcba9876543210")


def _half(x: Bits) -> tuple[Bits, Bits]:
    """Nine and seven bits after half of FI: S9 with the seven added, then S7 with the last seven of these added."""
    x = named(x)
    nine = S9[x[:9]] ^ join((Bits.number(0, 2), x[9:]))
    return nine, S7[x[9:]] ^ nine[2:]


def fi(x: Bits, key: Bits) -> Bits:
    """4.4. The first seven bits of the key are added to the seven."""
    nine, seven = _half(x)
    nine, seven = _half(join((nine ^ key[7:], seven ^ key[:7])))
    return join((seven, nine))


class Cipher(BlockCipher):
    """The cipher under a key of 128 bits."""

    def __init__(self, key: Bits) -> None:
        """4.2, table 2: words of K and of K' that begin with the round's."""
        words, primed = key.parts(16), (key ^ Bits.of(_CONSTANTS)).parts(16)
        turns = [(words[i:] + words[:i], primed[i:] + primed[:i]) for i in range(8)]
        self.fl_keys = [(k[0].rotated(1), p[2]) for k, p in turns]
        self.fo_keys = [((k[1].rotated(5), p[4]), (k[5].rotated(8), p[3]), (k[6].rotated(13), p[7])) for k, p in turns]

    def _fl(self, x: Bits, i: int) -> Bits:
        """4.3."""
        (left, right), (first, second) = x.parts(16), self.fl_keys[i]
        right = named(right ^ (left & first).rotated(1))
        return join((left ^ (right | second).rotated(1), right))

    def _fo(self, x: Bits, i: int) -> Bits:
        """4.3. Firmware has no register with the last sum alone."""
        left, right = x.parts(16)
        for outer, inner in self.fo_keys[i]:
            right = named(right)
            left, right = right, fi(left ^ outer, inner) ^ right
        return join((left, right))

    def _f(self, x: Bits, i: int) -> Bits:
        """4.1: round i + 1."""
        return self._fl(self._fo(x, i), i) if i % 2 else self._fo(self._fl(x, i), i)

    @once
    def encrypt(self, block: Bits) -> Bits:
        """4.1."""
        left, right = block.parts(32)
        for i in range(8):
            left, right = named(right ^ self._f(left, i)), left
        return join((left, right))

    def decrypt(self, block: Bits) -> Bits:
        """4.1, backwards."""
        left, right = block.parts(32)
        for i in reversed(range(8)):
            left, right = right, named(left ^ self._f(right, i))
        return join((left, right))


def modified(key: Bits, byte: int) -> Bits:
    """A key with a modifier of equal bytes added."""
    return key ^ Bits.of(bytes([byte]) * 16)


class F8:
    """TS 35.201 4: keystream block by block. A key of 64 bits is taken twice (TS 55.216)."""

    unit_bytes, outputs, continues, degree, ahead = 8, True, 1, DEGREE, 1

    def __init__(self, key: Bits) -> None:
        key = join((key, key))[:128]
        self.cipher, self.first = Cipher(key), Cipher(modified(key, 0x55))

    def begin(self, iv: Bits) -> State:
        """4.2: A of the first half of the IV. The count of blocks and the block before the first are zero."""
        zero = Bits.number(0, 64)
        return {"a": self.first.encrypt(iv[:64]), "count": zero, "last": zero}

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """4.3."""
        block = self.cipher.encrypt(state["a"] ^ state["count"] ^ state["last"])
        return {**state, "count": state["count"] + 1, "last": block}, text ^ block

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """A part of a block."""
        return self.step(state, text)[1]


class Eight:
    """Eight messages of F8 under one key, block by block, of less than 2^32 blocks each: firmware counts in a word."""

    unit_bytes, outputs, continues, degree, ahead = 64, True, 1, DEGREE, 1

    def __init__(self, key: Bits) -> None:
        self.one = F8(key)

    def begin(self, iv: Bits) -> State:
        """The state of each; they count alike."""
        states = [self.one.begin(part) for part in iv.parts(64)]
        own = {f"{name}{n}": state[name] for n, state in enumerate(states) for name in ("a", "last")}
        return {**own, "count": states[0]["count"][32:]}

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """A block of each."""
        after, out = dict(state), []
        for n, block in enumerate(text.parts(64)):
            count = join((Bits.number(0, 32), state["count"]))
            own, result = self.one.step({"a": state[f"a{n}"], "last": state[f"last{n}"], "count": count}, block)
            after |= {f"last{n}": own["last"], "count": state["count"] + 1}
            out.append(result)
        return after, join(out)

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """There is none."""
        raise NotImplementedError


class F9:
    """TS 35.201 5. The IV is that of UIA2 (firmware/kasumi/kasumi_f9.s): words 3 and 2 are COUNT and FRESH, and word 1
    is COUNT with DIRECTION added to its first bit."""

    unit_bytes, outputs, continues, degree, ahead = 8, False, 1, DEGREE, 1

    def __init__(self, key: Bits) -> None:
        self.cipher, self.final = Cipher(key), Cipher(modified(key, 0xAA))

    def begin(self, iv: Bits) -> State:
        """A and B after COUNT and FRESH; DIRECTION, a one and zeros."""
        _, count_direction, fresh, count = iv.parts(32)
        direction = count_direction[:1] ^ count[:1]
        chain = self.cipher.encrypt(join((count, fresh)))
        return {"chain": chain, "sum": chain, "end": join((direction, Bits.number(0x40, 7)))}

    def _block(self, state: State, block: Bits) -> State:
        chain = self.cipher.encrypt(state["chain"] ^ block)
        return {**state, "chain": chain, "sum": state["sum"] ^ chain}

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """5.3: a whole block."""
        after = self._block(state, text)
        return after, after["chain"]

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """The tag is the only output."""
        raise NotImplementedError

    def tag(self, state: State, unit: Bits, bits: int) -> Bits:
        """5.3: DIRECTION, a one and zeros follow the message."""
        blocks = join((unit[:bits], state["end"], Bits.number(0, 120 - bits))).parts(64)
        for block in blocks if bits > 62 else blocks[:1]:
            state = self._block(state, block)
        return join((self.final.encrypt(state["sum"])[:32], Bits.number(0, 96)))
