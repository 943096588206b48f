"""Modes of operation (SP 800-38A) as sequences of blocks: what is known between two blocks, and what a block does."""

from __future__ import annotations

from collections.abc import Mapping

from lutra.prove.bits import Bits, join

State = Mapping[str, Bits]


class BlockCipher:
    """A block cipher under a key. One that is only used in modes that encrypt needs no inverse."""

    def encrypt(self, block: Bits) -> Bits:
        raise NotImplementedError(f"{type(self).__name__} has no method encrypt(block)")

    def decrypt(self, block: Bits) -> Bits:
        raise NotImplementedError(f"{type(self).__name__} has no method decrypt(block)")


class Mode:
    """A mode of a block cipher in one direction. The state begins with the IV."""

    outputs, continues = True, 1

    def __init__(self, cipher: BlockCipher, block: int, decrypts: bool = False) -> None:
        self.cipher, self.block, self.decrypts = cipher, block, decrypts

    @property
    def unit_bytes(self) -> int:
        return self.block // 8

    def begin(self, iv: Bits) -> State:
        """Before the first block."""
        return {"chain": iv}

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        raise NotImplementedError

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """A part of a block: as a whole one, of which what is beyond is left out."""
        return self.step(state, text)[1]


class Ecb(Mode):
    """6.1."""

    def begin(self, iv: Bits) -> State:
        return {}

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        return state, self.cipher.decrypt(text) if self.decrypts else self.cipher.encrypt(text)


class Cbc(Mode):
    """6.2."""

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        if self.decrypts:
            return {"chain": text}, self.cipher.decrypt(text) ^ state["chain"]
        out = self.cipher.encrypt(text ^ state["chain"])
        return {"chain": out}, out


class Cfb(Mode):
    """6.3, with segments of a block."""

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        out = text ^ self.cipher.encrypt(state["chain"])[: len(text)]
        segment = text if self.decrypts else out
        return {"chain": join((state["chain"][len(text) :], segment))}, out

    def window(self, before: Bits) -> State:
        """The state of decryption, after these bytes of ciphertext."""
        return {"chain": before}


class Cfb8(Cfb):
    """6.3, with segments of a byte."""

    @property
    def unit_bytes(self) -> int:
        return 1


class Cfb1(Cfb):
    """6.3, with segments of a bit: a unit is eight of them, the first one first."""

    @property
    def unit_bytes(self) -> int:
        return 1

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        chain, out = state["chain"], []
        for bit in text.parts(1):
            out.append(bit ^ self.cipher.encrypt(chain)[0])
            chain = join((chain[1:], bit if self.decrypts else out[-1]))
        return {"chain": chain}, join(out)


class Ofb(Mode):
    """6.4."""

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        stream = self.cipher.encrypt(state["chain"])
        return {"chain": stream}, text ^ stream


class Ctr(Mode):
    """6.5, with the standard incrementing function of all bits (B.1)."""

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        return {"chain": state["chain"] + 1}, text ^ self.cipher.encrypt(state["chain"])


class Icm(Mode):
    """Integer counter mode (firmware/aes/README.md): a counter modulo 2^128 from an offset, the end of the key."""

    def __init__(self, cipher: BlockCipher, block: int, offset: Bits) -> None:
        super().__init__(cipher, block)
        self.offset = offset

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """The state is the index of the block."""
        return {"chain": state["chain"] + 1}, text ^ self.cipher.encrypt(self.offset + state["chain"])


MODES: Mapping[str, type[Mode]] = {
    "ecb": Ecb,
    "cbc": Cbc,
    "cfb": Cfb,
    "cfb8": Cfb8,
    "cfb1": Cfb1,
    "ofb": Ofb,
    "ctr": Ctr,
}


class Interleaved:
    """Several messages under one key, block by block."""

    outputs, continues = True, 1

    def __init__(self, mode: Mode, streams: int) -> None:
        self.mode, self.streams = mode, streams

    @property
    def unit_bytes(self) -> int:
        """A block of each."""
        return self.mode.unit_bytes * self.streams

    def begin(self, iv: Bits) -> State:
        """The state of each after the other."""
        states = [self.mode.begin(part) for part in iv.parts(len(iv) // self.streams)] if iv else []
        return {f"{name}{n}": word for n, state in enumerate(states) for name, word in state.items()}

    def step(self, state: State, text: Bits) -> tuple[State, Bits]:
        """A block of each."""
        after, out = {}, []
        for n, block in enumerate(text.parts(self.mode.block)):
            own, text_ = self.mode.step({"chain": state[f"chain{n}"]}, block)
            after[f"chain{n}"] = own["chain"]
            out.append(text_)
        return after, join(out)

    def last(self, state: State, text: Bits, count: int) -> Bits:
        """There is none."""
        raise NotImplementedError
