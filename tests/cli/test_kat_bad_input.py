"""`lutra kat` on bad input: what is marked invalid must be refused, and only a refusal counts as one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import lutra as package
from lutra.firmware import kat
from lutra.firmware.errors import FirmwareError
from lutra.firmware.manifest import Catalogue, catalogue
from lutra.firmware.session import Session
from lutra.iss.engine import EngineError
from support import examples
from support.cli import Lutra

CMAC = {"id": "cmac", "mode": "CMAC"} | examples.CMAC
GCM = {"id": "gcm", "mode": "GCM"} | examples.GCM
# SP 800-38A F.2.1 with the padding of a whole block.
CBC = {
    "id": "cbc",
    "mode": "CBC-PKCS5",
    "key": "2b7e151628aed2a6abf7158809cf4f3c",
    "iv": "000102030405060708090a0b0c0d0e0f",
    "plaintext": "6bc1bee22e409f96e93d7e117393172a",
    "ciphertext": "7649abac8119b246cee98e9b12e9197d8964e0b149c10b7b682e6e39aaeb731c",
}
INVALID = {"result": "invalid"}
ACCEPTABLE = {"result": "acceptable"}


def counts(lutra: Lutra, test: dict[str, Any], algorithm: str = "AES", engine: str = "iss") -> str:
    """Counts of a file with this test alone; the exit code follows from them."""
    Path("a.json").write_text(json.dumps({"algorithm": algorithm, "tests": [test]}))
    result = lutra("kat", "a.json", "--engine", engine)
    summary = result.out.splitlines()[-1]
    assert (result.code, result.err) == (0 if ", 0 failed, " in summary and "0 skipped" in summary else 1, "")
    return summary


PASSED, FAILED = "1 passed, 0 failed, 0 skipped", "0 passed, 1 failed, 0 skipped"
REJECTED = "0 passed, 0 failed, 1 rejected as they must be, 0 skipped"


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("test", [CMAC, GCM, CBC], ids=lambda t: t["mode"])
def test_what_is_right_passes_and_fails_if_it_is_marked_invalid(
    test: dict[str, Any], engine: str, lutra: Lutra
) -> None:
    assert counts(lutra, test, engine=engine) == PASSED
    assert counts(lutra, test | ACCEPTABLE, engine=engine) == PASSED
    assert counts(lutra, test | INVALID, engine=engine) == FAILED
    line = lutra("kat", "a.json").out.splitlines()[0]
    assert line.startswith(f"FAILED a.json: {test['id']} (")
    assert line.endswith("): is invalid, and yet was taken")


@pytest.mark.parametrize(
    "wrong",
    [
        CMAC | {"mac": "070a16b46b4d4144f79bdd9dd04a287d"},
        CMAC | {"mac": "070a16b5"},
        CMAC | {"mac": "070a16b46b4d4144", "mac_bits": 128},
        CMAC | {"mac": ""},
        CMAC | {"mac": "00" * 17},
        CMAC | {"key": "00"},
        CMAC | {"key": ""},
        CMAC | {"message": "", "length_bits": 8},
        GCM | {"tag": "00" * 16},
        GCM | {"tag": GCM["tag"][:-2], "tag_bits": 128},
        GCM | {"tag": "00"},
        GCM | {"tag": ""},
        GCM | {"nonce": ""},
        GCM | {"nonce": "00" * 4097},
        GCM | {"key": "00" * 17},
        GCM | {"mode": "CCM", "nonce": "00" * 6},
        GCM | {"mode": "CCM", "nonce": "00" * 14},
        GCM | {"mode": "CCM", "tag": "00" * 3},
        CBC | {"ciphertext": CBC["ciphertext"][:32]},
        CBC | {"ciphertext": CBC["ciphertext"][:34]},
        CBC | {"ciphertext": ""},
        CBC | {"iv": "00" * 15},
        CBC | {"key": "00" * 16},
        CBC | {"mode": "CBC", "ciphertext": "00"},
    ],
)
def test_bad_input_is_rejected_if_it_is_marked_and_fails_if_not(wrong: dict[str, Any], lutra: Lutra) -> None:
    assert counts(lutra, wrong | INVALID) == REJECTED
    assert counts(lutra, wrong | ACCEPTABLE) == REJECTED
    valid = counts(lutra, wrong)
    known_key = len(wrong["key"]) == 32
    assert valid == (FAILED if known_key else "0 passed, 0 failed, 1 skipped")


def test_an_invalid_test_needs_no_plaintext(lutra: Lutra) -> None:
    for test in (GCM | {"tag": "00" * 16}, CBC | {"ciphertext": "00" * 16}):
        assert counts(lutra, {k: v for k, v in (test | INVALID).items() if k != "plaintext"}) == REJECTED


def test_an_acceptable_test_may_be_refused_but_not_answered_otherwise(lutra: Lutra) -> None:
    assert counts(lutra, GCM | ACCEPTABLE | {"plaintext": "ff" * 16}) == FAILED
    assert counts(lutra, CBC | ACCEPTABLE | {"plaintext": "00"}) == FAILED


def test_an_invalid_test_without_a_refusal_to_expect_fails(lutra: Lutra) -> None:
    """ECB takes any block: nothing verifies it, so that no answer makes it invalid."""
    block = {"id": "1", "mode": "ECB", "key": "00" * 16, "plaintext": "00" * 16, "ciphertext": "00" * 16}
    assert counts(lutra, block | INVALID) == FAILED


@pytest.mark.parametrize("value", ["31c3", "31c4"])
def test_an_invalid_crc_is_a_wrong_one(value: str, lutra: Lutra) -> None:
    crc = {"id": "1", "width": 16, "poly": "1021", "init": "0", "refin": False, "refout": False, "xorout": "0"}
    crc |= {"message": "313233343536373839", "crc": value, "result": "invalid"}
    assert counts(lutra, crc, "CRC") == (FAILED if value == "31c3" else REJECTED)


def test_a_malformed_test_fails_though_it_is_marked_invalid(lutra: Lutra) -> None:
    assert counts(lutra, GCM | INVALID | {"tag": "0"}) == FAILED
    assert counts(lutra, {k: v for k, v in (CMAC | INVALID).items() if k != "mac"}) == FAILED


def test_a_key_that_another_mode_takes_is_no_refusal() -> None:
    """A refusal is silent about a key length that the algorithm has and only the mode has no firmware for."""
    some = kat_catalogue("aes-128-ecb", "aes-192-cbc")
    vector = kat.Vector("f", "1", "AES", "ECB", ("decrypt",), bytes(24), b"", b"", bytes(16), result="invalid")
    session = Session(package.make_engine("iss"))
    assert [o.verdict for o in kat.run(session, some, [vector]).outcomes] == ["skipped"]


def kat_catalogue(*names: str) -> Catalogue:
    return Catalogue(tuple(catalogue().cipher(name) for name in names))


class Broken(Session):
    """Every job ends as if simulator and core disagreed, or the firmware were trapped."""

    error: Exception

    def run(self, last: bool = False) -> Any:
        raise self.error


@pytest.mark.parametrize("error", [EngineError("simulator and core disagree"), FirmwareError("ended trapped")])
def test_a_breakdown_is_a_failure_and_never_a_rejection(error: Exception, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    wrong = [CBC, CBC | INVALID | {"id": "invalid", "ciphertext": "00" * 16}, CMAC | INVALID | {"mac": "00" * 16}]
    path.write_text(json.dumps({"algorithm": "AES", "tests": wrong}))
    broken = Broken(package.make_engine("iss"))
    broken.error = error
    report = kat.run(broken, catalogue(), kat.read(path, catalogue()))
    assert (report.passed, report.failed, report.rejected) == (0, 3, 0)
    assert {(f.id, f.message) for f in report.failures} == {(i, str(error)) for i in ("cbc", "invalid", "cmac")}


def test_the_document_has_all_counts_and_reasons(lutra: Lutra) -> None:
    tests = [CMAC, GCM | INVALID | {"tag": "00" * 16}, CBC | {"plaintext": ""}, {"id": "1", "mode": "EAX"}]
    Path("a.json").write_text(json.dumps({"algorithm": "AES", "tests": tests}))
    report = lutra("kat", "a.json", "--json").json
    assert [report[k] for k in ("passed", "failed", "rejected", "skipped")] == [1, 1, 1, 1]
    reason = {"algorithm": "AES", "mode": "EAX", "reason": "no firmware for AES EAX", "count": 1}
    assert report["unserved"] == [reason]
    assert [(f["id"], f["direction"], f["message"]) for f in report["failures"]] == [
        ("cbc", "encrypt", "wrong answer"),
        ("cbc", "decrypt", "wrong answer"),
    ]


def test_every_run_has_an_outcome_with_its_time(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"algorithm": "AES", "tests": [GCM, CMAC, {"id": "x", "mode": "EAX"}]}))
    report = kat.run(Session(package.make_engine("iss")), catalogue(), kat.read(path, catalogue()))
    assert {(o.id, o.direction, o.verdict, o.seconds > 0) for o in report.outcomes} == {
        ("gcm", "encrypt", "passed", True),
        ("gcm", "decrypt", "passed", True),
        ("cmac", "encrypt", "passed", True),
        ("x", None, "skipped", False),
    }
    assert kat.total([report, report]).passed == report.passed == 2
