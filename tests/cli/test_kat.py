"""`lutra kat`: counting, and vector files that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.cli import Lutra
from support.documents import ROOT

# FIPS 197, Appendix C.1.
TEST = {
    "id": "c.1",
    "key": "000102030405060708090a0b0c0d0e0f",
    "plaintext": "00112233445566778899aabbccddeeff",
    "ciphertext": "69c4e0d86a7b0430d8cdb78070b4c55a",
}
WRONG = TEST | {"id": "wrong", "ciphertext": "00" * 16}


def write(name: str, tests: list[dict[str, Any]], algorithm: str = "AES", mode: str = "ECB") -> Path:
    path = Path(name)
    path.write_text(json.dumps({"algorithm": algorithm, "mode": mode, "tests": tests}))
    return path


def test_answers_that_are_right_pass(lutra: Lutra) -> None:
    result = lutra("kat", write("a.json", [TEST]))
    assert result.code == 0
    assert result.out.splitlines()[-1] == "1 passed, 0 failed, 0 skipped"


@pytest.mark.parametrize("engine", ["iss", "rtl", "cosim"])
def test_a_wrong_answer_fails(engine: str, lutra: Lutra) -> None:
    result = lutra("kat", write("a.json", [TEST, WRONG]), "--engine", engine)
    assert result.code == 1
    lines = result.out.splitlines()
    assert lines[0].startswith("FAILED a.json: wrong (encrypt): expected 00000000")
    assert "got 69c4e0d8" in lines[0]
    assert lines[1].startswith("FAILED a.json: wrong (decrypt)")
    assert lines[-1] == "1 passed, 1 failed, 0 skipped"


def test_each_operation_is_the_one_that_is_tested(lutra: Lutra) -> None:
    write("a.json", [WRONG | {"operation": "decrypt"}])
    result = lutra("kat", "a.json", "--json")
    assert [f["direction"] for f in result.json["failures"]] == ["decrypt"]


def test_what_no_firmware_serves_is_named_once(lutra: Lutra) -> None:
    write("a.json", [TEST])
    write("b.json", [TEST, TEST | {"id": "x", "mode": "XTS"}, TEST | {"id": "y", "mode": "XTS"}])
    write("c.json", [{"id": "z", "message": "00"}], algorithm="Quux", mode="MAC")
    result = lutra("kat", "a.json", "b.json", "c.json")
    assert result.code == 0
    assert result.out.splitlines()[-3:] == [
        "skipped: no firmware for AES XTS (2)",
        "skipped: no firmware for Quux MAC (1)",
        "2 passed, 0 failed, 3 skipped",
    ]


CRC = {
    "id": "CRC-16-XMODEM",
    "width": 16,
    "poly": "1021",
    "init": "0000",
    "refin": False,
    "refout": False,
    "xorout": "0000",
    "message": "313233343536373839",
    "crc": "31c3",
}


@pytest.mark.parametrize("engine", ["iss", "cosim"])
def test_crcs_run_between_ciphers(engine: str, lutra: Lutra) -> None:
    write("a.json", [TEST])
    write("b.json", [CRC, CRC | {"id": "wrong", "crc": "00c3"}, CRC | {"id": "w", "width": 64}], "CRC", "check value")
    write("c.json", [TEST])
    result = lutra("kat", "a.json", "b.json", "c.json", "--engine", engine)
    assert result.code == 1
    assert result.out.splitlines()[1:] == [
        "FAILED b.json: wrong (encrypt): expected 00c3, got 31c3",
        "b.json: 1 passed, 1 failed, 1 skipped",
        "c.json: 1 passed, 0 failed, 0 skipped",
        "skipped: no firmware for CRC of 64 bits (1)",
        "3 passed, 1 failed, 1 skipped",
    ]


@pytest.mark.parametrize("change", [{"width": "16"}, {"poly": "11021"}, {"crc": None}, {"width": -1}])
def test_a_crc_that_is_none_is_refused(change: dict[str, Any], lutra: Lutra) -> None:
    result = lutra("kat", write("a.json", [CRC | change], "CRC"))
    assert "test CRC-16-XMODEM: no legal width, poly" in result.error


def test_nothing_run_is_an_error(lutra: Lutra) -> None:
    result = lutra("kat", write("a.json", [TEST], mode="XTS"))
    assert result.code == 1
    assert result.out.splitlines()[-1] == "0 passed, 0 failed, 1 skipped"


def test_the_limit_counts_per_file(lutra: Lutra) -> None:
    tests = [TEST | {"id": str(n)} for n in range(5)]
    write("a.json", tests)
    write("b.json", tests)
    assert lutra("kat", "a.json", "b.json", "--limit", 2).out.splitlines()[-1] == "4 passed, 0 failed, 0 skipped"


def test_folders_are_searched_and_a_file_counts_once(lutra: Lutra) -> None:
    Path("v/deep").mkdir(parents=True)
    write("v/a.json", [TEST])
    write("v/deep/b.json", [TEST])
    report = lutra("kat", "v", "v/a.json", "--json").json
    assert (report["passed"], report["failed"], report["skipped"]) == (2, 0, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not a vector file"),
        ("[]", "no `algorithm` and list of `tests`"),
        ('{"algorithm": "AES"}', "no `algorithm` and list of `tests`"),
        ('{"algorithm": "AES", "mode": "ECB", "tests": [1]}', "test 1 has no `id`"),
        ('{"algorithm": "AES", "mode": "ECB", "tests": [{"id": "a"}]}', "test a has no `key`"),
        (
            '{"algorithm": "AES", "mode": "ECB", "tests": [{"id": "a", "key": "0"}]}',
            "`key` is not a hexadecimal string",
        ),
        ('{"algorithm": "AES", "mode": "ECB", "tests": [{"id": "a", "operation": "mac"}]}', "operation is 'mac'"),
    ],
)
def test_a_file_outside_the_schema_is_refused(text: str, message: str, lutra: Lutra) -> None:
    Path("a.json").write_text(text)
    error = lutra("kat", "a.json").error
    assert error.startswith("a.json: ")
    assert message in error


def test_missing_files_are_one_line(lutra: Lutra) -> None:
    assert lutra("kat", "none.json").error == "none.json: No such file or directory"
    Path("empty").mkdir()
    assert lutra("kat", "empty").error == "empty: no vector file (*.json) in this folder"


def test_data_that_does_not_fit_the_mode_is_refused(lutra: Lutra) -> None:
    assert "whole blocks only" in lutra("kat", write("a.json", [TEST | {"plaintext": "00"}])).error


# RFC 4493 4, example 2; McGrew and Viega, test case 2.
MAC = {
    "id": "example-2",
    "key": "2b7e151628aed2a6abf7158809cf4f3c",
    "message": "6bc1bee22e409f96e93d7e117393172a",
    "mac": "070a16b46b4d4144f79bdd9dd04a287c",
}
GCM = {
    "id": "case-2",
    "key": "00" * 16,
    "nonce": "00" * 12,
    "aad": "",
    "plaintext": "00" * 16,
    "ciphertext": "0388dace60b6a392f328c2b971b2fe78",
    "tag": "ab6e47d42cec13bdf53a67b21257bddf",
}


def test_a_mac_is_compared_at_its_own_length(lutra: Lutra) -> None:
    cut, wrong = MAC | {"id": "cut", "mac": "070a16b4"}, MAC | {"id": "wrong", "mac": "070a16b5"}
    result = lutra("kat", write("a.json", [MAC, cut, wrong], mode="CMAC"))
    assert result.out.splitlines()[0].startswith("FAILED a.json: wrong (encrypt): expected 070a16b5, got 070a16b4")
    assert result.out.splitlines()[-1] == "2 passed, 1 failed, 0 skipped"


def test_what_is_invalid_must_be_refused(lutra: Lutra) -> None:
    forged = GCM | {"id": "forged", "tag": "00" * 16}
    write("a.json", [GCM, forged | {"result": "invalid"}], mode="GCM")
    assert lutra("kat", "a.json").out.splitlines()[-1] == "2 passed, 0 failed, 0 skipped"
    write("b.json", [GCM | {"result": "invalid"}, forged], mode="GCM")
    report = lutra("kat", "b.json", "--json").json
    assert [(f["id"], f["direction"]) for f in report["failures"]] == [
        ("forged", "encrypt"),
        ("case-2", "decrypt"),
        ("forged", "decrypt"),
    ]


@pytest.mark.parametrize(
    ("test", "field"), [(MAC, "message"), (MAC, "mac"), (GCM, "nonce"), (GCM, "aad"), (GCM, "tag")]
)
def test_a_missing_field_is_named(test: dict[str, str], field: str, lutra: Lutra) -> None:
    mode = "CMAC" if test is MAC else "GCM"
    path = write("a.json", [{k: v for k, v in test.items() if k != field}], mode=mode)
    assert lutra("kat", path).error == f"a.json: test {test['id']} has no `{field}`"


def test_without_a_file_the_examples_of_the_standards_run(lutra: Lutra) -> None:
    files = list((ROOT / "tests/vectors").glob("*.json"))
    result = lutra("kat", "--limit", "1")
    assert result.code == 0
    assert result.out.splitlines()[-1].startswith(f"{len(files)} passed, 0 failed")
