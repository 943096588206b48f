"""Firmware that computes twice is proved, with the host's second copy of the key; wrong one is not."""

from __future__ import annotations

import pytest

from support.protected import with_core

COMPILED = pytest.mark.nightly("the simulator of another configuration is compiled")
# Wrong: the first constant of a key schedule, and the counter of a second computation.
CLAIMS = """
import sys
sys.path.insert(0, "tests")
from lutra.firmware.manifest import catalogue
from lutra.prove import check, claims, named
from support.wrong_firmware import with_word

NAMES = ["sm4-128-ctr", "aes-128-cbc", "aes-128-ctr", "aes-128-cmac", "aria-128-ecb", "camellia-128-cbc", "chacha20"]
twice = [c for c in claims(named(catalogue(), NAMES)) if c.implementation.image.parameters.done]
print(*(check(c).state for c in twice))
first = twice[0]
print(check(with_word(first, "sm4128_key_encrypt_twice", 0, "mov v4, zero")).state)
again = next(c for c in twice if c.cipher.name == "aes-128-ctr")
print(check(with_word(again, "aes128_ctr_twice", 43, "add128 v5, v5, v5")).state)
"""


@COMPILED
def test_firmware_that_computes_twice_is_proved() -> None:
    done = with_core("-c", CLAIMS)
    assert (done.returncode, done.stderr) == (0, "")
    proved, *wrong = done.stdout.splitlines()
    assert {*proved.split()} == {"proved"}
    assert len(proved.split()) == 13
    assert wrong == ["refuted", "refuted"]
