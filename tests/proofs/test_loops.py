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
# Each block is computed twice. Its second output is compared a pass later with the row that was stored: by an address
# that goes from the last row of the memory to the first. `late` is zero in two passes.
TWICE = """\
        arset   ar2, 0xff0
        arstep  ar2, 16
        arwin   ar2, 0, 0x1000
        mov     m3[0xff0], zero
        mov     v2, zero
        mov     v3, zero
        mov     v5, zero
        mov     v6, zero
        mov     v7, zero
        mov     v4, m1[otter_iv]
        artov   v1, ar6
        repeat  ar6, .L_done
        xor     v0, v3, m3[ar2+=s%]
        or      v2, v2, v0
        tbl0    v3, v4 ^ m0[otter_keys]
        xor     v3, v3, m0[otter_keys + 16]
        xor     v3, v3, v7
        xor     v3, v3, m2[ar0]
        tbl0    v0, ctr++ ^ m0[otter_keys]
        xor     v0, v0, m0[otter_keys + 16]
        xor     m3[ar1++], v0, m2[ar0++]
        mov     v4, ctr
        mov     v7, v6
        mov     v6, v5
.L_done:
        xor     v0, v3, m3[ar2]
        or      v2, v2, v0
        xor     v1, v1, m1[otter_length]
        shlx    v1, v1, zero, 112
        or      v2, v2, v1
        cmp     v2, zero
        bf      .L_none
        ret
"""
# The counter of the next job is made of the length of this one.
COUNTED = """\
        artov   v1, ar6
        add128  v1, v1, m1[otter_iv]
        repeat  ar6, .L_done
        tbl0    v0, ctr++ ^ m0[otter_keys]
        xor     v0, v0, m0[otter_keys + 16]
        xor     m3[ar1++], v0, m2[ar0++]
.L_done:
        mov     ctr, v1
"""


def proved(folder: Path, body: str) -> Outcome:
    """Try to prove otter with another routine of jobs, of which the last row of the output is not one."""
    make("otter", folder)
    source = folder / "otter/otter.s"
    before = source.read_text().partition("otter128_ctr:\n")
    source.write_text(before[0] + before[1] + BEGIN + body + END)
    manifest = folder / "otter/firmware.toml"
    manifest.write_text(manifest.read_text().replace("\n[[", "\n[image.otter]\njob_bytes = 4080\n\n[[", 1))
    return check(next(iter(claims(load(folder / "otter/firmware.toml")))))


@pytest.mark.parametrize(
    "body", [AHEAD, CORRECTED, WINDOW, TWICE, COUNTED], ids=["ahead", "corrected", "window", "twice", "counted"]
)
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
        # Outputs that are equal in the first two passes only; another row, or another length, is compared; or the first
        # row is overwritten.
        TWICE.replace("v5, zero", "v5, m0[otter_keys]"),
        TWICE.replace("m3[ar2+=s%]", "m3[ar2]"),
        TWICE.replace("v1, ar6\n", "v1, ar1\n"),
        TWICE.replace("        mov     v4, ctr\n", "        mov     v4, ctr\n        mov     m3[0], v3\n"),
    ],
    ids=[
        *("counter", "uncorrected", "overwritten", "other copy", "overwritten copy", "long window"),
        *("late", "other row", "other length", "first row"),
    ],
)
def test_wrong_loop_is_refuted(tmp_path: Path, body: str) -> None:
    outcome = proved(tmp_path, body)
    assert outcome.state == "refuted"
    assert outcome.counterexample is not None


@pytest.mark.parametrize(
    "body",
    [
        # Doubled in each pass; the length is added twice, or that of one job less.
        COUNTED.replace("xor     m3", "add128  v1, v1, v1\n        xor     m3"),
        COUNTED.replace("        repeat", "        artov   v0, ar6\n        add128  v1, v1, v0\n        repeat"),
        COUNTED.replace("        artov   v1, ar6", "        aradd   ar2, ar6, -1\n        artov   v1, ar2"),
    ],
    ids=["doubled", "twice", "one less"],
)
def test_wrong_count_is_not_proved(tmp_path: Path, body: str) -> None:
    """A message of one job would not show it."""
    assert proved(tmp_path, body).state != "proved"
