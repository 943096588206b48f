"""CMAC (SP 800-38B)."""

from __future__ import annotations

from lutra.prove.bits import Bits, join, times
from lutra.prove.specifications.modes import BlockCipher, State


def double(x: Bits) -> Bits:
    """Shift to the left; R_128 where a one falls out (5.3, 6.1)."""
    return (x << 1) ^ times(x[0], Bits.number(0x87, 128))


class Cmac:
    """6.2, block by block: the state is what the last block is added to."""

    outputs, continues, unit_bytes = False, 1, 16

    def __init__(self, cipher: BlockCipher) -> None:
        self.cipher = cipher
        self.k1 = double(cipher.encrypt(Bits.number(0, 128)))
        self.k2 = double(self.k1)

    def begin(self, iv: Bits) -> State:
        """C_0, zero at the beginning of a message."""
        return {"chain": iv}

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """A block that is not the last."""
        chain = self.cipher.encrypt(state["chain"] ^ text)
        return {"chain": chain}, chain

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """The tag is the only output."""
        raise NotImplementedError

    def tag(self, state: State, unit: Bits, bits: int) -> Bits:
        """The last block: whole, or completed by a one and zeros."""
        if bits == 128:
            return self.cipher.encrypt(state["chain"] ^ unit ^ self.k1)
        padded = join((unit[:bits], Bits.number(1 << 127 - bits, 128 - bits)))
        return self.cipher.encrypt(state["chain"] ^ padded ^ self.k2)


class Several:
    """Messages of equally many blocks under one key, block by block."""

    outputs, continues = False, 1

    def __init__(self, one: Cmac, streams: int) -> None:
        self.one, self.streams, self.unit_bytes = one, streams, one.unit_bytes * streams

    def begin(self, iv: Bits) -> State:
        """C_0 of each."""
        return {f"chain{n}": chain for n, chain in enumerate(iv.parts(128))}

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """A block of each."""
        chains = [self.one.step({"chain": state[f"chain{n}"]}, m)[1] for n, m in enumerate(text.parts(128))]
        return {f"chain{n}": chain for n, chain in enumerate(chains)}, join(chains)

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """The tags are the only output."""
        raise NotImplementedError

    def tag(self, state: State, unit: Bits, bits: int) -> Bits:
        """The tags."""
        blocks = enumerate(unit.parts(128))
        return join(self.one.tag({"chain": state[f"chain{n}"]}, m, bits // self.streams) for n, m in blocks)
