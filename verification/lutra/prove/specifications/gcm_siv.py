"""GCM-SIV (RFC 8452) with AES. Of POLYVAL (polyval.py), the state has a sum that is not multiplied yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lutra.prove.bits import Bits, Data, join
from lutra.prove.galois import product
from lutra.prove.jobs import Section
from lutra.prove.sections import Routine, checked
from lutra.prove.specifications import aes
from lutra.prove.specifications.modes import State
from lutra.prove.specifications.polyval import absorbed, byte_reversed, factor

ROW = 16


class GcmSiv:
    """4 and 5. The state has the round keys of the message, and bytes of nonce and counter block in reverse.

    count: the first four bytes of the counter block. rest: its other bytes.
    """

    rows = 3  # nonce, length of the tag, and the tag of a decryption
    tag_first = True
    alike = True

    def __init__(self, key: Bits, decrypts: bool) -> None:
        self.cipher, self.key_bits, self.decrypts = aes.Cipher(key), len(key), decrypts
        data = Absorbed()
        self.sections: Mapping[str, Section] = {"absorb": data, "absorb_last": data, "run": Text(self)}
        finish = checked(self.tag) if decrypts else Routine(1, self.counted, self.tag)
        self.routines: Mapping[str, Routine] = {"finish": finish}
        if not decrypts:
            self.sections = {"absorb": data, "absorb_last": data, "text": data, "run": Text(self)}

    def begin(self, rows: Bits) -> State:
        """derive_keys (4)."""
        nonce, tag = rows[:96], rows[256:384]
        halves = [
            self.cipher.encrypt(join((Bits.of(bytes([n, 0, 0, 0])), nonce)))[:64]
            for n in range(2 + self.key_bits // 64)
        ]
        keys = aes.expand(join(halves[2:]))
        state = {"h": factor(join(halves[:2])), "nonce": byte_reversed(nonce), "hash": Bits.number(0, 128)}
        return {**state, **{f"key {n}": key for n, key in enumerate(keys)}, **self._counter(tag)}

    @staticmethod
    def _counter(tag: Bits) -> State:
        """The tag, with the first bit of its last byte set (5)."""
        block = byte_reversed(tag) | Bits.number(1 << 127, 128)
        return {"rest": block[:96], "count": block[96:]}

    @staticmethod
    def encrypt(state: State, block: Bits) -> Bits:
        """AES under the key of the message."""
        cipher = aes.Cipher.of([word for name, word in state.items() if name.startswith("key")])
        return cipher.encrypt(block)

    def tag(self, state: State, lengths: Bits) -> Bits:
        """5: POLYVAL with the lengths in bits, the nonce, one bit less. The host has the lengths with their bytes in
        reverse."""
        aad, text = lengths.parts(64)
        total = product(product(state["hash"], state["h"]) ^ join((text, aad)), state["h"])
        total = total ^ join((Bits.number(0, 32), state["nonce"]))
        return self.encrypt(state, byte_reversed(join((Bits.number(0, 1), total[1:]))))

    def counted(self, state: State, lengths: Bits) -> State:
        """Encryption: the text follows the tag."""
        return {**state, **self._counter(self.tag(state, lengths))}

    def script(self, nonce: Data, aad: Data, text: Data, tag_bytes: int) -> Sequence[tuple[str, Data]]:
        """Encryption reads the text twice."""
        lengths = (8 * len(aad)).to_bytes(8, "big") + (8 * len(text)).to_bytes(8, "big")
        begun = [("begin", nonce.ljust(ROW, b"\0") + (8 * tag_bytes).to_bytes(ROW, "big")), ("absorb_last", aad)]
        if self.decrypts:
            return [*begun, ("run", text), ("finish", lengths)]
        return [*begun, ("text", text), ("finish", lengths), ("run", text)]


class Absorbed:
    """Associated data, or the text before its encryption."""

    unit_bytes, outputs, continues, partial = ROW, False, 1, True

    def step(self, state: State, unit: Bits) -> tuple[State, Bits]:
        return self.end(state, unit, 128)

    def end(self, state: State, unit: Bits, bits: int) -> tuple[State, Bits]:
        """A block of so many bits."""
        total = absorbed(state["hash"], state["h"], unit, bits)
        return {**state, "hash": total}, total


class Text:
    """AES-CTR (4), whose counter has its least byte first; in decryption, the text into POLYVAL."""

    unit_bytes, outputs, continues, partial = ROW, True, 1, True

    def __init__(self, mode: GcmSiv) -> None:
        self.mode = mode

    def step(self, state: State, unit: Bits) -> tuple[State, Bits]:
        return self.end(state, unit, 128)

    def end(self, state: State, unit: Bits, bits: int) -> tuple[State, Bits]:
        """A block of so many bits."""
        block = byte_reversed(join((state["rest"], state["count"])))
        out = unit ^ self.mode.encrypt(state, block)
        after = {**state, "count": state["count"] + 1}
        if self.mode.decrypts:
            after["hash"] = absorbed(state["hash"], state["h"], out, bits)
        return after, out
