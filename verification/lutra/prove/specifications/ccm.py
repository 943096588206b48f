"""CCM (SP 800-38C) with a cipher of 128-bit blocks, formatted as its appendix A says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lutra.prove.bits import Bits, Data, join
from lutra.prove.jobs import Section
from lutra.prove.sections import Routine, checked, tagged
from lutra.prove.specifications.modes import BlockCipher, State

ROW = 16


class Ccm:
    """6.1 and 6.2: the state is the CBC-MAC Y, Ctr0 and the next counter block.

    Counter blocks are counted in all of their bits: their field, which is as long as that of the payload's length (A.2,
    A.3), does not overflow.
    """

    def __init__(self, cipher: BlockCipher, decrypts: bool) -> None:
        self.cipher, self.decrypts = cipher, decrypts
        self.sections: Mapping[str, Section] = {"absorb": Formatted(self), "run": Payload(self)}
        self.routines: Mapping[str, Routine] = {"finish": checked(self.tag) if decrypts else tagged(self.tag)}

    def begin(self, row: Bits) -> State:
        """Ctr0."""
        return {"mac": Bits.number(0, 128), "first": row, "counter": row + 1}

    def absorb(self, state: State, block: Bits) -> State:
        """Y[i] = CIPH(B[i] ^ Y[i-1]) (6.1, steps 2 and 3; B[0] meets zeros)."""
        return {**state, "mac": self.cipher.encrypt(block ^ state["mac"])}

    def tag(self, state: State, _: Bits) -> Bits:
        """T ^ MSB(S0) (6.1, steps 4 and 8)."""
        return state["mac"] ^ self.cipher.encrypt(state["first"])

    def script(self, nonce: Data, aad: Data, text: Data, tag_bytes: int) -> Sequence[tuple[str, Data]]:
        """Ctr0 (A.3); B0 and the associated data (A.2.1, A.2.2), of less than 2^16 - 2^8 bytes."""
        q = 15 - len(nonce)
        flags = 64 * bool(aad) + 8 * ((tag_bytes - 2) // 2) + q - 1
        formatted = bytes([flags]) + nonce + len(text).to_bytes(q, "big")
        if aad:
            formatted += len(aad).to_bytes(2, "big") + aad
        padded = formatted + bytes(-len(formatted) % ROW)
        return [("begin", bytes([q - 1]) + nonce + bytes(q)), ("absorb", padded), ("run", text), ("finish", bytes(ROW))]


class Formatted:
    """B0 and associated data, in whole blocks."""

    unit_bytes, outputs, continues, partial = ROW, False, 1, False

    def __init__(self, ccm: Ccm) -> None:
        self.ccm = ccm

    def step(self, state: State, unit: Bits) -> tuple[State, Bits]:
        after = self.ccm.absorb(state, unit)
        return after, after["mac"]

    def end(self, state: State, unit: Bits, bits: int) -> tuple[State, Bits]:
        """There is none."""
        raise NotImplementedError


class Payload:
    """C = P ^ S (6.1, steps 5 to 8), and the payload into the MAC, its last block padded with zeros (A.2.3)."""

    unit_bytes, outputs, continues, partial, again = ROW, True, 1, True, True

    def __init__(self, ccm: Ccm) -> None:
        self.ccm = ccm

    def step(self, state: State, unit: Bits) -> tuple[State, Bits]:
        return self.end(state, unit, 128)

    def end(self, state: State, unit: Bits, bits: int) -> tuple[State, Bits]:
        """A block of so many bits."""
        out = unit ^ self.ccm.cipher.encrypt(state["counter"])
        plain = out if self.ccm.decrypts else unit
        after = self.ccm.absorb(state, join((plain[:bits], Bits.number(0, 128 - bits))))
        return {**after, "counter": state["counter"] + 1}, out
