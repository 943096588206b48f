"""Short chains of every cipher, and the published one."""

from __future__ import annotations

import pytest

import lutra
from lutra.firmware.manifest import Cipher, Direction, catalogue
from lutra.firmware.monte_carlo import chain, firmware
from lutra.firmware.session import Session
from nightly.monte_carlo import agree, cases


@pytest.fixture(scope="module")
def session() -> Session:
    return Session(lutra.make_engine("cosim"))


@pytest.mark.parametrize(("cipher", "direction"), cases(), ids=str)
def test_firmware_goes_the_way_of_the_library(session: Session, cipher: Cipher, direction: Direction) -> None:
    assert agree(session, cipher, direction, outer=3, inner=20)


def test_one_wrong_bit_is_seen_at_the_end(session: Session) -> None:
    begin = firmware(session, catalogue().cipher("aes-128-cbc"), "encrypt")
    one, other = (list(chain(begin, bytes(16), bytes(16), block, 2, 4)) for block in (bytes(16), bytes(15) + b"\1"))
    assert one[0] != other[0] and one[1] != other[1]


# The first results of ecb_e_m.txt, the Monte Carlo tests of Rijndael's submission to NIST: 10,000 blocks from zero.
@pytest.mark.parametrize(
    ("bits", "last"),
    [
        (128, "c34c052cc0da8d73451afe5f03be297f"),
        (192, "f3f6752ae8d7831138f041560631b114"),
        (256, "8b79eecc93a0ee5dff30b4ea21636da4"),
    ],
)
def test_the_first_of_ten_thousand_blocks_of_the_submission_is_met(session: Session, bits: int, last: str) -> None:
    begin = firmware(session, catalogue().cipher(f"aes-{bits}-ecb"), "encrypt")
    assert [r.hex() for r in chain(begin, bytes(bits // 8), b"", bytes(16), 1, 10_000)] == [last]
