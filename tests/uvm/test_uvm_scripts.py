"""What the bench is told to do; it needs no bench."""

from __future__ import annotations

from pathlib import Path

import pytest

from uvm.runner import regress, scripts

VECTORS = regress.VECTORS


def starts(file: Path) -> int:
    return scripts.firmware(file).count("\nstart ")


def test_a_long_file_of_vectors_ends_early_and_a_short_one_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = starts(VECTORS / "aes_fips197.json")
    long = starts(VECTORS / "rc4_rfc6229.json")
    monkeypatch.setattr(scripts, "ENOUGH_CYCLES", 1)
    assert 0 < starts(VECTORS / "aes_fips197.json") < whole
    monkeypatch.setattr(scripts, "ENOUGH_CYCLES", 10**7)
    assert starts(VECTORS / "aes_fips197.json") == whole
    assert starts(VECTORS / "rc4_rfc6229.json") > long
