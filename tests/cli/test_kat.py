"""`lutra kat`: counting, and vector files that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support import examples
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


def failed(lutra: Lutra, tests: list[dict[str, Any]], mode: str = "ECB", algorithm: str = "AES") -> str:
    """The line names the last test, the only one that fails and, in the file before it, no end."""
    result = lutra("kat", write("bad.json", tests, algorithm, mode), write("good.json", [TEST]))
    assert (result.code, result.err) == (1, "")
    assert result.out.splitlines()[-1] == f"{len(tests)} passed, 1 failed, 0 skipped"
    line = result.out.splitlines()[0]
    assert line.startswith("FAILED bad.json: ")
    return line.removeprefix("FAILED bad.json: ")


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
    write("b.json", [TEST, TEST | {"id": "x", "mode": "EAX"}, TEST | {"id": "y", "mode": "EAX"}])
    write("c.json", [{"id": "z", "message": "00"}], algorithm="Quux", mode="MAC")
    result = lutra("kat", "a.json", "b.json", "c.json")
    assert result.code == 0
    assert result.out.splitlines()[-3:] == [
        "skipped: no firmware for AES EAX (2)",
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
        "skipped: no firmware for CRC of 64 bits, only of 1 to 32 (1)",
        "3 passed, 1 failed, 1 skipped",
    ]


@pytest.mark.parametrize("change", [{"width": "16"}, {"poly": "11021"}, {"crc": None}, {"width": -1}])
def test_a_crc_that_is_none_fails(change: dict[str, Any], lutra: Lutra) -> None:
    assert failed(lutra, [CRC | change], "check value", "CRC").startswith(
        "CRC-16-XMODEM: width, poly, init, refin, refout, xorout and crc must be valid"
    )


def test_nothing_run_is_an_error(lutra: Lutra) -> None:
    result = lutra("kat", write("a.json", [TEST], mode="EAX"))
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
        ('{"tests": []}', "no `algorithm` and list of `tests`"),
        ('{"algorithm": "AES-GCM", "testGroups": {}}', "no `algorithm` and list of `testGroups`"),
        ('{"algorithm": "AES-GCM", "testGroups": [{}]}', "a group has no list of `tests`"),
        ("[" * 100_000, "not a vector file"),
    ],
)
def test_a_file_outside_the_schema_is_refused(text: str, message: str, lutra: Lutra) -> None:
    Path("a.json").write_text(text)
    error = lutra("kat", "a.json").error
    assert error.startswith("a.json: ")
    assert message in error


def test_missing_files_are_one_line(lutra: Lutra) -> None:
    assert lutra("kat", "none.json").error == "none.json: no such file"
    Path("empty").mkdir()
    assert lutra("kat", "empty").error == "empty: the folder has no vector files (*.json, *.rsp)"


@pytest.mark.parametrize(
    ("test", "line"),
    [
        (1, "number 2: has no `id`"),
        ({"id": ""}, "number 2: has no `id`"),
        ({"id": "a"}, "a: has no `key`"),
        ({"id": "a", "key": "0"}, "a: `key` is not a hexadecimal string"),
        ({"id": "a", "key": 7}, "a: `key` is not a hexadecimal string"),
        (TEST | {"id": "a", "operation": "mac"}, "a: operation is 'mac'; choose from encrypt, decrypt and both"),
        (TEST | {"id": "a", "result": "good"}, "a: result is 'good'; choose from valid, invalid, acceptable"),
        (TEST, "number 2: has the `id` of an earlier test, c.1"),
        (
            TEST | {"id": "a", "plaintext": "00"},
            "a (encrypt): aes-128-ecb takes multiples of 16 bytes, the input has 1; use --pad, or a mode such as ctr",
        ),
        (TEST | {"id": "a", "iv": "00"}, "a (encrypt): aes-128-ecb does not take an iv; leave it out"),
        (
            TEST | {"id": "a", "mode": "CBC"},
            "a (encrypt): aes-128-cbc needs an iv of 16 bytes (32 hex digits), give --iv",
        ),
    ],
)
def test_a_test_that_cannot_be_run_fails_by_file_and_id_and_the_run_goes_on(test: Any, line: str, lutra: Lutra) -> None:
    assert failed(lutra, [TEST, test]) == line


def test_a_key_that_no_cipher_has_is_skipped_with_the_lengths_that_there_are(lutra: Lutra) -> None:
    result = lutra("kat", write("a.json", [TEST, TEST | {"id": "short", "key": "00"}]))
    assert result.out.splitlines()[1:] == [
        "skipped: no firmware for AES ECB with a key of 8 bits, only of 128, 192 and 256 (1)",
        "1 passed, 0 failed, 1 skipped",
    ]


MAC = {"id": "example-2"} | examples.CMAC
GCM = {"id": "case-2"} | examples.GCM


def test_a_mac_is_compared_at_its_own_length(lutra: Lutra) -> None:
    cut, wrong = MAC | {"id": "cut", "mac": "070a16b4"}, MAC | {"id": "wrong", "mac": "070a16b5"}
    result = lutra("kat", write("a.json", [MAC, cut, wrong], mode="CMAC"))
    assert result.out.splitlines()[0].startswith("FAILED a.json: wrong (encrypt): expected 070a16b5, got 070a16b4")
    assert result.out.splitlines()[-1] == "2 passed, 1 failed, 0 skipped"


@pytest.mark.parametrize(
    ("test", "mode", "field"),
    [
        (MAC, "CMAC", "message"),
        (MAC, "CMAC", "mac"),
        (GCM, "GCM", "nonce"),
        (GCM, "GCM", "aad"),
        (GCM, "GCM", "tag"),
        (TEST, "ECB", "ciphertext"),
    ],
)
def test_a_missing_field_is_named(test: dict[str, str], mode: str, field: str, lutra: Lutra) -> None:
    lacking = {k: v for k, v in test.items() if k != field}
    assert failed(lutra, [lacking], mode) == f"{test['id']}: has no `{field}`"


def test_without_a_file_the_examples_of_the_standards_run(lutra: Lutra) -> None:
    result = lutra("kat", "--limit", "1")
    assert result.code == 0
    assert result.out == lutra("kat", "--limit", "1", ROOT / "tests/vectors").out
