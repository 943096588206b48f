"""`lutra mac` and authenticated `lutra crypt`: results, and every way to use them wrongly."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import algorithms
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM
from cryptography.hazmat.primitives.cmac import CMAC

from support.cli import Lutra

KEY = bytes(range(16))
NONCE = bytes(range(12))
DATA = bytes(n % 251 for n in range(10_000))
CMAC_128 = ["mac", "--algorithm", "aes-128-cmac", "--key", KEY.hex()]
GCM = ["crypt", "--cipher", "aes-128-gcm", "--key", KEY.hex(), "--iv", NONCE.hex()]
CCM = ["crypt", "--cipher", "aes-128-ccm", "--key", KEY.hex(), "--iv", NONCE.hex()]
# TS 33.401 C.2.2 and C.1.1.
EIA2 = ["mac", "--algorithm", "128-eia2", "--key", "2bd6459f82c5b300952c49104881ff48"]
EIA2 += ["--count", "38a6f056", "--bearer", "24", "--direction", "0"]
# TS 33.401 C.4, TS 35.217, TS 35.223, a test set each.
EIA1 = ["mac", "--algorithm", "128-eia1", "--key", "2bd6459f82c5b300952c49104881ff48"]
EIA1 += ["--count", "38a6f056", "--bearer", "31", "--direction", "0"]
UIA2 = ["mac", "--algorithm", "uia2", "--key", "2bd6459f82c5b300952c49104881ff48"]
UIA2 += ["--count", "38a6f056", "--direction", "0", "--fresh", "05d2ec49"]
UIA2_TEXT = "6b227737296f393c8079353edc87e2e805d2ec49a4f2d8e0"
ZUC256 = ["mac", "--algorithm", "zuc-256-mac-64", "--key", "00" * 32]
EIA3 = ["mac", "--algorithm", "128-eia3", "--key", "47054125561eb2dda94059da05097850"]
EIA3 += ["--count", "561eb2dd", "--bearer", "20", "--direction", "0"]
EEA2 = ["crypt", "--cipher", "128-eea2", "--key", "d3c5d592327fb11c4035c6680af8c6d1"]
EEA2 += ["--count", "398a59b4", "--bearer", "21", "--direction", "1"]


def cmac(data: bytes) -> str:
    oracle = CMAC(algorithms.AES(KEY))
    oracle.update(data)
    return oracle.finalize().hex()


@pytest.mark.parametrize("engine", ["iss", "rtl", "cosim"])
def test_cmac_of_a_file_is_that_of_the_library(engine: str, lutra: Lutra) -> None:
    Path("in").write_bytes(DATA)
    assert lutra(*CMAC_128, "--engine", engine, "in").out == cmac(DATA) + "\n"


def test_two_messages_have_a_line_each(lutra: Lutra) -> None:
    one, two = DATA[:64], DATA[64:128]
    Path("in").write_bytes(b"".join(m[at : at + 16] for at in range(0, 64, 16) for m in (one, two)))
    command = [w.replace("cmac", "cmac-x2") for w in CMAC_128]
    assert lutra(*command, "in").out == f"{cmac(one)}\n{cmac(two)}\n"
    assert lutra(*command, "--length", 64, "in").out == f"{cmac(one)[:16]}\n{cmac(two)[:16]}\n"
    assert lutra(*command, "--json", "in").json["mac"] == cmac(one) + cmac(two)
    assert "needs equally many blocks in each of its 2 streams" in lutra(*command, "--bits", 384, "in").error
    assert "works on whole blocks, not on 1023 bits" in lutra(*command, "--bits", 1023, "in").error


def test_a_tag_may_be_cut(lutra: Lutra) -> None:
    Path("in").write_bytes(DATA)
    assert lutra(*CMAC_128, "--length", 64, "in").out == cmac(DATA)[:16] + "\n"


def test_a_dash_is_standard_input() -> None:
    command = [str(Path(sys.executable).with_name("lutra")), *CMAC_128, "-"]
    assert subprocess.run(command, input=b"", capture_output=True, check=True).stdout == f"{cmac(b'')}\n".encode()


def test_mac_reports_its_work_as_json(lutra: Lutra) -> None:
    Path("in").write_bytes(DATA)
    report = lutra(*CMAC_128, "--json", "in").json
    assert (report["algorithm"], report["mac"], report["mac_bits"]) == ("aes-128-cmac", cmac(DATA), 128)
    assert (report["message_bits"], report["jobs"]) == (80_000, 3)
    assert report["cycles"] > 6250


def test_eia2_counts_bits(lutra: Lutra) -> None:
    Path("in").write_bytes(bytes.fromhex("3332346263393840"))
    assert lutra(*EIA2, "--bits", 58, "in").out == "118c6eb8\n"


def test_eea2_counts_bits(lutra: Lutra) -> None:
    plain = "981ba6824c1bfb1ab485472029b71d808ce33e2cc3c0b5fc1f3de8a6dc66b1f0"
    Path("in").write_bytes(bytes.fromhex(plain))
    assert lutra(*EEA2, "--bits", 253, "in", "out").code == 0
    assert Path("out").read_bytes().hex() == "e9fed8a63d155304d71df20bf3e82214b20ed7dad2f233dc3c22d7bdeeed8e78"
    assert lutra(*EEA2, "--decrypt", "--bits", 253, "out", "back").code == 0
    assert Path("back").read_bytes().hex() == plain


@pytest.mark.parametrize("engine", ["iss", "rtl", "cosim"])
@pytest.mark.parametrize(
    ("arguments", "bits", "message", "tag"),
    [
        (EIA1, 88, "3332346263393861373479", "731f1165"),
        (UIA2, 189, UIA2_TEXT, "2bce1820"),
        (EIA3, 90, "00" * 12, "6719a088"),
    ],
    ids=["eia1", "uia2", "eia3"],
)
def test_lte_macs_are_those_of_the_standards(
    arguments: list[str], bits: int, message: str, tag: str, engine: str, lutra: Lutra
) -> None:
    Path("in").write_bytes(bytes.fromhex(message))
    report = lutra(*arguments, "--bits", bits, "--engine", engine, "--json", "in").json
    assert (report["mac"], report["mac_bits"], report["message_bits"]) == (tag, 32, bits)
    assert report["setup_cycles"]["key_schedule"] > 64


@pytest.mark.parametrize("engine", ["iss", "rtl", "cosim"])
def test_a_mac_with_an_iv_is_that_of_its_specification(engine: str, lutra: Lutra) -> None:
    """The second example of 64 bits: ones as key and IV, 400 zero bits."""
    Path("in").write_bytes(bytes(50))
    ones = [*ZUC256[:4], "ff" * 32, "--iv", "ff" * 17 + "3f" * 8, "--engine", engine]
    assert lutra(*ones, "in").out == "8c71394d39957725\n"
    assert lutra(*ones, "--verify", "8c71394d39957725", "in").out == "verified\n"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["mac", "--algorithm", "aes-128-cmax", "--key", KEY.hex()], "did you mean aes-128-cmac?"),
        (["mac", "--algorithm", "rot13", "--key", KEY.hex()], "unknown MAC 'rot13'; choose from aes-128-cmac"),
        (["mac", "--algorithm", "aes-128-ctr", "--key", KEY.hex()], "aes-128-ctr is a cipher, not a MAC"),
        (["mac", "--algorithm", "aes-192-cmac", "--key", KEY.hex()], "needs a key of 24 bytes"),
        ([*CMAC_128, "--count", "00000000"], "aes-128-cmac does not take --count; leave it out"),
        ([*CMAC_128, "--bearer", "0"], "aes-128-cmac does not take --bearer"),
        ([*CMAC_128, "--length", "136"], "--length 136: must be a multiple of 8 up to 128 for aes-128-cmac"),
        ([*CMAC_128, "--length", "65"], "--length 65: must be a multiple of 8"),
        (EIA2[:7], "128-eia2 needs --count, --bearer and --direction; give --bearer"),
        ([*EIA2[:6], "0"], "--count has 1 hexadecimal digits; must be an even number"),
        ([*EIA2[:6], "00", *EIA2[7:]], "--count has 2 hexadecimal digits; it takes 8"),
        ([*EIA2, "--fresh", "00000000"], "128-eia2 does not take --fresh; leave it out"),
        (UIA2[:9], "uia2 needs --count, --fresh and --direction; give --fresh"),
        ([*UIA2[:10], "0x00"], "--fresh is not hexadecimal: character 2 is 'x'"),
        ([*UIA2[:10], "000000"], "--fresh has 6 hexadecimal digits; it takes 8"),
        ([*UIA2, "--bearer", "3"], "uia2 does not take --bearer; leave it out"),
        (EIA1[:5], "128-eia1 needs --count, --bearer and --direction; give --count"),
        (EIA3[:9], "128-eia3 needs --count, --bearer and --direction; give --direction"),
        ([*EIA3[:4], "00", *EIA3[5:]], "128-eia3 needs a key of 16 bytes (32 hex digits), not 1"),
        ([*EIA3, "--length", "40"], "--length 40: must be a multiple of 8 up to 32 for 128-eia3"),
        ([*EIA3, "--iv", "00"], "128-eia3 derives its IV from the other options; leave out --iv"),
        ([*CMAC_128, "--iv", "00"], "aes-128-cmac does not take an iv; leave it out"),
        (ZUC256, "zuc-256-mac-64 needs an iv of 25 bytes (50 hex digits), give --iv"),
        ([*ZUC256, "--iv", "00" * 24], "zuc-256-mac-64 needs an iv of 25 bytes (50 hex digits), not 24"),
        ([*ZUC256, "--iv", "zz"], "--iv is not hexadecimal: character 1 is 'z'"),
    ],
)
def test_wrong_arguments_of_mac_are_one_line(arguments: list[str], text: str, lutra: Lutra) -> None:
    Path("in").write_bytes(DATA[:17])
    result = lutra(*arguments, "in")
    assert result.code == 2
    assert text in result.error
    assert result.out == ""


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([*CMAC_128, "--bits", "137"], "the message has 136 bits, not 137"),
        ([*EIA3, "--bits", "137"], "the message has 136 bits, not 137"),
    ],
)
def test_more_bits_than_the_message_has_are_one_line(arguments: list[str], text: str, lutra: Lutra) -> None:
    Path("in").write_bytes(DATA[:17])
    result = lutra(*arguments, "in")
    assert result.code == 1
    assert text in result.error
    assert result.out == ""


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize(("command", "oracle"), [(GCM, AESGCM(KEY)), (CCM, AESCCM(KEY))], ids=["gcm", "ccm"])
def test_sealed_data_is_that_of_the_library_and_comes_back(
    command: list[str], oracle: AESGCM | AESCCM, engine: str, lutra: Lutra
) -> None:
    Path("plain").write_bytes(DATA)
    Path("aad").write_bytes(b"header")
    assert lutra(*command, "--aad", "@aad", "--engine", engine, "plain", "enc").code == 0
    assert Path("enc").read_bytes() == oracle.encrypt(NONCE, DATA, b"header")
    assert lutra(*command, "--aad", b"header".hex(), "--decrypt", "--engine", engine, "enc", "dec").code == 0
    assert Path("dec").read_bytes() == DATA


def test_siv_takes_strings_of_associated_data(lutra: Lutra) -> None:
    """RFC 5297 A.2, whose nonce is the last string."""
    key = "7f7e7d7c7b7a79787776757473727170404142434445464748494a4b4c4d4e4f"
    strings = [
        "00112233445566778899aabbccddeeffdeaddadadeaddadaffeeddccbbaa99887766554433221100",
        "102030405060708090a0",
        "09f911029d74e35bd84156c5635688c0",
    ]
    command = ["crypt", "--cipher", "aes-128-siv", "--key", key]
    for string in strings[1:]:
        command += ["--aad", string]
    Path("aad").write_bytes(bytes.fromhex(strings[0]))
    Path("plain").write_bytes(b"this is some plaintext to encrypt using SIV-AES")
    # The order is that of the command line.
    command[5:5] = ["--aad", "@aad"]
    assert lutra(*command, "plain", "enc").code == 0
    assert Path("enc").read_bytes().hex().startswith("7bdb6e3b432667eb06f4d14bff2fbd0fcb900f2fddbe404326601965c889bf17")
    assert lutra(*command, "--decrypt", "enc", "dec").code == 0
    assert Path("dec").read_bytes() == Path("plain").read_bytes()
    refused = lutra(*command, "plain", "aad")
    assert refused.code == 2
    assert "same file as --aad" in refused.error


def test_the_tag_may_be_shorter(lutra: Lutra) -> None:
    Path("plain").write_bytes(DATA)
    assert lutra(*CCM, "--tag-bits", 64, "plain", "enc").code == 0
    assert Path("enc").read_bytes() == AESCCM(KEY, 8).encrypt(NONCE, DATA, None)


@pytest.mark.parametrize("command", [GCM, CCM], ids=["gcm", "ccm"])
@pytest.mark.parametrize("wrong", ["data", "tag", "aad", "key", "iv"])
def test_what_is_not_authentic_is_not_released(command: list[str], wrong: str, lutra: Lutra) -> None:
    Path("plain").write_bytes(DATA)
    assert lutra(*command, "plain", "enc").code == 0
    data = bytearray(Path("enc").read_bytes())
    if wrong in ("data", "tag"):
        data[0 if wrong == "data" else -1] ^= 0x80
    arguments = [*command, "--aad", "00" if wrong == "aad" else ""]
    if wrong in ("key", "iv"):
        at = arguments.index(f"--{wrong}") + 1
        arguments[at] = "ff" + arguments[at][2:]
    Path("bad").write_bytes(data)
    Path("plain").unlink()
    Path("enc").unlink()
    result = lutra(*arguments, "--decrypt", "bad", "out")
    assert result.code == 1
    assert "the tag does not fit" in result.error
    assert result.out == ""
    assert [p.name for p in Path().iterdir()] == ["bad"]
    assert lutra(*arguments, "--decrypt", "bad", "-").out == ""


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([*CCM[:5], "--iv", "00" * 14], "aes-128-ccm needs a nonce of 7 to 13 bytes, not of 14"),
        (GCM[:5], "aes-128-gcm needs a nonce of 1 to 4096 bytes, give --iv"),
        ([*GCM, "--tag-bits", "48"], "tag of 48 bits; aes-128-gcm allows 32, 64, 96, 104, 112, 120, 128"),
        ([*CCM, "--tag-bits", "0"], "tag of 0 bits; aes-128-ccm allows"),
        ([*GCM, "--aad", "0"], "--aad has 1 hexadecimal digits"),
        ([*GCM, "--pad"], "needs no padding; leave out --pad"),
        ([*GCM, "--bits", "8"], "works on whole bytes; leave out --bits"),
        ([*GCM[:3], "--key", "00", "--iv", "00" * 12], "needs a key of 16 bytes"),
        (["crypt", "--cipher", "aes-128-ecb", "--key", KEY.hex(), "--aad", "00"], "does not authenticate"),
        (
            ["crypt", "--cipher", "aes-128-ecb", "--key", KEY.hex(), "--count", "0"],
            "does not take --count; leave it out",
        ),
        (["crypt", "--cipher", "aes-128-cmac", "--key", KEY.hex()], "is a MAC, not a cipher; use lutra mac"),
        ([*EEA2, "--iv", "00" * 16], "takes --count, --bearer and --direction instead of an IV"),
    ],
)
def test_wrong_arguments_of_aead_are_one_line(arguments: list[str], text: str, lutra: Lutra) -> None:
    Path("plain").write_bytes(DATA[:14])
    result = lutra(*arguments, "plain", "out")
    assert result.code == 2
    assert text in result.error
    assert [p.name for p in Path().iterdir()] == ["plain"]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([*GCM, "--aad", "@none"], "none: no such file"),
        ([*GCM, "--decrypt", "--tag-bits", "120"], "the input has 14 bytes, less than a tag of 15"),
        ([*EEA2, "--bits", "113"], "the input has 112 bits, not 113"),
    ],
)
def test_files_that_aead_cannot_use_are_one_line(arguments: list[str], text: str, lutra: Lutra) -> None:
    Path("plain").write_bytes(DATA[:14])
    result = lutra(*arguments, "plain", "out")
    assert result.code == 1
    assert text in result.error
    assert [p.name for p in Path().iterdir()] == ["plain"]


@pytest.mark.parametrize("option", [["--bearer", "32"], ["--direction", "2"], ["--count", "0" * 8, "--bits", "-1"]])
def test_fields_out_of_range_are_wrong_usage(option: list[str], lutra: Lutra) -> None:
    Path("in").write_bytes(b"")
    assert lutra(*EIA2[:5], *option, "in").code == 2
