"""GCM-SST as the 256-bit algorithms of 3GPP have it (TS 35.241, 35.242, 35.244, 35.245, 35.247 and 35.248).

Of its hash, POLYVAL (polyval.py), the state has a sum that is not multiplied yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from lutra.prove.bits import Bits, Data, join
from lutra.prove.galois import product
from lutra.prove.jobs import Job, Section
from lutra.prove.sections import Routine, checked, tagged
from lutra.prove.specifications.modes import BlockCipher, State
from lutra.prove.specifications.polyval import absorbed, byte_reversed, factor

ROW = 16


class Stream(Protocol):
    """A keystream of rows, with H, Q and P."""

    def masks(self, iv: Bits) -> tuple[list[Bits], State]:
        """H, Q and P, and the state at the beginning of the text."""

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """A row."""


class Counter:
    """256-NEA5 (TS 35.243): blocks of AES, of which the last 32 bits count from zero."""

    unit_bytes, outputs, continues = ROW, True, 1

    def __init__(self, cipher: BlockCipher) -> None:
        self.cipher = cipher

    def begin(self, iv: Bits) -> State:
        """The last four bytes of the IV do not count."""
        return {"nonce": iv[:96], "count": Bits.number(0, 32)}

    def masks(self, iv: Bits) -> tuple[list[Bits], State]:
        """TS 35.244: the first three blocks, with another last bit of the first byte, which is zero in an IV."""
        state, rows = self.begin(iv), []
        other: State = {**state, "nonce": state["nonce"] ^ 1 << 88}
        for _ in range(3):
            other, row = self.step(other, Bits.number(0, 128))
            rows.append(row)
        return rows, state

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        out = text ^ self.cipher.encrypt(join((state["nonce"], state["count"])))
        return {**state, "count": state["count"] + 1}, out

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """A part of a block."""
        return self.step(state, text)[1]


class Rows:
    """A stream cipher: H, Q and P are its first three rows. each: units of a row."""

    def __init__(self, cipher: Job, each: int = 1) -> None:
        self.cipher, self.each = cipher, each

    def masks(self, iv: Bits) -> tuple[list[Bits], State]:
        """TS 35.241 and 35.247."""
        state, rows = self.cipher.begin(iv), []
        for _ in range(3):
            state, row = self.step(state, Bits.number(0, 128))
            rows.append(row)
        return rows, state

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        out = []
        for unit in text.parts(128 // self.each):
            state, part = self.cipher.step(state, unit)
            out.append(part)
        return state, join(out)


class Hash:
    """The hash of a message: its state, beginning and tag."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def begin(self, iv: Bits) -> State:
        """H, Q and P."""
        (h, q, p), state = self.stream.masks(iv)
        return {**state, "h": factor(h), "q": factor(q), "p": p, "hash": Bits.number(0, 128)}

    @staticmethod
    def absorb(state: State, block: Bits, bits: int = 128) -> State:
        """A block of so many bits, filled with zeros."""
        return {**state, "hash": absorbed(state["hash"], state["h"], block, bits)}

    @staticmethod
    def tag(state: State, lengths: Bits) -> Bits:
        """The lengths, of 64 bits each, the last one of the text in front in RFC 8452; then POLYVAL under Q, and P."""
        total = product(state["hash"], state["h"]) ^ lengths
        return byte_reversed(product(total, state["q"])) ^ state["p"]


class Mac:
    """256-NIA4, 256-NIA5 and 256-NIA6: the message is associated data. length: in bits."""

    unit_bytes, outputs, continues, counted = ROW, False, 1, ("length",)

    def __init__(self, stream: Stream) -> None:
        self.hash = Hash(stream)

    def begin(self, iv: Bits) -> State:
        """No text follows, so of the stream nothing but H, Q and P is needed."""
        state = self.hash.begin(iv)
        return {**{name: state[name] for name in ("h", "q", "p", "hash")}, "length": Bits.number(0, 64)}

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        after = self.hash.absorb({**state, "length": state["length"] + 128}, text)
        return after, after["hash"]

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """The tag is the only output."""
        raise NotImplementedError

    def tag(self, state: State, unit: Bits, bits: int) -> Bits:
        length = state["length"] + bits
        state = self.hash.absorb(state, unit, bits) if bits else state
        return self.hash.tag(state, join((length, Bits.number(0, 64))))


class Sealed:
    """256-NCA4, 256-NCA5 and 256-NCA6."""

    alike = True

    def __init__(self, stream: Stream, decrypts: bool) -> None:
        self.hash, data = Hash(stream), Absorbed()
        text = Text(stream, decrypts)
        self.sections: Mapping[str, Section] = {"absorb": data, "absorb_last": data, "run": text}
        self.routines: Mapping[str, Routine] = {"finish": checked(self.hash.tag) if decrypts else tagged(self.hash.tag)}

    def begin(self, row: Bits) -> State:
        """From the IV."""
        return self.hash.begin(row)

    def script(self, nonce: Data, aad: Data, text: Data, tag_bytes: int) -> Sequence[tuple[str, Data]]:
        """Associated data and text, each filled with zeros by its last job, and the lengths of both."""
        lengths = (8 * len(aad)).to_bytes(8, "big") + (8 * len(text)).to_bytes(8, "big")
        return [("begin", nonce), ("absorb_last", aad), ("run", text), ("finish", lengths)]


class Absorbed:
    """Associated data."""

    unit_bytes, outputs, continues, partial = ROW, False, 1, True

    def step(self, state: State, unit: Bits) -> tuple[State, Bits]:
        after = Hash.absorb(state, unit)
        return after, after["hash"]

    def end(self, state: State, unit: Bits, bits: int) -> tuple[State, Bits]:
        after = Hash.absorb(state, unit, bits)
        return after, after["hash"]


class Text:
    """The text, and the ciphertext into the hash. Firmware of a stream cipher does one after the other."""

    unit_bytes, outputs, continues, partial = ROW, True, 1, True

    def __init__(self, stream: Stream, decrypts: bool) -> None:
        self.stream, self.decrypts = stream, decrypts
        self.again = self.abreast = isinstance(stream, Rows)

    def step(self, state: State, unit: Bits) -> tuple[State, Bits]:
        return self.end(state, unit, 128)

    def end(self, state: State, unit: Bits, bits: int) -> tuple[State, Bits]:
        """A row of so many bits."""
        after, out = self.stream.step(state, unit)
        hashed = Hash.absorb(state, unit if self.decrypts else out, bits)
        return {**hashed, **after, "hash": hashed["hash"]}, out
