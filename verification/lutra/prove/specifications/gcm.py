"""GCM (SP 800-38D) with a cipher of 128-bit blocks.

GHASH (6.4) is Y[i] = (Y[i-1] ^ X[i]) * H. The state has the sum in parentheses, which is not multiplied yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lutra.prove.bits import Bits, Data, join
from lutra.prove.galois import product
from lutra.prove.jobs import Section
from lutra.prove.sections import Routine, checked, tagged
from lutra.prove.specifications.modes import BlockCipher, State

ROW = 16


class Gcm:
    """7.1 and 7.2: the state is the hash, J0 and the last 32 bits of the next counter block."""

    def __init__(self, cipher: BlockCipher, decrypts: bool) -> None:
        self.cipher, self.decrypts = cipher, decrypts
        self.h = cipher.encrypt(Bits.number(0, 128))
        self.sections: Mapping[str, Section] = {"absorb": Absorbed(self), "run": Text(self)}
        finish = checked(self.tag) if decrypts else tagged(self.tag)
        self.routines: Mapping[str, Routine] = {"begin_hashed": Routine(1, self.begin_hashed), "finish": finish}

    def begin(self, row: Bits) -> State:
        """J0 of an IV of 96 bits (7.1, step 2); the first counter is inc32(J0) (step 3)."""
        return {"hash": Bits.number(0, 128), "first": row, "count": row[96:] + 1}

    def begin_hashed(self, state: State, row: Bits) -> State:
        """J0 of an IV of any other length: its hash."""
        return self.begin(self.ghash(state, row))

    def absorb(self, state: State, block: Bits) -> State:
        """A block X[i] into the hash."""
        return {**state, "hash": product(state["hash"], self.h) ^ block}

    def ghash(self, state: State, row: Bits) -> Bits:
        """The hash with a last block."""
        return product(self.absorb(state, row)["hash"], self.h)

    def tag(self, state: State, lengths: Bits) -> Bits:
        """Steps 5 and 6: the lengths of associated data and text, and GCTR of the hash."""
        return self.ghash(state, lengths) ^ self.cipher.encrypt(state["first"])

    def script(self, nonce: Data, aad: Data, text: Data, tag_bytes: int) -> Sequence[tuple[str, Data]]:
        """7.1, steps 2 to 6. A partial block of the hash is padded with zeros by the jobs themselves."""
        lengths = (8 * len(aad)).to_bytes(8, "big") + (8 * len(text)).to_bytes(8, "big")
        rest = [("absorb", aad), ("run", text), ("finish", lengths)]
        if len(nonce) == 12:
            return [("begin", nonce + (1).to_bytes(4, "big")), *rest]
        bits = (8 * len(nonce)).to_bytes(ROW, "big")
        return [("begin", bytes(ROW)), ("absorb", nonce), ("begin_hashed", bits), *rest]


class Absorbed:
    """Associated data, or an IV: blocks of the hash, the last one padded with zeros.

    Firmware that computes twice has a loop for each hash.
    """

    unit_bytes, outputs, continues, partial, again = ROW, False, 1, True, True

    def __init__(self, gcm: Gcm) -> None:
        self.gcm = gcm

    def step(self, state: State, unit: Bits) -> tuple[State, Bits]:
        after = self.gcm.absorb(state, unit)
        return after, after["hash"]

    def end(self, state: State, unit: Bits, bits: int) -> tuple[State, Bits]:
        return self.step(state, join((unit[:bits], Bits.number(0, 128 - bits))))


class Text:
    """GCTR (6.5), and the ciphertext into the hash."""

    unit_bytes, outputs, continues, partial = ROW, True, 1, True

    def __init__(self, gcm: Gcm) -> None:
        self.gcm = gcm

    def step(self, state: State, unit: Bits) -> tuple[State, Bits]:
        return self.end(state, unit, 128)

    def end(self, state: State, unit: Bits, bits: int) -> tuple[State, Bits]:
        """A block of so many bits."""
        counter = join((state["first"][:96], state["count"]))
        out = unit ^ self.gcm.cipher.encrypt(counter)
        hashed = unit if self.gcm.decrypts else out
        after = self.gcm.absorb(state, join((hashed[:bits], Bits.number(0, 128 - bits))))
        return {**after, "count": state["count"] + 1}, out
