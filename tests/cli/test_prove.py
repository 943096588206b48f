"""`lutra prove`, and proofs as a part of other commands."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from support.cli import Lutra


def edited(old: str, new: str) -> None:
    """Otter with another text in a place."""
    source = Path("otter/otter.s")
    text = source.read_text()
    assert old in text
    source.write_text(text.replace(old, new))


def mistaken() -> None:
    """Another row of round keys, as in docs/how-to/prove-a-cipher.md."""
    edited("v0, v0, m0[otter_keys + 16]", "v0, v0, m0[otter_keys]")


@pytest.mark.usefixtures("otter")
def test_counterexample_opens_in_the_debugger_where_the_wrong_byte_was_written(lutra: Lutra) -> None:
    mistaken()
    ran = lutra("prove", "otter", "--counterexample", "wrong.json")
    assert ran.code == 1
    assert "REFUTED" in ran.out
    ran = lutra("debug", "--counterexample", "wrong.json", "--batch", "-c", "info program")
    assert ran.code == 0, ran.err
    assert "written here last" in ran.out


@pytest.mark.usefixtures("otter")
def test_proofs_are_among_the_checks_of_a_folder_and_recorded_with_a_pack(lutra: Lutra) -> None:
    ran = lutra("test", "otter", "--engine", "iss", "--prove", "-k", "ctr")
    assert ran.code == 0
    assert "otter/firmware.toml: proofs: 2 passed, 0 failed" in ran.out
    ran = lutra("pack", "build", "otter", "--version", "1.0.0", "-o", "otter.pack", "--prove")
    assert ran.code == 0, ran.err
    claims = json.loads(lutra("prove", "otter", "--json").out)["claims"]
    shown = json.loads(lutra("pack", "inspect", "otter.pack", "--json").out)
    recorded = shown["algorithms"][0]["proof"]["specification"]
    assert {claim["specification"] for claim in claims} == {recorded}
    assert f"proved equal to specification {recorded}" in lutra("pack", "inspect", "otter.pack").out
    lutra("pack", "build", "otter", "--version", "1.0.0", "-o", "plain.pack")
    assert (
        f"algorithm otter-128-ctr: proof\n  - none\n  + {recorded}\n"
        in lutra("pack", "diff", "plain.pack", "otter.pack").out
    )


@pytest.mark.usefixtures("otter")
def test_source_that_cannot_be_assembled_is_an_error_with_its_place(lutra: Lutra) -> None:
    edited("        halt", "        xro")
    ran = lutra("prove", "otter", "--jobs", 2)
    assert ran.code == 1
    assert "otter.s:" in ran.err and "unknown instruction 'xro'" in ran.err and "Traceback" not in ran.err


@pytest.mark.usefixtures("otter")
def test_wrong_row_is_a_check_that_fails(lutra: Lutra) -> None:
    mistaken()
    Path("otter/otter.vectors.json").unlink()
    ran = lutra("test", "otter", "--engine", "iss", "--prove", "-k", "encrypt")
    assert ran.code == 1
    failed = r"FAILED otter/firmware\.toml: otter-128-ctr encrypt: row \d+ of the result is wrong; .*the output at "
    assert re.search(failed, ran.out)


@pytest.mark.usefixtures("otter")
def test_pack_is_not_built_of_what_is_not_proved(lutra: Lutra) -> None:
    Path("otter/specification.py").unlink()
    ran = lutra("pack", "build", "otter", "--version", "1.0.0", "-o", "otter.pack", "--prove")
    assert ran.code == 1
    assert "otter-128-ctr encrypt is not proved: no specification yet" in ran.err
    assert not Path("otter.pack").exists()


@pytest.mark.parametrize(
    ("text", "why"),
    [("[]", "Expected `object`"), ("{}", "missing required field `algorithm`"), ("x", "malformed")],
)
def test_file_that_is_no_counterexample_is_refused(lutra: Lutra, text: str, why: str) -> None:
    Path("wrong.json").write_text(text)
    ran = lutra("debug", "--counterexample", "wrong.json", "--batch")
    assert ran.code == 1
    assert "wrong.json: not a counterexample of `lutra prove`" in ran.err
    assert why in ran.err


def test_counterexample_sets_up_its_own_run(lutra: Lutra) -> None:
    ran = lutra("debug", "--counterexample", "wrong.json", "--kat", "vectors.json")
    assert (ran.code, "--kat does not work with --counterexample" in ran.err) == (2, True)


def test_list_proves_nothing(lutra: Lutra) -> None:
    ran = lutra("prove", "--list")
    assert ran.code == 0
    assert "crc: 6 of 6\n" in ran.out
    assert {"name", "specified", "claims", "reason"} == set(json.loads(lutra("prove", "--list", "--json").out)[0])
