"""`lutra test`: each thing that can be wrong with firmware fails, with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.cli import Lutra
from support.own import MANIFEST, ROUTINES, SOURCE, VECTORS, change, checked, failures


def test_a_wrong_answer_is_shown_with_what_was_expected(otter: None, lutra: Lutra) -> None:
    change(VECTORS, "060e1212", "060e1213")
    assert failures(checked(lutra, "otter")) == [
        "otter/otter.vectors.json: one block: encrypt: expected 060e12131e262222263e32324e464252, "
        "got 060e12121e262222263e32324e464252"
    ]


def test_vectors_elsewhere_count_and_those_of_other_ciphers_are_left_out(otter: None, lutra: Lutra) -> None:
    elsewhere = Path("elsewhere")
    elsewhere.mkdir()
    VECTORS.rename(elsewhere / VECTORS.name)
    (elsewhere / "stoat.json").write_text('{"algorithm": "Stoat", "mode": "ECB", "tests": [{"id": "1", "key": "00"}]}')
    assert checked(lutra, "otter", "--vectors", elsewhere).code == 0
    change(elsewhere / VECTORS.name, "060e1212", "060e1213")
    (found,) = failures(checked(lutra, "otter", "--vectors", elsewhere))
    assert found.startswith("elsewhere/otter.vectors.json: one block: encrypt: expected 060e1213")


def test_a_file_of_vectors_that_is_none_fails(otter: None, lutra: Lutra) -> None:
    assert checked(lutra, "otter", "--vectors", "nothing.json").error == "nothing.json: no such file"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("// Clobbers: ar0, ar1\n", "// Clobbers: ar0\n", "Clobbers says ar0; the routine writes ar0, ar1"),
        ("// Clobbers: v0\n", "// Clobbers: v0-v2\n", "Clobbers says v0, v1, v2; the routine writes v0"),
        ("// Cycles:   269", "// Cycles:   268", "Cycles says 268; measured: 269"),
        ("// Cycles:   3n + 15", "// Cycles:   3n + 16", "Cycles says 3n + 16, which is 19 for n = 1; measured: 18"),
        ("// Cycles:   3n + 15", "// Cycles:   3n + (", "Cycles is not a formula of n: '3n + ('"),
        ("// Cycles:   3n + 15", "// Cycles:   few", "Cycles has no formula for otter128_ctr: 'few'"),
        ("// Cycles:   3n + 15", "// Cycles:   bn", "Cycles has b, and the image no symbol 'otter128_steps' for it"),
        ("C in m3 from row 0; otter_iv", "C; otter_iv", "writes memory in m3, which neither Outputs nor Memory names"),
        (
            "// Time:     constant\n",
            "// Time:     varies\n",
            "Time says 'varies'; write constant, or end the name in _var",
        ),
        ("// Outputs:  t0\n", "// Outputs:\n", "Outputs is empty"),
        ("// Outputs:  t0\n", "// Results:  t0\n", "unknown field Results"),
        ("// Time:     constant\n// Cycles:   269\n", "// Cycles:   269\n// Time:     constant\n", "the right one is"),
        ("// otter_tables: S", "// otter_table: S", "no global routine has this name"),
    ],
)
def test_a_header_that_does_not_fit_the_code_fails(old: str, new: str, said: str, otter: None, lutra: Lutra) -> None:
    change(SOURCE, old, new)
    (found,) = failures(checked(lutra, "otter"))
    assert found.startswith("otter/otter.s:")
    assert "header of otter" in found
    assert said in found


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("// otter_tables: S", "// S", "a header must begin with the names of its routines and a colon"),
        ("// otter_tables: S", "// {x}_tables: S", "{x} in {x}_tables is not a placeholder; choose from c, bits, v"),
        ("// otter128_ctr: C", "// otter128_ctr, otter_tables: C", "otter_tables has 2 headers: otter/otter.s:2"),
    ],
)
def test_headers_that_cannot_be_read_fail(old: str, new: str, said: str, otter: None, lutra: Lutra) -> None:
    change(SOURCE, old, new)
    (found,) = failures(checked(lutra, "otter"))
    assert said in found


def test_what_a_header_leaves_out_is_a_warning_and_with_werror_a_failure(otter: None, lutra: Lutra) -> None:
    change(SOURCE, "// Clobbers: v0\n", "")
    change(SOURCE, "// Inputs:   otter_sbox\n// Outputs:  t0\n// Clobbers: ar0, ar1\n", "")
    change(SOURCE, "// Cycles:   269\n", "")
    result = checked(lutra, "otter")
    assert result.code == 0
    assert "warning otter/otter.s: header of otter_tables: the routine has no header" in result.out
    assert "header of otter128_key_encrypt: the header has no Clobbers" in result.out
    assert len(failures(checked(lutra, "otter", "-Werror"))) == 2


# A carry decides whether a step is left out; an address is made of a key.
BRANCH = "        cmp     zero, m0[otter_key]\n        bf      .L_skipped\n        nop\n.L_skipped:\n"
ADDRESS = "        vtoar   ar2, m0[otter_key], 7\n        arand   ar2, ar2, 0xff0\n        mov     v0, m0[ar2]\n"


@pytest.mark.parametrize(
    ("leak", "said"),
    [(BRANCH, "what runs next depends on key, IV or data: bf "), (ADDRESS, "an address depends on")],
)
def test_a_routine_whose_time_depends_on_the_key_fails_at_the_line_that_does_it(
    leak: str, said: str, otter: None, lutra: Lutra
) -> None:
    change(SOURCE, "        mov     v0, m0[otter_key]\n", leak + "        mov     v0, m0[otter_key]\n")
    lines = SOURCE.read_text().splitlines()
    number = next(n for n, line in enumerate(lines, 1) if line.split()[:1] in (["bf"], ["vtoar"]))
    found = failures(checked(lutra, "otter", "-k", "constant time"))
    assert len(found) == 1
    assert found[0].startswith(f"otter/otter.s:{number}: constant time of otter128_key_encrypt: {said}")


def test_a_name_that_ends_in_var_is_excepted_and_its_header_may_not_say_constant(otter: None, lutra: Lutra) -> None:
    change(SOURCE, "        mov     v0, m0[otter_key]\n", BRANCH + "        mov     v0, m0[otter_key]\n")
    for file in (SOURCE, ROUTINES):
        file.write_text(file.read_text().replace("otter128_key_encrypt", "otter128_key_var"))
    change(MANIFEST, "partial = false\n", 'partial = false\nroutines = { key = "{cipher}{bits}_key_var" }\n')
    result = checked(lutra, "otter", "-k", "otter128_key_var")
    assert "skipped otter/otter.s: constant time of otter128_key_var: the name says that it varies: _var" in result.out
    (found,) = failures(result)
    assert "Time says 'constant', but the suffix _var" in found
    assert "the routine writes" not in found


def test_a_source_that_does_not_assemble_is_shown_as_the_assembler_does(otter: None, lutra: Lutra) -> None:
    change(SOURCE, "        halt\n", "        hlt\n")
    result = checked(lutra, "otter")
    assert "unknown instruction 'hlt'" in result.out
    number = SOURCE.read_text().splitlines().index("        hlt") + 1
    assert f"otter/otter.s:{number}:9: error: " in result.out
    assert failures(result) == ["otter/otter.s: assembly of otter"]


def test_a_warning_of_the_assembler_is_shown_and_with_werror_fails(otter: None, lutra: Lutra) -> None:
    change(SOURCE, "        halt\n", "spare:  halt\n")
    result = checked(lutra, "otter")
    assert result.code == 0
    number = SOURCE.read_text().splitlines().index("spare:  halt") + 1
    assert f"otter/otter.s:{number}:1: warning: " in result.out
    assert result.out.endswith("11 passed, 0 failed, 1 warning (iss, rounds 2)\n")
    assert failures(checked(lutra, "otter", "-Werror")) == ["otter/otter.s: assembly of otter, warning 1"]


def test_headers_of_includes_are_found_and_data_that_is_no_text_has_none(otter: None, lutra: Lutra) -> None:
    text = SOURCE.read_text()
    at = text.index("// otter128_ctr: C")
    Path("otter/job.inc").write_text(text[at:].replace("3n + 15", "3n + 16"))
    Path("otter/data.bin").write_bytes(b"\xff" * 16)
    data = '        .section m1\n        .incbin "data.bin"\n        .section text\n'
    SOURCE.write_text(text[:at] + data + '        .include "job.inc"\n')
    (found,) = failures(checked(lutra, "otter"))
    assert found.startswith("otter/job.inc:1: header of otter128_ctr: Cycles says 3n + 16")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('unit = "block"\n', "", "firmware.toml: manifest: algorithm otter-{bits}-ctr: unit is missing"),
        ("cipher = ", "cipher := ", "firmware.toml: manifest: "),
        ("partial = false\n", 'routines = { run = "x" }\n', "has no global label 'x' (routines.run)"),
        ('"otter" }\nimpl', '"vole" }\nimpl', "vectors: no algorithm of the manifest serves otter CTR"),
        ("key_bits = [128]", "key_bits = [128, 256]", "firmware.toml: labels of otter-256-ctr-otter-encrypt: "),
    ],
)
def test_a_wrong_manifest_fails_with_its_entry(old: str, new: str, said: str, otter: None, lutra: Lutra) -> None:
    change(MANIFEST, old, new)
    assert any(said in line for line in failures(checked(lutra, "otter")))


def test_a_cipher_without_vectors_fails(otter: None, lutra: Lutra) -> None:
    VECTORS.unlink()
    assert failures(checked(lutra, "otter")) == [
        "otter/firmware.toml: otter-128-ctr: no vectors next to it have a test of otter CTR with a key of 128 bits; "
        "name other files with --vectors"
    ]
    change(MANIFEST, 'vectors = { algorithm = "otter" }\n', "")
    assert failures(checked(lutra, "otter")) == [
        "otter/firmware.toml: otter-128-ctr: no vectors can name it: its entry in the manifest has no `vectors`"
    ]


def test_vectors_that_nothing_serves_fail(otter: None, lutra: Lutra) -> None:
    other = Path("otter/other.vectors.json")
    other.write_text('{"algorithm": "vole", "mode": "ECB", "tests": [{"id": "a"}]}')
    (found,) = failures(checked(lutra, "otter"))
    assert found.startswith("otter/other.vectors.json: vectors: no algorithm of the manifest serves vole ECB")
    other.write_text('{"algorithm": "otter", "mode": "CTR", "tests": []}')
    assert "no algorithm of the manifest serves a file without tests" in failures(checked(lutra, "otter"))[0]
    Path("lost").mkdir()
    other.rename("lost/other.vectors.json")
    assert failures(checked(lutra, "lost"))[0].endswith("there is none next to this file")


def test_a_vector_file_that_is_none_and_a_test_that_is_none_fail(otter: None, lutra: Lutra) -> None:
    Path("otter/other.vectors.json").write_text("{}")
    assert "no `algorithm` and list of `tests`" in failures(checked(lutra, "otter"))[0]
    text = '{"algorithm": "otter", "mode": "CTR", "tests": [{"id": "a", "key": "0"}]}'
    Path("otter/other.vectors.json").write_text(text)
    (found,) = failures(checked(lutra, "otter"))
    assert found.startswith("otter/other.vectors.json: a: `key` is not a hexadecimal string")


@pytest.mark.parametrize("what", ["empty", "sources", "otter/model.py", "nowhere", "sources/a.s"])
def test_nothing_to_test_is_an_error_and_no_silent_pass(what: str, otter: None, lutra: Lutra) -> None:
    Path("empty").mkdir()
    Path("sources").mkdir()
    Path("sources/a.s").write_text("halt\n")
    error = checked(lutra, what).error
    assert error.startswith(f"{what}: ")
    assert {"nowhere": "no such file", "otter/model.py": "must be a folder"}.get(what, "no vectors next to") in error


def test_a_source_that_the_manifest_does_not_use_is_a_warning(otter: None, lutra: Lutra) -> None:
    Path("otter/spare.s").write_text("halt\n")
    assert "otter/spare.s: warning: no algorithm of the manifest uses it" in checked(lutra, "otter").out
    assert failures(checked(lutra, "otter", "-Werror")) == ["otter/spare.s: use"]


def test_a_routine_without_an_end_fails_instead_of_hanging(otter: None, lutra: Lutra) -> None:
    change(SOURCE, "        mov     v0, m0[otter_key]\n", "again:  jmp     again\n")
    found = failures(checked(lutra, "otter", "-k", "block"))
    assert found and all("ended running at pc" in line for line in found)
    found = failures(checked(lutra, "otter", "-k", "routines.toml"))
    assert found and "otter128_key_encrypt is running in otter/otter.s:" in found[0]


def test_a_trap_fails_with_its_line(otter: None, lutra: Lutra) -> None:
    change(SOURCE, "        mov     m1[otter_iv], ctr\n        halt\n", "        ret\n")
    found = failures(checked(lutra, "otter"))
    number = SOURCE.read_text().splitlines().index("        ret") + 1
    assert all(f"otter/otter.s:{number}" in line and "call-stack-underflow" in line for line in found)
    assert len(found) == 2 + 3  # headers, time, and each vector


# ------------------------------------------------------------------------------ tests of single routines


def test_a_wrong_result_of_a_routine_is_shown(otter: None, lutra: Lutra) -> None:
    change(ROUTINES, "00010203 04050607 08090a0b 0c0d0e0f 01020304", "00010203 04050607 08090a0b 0c0d0e0f 01020305")
    (found,) = failures(checked(lutra, "otter"))
    assert found.startswith(
        "otter/routines.toml: round keys: otter_keys: expected 000102030405060708090a0b0c0d0e0f0102"
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('entry = "otter128_key_encrypt"', 'entry = "otter128_key"', "no image has the routine otter128_key; did you"),
        ("set = { otter_key", "set = { otter_kei", "the image has no label otter_kei; did you mean otter_key?"),
        ("set = { otter_key", "set = { otter128_ctr", "otter128_ctr is not a data label"),
        (
            '"00010203 04050607 08090a0b 0c0d0e0f" }',
            '"0001020" }',
            "set otter_key must be a string of hexadecimal bytes",
        ),
        ("\nsecret", "\nsecrets", "unknown key 'secrets'; did you mean secret?"),
        ('secret = ["otter_key"]', 'secret = ["otter_kex"]', "secret otter_kex is not one of the values in set"),
        ("\nentry", '\nimage = "vole"\nentry', "unknown image 'vole'; choose from otter"),
        ("\nentry", '\nbefore = ["otter_sbox"]\nentry', "otter_sbox is not a routine but data in m0"),
        ("set = { otter_key", 'set = { "m2@0xff8"', "do not fit"),
        ("\nexpect", "\n#", "expect is missing"),
        ("[[routine]]", "[[routin]]", "unknown key 'routin'; did you mean routine?"),
    ],
)
def test_a_wrong_test_of_a_routine_names_file_and_test(
    old: str, new: str, said: str, otter: None, lutra: Lutra
) -> None:
    change(ROUTINES, old, new)
    if "secret" not in old and "secret" not in new:
        ROUTINES.write_text(ROUTINES.read_text().replace('secret = ["otter_key"]\n', ""))
    found = [line for line in failures(checked(lutra, "otter")) if said in line]
    assert found and all(line.startswith("otter/routines.toml: ") for line in found)


def test_routines_are_tested_without_a_manifest_with_what_runs_before_and_places(folder: Path, lutra: Lutra) -> None:
    (folder / "add.s").write_text(
        "        .global load, add_var\n"
        "load:   mov     v0, m2[0]\n        mov     m1[0], v0\n        halt\n"
        "add_var:\n        mov     v1, m1[0]\n        add32   m3[0], v1, m2[16]\n        halt\n"
    )
    (folder / "routines.toml").write_text(
        '[[routine]]\nentry = "add_var"\nbefore = ["load"]\n'
        'set = { "m2@0" = "00000001 00000000 00000000 00000002", "m2@0x10" = "00000003" }\n'
        'expect = { "m3@0" = "00000004 00000000 00000000 00000002" }\n'
    )
    result = checked(lutra)
    assert result.code == 0
    assert "routines.toml: routines: 1 passed, 0 failed" in result.out
    assert "warning add.s: header of load: nothing runs the routine" in result.out
    change(folder / "routines.toml", "00000004", "00000005")
    assert len(failures(checked(lutra))) == 1


def test_time_that_depends_on_what_a_test_calls_secret_fails(folder: Path, lutra: Lutra) -> None:
    """A count that is not secret may decide how often a loop runs."""
    (folder / "wait.s").write_text(
        "        .section m0\ncount:  .zero 16\n        .section text\n        .global turns\n"
        "turns:  vtoar   ar0, m0[count], 7\n        repeat  ar0, done\n        nop\n        nop\ndone:   halt\n"
    )
    text = '[[routine]]\nentry = "turns"\nset = { count = "0000000000000000000000000000000f" }\n'
    text += 'expect = { "m3@0" = "00" }\n'
    (folder / "routines.toml").write_text(text)
    assert checked(lutra).code == 0
    (folder / "routines.toml").write_text(text + 'secret = ["count"]\n')
    (found,) = failures(checked(lutra))
    assert found.startswith("wait.s:5: constant time of turns: an address depends on key, IV or data: vtoar ar0")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("// Clobbers: ar0, ar1\n", "// Clobbers:\n"),
        ("// Clobbers: v0\n", "// Clobbers: v0-v2,\n//           wk\n"),
        ("// Cycles:   269", "// Cycles:   268"),
        ("// Cycles:   3n + 15", "// Cycles:"),
        ("// Cycles:   3n + 15", "// Cycles:   16, n to 1"),
    ],
)
def test_a_wrong_header_is_put_right(old: str, new: str, otter: None, lutra: Lutra) -> None:
    right = SOURCE.read_bytes()
    change(SOURCE, old, new)
    fixed = checked(lutra, "otter", "--fix", "-k", "header of")
    assert fixed.out.splitlines()[0].startswith("fixed otter/otter.s:")
    assert (fixed.code, SOURCE.read_bytes()) == (0, right)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("// Cycles:   3n + 15", "// Cycles:   few"),
        ("// Clobbers: v0\n", "// Clobbers: v0, v1 (encrypt)\n"),
        ("C in m3 from row 0; otter_iv", "C; otter_iv"),
        ("// otter_tables: S", "// otter_table: S"),
        ("        halt", "        halted"),
    ],
)
def test_what_cannot_be_put_right_stays(old: str, new: str, otter: None, lutra: Lutra) -> None:
    change(SOURCE, old, new)
    wrong = SOURCE.read_bytes()
    assert failures(checked(lutra, "otter", "--fix"))
    assert SOURCE.read_bytes() == wrong


def test_right_headers_are_not_written(otter: None, lutra: Lutra) -> None:
    SOURCE.chmod(0o444)
    before = SOURCE.stat()
    result = checked(lutra, "otter", "--fix", "-k", "header of")
    assert (result.code, "fixed" in result.out) == (0, False)
    assert SOURCE.stat() == before


def test_a_header_over_routines_that_differ_is_left_to_its_writer(otter: None, lutra: Lutra) -> None:
    """One that is over routines of one kind is put right for all of them."""
    change(SOURCE, "// otter128_key_encrypt: ", "// otter128_key_encrypt, otter_tables: ")
    change(SOURCE, "// otter_tables: ", "// otter_none: ")
    wrong = SOURCE.read_bytes()
    assert failures(checked(lutra, "otter", "--fix", "-k", "header of otter"))
    assert SOURCE.read_bytes() != wrong  # registers of both
    assert b"// Clobbers: v0, ar0, ar1\n" in SOURCE.read_bytes()
    assert b"// Cycles:   11\n" in SOURCE.read_bytes()
