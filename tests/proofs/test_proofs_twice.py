"""Firmware that computes twice is proved, with the host's second copy of the key; wrong one is not."""

from __future__ import annotations

import pytest

from support.protected import with_core

COMPILED = pytest.mark.nightly("the simulator of another configuration is compiled")
# Wrong: the first constant of a key schedule, after that of the known key, and the counter of a second computation.
CLAIMS = """
import sys
sys.path.insert(0, "tests")
from lutra.firmware.manifest import catalogue
from lutra.prove import check, claims, named
from support.wrong_firmware import with_instruction

NAMES = ["sm4-128-ctr", "aes-128-cbc", "aes-128-ctr", "aes-128-cmac", "aria-128-ecb", "camellia-128-cbc", "chacha20"]
twice = [c for c in claims(named(catalogue(), NAMES)) if c.implementation.image.parameters.done]
print(*(check(c).state for c in twice))
first = twice[0]
print(check(with_instruction(first, "sm4128_key_encrypt_twice", "mov v4, m1[0x70]", "mov v4, zero", 1)).state)
again = next(c for c in twice if c.cipher.name == "aes-128-ctr")
print(check(with_instruction(again, "aes128_ctr_twice", "add128 v5, v1, v5", "add128 v5, v5, v5", 1)).state)
"""
# Wrong: where the second hash, the second sum of a stream and a MAC begin, how the sum is turned, and a context that is
# not a word ahead; of decryption in CCM, rows that the MAC takes too late, copies of the text, and that of its end.
SWEEPS = """
import sys
sys.path.insert(0, "tests")
from lutra.firmware.manifest import catalogue
from lutra.prove import check, claims, named
from support.wrong_firmware import with_instruction

NAMES = ["aes-128-gcm", "snow3g", "zuc-128", "aes-128-ccm"]
twice = [c for c in claims(named(catalogue(), NAMES)) if c.implementation.image.parameters.done]
print(*(check(c).state for c in twice))
names = ("aes-128-gcm", "zuc-128", "aes-128-ccm")
gcm, stream, mac = (next(c for c in twice if c.cipher.name == name) for name in names)
print(check(with_instruction(gcm, "aes_gcm_absorb_twice", "arset ar0, 0", "arset ar0, 16", 1)).state)
print(check(with_instruction(stream, "zuc_twice", "arset ar2, 8", "arset ar2, 12", 1)).state)
print(check(with_instruction(stream, "zuc_twice", "rotx v4, v4, v6, 1", "rotx v4, v4, v6, 2")).state)
print(check(with_instruction(stream, "zuc_start_twice", "zuc c1", "mov v6, v6", 1)).state)
print(check(with_instruction(mac, "aes_ccm_start_twice", "arset ar0, 0", "arset ar0, 16", 1)).state)
opens = next(c for c in twice if c.implementation.image.name == "aes-ccm-open-twice")
for right, wrong, skipped in [
    ("arset ar3, 0", "arset ar3, 16", 0),
    ("arset ar5, 4", "arset ar5, 20", 0),
    ("arset ar0, 0", "arset ar0, 16", 4),
    ("mov m2[ar0++], m3[ar1++]", "mov m2[ar0++], m3[ar1]", 0),
    ("mov m2[ar0++], m3[ar1++]", "mov m2[ar0++], zero", 0),
    ("mov m2[ar0], m3[ar1]", "mov m2[ar0], zero", 0),
]:
    print(check(with_instruction(opens, "aes_ccm_start_twice", right, wrong, skipped)).state)
"""
# Whether any damaged message is accepted, or any right one is not. Wrong: known blocks where the host has a tag's mask.
TAGS = """
import sys
sys.path.insert(0, "tests")
from lutra.firmware.manifest import catalogue
from lutra.prove import claims, named, specification
from lutra.prove.counterexample import search
from support.wrong_firmware import with_instruction

def found(c):
    specs = (specification(c.cipher, direction) for direction in ("decrypt", "encrypt"))
    return search(c.cipher, c.direction, c.implementation, *specs)

names = ["aes-128-gcm", "aes-128-ccm", "aes-192-ccm", "aes-256-ccm"]
opens = [c for c in claims(named(catalogue(), names)) if c.implementation.image.name.endswith("-open-twice")]
print(*(found(c) for c in opens))
mac = opens[1]
print(found(with_instruction(mac, "twice_known_enc", "mov m2[0xfd0], zero", "mov m2[0xff0], zero")).stopped)
"""


@COMPILED
def test_firmware_that_computes_twice_is_proved() -> None:
    done = with_core("-c", CLAIMS)
    assert (done.returncode, done.stderr) == (0, "")
    proved, *wrong = done.stdout.splitlines()
    assert {*proved.split()} == {"proved"}
    assert len(proved.split()) == 13
    assert wrong == ["refuted", "refuted"]


@COMPILED
def test_loops_that_go_over_a_message_again_are_proved() -> None:
    done = with_core("-c", SWEEPS)
    assert (done.returncode, done.stderr) == (0, "")
    proved, *wrong = done.stdout.splitlines()
    assert {*proved.split()} == {"proved"}
    assert len(proved.split()) == 8
    assert wrong == ["refuted"] * 11


@COMPILED
def test_wrong_tag_opens_no_memory() -> None:
    done = with_core("-c", TAGS)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["None None None None", "a wrong tag is accepted"]
