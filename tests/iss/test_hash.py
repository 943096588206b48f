"""The hash unit: the examples of SP 800-38D's authors, and its three products against models from the standards."""

from __future__ import annotations

import random

from models import field
from models.lanes import xor
from support.run import Ran, Run

RANDOM = random.Random(38)
ONE = (1 << 127).to_bytes(16, "big")

# Test case 2 of the GCM specification: H, the block, the lengths, GHASH.
H = bytes.fromhex("66e94bd4ef8a2c3b884cfa59ca342b2e")
BLOCK = bytes.fromhex("0388dace60b6a392f328c2b971b2fe78")
LENGTHS = (128).to_bytes(16, "big")
GHASH = bytes.fromhex("f38cbb1ad69223dcc3457ae5b6b0f885")


def hashed(ran: Ran) -> bytes:
    assert ran.stop.state == "halted"
    return ran.row("m3")


def test_ghash_of_a_block_and_the_lengths(run: Run) -> None:
    steps = "ghstep\n" * 3
    program = f"ghkey m2[0]\nghset m2[0x10]\n{steps}ghadd m2[0x20], gh_step\n{steps}ghstep\nghout m3[0], zero\nhalt"
    assert hashed(run(program, m2=H + BLOCK + LENGTHS)) == GHASH


def test_steps_and_blocks_beside_rounds(run: Run) -> None:
    """Encryption's way, by a row that a move stores, and decryption's, by the row that it reads."""
    v3 = RANDOM.randbytes(16)
    rounds = "aesenc2 v0, v0, m0:m1[0], gh_step\n" * 3
    for beside, block in (("gh_sum", BLOCK), ("gh_row", xor(v3, BLOCK))):
        program = (
            "mov v3, m2[0x30]\nghkey m2[0]\nghset zero\n"
            f"aesenc2 v0, v0, m0:m1[0], {{m3[0x10], v3 ^ m2[0x10]}}, {beside}\n{rounds}"
            "aesenc2l v0, v0, m0:m1[0], gh_step\nghadd m2[0x20]\n" + "ghstep\n" * 4 + "ghout m3[0], zero\nhalt"
        )
        row = xor(v3, BLOCK)
        wanted = field.multiply(xor(field.multiply(block, H), LENGTHS), H)
        ran = run(program, m2=H + row + LENGTHS + v3)
        assert hashed(ran) == wanted
        assert ran.row("m3", 1) == BLOCK


def test_two_blocks_of_64_bits_of_a_row(run: Run) -> None:
    p, v = RANDOM.getrandbits(64), RANDOM.getrandbits(64)
    rows = [RANDOM.randbytes(16) for _ in range(3)]
    body = "gfstep\ngffold\ngfstep\n"
    program = f"ghkey m2[0]\nghsetr m2[0x10] ^ v0\n{body}gfadd m2[0x20]\n{body}gfadd m2[0x30]\n{body}gfstep\n"
    program = f"mov v0, m2[0x40]\n{program}ghout m3[0], zero\nhalt"
    value = v
    for row in rows:
        for block in (row[:8], row[8:]):
            value = field.multiply64(value ^ int.from_bytes(block, "big"), p)
    ran = run(program, m2=field.row64(p) + b"".join(rows) + v.to_bytes(8, "big") + bytes(8))
    assert field.element64(hashed(ran)) == value


def test_windows_of_words_that_follow_one_another(run: Run) -> None:
    """The factor's word 1 is the keystream word of the message's word, of two rows."""
    words = RANDOM.randbytes(4 * 16)
    rows = [RANDOM.randbytes(16) for _ in range(2)]
    keys = b"".join(words[4 * n : 4 * n + 16] for n in range(9))
    steps = [f"ghwin m0[{16 * n}]" for n in range(1, 9)]
    steps[3] = "ghwinx m0[0x40], m2[0x10]"
    program = "\n".join(["ghkey m0[0]", "ghsetr m2[0]", *steps, "ghout m3[0], zero", "halt"])
    total = 0
    bits = int.from_bytes(words, "big")
    for n, m in enumerate(int.from_bytes((rows[0] + rows[1])[4 * i : 4 * i + 4], "big") for i in range(8)):
        for i in range(32):
            if m >> (31 - i) & 1:  # the 32 bits from bit i of the keystream's word n on, which is word n + 1 here
                total ^= bits >> (512 - 32 * (n + 1) - i - 32) & 0xFFFFFFFF
    found = int.from_bytes(hashed(run(program, m0=keys, m2=b"".join(rows))), "big")
    assert found >> (128 - 95) & 0xFFFFFFFF == total


def test_reversed_rows_are_read_bit_by_bit(run: Run) -> None:
    x = RANDOM.randbytes(16)
    program = "ghkey m2[0x10]\nghsetr m2[0]\n" + "ghstep\n" * 4 + "ghout m3[0], zero\nhalt"
    assert hashed(run(program, m2=x + ONE)) == field.reverse(x)
