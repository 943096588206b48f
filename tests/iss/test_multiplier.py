"""The multiplier: its functions against Python's integers, and what comes before and after its steps."""

from __future__ import annotations

import random

import lutra
from lutra.asm.analysis.schedule import straight
from models import prime
from support.formulas import number
from support.run import Ran, Run

RANDOM = random.Random(1305)
ROW = 16
ONES = b"\xff" * ROW
ONE = (1).to_bytes(ROW, "big")


def sum_of(ran: Ran) -> tuple[int, int, bytes]:
    """The sum, the next digit and the digits after it."""
    gt, gu, gx, gy = (ran.engine.registers()[name].value for name in ("gt", "gu", "gx", "gy"))
    assert isinstance(gt, int)
    assert isinstance(gu, int)
    assert isinstance(gx, bytes)
    assert isinstance(gy, bytes)
    return prime.total(gu, gy), gt, gx


def rows(count: int) -> list[bytes]:
    return [RANDOM.choice([ONES, bytes(ROW), RANDOM.randbytes(ROW), RANDOM.randbytes(ROW)]) for _ in range(count)]


def test_a_block_is_a_product_modulo_the_prime(run: Run) -> None:
    """Products of any factor as integers modulo 2^133; where the factor is clamped, modulo 2^130 - 5 too."""
    for _ in range(10):
        factor, *blocks = rows(4)
        factor = RANDOM.choice([factor, bytes([factor[0] & 15]) + factor[1:]])
        body = "\n".join(f"gpadd m2[{16 * n}]\n" + "gpstep\n" * 17 for n in (1, 2, 3))
        ran = run(f"gplast zero\nghkey m2[0]\n{body}ghout m3[0], zero\nhalt", m2=factor + b"".join(blocks))
        h, y = int.from_bytes(factor, "big"), 0
        for block in blocks:
            number = prime.block(block) + y
            y = 0
            for digit in number.to_bytes(17, "big"):
                y = prime.step(y, digit, h)
            if h < 1 << 124:
                assert y % prime.P == number * h % prime.P
        assert sum_of(ran) == (y, 0, bytes(ROW))
        assert ran.row("m3") == prime.row(y)


def test_the_digits_of_a_block_go_out_from_the_most_significant_on(run: Run) -> None:
    x, y = RANDOM.randbytes(ROW), RANDOM.randbytes(ROW)
    # The sum is y times one, and the upper bits of ones times 255.
    set_up = "gplast zero\nghkey m2[0x20]\ngplast m2[0x10]\ngpstep\ngpstep\n"
    last = bytes(15) + b"\xff"
    for name, one in (("gpadd", 1 << 128), ("gplast", 0)):
        ran = run(f"{set_up}{name} m2[0] ^ zero\nhalt", m2=x + last + ONES)
        total = int.from_bytes(x, "little") + one + prime.step(0, 255, (1 << 128) - 1)
        assert sum_of(ran) == (0, total >> 128, (total % 2**128).to_bytes(ROW, "little"))
        ran = run(f"{set_up}{name} m2[0]\ngpstep\nhalt", m2=x + last + ONES)
        assert sum_of(ran)[1] == (total >> 120) % 256
    assert y != x


def test_a_step_rides_on_additions(run: Run) -> None:
    """With what comes before and after it, at every distance."""
    x, factor = RANDOM.randbytes(ROW), RANDOM.randbytes(ROW)
    ride = ["arx {v0, v1}, v2, v3, v4, 7, gp_step", "addrot v5, v6, v7, v0, 3, gp_step", "gpstep"]
    for gap in range(3):
        nops = "mov v7, v7\n" * gap
        steps = [RANDOM.choice(ride) for _ in range(17)]
        body = f"\n{nops}".join(steps)
        text = f"gplast zero\n{nops}ghkey m2[0x10]\n{nops}gpadd m2[0]\n{nops}{body}\n{nops}ghout m3[0], zero\nhalt"
        y = 0
        for digit in prime.block(x).to_bytes(17, "big"):
            y = prime.step(y, digit, int.from_bytes(factor, "big"))
        assert run(text, m2=x + factor).row("m3") == prime.row(y), text


def test_steps_between_those_of_other_products(run: Run) -> None:
    """A step of GHASH changes input and sum, which the multiplier's next step takes as they are."""
    x, factor = RANDOM.randbytes(ROW), RANDOM.randbytes(ROW)
    for other in ("ghstep", "gfstep", "ghadd zero, gh_step", "ghset m2[0]", "ghkey m2[0x10]", "ghwin m0[0]"):
        ran = run(
            f"gplast zero\nghkey m2[0x10]\ngpadd m2[0]\ngpstep\ngpstep\n{other}\ngpstep\n{other}\nhalt", m2=x + factor
        )
        before = run(f"gplast zero\nghkey m2[0x10]\ngpadd m2[0]\ngpstep\ngpstep\n{other}\nhalt", m2=x + factor)
        assert ran.stop.state == "halted"
        y, digit, digits = sum_of(before)
        h = number(before.engine.registers()["gh"].value)
        alone = run(f"gplast zero\nghkey m2[0x10]\ngpadd m2[0]\ngpstep\ngpstep\n{other}\ngpstep\nhalt", m2=x + factor)
        after = (prime.step(y, digit, h), digits[15], bytes(1) + digits[:15])
        assert sum_of(alone) == after


def test_the_record_says_what_is_left(run: Run) -> None:
    ran = run("gplast zero\nghkey m2[0]\ngpadd m2[0]\narx {v0, v1}, v0, v1, v2, 0, gp_step\nhalt", m2=ONES)
    ran.engine.start(0)
    records = list(ran.engine.records())
    assert (records[2].fields["hash_digit"], records[2].fields["hash_upper"]) == (1, 0)
    y = prime.step(0, 1, (1 << 128) - 1)
    assert records[3].fields["hash_sum"] == prime.row(y)
    assert records[3].fields["hash_digit"] == 255


def test_a_step_waits_for_factors_and_input_and_not_for_steps() -> None:
    """The product is made a cycle before it is added; the sum is there for a block at once."""

    def cycles(text: str) -> list[int]:
        return [issue.cycle for issue in straight(lutra.assemble_text(f"{text}\nhalt").program)]

    assert cycles("gpadd v0\ngpstep\ngpstep\ngpadd v0") == [0, 2, 3, 4, 5]
    assert cycles("ghkey v0\ngpstep\nghout v1, zero") == [0, 2, 4, 5]
    assert cycles("gpadd v0\narx {v0, v1}, v2, v3, v4, 7\narx {v0, v1}, v2, v3, v4, 7, gp_step") == [0, 1, 2, 3]
