"""Damaged images, 2,000 in the night, through `lutra objdump` and `lutra run`: an error, or the right result."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from support.cli import Lutra, Outcome

# Everything that an image can hold.
SOURCE = """\
        .section m0
key:    .row    "000102030405060708090a0b0c0d0e0f"
        .section m2
        .org    0x20
        .byte   1, 2, 3
        .section t1
        .org    64
        .row    "ffeeddccbbaa99887766554433221100"
        .section text
        .global main
        .entry  main
ROWS = 4
        nop
main:   mov     v0, m0[key]
        repeat  ROWS, done
        xor     m3[ar1++], m2[ar0++], v0
done:   halt
"""


def flipped(data: bytearray, rng: random.Random) -> bytearray:
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data


def overwritten(data: bytearray, rng: random.Random) -> bytearray:
    at = rng.randrange(len(data))
    length = rng.choice((1, 1, 4, 64))
    data[at : at + length] = bytes([rng.choice((0xFF, 0xFF, 0x00, rng.randrange(256)))]) * len(data[at : at + length])
    return data


def cut(data: bytearray, rng: random.Random) -> bytearray:
    return data[: rng.randrange(len(data))]


def extended(data: bytearray, rng: random.Random) -> bytearray:
    at = rng.choice((len(data), rng.randrange(len(data))))
    data[at:at] = rng.randbytes(rng.choice((1, 8, 64, 1000)))
    return data


def moved(data: bytearray, rng: random.Random) -> bytearray:
    """A piece of the image where another one should be."""
    length = rng.choice((1, 8, 64))
    source, target = (rng.randrange(len(data) - length) for _ in range(2))
    data[target : target + length] = data[source : source + length]
    return data


KINDS: list[tuple[Callable[[bytearray, random.Random], bytearray], int]] = [
    (flipped, 900),
    (overwritten, 500),
    (cut, 250),
    (extended, 100),
    (moved, 250),
]


MORE = pytest.mark.nightly("three of four damaged images; 500 have damage of each kind")


@pytest.mark.parametrize("parts", [4, pytest.param(1, marks=MORE)])
@pytest.mark.parametrize(("damage", "count"), KINDS, ids=[damage.__name__ for damage, _ in KINDS])
def test_a_damaged_image_is_an_error_or_gives_the_right_result(
    damage: Callable[[bytearray, random.Random], bytearray], count: int, parts: int, lutra: Lutra
) -> None:
    Path("image.s").write_text(SOURCE)
    assert lutra("asm", "image.s", "-o", "image.elf").code == 0
    whole = Path("image.elf").read_bytes()
    commands = (("objdump", "image.elf"), ("run", "image.elf", "--dump", "m3@0:64=out", "--max-cycles", 10_000))

    def outcomes() -> list[tuple[Outcome, bytes]]:
        found = []
        for command in commands:
            Path("out").unlink(missing_ok=True)
            result = lutra(*command)
            found.append((result, Path("out").read_bytes() if Path("out").exists() else b""))
        return found

    right = outcomes()
    rng = random.Random(damage.__name__)
    refused = 0
    for number in range(count // parts):
        Path("image.elf").write_bytes(damage(bytearray(whole), rng))
        for (result, written), expected in zip(outcomes(), right, strict=True):
            if result.code == 0:
                assert (result, written) == expected, number
                continue
            refused += 1
            assert result.code == 1, number
            assert result.error.startswith("image.elf: "), number
            assert (result.out, written) == ("", b""), number
        assert {p.name for p in Path().iterdir()} <= {"image.s", "image.elf", "out"}
    # Some of what is added changes nothing; of a few images, that can be most.
    assert refused > (count if parts == 1 else count // parts // 2)


def test_the_images_are_two_thousand() -> None:
    assert sum(count for _, count in KINDS) == 2000
