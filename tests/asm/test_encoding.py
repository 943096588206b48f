"""Words packed by hand from the bit diagrams of isa/formats.td and isa/addressing.td, without the tables."""

from __future__ import annotations

import pytest

from lutra.asm import assemble_text

ROW, NONE, ZERO, WK, CTRINC = 12, 15, 11, 9, 10


# Least significant bit of each field of FmtVector.
LSB = {"rd": 52, "ra": 48, "rb": 44, "w": 43, "ks": 34, "db": 32, "ds": 23, "sb": 20, "ss": 11, "x": 0}


def vector(opcode: int, rd: int = NONE, ra: int = ZERO, rb: int = ZERO, **others: int) -> int:
    fields = {"rd": rd, "ra": ra, "rb": rb, **others}
    return opcode << 56 | sum(value << LSB[name] for name, value in fields.items())


def control(opcode: int, ad: int = 0, as_: int = 0, n: int = 0, e: int = 0) -> int:
    return opcode << 56 | ad << 53 | as_ << 50 | n << 34 | e << 18


def slot(pattern: int, register: int) -> int:
    return pattern << 5 | register << 2


def row(address: int) -> int:
    return 1 << 8 | address // 16


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("nop", control(0x01)),
        ("notify 0x7f", control(0x05, n=0x7F)),
        ("jmp 0x123", control(0x06, e=0x123)),
        ("repeat 9, 5", control(0x0A, n=9, e=4)),
        ("repeat ar6, 5", control(0x0B, as_=6, e=4)),
        ("djnz ar3, 7", control(0x0E, ad=3, as_=3, n=0xFFFF, e=7)),
        ("arset ar2, -1", control(0x10, ad=2, n=0xFFFF)),
        ("arwin ar2, 0x100, 0x200", control(0x12, ad=2, n=0x100, e=0x200)),
        ("aradd ar1, ar2, -16", control(0x13, ad=1, as_=2, n=0xFFF0)),
        ("ctrw 32", control(0x16, n=2)),
        ("mov v3, v5", vector(0x20, 3, 5)),
        ("mov v3, v5 ^ m1[ar4-=s%] ^ wk", vector(0x20, 3, 5, ROW, w=1, db=1, ds=slot(7, 4))),
        ("mov v3, wk", vector(0x20, 3, WK)),
        ("mov v3, v1 ^ ctr++", vector(0x20, 3, CTRINC, 1)),
        ("mov t0:t1[0x30], m2[0xff0]", vector(0x20, NONE, ROW, db=2, ds=row(0xFF0), sb=6, ss=row(0x30))),
        ("movl t1[ar1+=s], v2, 13", vector(0x21, NONE, 2, sb=5, ss=slot(4, 1), x=13)),
        ("vtoar ar5, v1, 6", vector(0x22, NONE, 1, x=5 << 4 | 6)),
        ("artov v4, ar7", vector(0x23, 4, x=7 << 4)),
        ("xor v1, m2[ar0--], m2[ar0--]", vector(0x28, 1, ROW, ROW, db=2, ds=slot(3, 0))),
        ("cmp v1, v2", vector(0x31, NONE, 1, 2)),
        ("tblp v1, v2, v3, m3[0]", vector(0x32, 1, 2, 3, db=3, ds=row(0))),
        ("aesdecf v1, v2, m1[ar0]", vector(0x43, 1, 2, ks=slot(1, 0))),
        (
            "aesenc2l {v1, m3[ar2++]}, v1 ^ wk, m0:m1[0x60], m2[ar1++]",
            vector(0x49, 1, 1, w=1, ks=row(0x60), db=2, ds=slot(2, 1), sb=3, ss=slot(2, 2)),
        ),
    ],
)
def test_word_is_the_one_packed_by_hand(text: str, word: int) -> None:
    assert f"{assemble_text(text).program[0]:016x}" == f"{word:016x}"
