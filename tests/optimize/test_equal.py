"""A loop that is not what it was is not proved equal: each of these has one word changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lutra.optimize.body import Body
from lutra.optimize.program import Program, region, registers, shared
from lutra.prove import equal
from lutra.prove.equal import Code, Different
from lutra.prove.errors import Unprovable

OLD = """        mov     %key, m0[0]
        repeat  ar5, end
        tbl1    %x, m2[ar0++]
        xor     %x, %x, %key
        tbl1    %x, %x
        xor     m3[ar1++], %x, %key
end:    halt
"""
# The same in two stages, as the command writes it.
NEW = """        mov     %key, m0[0]
        bz      ar5, end
        aradd   ar5, ar5, -1
        tbl1    v1, m2[ar0++]
        xor     v1, v1, %key
        repeat  ar5, turn
        tbl1    v2, v1
        tbl1    v1, m2[ar0++]
        xor     m3[ar1++], v2, %key
        xor     v1, v1, %key
turn:
        tbl1    v2, v1
        xor     m3[ar1++], v2, %key
end:    halt
"""
WRONG = {
    "register": ("tbl1    v2, v1\n        tbl1", "tbl1    v2, v2\n        tbl1"),
    "row": ("xor     m3[ar1++], v2, %key\nend", "xor     m3[ar1], v2, %key\nend"),
    "order": ("tbl1    v2, v1\n        tbl1    v1, m2[ar0++]", "tbl1    v1, m2[ar0++]\n        tbl1    v2, v1"),
    "table": ("turn:\n        tbl1", "turn:\n        tbl0"),
    "drain": ("turn:\n        tbl1    v2, v1\n        xor     m3[ar1++], v2, %key", "turn:\n        nop\n        nop"),
    "count": ("aradd   ar5, ar5, -1", "aradd   ar5, ar5, -2"),
    "no pass": ("bz      ar5, end", "nop"),
    "key": ("xor     v1, v1, %key\nturn", "xor     v1, v1, zero\nturn"),
    "memory": ("xor     m3[ar1++], v2, %key\nend", "xor     m2[ar1++], v2, %key\nend"),
}


def proved(tmp_path: Path, text: str) -> None:
    path = tmp_path / "loop.s"
    path.write_text(OLD)
    old, new = Program(path), Program(path, text=text)
    (loop,) = old.loops()
    names = shared(Body(old.allocation, loop.first, loop.last))
    before = Code(old.words, loop.repeat, (loop.repeat, loop.last), loop.last + 1, names)
    first, last = 2, len(text.splitlines()) - 1
    where = region(new, first, last)
    span = (where.repeat, where.last)
    equal.prove(
        before,
        replace(
            before, program=new.words, start=where.start, loop=span, end=where.end, values=registers(new, names, where)
        ),
    )


def test_the_same_in_stages_is_equal(tmp_path: Path) -> None:
    proved(tmp_path, NEW)


@pytest.mark.parametrize("wrong", WRONG)
def test_one_wrong_word_is_found(tmp_path: Path, wrong: str) -> None:
    text = NEW.replace(*WRONG[wrong])
    assert text != NEW
    with pytest.raises((Different, Unprovable)):
        proved(tmp_path, text)
