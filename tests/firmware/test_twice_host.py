"""The host of firmware that computes twice: one access that goes wrong, any one, is seen before a result is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import lutra
from lutra.asm import Image, Symbol
from lutra.firmware.ciphers import Cipher
from lutra.firmware.manifest import catalogue_with
from lutra.firmware.session import Session
from lutra.firmware.twice import Checked, FaultError, inverted

# The data of the n-th access with a fault, by its number, its kind and memory (`read m3`), its address and its bytes.
Fault = Callable[[int, str, int, bytes], bytes]
KEY, TEXT = bytes(range(16)), bytes(range(16, 48))
# A cipher that adds its key twice, and leaves what a host asks for.
SOURCE = """
        .section m0
        .global sum_key, sum_key_again, sum_asked
sum_key:        .zero 16
sum_key_again:  .zero 16
sum_asked:      .zero 16
        .section m1
        .global sum_iv, sum_length, sum_done
sum_iv:         .zero 16
sum_length:     .zero 16
sum_done:       .zero 16
sum_ones:       .row "ffffffffffffffffffffffffffffffff"

        .section text
        .global sum_encrypt
sum_encrypt:
        mov     v0, m1[sum_ones]
        xor     v1, v0, m0[sum_key_again]
        cmp     v1, m0[sum_key]
        bnf     .L_differ
        xor     m3[0], v1, m2[0]
        xor     m3[16], v1, m2[16]
        xor     m1[sum_done], v0, m0[sum_asked]
        halt
.L_differ:
        .insn   0
"""
MANIFEST = """
cipher = "sum"
image = { sum = { twice = true } }
[[algorithm]]
name = "sum-{bits}-ecb"
unit = "block"
key_bits = [128]
directions = ["encrypt"]
routines = { key_tables = "", tables = "", key = "", run = "sum_encrypt" }
"""


RIGHT = bytes(a ^ b for a, b in zip(2 * KEY, TEXT, strict=True))


@pytest.fixture(scope="module")
def cipher(tmp_path_factory: pytest.TempPathFactory) -> Cipher:
    folder = tmp_path_factory.mktemp("sum")
    (folder / "sum.s").write_text(SOURCE)
    (folder / "firmware.toml").write_text(MANIFEST)
    return catalogue_with([folder]).cipher("sum-128-ecb")


class Host:
    """Runs a job, and counts its accesses once the image is loaded."""

    def __init__(self, cipher: Cipher, fault: Fault = lambda n, what, at, data: data) -> None:
        self.cipher, self.fault = cipher, fault
        self.accesses = 0
        self.engine: Any = lutra.make_engine("iss")
        self.session = Session(self.engine)

    def job(self) -> bytes:
        read, write, load = self.engine.read, self.engine.write, self.engine.load

        def loaded(image: Image) -> None:
            load(image)
            self.engine.read = lambda space, at, size: self.access(f"read {space}", at, read(space, at, size))
            self.engine.write = lambda space, at, data: write(space, at, self.access(f"write {space}", at, data))

        self.engine.load = loaded
        self.session.set_up(self.cipher, "encrypt", KEY)
        return self.session.job(TEXT)

    def access(self, what: str, at: int, data: bytes) -> bytes:
        self.accesses += 1
        return self.fault(self.accesses - 1, what, at, data)


@pytest.mark.parametrize("change", [lambda data: bytes(len(data)), lambda data: inverted(data[:1]) + data[1:]])
def test_no_access_that_goes_wrong_gives_a_wrong_result(cipher: Cipher, change: Callable[[bytes], bytes]) -> None:
    right, seen = Host(cipher), 0
    assert right.job() == RIGHT
    for wrong in range(right.accesses):
        try:
            got = Host(cipher, lambda n, what, at, data, wrong=wrong: change(data) if n == wrong else data).job()  # type: ignore[misc]
        except FaultError:
            seen += 1
        else:
            assert got == RIGHT, wrong
    # The others write zeros in place of zeros, or clear what a probe has left.
    assert seen > right.accesses * 2 / 3 > 20


@pytest.mark.parametrize("bit", [0, 5])
def test_a_wire_that_is_stuck_shows(cipher: Cipher, bit: int) -> None:
    def stuck(n: int, what: str, at: int, data: bytes) -> bytes:
        return bytes(byte | 1 << bit for byte in data) if what == "read m3" else data

    with pytest.raises(FaultError, match="m3@0xff0 is not what was written; the core has been reset"):
        Host(cipher, stuck).job()


def test_a_row_that_is_read_elsewhere_shows(cipher: Cipher) -> None:
    def elsewhere(n: int, what: str, at: int, data: bytes) -> bytes:
        return bytes(len(data)) if what == "read m3" and at == 0 else data

    with pytest.raises(FaultError, match="m3@0x0 is not what was written"):
        Host(cipher, elsewhere).job()


def test_memories_that_stay_closed_show(cipher: Cipher) -> None:
    def closed(n: int, what: str, at: int, data: bytes) -> bytes:
        return bytes(len(data)) if what in ("read m1", "read m3") and n > 35 else data

    with pytest.raises(FaultError, match="m1@0x20 is not what was written"):
        Host(cipher, closed).job()


def test_a_routine_that_ends_early_shows() -> None:
    engine, forgotten = lutra.make_engine("iss"), list[bool]()
    host = Checked(engine, lambda: forgotten.append(True))
    asked, done = Symbol("asked", "m1", 0), Symbol("done", "m1", 16)
    host.ask(asked)
    engine.write("m1", done.value, inverted(engine.read("m1", asked.value, 16)))
    host.answered(done)
    host.ask(asked)
    with pytest.raises(FaultError):
        host.answered(done)
    assert forgotten
