"""Texts of ciphers that firmware/ has not: right by the example of the standard, and as fast as their instructions.

A result that is ready in X1 can be used in the next cycle, so these texts wait less than those of look-ups do. The
number of their instructions is the bound (docs/how-to/optimize-a-loop.md).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import xor
from pathlib import Path

import pytest

import lutra
from lutra.optimize.program import Program
from lutra.prove.optimized import Outcome, optimize

TEXTS = Path(__file__).parent / "texts"
SECONDS = 20
LANES = range(16)
TABLE = range(256)


@dataclass
class Example:
    """The rows that the host writes for the printed example, by memory and address; and a block with its result.

    before, after: cycles of a pass.
    """

    block: bytes
    expected: bytes
    before: int
    after: int
    memory: dict[tuple[str, int], bytes] = field(default_factory=dict)

    def put(self, space: str, rows: Iterator[bytes], step: int = 16) -> None:
        """Write rows from the first one on."""
        self.memory |= {(space, step * n): row for n, row in enumerate(rows)}


def lea() -> Example:
    """LEA-128: the example of TTAK.KO-12.0223."""
    constants = 0xC3EFE9DB, 0x44626B02, 0x79E27C8A, 0x78DF30EC
    key = struct.unpack("<4I", bytes.fromhex("0f1e2d3c4b5a69788796a5b4c3d2e1f0"))

    def left(x: int, n: int) -> int:
        return (x << n % 32 | x >> (32 - n % 32)) & 0xFFFFFFFF if n % 32 else x

    def rows() -> Iterator[bytes]:
        t = key
        for i in range(24):
            sums = [x + left(constants[i % 4], i + j) & 0xFFFFFFFF for j, x in enumerate(t)]
            t = left(sums[0], 1), left(sums[1], 3), left(sums[2], 6), left(sums[3], 11)
            yield struct.pack(">4I", t[0], t[2], t[3], 0)
            yield struct.pack(">4I", t[1], t[1], t[1], 0)

    block, expected = bytes(range(16, 32)), bytes.fromhex("9fc84e3528c6c6185532c7a704648bfd")
    # Words are little-endian in the standard, and big-endian in a register.
    found = Example(_swapped(block), _swapped(expected), before=170, after=122)
    found.put("m0", rows())
    found.memory |= {("m1", 0x10): struct.pack(">4I", 9, 27, 29, 0), ("m1", 0x20): bytes([255] * 12 + [0] * 4)}
    return found


def _swapped(block: bytes) -> bytes:
    return struct.pack(">4I", *struct.unpack("<4I", block))


def present() -> Example:
    """PRESENT-80: the last example of the paper, by Bogdanov et al. 2007."""
    box = bytes.fromhex("0c05060b09000a0d030e0f0804070102")

    def rows() -> Iterator[bytes]:
        key = (1 << 80) - 1
        for i in range(1, 33):
            yield (key >> 16).to_bytes(8, "big").ljust(16, b"\0")
            key = (key << 61 | key >> 19) & (1 << 80) - 1
            key = (key & (1 << 76) - 1 | box[key >> 76] << 76) ^ i << 15

    def table(first: int) -> Iterator[bytes]:
        """Rows of a bank: lane n makes byte n % 8 of two bits of the byte that `control` brings there."""
        for value in TABLE:
            yield bytes(placed(value, lane % 8, sources[first + lane // 8]) for lane in LANES)

    def placed(value: int, to: int, source: int) -> int:
        # Bit c of nibble n goes to bit 16 c + n; four bytes hold the nibbles of half of them.
        c, byte = (7 - to) // 2, to % 2 * 4 + source
        nibbles = {15 - 2 * byte: value >> 4, 14 - 2 * byte: value & 15}
        return sum((box[x] >> c & 1) << 16 * c + n - (56 - 8 * to) for n, x in nibbles.items())

    def control(first: int) -> bytes:
        return bytes(lane % 2 * 4 + sources[first + lane // 8] for lane in LANES)

    sources = 0, 1, 2, 3
    found = Example(b"\xff" * 8 + bytes(8), bytes.fromhex("3333dcd3213210d2"), before=250, after=219)
    found.put("m0", rows())
    found.put("t0", table(0))
    found.put("t1", table(2))
    found.memory |= {("m1", 0x10): control(0), ("m1", 0x20): control(2)}
    return found


PI = bytes.fromhex(
    "fceedd11cf6e3116fbc4fada23c5044de977f0db932e99ba1736f1bb14cd5fc1f918655ae25cef21811c3c428b018e4f"
    "058402aee36a8fa0060bed987fd4d31feb342c51eac848abf22a68a2fd3aceccb5700e56080c7612bf7213479cb75d87"
    "15a19629107b9ac7f391786f9d9eb2b13275193dff358a7e6d54c680c3bd0d57dff524a93ea843c9d779d6f67c22b903"
    "e00fecde7a94b0bcdce828504e330a4aa79760731e0062441ab83882649f2641ad454692275e552f8ca3a57d69d5953b"
    "0758b34086ac1df730376be488d9e789e11b83494c3ff8fe8d53aa90cad88561207167a42d2b095bcb9b25d0bee56c52"
    "59a674d2e6f4b4c0d166afc2394b63b6"
)
SUM = 148, 32, 133, 16, 194, 192, 1, 251, 1, 192, 194, 16, 133, 32, 148, 1


def kuznyechik() -> Example:
    """Kuznyechik: the example of RFC 7801."""

    def times(a: int, b: int) -> int:
        out = 0
        while b:
            out, a, b = out ^ a * (b & 1), a << 1 ^ (a >> 7) * 0x1C3, b >> 1
        return out

    products = [bytes(times(value, n) for value in TABLE) for n in SUM]

    def linear(block: bytes) -> bytes:
        for _ in LANES:
            block = bytes([reduce(xor, (products[n][x] for n, x in enumerate(block)))]) + block[:15]
        return block

    def rows() -> Iterator[bytes]:
        key = bytes.fromhex("8899aabbccddeeff0011223344556677fedcba98765432100123456789abcdef")
        a, b = key[:16], key[16:]
        for i in range(1, 34):
            if i % 8 == 1:
                yield from (a, b)
            mixed = linear((_xor(a, linear(i.to_bytes(16, "big")))).translate(PI))
            a, b = _xor(mixed, b), a

    plain = bytes.fromhex("1122334455667700ffeeddccbbaa9988")
    found = Example(plain, bytes.fromhex("7f679d90bebc24305a468d42b9d4edcd"), before=7, after=7)
    found.put("m0", rows())
    found.put("t0", (bytes([PI[value]] * 16) for value in TABLE))
    found.put("t1", (bytes(lane[value] for lane in products) for value in TABLE))
    return found


def kuznyechik_of_two_blocks() -> Example:
    """The same, interleaved."""
    found = kuznyechik()
    found.before = found.after = 12
    return found


def _xor(a: bytes, b: bytes) -> bytes:
    return bytes(map(xor, a, b))


EXAMPLES: Mapping[str, Callable[[], Example]] = {
    "lea": lea,
    "present": present,
    "kuznyechik": kuznyechik,
    "kuznyechik_x2": kuznyechik_of_two_blocks,
}
BLOCKS = 6


def encrypted(program: Program, example: Example) -> list[bytes]:
    """The results of a few blocks that are all the same."""
    engine = lutra.make_engine("iss")
    image = program.analysis.image
    assert image is not None
    engine.load(image)
    for (space, at), row in example.memory.items():
        engine.write(space, at, row)
    engine.write("m1", 0, BLOCKS.to_bytes(16, "big"))
    engine.write("m2", 0, BLOCKS * example.block)
    assert engine.run(image.entry, 100_000).state == "halted"
    size = len(example.expected)
    return [engine.read("m3", 16 * n, size) for n in range(BLOCKS)]


def optimized(path: Path) -> tuple[str, list[Outcome]]:
    program = Program(path)
    return optimize(program, program.loops(), SECONDS, lambda _: None, lambda text: Program(path, text=text))


@pytest.mark.parametrize("name", EXAMPLES)
def test_another_cipher_is_right_before_and_after(name: str) -> None:
    example, path = EXAMPLES[name](), TEXTS / f"{name}.s"
    assert encrypted(Program(path), example) == [example.expected] * BLOCKS
    text, (outcome,) = optimized(path)
    assert (outcome.before, outcome.after, outcome.optimal) == (example.before, example.after, True)
    assert encrypted(Program(path, text=text), example) == [example.expected] * BLOCKS
