"""`lutra crypt`: results, and every way to use it wrongly."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from lutra.firmware import crypt
from lutra.firmware.errors import InputError
from support import libcrypto
from support.cli import Lutra

KEY = bytes(range(16))
IV = bytes(range(0xF0, 0x100))
CTR = ["crypt", "--cipher", "aes-128-ctr", "--key", KEY.hex(), "--iv", IV.hex()]
ECB = ["crypt", "--cipher", "aes-128-ecb", "--key", KEY.hex()]
CBC = ["crypt", "--cipher", "aes-128-cbc", "--key", KEY.hex(), "--iv", IV.hex()]
DATA = bytes(n % 251 for n in range(10_000))


def openssl(mode: modes.CBC | modes.CTR | modes.ECB, data: bytes) -> bytes:
    encryptor = Cipher(algorithms.AES(KEY), mode).encryptor()
    return encryptor.update(data) + encryptor.finalize()


@pytest.mark.parametrize("engine", ["iss", "rtl", "cosim"])
def test_crypt_gives_the_bytes_of_openssl_and_takes_them_back(engine: str, lutra: Lutra) -> None:
    Path("plain").write_bytes(DATA)
    assert lutra(*CTR, "--engine", engine, "plain", "enc").code == 0
    assert Path("enc").read_bytes() == openssl(modes.CTR(IV), DATA)
    assert lutra(*CTR, "--decrypt", "--engine", engine, "enc", "dec").code == 0
    assert Path("dec").read_bytes() == DATA


@pytest.mark.parametrize("size", [0, 1, 15, 16, 17, 4080, 4095, 4096, 4097, 8192])
def test_padding_is_added_and_removed(size: int, lutra: Lutra) -> None:
    Path("plain").write_bytes(DATA[:size])
    assert lutra(*CBC, "--pad", "plain", "enc").code == 0
    padder = padding.PKCS7(128).padder()
    assert Path("enc").read_bytes() == openssl(modes.CBC(IV), padder.update(DATA[:size]) + padder.finalize())
    assert lutra(*CBC, "--pad", "--decrypt", "enc", "dec").code == 0
    assert Path("dec").read_bytes() == DATA[:size]


def test_xts_does_not_encrypt_under_equal_keys(lutra: Lutra) -> None:
    """As OpenSSL does not; both decrypt what someone else has made."""
    Path("plain").write_bytes(DATA)
    command = ["crypt", "--cipher", "aes-128-xts", "--iv", IV.hex(), "--key"]
    refused = lutra(*command, 2 * KEY.hex(), "plain", "enc")
    assert refused.code == 2
    assert "aes-128-xts needs 2 different keys, but two are equal" in refused.error
    assert not Path("enc").exists()
    assert lutra(*command, 2 * KEY.hex(), "--decrypt", "plain", "dec").code == 0
    assert Path("dec").read_bytes() == libcrypto.crypt("AES-128-XTS", False, 2 * KEY, IV, DATA)
    assert lutra(*command, KEY.hex() + KEY[::-1].hex(), "plain", "enc").code == 0
    with pytest.raises(InputError, match="two are equal; generate each at random"):
        crypt.encrypt("aes-256-xts", bytes(64), bytes(16), bytes(16))


def test_a_file_may_be_replaced_by_its_own_result(lutra: Lutra) -> None:
    Path("file").write_bytes(DATA)
    Path("file").chmod(0o640)
    assert lutra(*CTR, "file", "file").code == 0
    assert Path("file").read_bytes() == openssl(modes.CTR(IV), DATA)
    assert Path("file").stat().st_mode & 0o777 == 0o640


def test_dashes_are_standard_input_and_output() -> None:
    command = [str(Path(sys.executable).with_name("lutra")), *CTR, "--json", "-", "-"]
    run = subprocess.run(command, input=DATA, capture_output=True, check=True)
    assert run.stdout == openssl(modes.CTR(IV), DATA)
    assert json.loads(run.stderr)["bytes"] == len(DATA)


def test_crypt_reports_its_work_as_json(lutra: Lutra) -> None:
    Path("plain").write_bytes(DATA)
    report = lutra(*CTR, "--json", "plain", "enc").json
    assert (report["cipher"], report["direction"], report["engine"]) == ("aes-128-ctr", "encrypt", "iss")
    assert (report["bytes"], report["units"], report["jobs"]) == (10_000, 625, 3)
    assert report["cycles_per_unit"] == pytest.approx(report["cycles"] / 625, abs=1e-3)
    assert report["setup_cycles"].keys() == {"tables", "key_schedule"}


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--cipher", "aes-128-ctx", "--key", KEY.hex()], "unknown cipher 'aes-128-ctx'; did you mean aes-128-ctr?"),
        (
            ["--cipher", "aes-128", "--key", KEY.hex()],
            "unknown cipher 'aes-128'; name its mode: aes-128-ecb, aes-128-cbc,",
        ),
        (
            ["--cipher", "present-80-ecb", "--key", KEY.hex()],
            "name your own firmware with --manifest or in lutra.toml",
        ),
        (
            ["--cipher", "rot13", "--key", KEY.hex()],
            "unknown cipher 'rot13'; choose from 128-eea, 128-eia, 3des, ",
        ),
        (
            ["--cipher", "aes-256-ecb", "--key", KEY.hex()],
            "aes-256-ecb needs a key of 32 bytes (64 hex digits), not 16",
        ),
        (["--cipher", "aes-128-ecb", "--key", "0g"], "--key is not hexadecimal: character 2 is 'g'"),
        (["--cipher", "aes-128-ecb", "--key", "000"], "--key has 3 hexadecimal digits; must be an even number"),
        (["--cipher", "aes-128-ctr", "--key", KEY.hex()], "needs an iv of 16 bytes (32 hex digits), give --iv"),
        (
            ["--cipher", "aes-128-ctr", "--key", KEY.hex(), "--iv", "00"],
            "needs an iv of 16 bytes (32 hex digits), not 1",
        ),
        (["--cipher", "aes-128-ctr", "--key", KEY.hex(), "--iv", "xy"], "--iv is not hexadecimal"),
        (["--cipher", "aes-128-ecb", "--key", KEY.hex(), "--iv", IV.hex()], "aes-128-ecb does not take an iv"),
        ([*CTR[1:], "--pad"], "takes any length and needs no padding; leave out --pad"),
    ],
)
def test_wrong_arguments_of_crypt_are_one_line_and_write_nothing(arguments: list[str], text: str, lutra: Lutra) -> None:
    Path("plain").write_bytes(DATA[:17])
    result = lutra("crypt", *arguments, "plain", "out")
    assert result.code == 2
    assert text in result.error
    assert [p.name for p in Path().iterdir()] == ["plain"]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([*ECB[1:]], "takes multiples of 16 bytes, the input has 17; use --pad"),
        ([*CBC[1:], "--pad", "--decrypt"], "padded data has whole blocks, so this was cut"),
    ],
)
def test_data_that_a_mode_cannot_take_is_one_line_and_writes_nothing(
    arguments: list[str], text: str, lutra: Lutra
) -> None:
    Path("plain").write_bytes(DATA[:17])
    result = lutra("crypt", *arguments, "plain", "out")
    assert result.code == 1
    assert text in result.error
    assert [p.name for p in Path().iterdir()] == ["plain"]


def test_a_key_is_never_shown(lutra: Lutra) -> None:
    key = "00112233445566778899aabbccddeef"
    assert key not in lutra("crypt", "--cipher", "aes-128-ecb", "--key", key, "in", "out").error


def test_wrong_padding_leaves_no_output(lutra: Lutra) -> None:
    Path("enc").write_bytes(DATA[:4112])
    Path("out").write_bytes(b"as it was")
    result = lutra(*CBC, "--pad", "--decrypt", "enc", "out")
    assert result.error.startswith("wrong padding: wrong key or iv")
    assert Path("out").read_bytes() == b"as it was"
    assert sorted(p.name for p in Path().iterdir()) == ["enc", "out"]


def test_nothing_is_no_padded_data(lutra: Lutra) -> None:
    Path("enc").write_bytes(b"")
    assert "padded data never is" in lutra(*CBC, "--pad", "--decrypt", "enc", "out").error


def test_a_length_from_a_pipe_is_checked_at_its_end() -> None:
    command = [str(Path(sys.executable).with_name("lutra")), *ECB, "-", "out"]
    run = subprocess.run(command, input=DATA[:5000], capture_output=True, check=False)
    assert run.returncode == 1
    assert b"takes multiples of 16 bytes, the input has 5000" in run.stderr
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("source", "target", "text"),
    [
        ("none", "out", "none: no such file"),
        (".", "out", ".: is a folder; give a file"),
        ("plain", "nowhere/out", "nowhere/out: the folder does not exist"),
    ],
)
def test_files_that_cannot_be_used_are_named_with_the_reason(source: str, target: str, text: str, lutra: Lutra) -> None:
    Path("plain").write_bytes(DATA[:16])
    assert lutra(*ECB, source, target).error == text


def test_a_folder_is_refused_as_output(lutra: Lutra) -> None:
    Path("plain").write_bytes(DATA[:16])
    Path("folder").mkdir()
    assert "folder" in lutra(*ECB, "plain", "folder").error
    assert list(Path("folder").iterdir()) == []
