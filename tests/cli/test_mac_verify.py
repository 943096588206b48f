"""`lutra mac --verify`: right and wrong tags, truncated tags, and lengths that are wrong usage."""

from __future__ import annotations

import hmac
import subprocess
import sys
from pathlib import Path

import pytest

from support.cli import Lutra

# RFC 4493 4, example 2.
CMAC = ["mac", "--algorithm", "aes-128-cmac", "--key", "2b7e151628aed2a6abf7158809cf4f3c"]
MESSAGE, TAG = bytes.fromhex("6bc1bee22e409f96e93d7e117393172a"), "070a16b46b4d4144f79bdd9dd04a287c"
# TS 35.217, TS 33.401 C.2.2, TS 35.223, a test set each: with bits that are not whole bytes.
UIA2 = ["mac", "--algorithm", "uia2", "--key", "2bd6459f82c5b300952c49104881ff48"]
UIA2 += ["--count", "38a6f056", "--direction", "0", "--fresh", "05d2ec49", "--bits", "189"]
UIA2_TEXT = "6b227737296f393c8079353edc87e2e805d2ec49a4f2d8e0"
EIA2 = ["mac", "--algorithm", "128-eia2", "--key", "2bd6459f82c5b300952c49104881ff48"]
EIA2 += ["--count", "38a6f056", "--bearer", "24", "--direction", "0", "--bits", "58"]
EIA3 = ["mac", "--algorithm", "128-eia3", "--key", "47054125561eb2dda94059da05097850"]
EIA3 += ["--count", "561eb2dd", "--bearer", "20", "--direction", "0", "--bits", "90"]


@pytest.fixture(autouse=True)
def message(folder: Path) -> None:
    (folder / "in").write_bytes(MESSAGE)


@pytest.mark.parametrize("engine", ["iss", "rtl", "cosim"])
def test_the_right_tag_is_verified(engine: str, lutra: Lutra) -> None:
    result = lutra(*CMAC, "--engine", engine, "--verify", TAG, "in")
    assert (result.code, result.out, result.err) == (0, "verified\n", "")
    assert lutra(*CMAC, "--engine", engine, "--verify", TAG.upper(), "in").code == 0


@pytest.mark.parametrize("bit", [0, 63, 64, 127])
def test_a_tag_with_a_wrong_bit_is_refused_and_the_right_one_not_shown(bit: int, lutra: Lutra) -> None:
    wrong = f"{int(TAG, 16) ^ 1 << bit:032x}"
    result = lutra(*CMAC, "--verify", wrong, "in")
    assert (result.code, result.out) == (1, "")
    assert result.error.startswith("aes-128-cmac: tag mismatch: ")
    assert TAG[:8] not in result.err


@pytest.mark.parametrize("change", ["key", "message", "bits"])
def test_the_tag_of_something_else_is_refused(change: str, lutra: Lutra) -> None:
    command = [*CMAC, "--verify", TAG]
    if change == "key":
        command[4] = "00" + command[4][2:]
    elif change == "message":
        Path("in").write_bytes(MESSAGE + b"\0")
    else:
        command += ["--bits", "127"]
    assert "tag mismatch" in lutra(*command, "in").error


@pytest.mark.parametrize(
    ("arguments", "text", "tag"),
    [
        (UIA2, UIA2_TEXT, "2bce1820"),
        (EIA2, "3332346263393840", "118c6eb8"),
        (EIA3, "00" * 12, "6719a088"),
    ],
    ids=["uia2", "eia2", "eia3"],
)
def test_tags_of_lte_are_verified_with_their_inputs_and_bits(
    arguments: list[str], text: str, tag: str, lutra: Lutra
) -> None:
    Path("in").write_bytes(bytes.fromhex(text))
    assert lutra(*arguments, "--verify", tag, "in").out == "verified\n"
    other = [{"0": "1"}.get(a, a) if arguments[n - 1] == "--direction" else a for n, a in enumerate(arguments)]
    assert "tag mismatch" in lutra(*other, "--verify", tag, "in").error


