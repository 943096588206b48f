"""E0 against a model, which is held to the sample data of the Bluetooth specification."""

from __future__ import annotations

import random

import pytest

from lutra.firmware import crypt
from lutra.iss.engine import EngineName
from models import e0

STREAMS = 128
# Encryption sample data 1, 2 and 4: key, address, clock and the first 125 symbols, the first one most significant.
SAMPLES = (
    ("00000000000000000000000000000000", "000000000000", "00000000", "46694e6193345c87711894921bb78da0"),
    ("00000000000000000000000000000000", "000000000000", "00000003", "8cc31b3905d62a4c368d5ad24a433648"),
    ("2187f04aba9031d0780d4c53e0153a63", "2c7f94560f1b", "5f1a0002", "2999f607fde02ea4cc9c1b8503a59428"),
)


def packed(bits: list[int]) -> bytes:
    """Bytes as a packet has them, the least significant bit first."""
    return bytes(sum(bit << i for i, bit in enumerate(bits[at : at + 8])) for at in range(0, len(bits), 8))


def symbols(value: str) -> list[int]:
    return [int(bit) for bit in f"{int(value, 16):0128b}"[:125]]


@pytest.mark.parametrize(("key", "address", "clock", "value"), SAMPLES)
def test_the_model_of_e0_meets_the_sample_data(key: str, address: str, clock: str, value: str) -> None:
    assert e0.keystream(bytes.fromhex(key), bytes.fromhex(address), bytes.fromhex(clock), 125) == symbols(value)


@pytest.mark.parametrize(("key", "address", "clock", "value"), SAMPLES)
def test_e0_meets_the_sample_data_in_any_packet(key: str, address: str, clock: str, value: str) -> None:
    source = random.Random(value)
    at = source.randrange(STREAMS)
    ivs = [source.randbytes(10) for _ in range(STREAMS)]
    ivs[at] = bytes.fromhex(address + clock)
    got = crypt.encrypt("e0-128-x128", bytes.fromhex(key), bytes(16 * STREAMS), iv=b"".join(ivs), engine="iss")
    assert [byte >> i & 1 for byte in got[16 * at : 16 * at + 16] for i in range(8)][:125] == symbols(value)


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("units", [1, 3])
def test_each_of_128_packets_has_its_keystream(units: int, engine: EngineName) -> None:
    """Messages of one block, and of several, which are jobs of their own."""
    source = random.Random(units)
    key = source.randbytes(16)
    ivs = [source.randbytes(10) for _ in range(STREAMS)]
    text = source.randbytes(16 * STREAMS * units)
    got = crypt.encrypt("e0-128-x128", key, text, iv=b"".join(ivs), engine=engine)
    rows = [
        bytes(a ^ b for a, b in zip(got[at : at + 16], text[at : at + 16], strict=True))
        for at in range(0, len(got), 16)
    ]
    for stream, iv in enumerate(ivs):
        wanted = packed(e0.keystream(key, iv[:6], iv[6:], 128 * units))
        assert b"".join(rows[stream::STREAMS]) == wanted, stream
