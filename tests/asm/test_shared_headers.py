"""A header of one cipher's routines in addition to the one that the routines of all ciphers share."""

from __future__ import annotations

from pathlib import Path

import pytest

from lutra.asm import assemble
from lutra.asm.analysis.headers import HeaderError, Headers, parse

SHARED = """\
// {c}{v}_ecb, {c}{v}_ctr: C[i] = E(P[i]), n blocks.
//
// Inputs:   {c}_length; P in m2
// Outputs:  C in m3; {c}_iv
// Time:     constant; depends on n
"""
OWN = """\
// otter_ecb, otter_ctr: two blocks at a time.
//
// Clobbers: v0, v1 (ctr)
// Cycles:   5n + 20
"""
PROGRAM = """
        .include "modes.inc"
        .section text
        .global otter_ecb
otter_ecb:
        mov     v0, m2[0]
        mov     v2, v0
        halt
"""


def read(**texts: str) -> Headers:
    return Headers(header for name, text in texts.items() for header in parse(Path(f"{name}.inc"), text))


def test_a_header_has_what_it_lacks_from_the_shared_one() -> None:
    header = read(modes=SHARED, otter=OWN).of("otter_ecb")
    assert header is not None and header.missing() == []
    assert list(header.fields) == ["Inputs", "Outputs", "Clobbers", "Time", "Cycles"]
    assert header.fields["Outputs"] == "C in m3; otter_iv"
    assert header.clobbers("otter_ecb") == {"v0"}
    assert header.places["Time"] == (Path("modes.inc"), 5)
    assert header.places["Cycles"] == (Path("otter.inc"), 4)
    assert header.place == "otter.inc:1"


def test_a_header_that_lacks_nothing_is_by_itself() -> None:
    whole = OWN.replace("// Clobbers", "// Inputs:   none\n// Outputs:  C\n// Clobbers") + "// Time:     constant\n"
    header = read(modes=SHARED, otter=whole).of("otter_ecb")
    assert header is not None and header.fields["Outputs"] == "C"


def test_a_routine_of_another_cipher_has_the_shared_header_alone() -> None:
    header = read(modes=SHARED, otter=OWN).of("stoat_ctr")
    assert header is not None and header.missing() == ["Clobbers", "Cycles"]


@pytest.mark.parametrize("texts", [{"a": OWN, "b": OWN}, {"a": OWN, "b": SHARED, "c": SHARED}])
def test_two_headers_of_the_same_kind_are_one_too_many(texts: dict[str, str]) -> None:
    with pytest.raises(HeaderError, match="otter_ecb has 2 headers"):
        read(**texts).of("otter_ecb")


def test_the_assembler_says_at_which_header_a_field_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "modes.inc").write_text(SHARED)
    source = tmp_path / "otter.s"
    source.write_text(OWN + PROGRAM)
    found = [w for w in assemble([source]).warnings if w.name == "header-clobbers"]
    assert [(w.file, w.line) for w in found] == [(str(source), 3)]
    assert "Clobbers is wrong for 'otter_ecb': it can also write v2" in found[0].message