def test_a_cut_tag_is_verified_at_the_length_that_is_asked_for(lutra: Lutra) -> None:
    for bits in (32, 64, 120):
        assert lutra(*CMAC, "--length", bits, "--verify", TAG[: bits // 4], "in").out == "verified\n"
    assert "tag mismatch" in lutra(*CMAC, "--length", 32, "--verify", "070a16b5", "in").error


def test_two_messages_have_both_their_tags_verified(lutra: Lutra) -> None:
    command = [w.replace("cmac", "cmac-x2") for w in CMAC]
    Path("in").write_bytes(MESSAGE * 2)
    assert lutra(*command, "--verify", TAG * 2, "in").out == "verified\n"
    assert lutra(*command, "--length", 64, "--verify", TAG[:16] * 2, "in").out == "verified\n"
    for wrong in (TAG + "00" * 16, "00" * 16 + TAG):
        assert "tag mismatch" in lutra(*command, "--verify", wrong, "in").error


def test_the_document_says_whether_and_not_what(lutra: Lutra) -> None:
    for tag, verified in ((TAG, True), ("00" * 16, False)):
        result = lutra(*CMAC, "--json", "--verify", tag, "in")
        assert result.code == (0 if verified else 1)
        assert result.json["verified"] is verified
        assert (result.json["algorithm"], result.json["mac_bits"], result.json["message_bits"]) == (CMAC[2], 128, 128)
        assert "mac" not in result.json
        assert result.json["cycles"] > 0


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (
            ["--verify", TAG[:-2]],
            "--verify has 15 bytes; the tag of aes-128-cmac has 16; give --length for a truncated tag",
        ),
        (["--verify", TAG[:16]], "--verify has 8 bytes; the tag of aes-128-cmac has 16; give --length"),
        (["--verify", TAG + "00"], "--verify has 17 bytes; the tag of aes-128-cmac has 16"),
        (["--verify", ""], "--verify has 0 bytes"),
        (["--verify", TAG, "--length", "64"], "--verify has 16 bytes; the tag of aes-128-cmac has 8"),
        (["--verify", TAG[:6], "--length", "24"], "--length 24: --verify needs a tag of at least 32 bits"),
    ],
)
def test_a_tag_of_a_wrong_length_is_wrong_usage(arguments: list[str], text: str, lutra: Lutra) -> None:
    result = lutra(*CMAC, *arguments, "in")
    assert (result.code, result.out) == (2, "")
    assert text in result.error


def test_a_tag_that_is_not_hexadecimal_is_refused(lutra: Lutra) -> None:
    assert lutra(*CMAC, "--verify", TAG[:-1], "in").code == 2
    assert (
        lutra(*CMAC, "--verify", TAG[:-1], "in").error == "--verify has 31 hexadecimal digits; must be an even number"
    )
    assert lutra(*CMAC, "--verify", "0x" + TAG, "in").error == "--verify is not hexadecimal: character 2 is 'x'"


def test_standard_input_is_verified() -> None:
    command = [str(Path(sys.executable).with_name("lutra")), *CMAC, "--verify", TAG, "-"]
    assert subprocess.run(command, input=MESSAGE, capture_output=True, check=True).stdout == b"verified\n"


def test_the_comparison_takes_the_same_time_wherever_the_tags_differ(
    monkeypatch: pytest.MonkeyPatch, lutra: Lutra
) -> None:
    """All of both goes through the library's constant-time comparison, and its verdict counts."""
    seen = []

    def compare(a: bytes, b: bytes) -> bool:
        seen.append((a, b))
        return False

    monkeypatch.setattr(hmac, "compare_digest", compare)
    assert "tag mismatch" in lutra(*CMAC, "--verify", TAG, "in").error
    assert seen == [(bytes.fromhex(TAG), bytes.fromhex(TAG))]
