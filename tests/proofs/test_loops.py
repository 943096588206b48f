"""Loops that work ahead, outputs that are corrected at the end, and windows, in small firmware of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from lutra.firmware.manifest import load
from lutra.firmware.new import make
from lutra.prove import Outcome, check, claims

BEGIN = """\
        vtoar   ar6, m1[otter_length], 7
        mov     ctr, m1[otter_iv]
        ctrw    128
        arset   ar0, 0
        arset   ar1, 0
        bz      ar6, .L_none
"""
END = """\
.L_none:
        mov     m1[otter_iv], ctr
        halt
"""
# The look-up of the next block, in each pass.
AHEAD = """\
        aradd   ar6, ar6, -1
        tbl0    v0, ctr++ ^ m0[otter_keys]
        repeat  ar6, .L_done
        xor     v1, v0, m0[otter_keys + 16]
        tbl0    v0, ctr++ ^ m0[otter_keys]
        xor     m3[ar1++], v1, m2[ar0++]
.L_done:
        xor     v1, v0, m0[otter_keys + 16]
        xor     m3[ar1++], v1, m2[ar0++]
"""
# The first block of output is too much by a key, until the end.
CORRECTED = """\
        mov     v2, m0[otter_keys]
        repeat  ar6, .L_done
        tbl0    v0, ctr++ ^ m0[otter_keys]
        xor3    v0, v0, m0[otter_keys + 16], v2
        mov     v2, zero
        xor     m3[ar1++], v0, m2[ar0++]
.L_done:
        mov     v2, m0[otter_keys]
        xor     v0, v2, m3[0]
        mov     m3[0], v0
"""
# The second key is read from three copies by turns.
WINDOW = """\
        mov     v2, m0[otter_keys + 16]
        mov     m1[0x40], v2
        mov     m1[0x50], v2
        mov     m1[0x60], v2
        arset   ar2, 0x50
        arstep  ar2, 16
        arwin   ar2, 0x40, 0x70
        repeat  ar6, .L_done
        tbl0    v0, ctr++ ^ m0[otter_keys]
        xor     v0, v0, m1[ar2+=s%]
        xor     m3[ar1++], v0, m2[ar0++]
.L_done:
"""


def proved(folder: Path, body: str) -> Outcome:
    """Try to prove otter with another routine of jobs."""
    make("otter", folder)
    source = folder / "otter/otter.s"
    before = source.read_text().partition("otter128_ctr:\n")
    source.write_text(before[0] + before[1] + BEGIN + body + END)
    return check(next(iter(claims(load(folder / "otter/firmware.toml")))))


@pytest.mark.parametrize("body", [AHEAD, CORRECTED, WINDOW], ids=["ahead", "corrected", "window"])
def test_loop_is_proved(tmp_path: Path, body: str) -> None:
    outcome = proved(tmp_path, body)
    assert (outcome.state, outcome.reason) == ("proved", "")


@pytest.mark.parametrize(
    "body",
    [
        # The block after the next.
        AHEAD.replace("ctr++ ^ m0[otter_keys]\n        repeat", "ctr ^ m0[otter_keys]\n        repeat"),
        # Not corrected; and each pass writes the row that is to be corrected.
        CORRECTED.replace("        mov     m3[0], v0\n", ""),
        CORRECTED.replace("        mov     v2, zero\n", "        mov     v2, zero\n        mov     m3[0], v2\n"),
        # A copy that is read in one of three passes is another key, is overwritten, or is in no window.
        WINDOW.replace("m1[0x40], v2", "m1[0x40], zero"),
        WINDOW.replace("        xor     m3", "        mov     m1[0x60], v0\n        xor     m3"),
        WINDOW.replace("0x40, 0x70", "0x40, 0x80"),
    ],
    ids=["counter", "uncorrected", "overwritten", "other copy", "overwritten copy", "long window"],
)
def test_wrong_loop_is_refuted(tmp_path: Path, body: str) -> None:
    outcome = proved(tmp_path, body)
    assert outcome.state == "refuted"
    assert outcome.counterexample is not None
