"""Modes whose last two blocks share bits: CBC with ciphertext stealing (SP 800-38A, addendum), and XTS (IEEE 1619)."""

from __future__ import annotations

from lutra.prove.bits import Bits, join, once
from lutra.prove.specifications.cmac import double
from lutra.prove.specifications.modes import BlockCipher, Cbc, Mode, State


class CbcCs(Cbc):
    """CBC-CS1, CBC-CS2 or CBC-CS3. C* is what is left of the last block but one."""

    def __init__(self, cipher: BlockCipher, decrypts: bool, variant: int) -> None:
        super().__init__(cipher, 128, decrypts)
        self.swapped, self.always = variant > 1, variant == 3

    def tail(self, state: State, pair: Bits, bits: int) -> Bits:
        """A block and so many bits: padded with zeros, and C* without what encryption of the padded block contains."""
        if not self.decrypts:
            state, before = self.step(state, pair[:128])
            _, last = self.step(state, join((pair[128 : 128 + bits], Bits.number(0, 128 - bits))))
            return join((last, before[:bits]) if self.swapped else (before[:bits], last))
        last, star = (pair[:128], pair[128:]) if self.swapped else (pair[bits:], pair)
        whole, star = self.cipher.decrypt(last[:128]), star[:bits]
        _, text = self.step(state, join((star, whole[bits:])))
        return join((text, whole[:bits] ^ star))


class Xts(Mode):
    """5.3 and 5.4; the state is the tweak T of the next block."""

    always = False

    def __init__(self, cipher: BlockCipher, second: BlockCipher, decrypts: bool) -> None:
        super().__init__(cipher, 128, decrypts)
        self.second = second

    def begin(self, iv: Bits) -> State:
        """AES-enc(Key2, i)."""
        return {"tweak": self.second.encrypt(iv)}

    @once
    def under(self, tweak: Bits, text: Bits) -> Bits:
        """A block under a tweak (5.3.1, 5.4.1)."""
        return (self.cipher.decrypt if self.decrypts else self.cipher.encrypt)(text ^ tweak) ^ tweak

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        return {"tweak": alpha(state["tweak"])}, self.under(state["tweak"], text)

    def tail(self, state: State, pair: Bits, bits: int) -> Bits:
        """5.3.2, and 5.4.2, where the last tweaks are in the other order."""
        first, second = state["tweak"], alpha(state["tweak"])
        if self.decrypts:
            first, second = second, first
        stolen = self.under(first, pair[:128])
        return join((self.under(second, join((pair[128 : 128 + bits], stolen[bits:]))), stolen[:bits]))


def alpha(tweak: Bits) -> Bits:
    """T times a primitive element (5.2): the first byte has the lowest coefficients."""
    return join(double(join(tweak.bytes[::-1])).bytes[::-1])
