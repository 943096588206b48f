"""Vector files in other schemas, and tests of more than one call: Monte Carlo, iterated blocks, padding."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher as LibraryCipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB

import lutra
from lutra.firmware import kat
from lutra.firmware.ciphers import Cipher, Direction
from lutra.firmware.errors import FirmwareError
from lutra.firmware.manifest import catalogue
from lutra.firmware.monte_carlo import chain, firmware
from lutra.firmware.session import Session
from nightly.monte_carlo import cases, library

RESPONSES = sorted((Path(__file__).parent.parent / "vectors" / "aesavs").glob("*.rsp"))


@cache
def session() -> Session:
    """One for all tests: what is in place stays."""
    return Session(lutra.make_engine("cosim"))


@cache
def simulator() -> Session:
    """Where a chain of a thousand blocks is long, and what it shows is of the host."""
    return Session(lutra.make_engine("iss"))


def run(path: Path, text: str, on: Callable[[], Session] = session) -> kat.Report:
    path.write_text(text)
    return kat.run(on(), catalogue(), kat.read(path, catalogue()))


# ------------------------------------------------------------------------------------ NIST's response files


@pytest.mark.parametrize("path", RESPONSES, ids=lambda p: p.stem)
def test_monte_carlo_tests_of_nist_are_met(path: Path) -> None:
    report = kat.run(session(), catalogue(), kat.read(path, catalogue()))
    assert (report.passed, len(report.outcomes)) == (4, 4)


def test_all_modes_that_chain_have_a_monte_carlo_file() -> None:
    modes = {t.mode for path in RESPONSES for t in kat.read(path, catalogue())}
    assert modes == {"ECB", "CBC", "CFB128", "OFB"}


@pytest.mark.parametrize("path", RESPONSES, ids=lambda p: p.stem)
@pytest.mark.parametrize("direction", ["encrypt", "decrypt"])
def test_one_test_of_a_monte_carlo_file_leads_to_the_next(path: Path, direction: Direction) -> None:
    first, second = (t for t in kat.read(path, catalogue()) if isinstance(t, kat.Vector) and direction in t.directions)
    cipher = catalogue().serving(first.algorithm, first.mode, 8 * len(first.key))
    assert cipher is not None
    forth = first.plaintext, first.ciphertext, second.ciphertext
    back = first.ciphertext, first.plaintext, second.plaintext
    start, *ends = forth if direction == "encrypt" else back
    assert list(chain(firmware(simulator(), cipher, direction), first.key, first.iv, start, 2, 1000)) == ends


def as_json(path: Path, mode: str) -> str:
    """A response file of Monte Carlo tests in the shared schema."""
    tests = [
        {name: value.hex() for name in ("key", "iv", "plaintext", "ciphertext") if (value := getattr(t, name))}
        | {"id": t.id, "operation": t.directions[0]}
        for t in kat.read(path, catalogue())
        if isinstance(t, kat.Vector)
    ]
    return json.dumps({"algorithm": "AES", "mode": mode, "tests": tests})


@pytest.mark.parametrize("path", RESPONSES, ids=lambda p: p.stem)
def test_a_monte_carlo_test_in_json_is_that_of_the_response_file(path: Path, tmp_path: Path) -> None:
    mode = path.stem.partition("MCT")[0]
    as_they_are = kat.read(path, catalogue())
    for name in (f"{mode} MCT", f"{mode}-MCT", f"{mode} Monte Carlo"):
        (tmp_path / "a.json").write_text(as_json(path, name))
        read = kat.read(tmp_path / "a.json", catalogue())
        assert [replace(t, file=str(path)) for t in read if isinstance(t, kat.Vector)] == as_they_are


def test_a_monte_carlo_test_in_json_is_met_and_a_wrong_one_seen(tmp_path: Path) -> None:
    data = json.loads(as_json(next(p for p in RESPONSES if p.stem.startswith("CBC")), "CBC MCT"))
    data["tests"] = [data["tests"][0], data["tests"][0] | {"id": "wrong", "ciphertext": "00" * 16}]
    report = run(tmp_path / "a.json", json.dumps(data))
    assert (report.passed, [f.id for f in report.failures]) == (1, ["wrong"])


def test_a_wrong_last_block_of_a_monte_carlo_test_is_seen(tmp_path: Path) -> None:
    text = RESPONSES[0].read_text()
    last = text.rstrip()[-1]
    report = run(tmp_path / "a.rsp", text.rstrip()[:-1] + ("0" if last != "0" else "1") + "\n")
    assert [(f.id, f.direction) for f in report.failures] == [("decrypt 1", "decrypt")]


def test_a_response_file_without_its_header_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.rsp"
    path.write_text(RESPONSES[0].read_text().replace("AESVS", "TDES"))
    with pytest.raises(FirmwareError, match=r"a\.rsp: not a response file of AESAVS"):
        kat.read(path, catalogue())


@pytest.mark.parametrize(
    ("line", "change", "message"),
    [
        (r"^KEY = \w+$", "KEY = 0", "`key` is not a hexadecimal string"),
        (r"^KEY = \w+$", "", "has no `key`"),
        (r"^IV = \w+$", "IV = 00", "aes-192-cbc needs an iv of 16 bytes"),
    ],
)
def test_a_bad_line_of_a_response_file_fails_its_test_only(
    line: str, change: str, message: str, tmp_path: Path
) -> None:
    text = next(p for p in RESPONSES if p.stem == "CBCMCT192").read_text()
    report = run(tmp_path / "a.rsp", re.sub(line, change, text, count=1, flags=re.MULTILINE), simulator)
    assert (report.passed, [f.id for f in report.failures]) == (3, ["encrypt 0"])
    assert report.failures[0].message.startswith(message)


# -------------------------------------------------------------------------------------- names of stream ciphers

VECTORS = Path(__file__).parent.parent / "vectors"


@pytest.mark.parametrize(
    ("name", "algorithm", "mode"),
    [
        ("hc128_estream", "HC-128", "encrypt"),
        ("salsa20_estream", "Salsa20", "encrypt"),
        ("salsa20_estream", "Salsa20", "keystream"),
        ("chacha20_rfc8439", "ChaCha20", "encrypt"),
        ("chacha20_original", "ChaCha20", "encrypt"),
        ("chacha20_original", "ChaCha20", "encrypt (64-bit nonce)"),
        ("chacha20_original", "ChaCha", "encrypt"),
        ("chacha20_poly1305_rfc8439", "ChaCha20", "POLY1305"),
    ],
)
def test_a_stream_cipher_goes_by_the_names_that_collections_give_it(
    name: str, algorithm: str, mode: str, tmp_path: Path
) -> None:
    data = json.loads((VECTORS / f"{name}.json").read_text())
    tests = data["tests"][:2]
    report = run(tmp_path / "a.json", json.dumps({"algorithm": algorithm, "mode": mode, "tests": tests}))
    assert report.passed == len(tests)


def test_a_nonce_that_no_firmware_takes_is_skipped_with_the_reason(tmp_path: Path) -> None:
    test = {"id": "1", "key": "00" * 32, "nonce": "00" * 24, "plaintext": "", "ciphertext": ""}
    report = run(tmp_path / "a.json", json.dumps({"algorithm": "ChaCha20", "mode": "encrypt", "tests": [test]}))
    assert [reason for _, _, reason in report.unserved] == ["no firmware for an iv of 24 bytes, only of 16"]


# ------------------------------------------------------------------------------ repeated and iterated blocks

KEY, BLOCK = bytes(range(16)), bytes(range(16, 32))


def iterated(count: int) -> str:
    """The block encrypted in succession, by the library."""
    encryptor, block = LibraryCipher(AES(KEY), ECB()).encryptor(), BLOCK
    for _ in range(count):
        block = encryptor.update(block)
    return block.hex()


def document(mode: str = "ECB", **fields: Any) -> str:
    test = {"id": "1", "key": KEY.hex(), "plaintext": BLOCK.hex(), "ciphertext": iterated(1)} | fields
    return json.dumps({"algorithm": "AES", "mode": mode, "tests": [test]})


@pytest.mark.parametrize(
    "fields",
    [
        {"repeat": 1},
        {"repeat": 300, "ciphertext": iterated(300)},
        {"iterated_100": iterated(100)},
        {"iterated_100": iterated(100), "iterated_1000": iterated(1000)},
    ],
)
def test_blocks_are_encrypted_in_succession_and_back(fields: dict[str, Any], tmp_path: Path) -> None:
    report = run(tmp_path / "a.json", document(**fields))
    assert [(o.direction, o.verdict) for o in report.outcomes] == [("encrypt", "passed"), ("decrypt", "passed")]


@pytest.mark.parametrize(("cipher", "direction"), cases(), ids=str)
def test_a_chain_of_any_mode_is_that_of_the_library(cipher: Cipher, direction: Direction, tmp_path: Path) -> None:
    key, iv, count = bytes(range(cipher.key_bits // 8)), bytes(range(cipher.iv_bytes)), 25
    (last,) = chain(library(cipher, direction), key, iv, BLOCK, 1, count)
    names = ("plaintext", "ciphertext") if direction == "encrypt" else ("ciphertext", "plaintext")
    test = {"id": "1", "key": key.hex(), "operation": direction, "repeat": count}
    test |= dict(zip(names, (BLOCK.hex(), last.hex()), strict=True)) | ({"iv": iv.hex()} if iv else {})
    algorithm, mode = cipher.vectors[0]
    assert run(tmp_path / "a.json", json.dumps({"algorithm": algorithm, "mode": mode, "tests": [test]})).passed == 1


@pytest.mark.parametrize("fields", [{"repeat": 2}, {"iterated_100": iterated(99)}, {"ciphertext": iterated(2)}])
def test_a_wrong_number_of_blocks_is_seen(fields: dict[str, Any], tmp_path: Path) -> None:
    report = run(tmp_path / "a.json", document(**fields))
    assert [f.direction for f in report.failures] == ["encrypt", "decrypt"]


@pytest.mark.parametrize(
    ("mode", "fields", "message"),
    [
        ("ECB", {"repeat": 0}, "repeat is 0"),
        ("ECB", {"repeat": True}, "repeat is True"),
        ("ECB", {"repeat": 10**10}, "repeat is 10000000000"),
        ("ECB", {"repeat": 2, "plaintext": BLOCK.hex() * 2}, "repeat and iterated results need exactly one block"),
        ("CBC", {"repeat": 2, "iv": "00" * 16}, "a chain with an iv needs `repeat`"),
        (
            "CBC",
            {"iterated_100": "00" * 16, "iv": "00" * 16, "operation": "encrypt"},
            "a chain with an iv needs `repeat`",
        ),
    ],
)
def test_a_chain_that_is_none_is_refused(mode: str, fields: dict[str, Any], message: str, tmp_path: Path) -> None:
    report = run(tmp_path / "a.json", document(mode, **fields))
    assert message in report.failures[0].message


# ---------------------------------------------------------------------------------- files of Wycheproof

# RFC 4493 4, example 2; McGrew and Viega, test case 2; SP 800-38A F.2.1 with the padding of a whole block.
CMAC_KEY = "2b7e151628aed2a6abf7158809cf4f3c"
TESTS: dict[str, dict[str, Any]] = {
    "AES-CMAC": {
        "type": "MacTest",
        "key": CMAC_KEY,
        "msg": "6bc1bee22e409f96e93d7e117393172a",
        "tag": "070a16b46b4d4144f79bdd9dd04a287c",
    },
    "AES-GCM": {
        "type": "AeadTest",
        "key": "00" * 16,
        "iv": "00" * 12,
        "aad": "",
        "msg": "00" * 16,
        "ct": "0388dace60b6a392f328c2b971b2fe78",
        "tag": "ab6e47d42cec13bdf53a67b21257bddf",
    },
    # Test case 1 of the same: nothing to encrypt.
    "AES-GMAC": {
        "type": "MacWithIvTest",
        "key": "00" * 16,
        "iv": "00" * 12,
        "msg": "",
        "tag": "58e2fccefa7e3061367f1d57a4e7455a",
    },
    "AES-CBC-PKCS5": {
        "type": "IndCpaTest",
        "key": CMAC_KEY,
        "iv": "000102030405060708090a0b0c0d0e0f",
        "msg": "6bc1bee22e409f96e93d7e117393172a",
        "ct": "7649abac8119b246cee98e9b12e9197d8964e0b149c10b7b682e6e39aaeb731c",
    },
    # RFC 3713, Appendix A, with a block of padding, by OpenSSL; names are in capitals there.
    "CAMELLIA-CBC-PKCS5": {
        "type": "IndCpaTest",
        "key": "0123456789abcdeffedcba9876543210",
        "iv": "00" * 16,
        "msg": "0123456789abcdeffedcba9876543210",
        "ct": "67673138549669730857065648eabe4382438e64ff9b749cc1eb12a76a1601fb",
    },
}


def wycheproof(name: str, *changes: dict[str, Any], tag_bits: int = 128) -> str:
    test = {k: v for k, v in TESTS[name].items() if k != "type"}
    tests = [test | {"tcId": n, "result": "valid", "flags": []} | change for n, change in enumerate(changes, 1)]
    group = {"type": TESTS[name]["type"], "keySize": 128, "tagSize": tag_bits, "tests": tests}
    return json.dumps({"algorithm": name, "schema": "v1", "numberOfTests": len(tests), "testGroups": [group]})


@pytest.mark.parametrize("name", TESTS)
def test_a_file_of_wycheproof_is_run(name: str, tmp_path: Path) -> None:
    bad = {"ct": "00" * 16} if name.endswith("PKCS5") else {"tag": "00" * 16}
    text = wycheproof(name, {}, bad | {"result": "invalid"}, {"result": "invalid"}, bad)
    report = run(tmp_path / "a.json", text)
    assert {i: verdict for (_, i), verdict in report.tests.items()} == {
        "tc1": "passed",
        "tc2": "rejected",
        "tc3": "failed",
        "tc4": "failed",
    }


def test_a_tag_of_another_length_than_its_group_has_is_rejected(tmp_path: Path) -> None:
    for name in ("AES-CMAC", "AES-GCM"):
        cut = {"tag": TESTS[name]["tag"][:16], "result": "invalid"}
        assert run(tmp_path / "a.json", wycheproof(name, cut)).rejected == 1
        assert run(tmp_path / "a.json", wycheproof(name, cut, tag_bits=64)).failed == 1


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("AES-EAX", "AES EAX"),
        ("ARIA-EAX", "ARIA EAX"),
        ("XCHACHA20-POLY1305", "XCHACHA20 POLY1305"),
    ],
)
def test_what_has_no_firmware_is_skipped_by_its_name(name: str, shown: str, tmp_path: Path) -> None:
    groups = [{"type": "AnyTest", "tests": [{"tcId": 1}]}]
    report = run(tmp_path / "a.json", json.dumps({"algorithm": name, "testGroups": groups}))
    assert [reason for _, _, reason in report.unserved] == [f"no firmware for {shown}"]


@pytest.mark.parametrize(
    ("tests", "message"),
    [([1], "has no `id`"), ([{"key": ""}], "has no `id`"), ([{"tcId": 1}], "has no `key`")],
)
def test_a_test_of_wycheproof_that_is_none_fails(tests: list[Any], message: str, tmp_path: Path) -> None:
    groups = [{"type": "AeadTest", "tests": tests}]
    report = run(tmp_path / "a.json", json.dumps({"algorithm": "AES-GCM", "testGroups": groups}))
    assert [f.message for f in report.failures] == [message]
