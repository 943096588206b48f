"""`lutra crypt` in integer counter mode: segments, and what does not fit into one."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from support.cli import Lutra

KEY = bytes(range(16))
OFFSET = bytes(range(0xF0, 0x100))
ICM = ["crypt", "--cipher", "aes-128-icm", "--key", (KEY + OFFSET).hex()]
CTR = ["crypt", "--cipher", "aes-128-ctr", "--key", KEY.hex(), "--iv", OFFSET.hex()]
DATA = bytes(n % 251 for n in range(10_000))


@pytest.mark.parametrize(
    ("options", "first"),
    [
        (["--segment", "7"], 7 << 32),
        (["--segment", "0x102", "--block", "3"], 0x102 << 32 | 3),
        (["--segment", "7", "--segment-bytes", "2", "--block-bytes", "6", "--block", "0x10"], 7 << 48 | 16),
        (["--segment", "0", "--segment-bytes", "0", "--block-bytes", "8"], 0),
    ],
)
def test_icm_is_ctr_from_the_sum_of_offset_and_index(options: list[str], first: int, lutra: Lutra) -> None:
    Path("plain").write_bytes(DATA)
    assert lutra(*ICM, *options, "plain", "enc").code == 0
    counter = ((int.from_bytes(OFFSET, "big") + first) % (1 << 128)).to_bytes(16, "big")
    assert Path("enc").read_bytes() == Cipher(algorithms.AES(KEY), modes.CTR(counter)).encryptor().update(DATA)
    assert lutra(*ICM, *options, "--decrypt", "enc", "dec").code == 0
    assert Path("dec").read_bytes() == DATA


@pytest.mark.parametrize(
    ("options", "code", "reason"),
    [
        ([], 2, "aes-128-icm needs a segment; give --segment"),
        (["--segment", "x"], 2, "--segment: 'x' is not a number"),
        (["--segment", "1", "--block", "-1"], 2, "--block: '-1' is not a number"),
        (["--segment", "1", "--iv", OFFSET.hex()], 2, "aes-128-icm takes a segment instead of an IV; leave out --iv"),
        (["--segment", "4294967296"], 2, "segment index 4294967296 does not fit into 4 bytes"),
        (["--segment", "1", "--block", "256", "--block-bytes", "1"], 2, "block index 256 does not fit into 1 bytes"),
        (["--segment", "1", "--segment-bytes", "5"], 2, "together they have 8 at most"),
        (["--segment", "1", "--block", "0xffffffff"], 1, "625 blocks go beyond the end of the segment, which has 1"),
    ],
)
def test_icm_refuses_what_does_not_fit_a_segment(options: list[str], code: int, reason: str, lutra: Lutra) -> None:
    Path("plain").write_bytes(DATA)
    refused = lutra(*ICM, *options, "plain", "enc")
    assert (refused.code, reason in refused.error) == (code, True), refused.error
    assert not Path("enc").exists()


@pytest.mark.parametrize("option", ["--segment", "--block", "--segment-bytes", "--block-bytes"])
def test_other_modes_take_no_segment(option: str, lutra: Lutra) -> None:
    Path("plain").write_bytes(DATA)
    refused = lutra(*CTR, option, "1", "plain", "enc")
    assert (refused.code, f"aes-128-ctr does not take {option}; leave it out" in refused.error) == (2, True)
