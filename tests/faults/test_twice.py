"""Firmware for a core with extension `close`: what it serves; what computes twice gives right results, or none."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lutra.firmware.manifest import catalogue
from support.description import ROOT, python
from support.protected import NAME, with_core

IMAGES = {"aes-twice", "aes-ctr-twice", "aes-mac-twice", "snow3g-twice", "zuc-twice", "chacha20-twice"}
IMAGES |= {"aes-gcm-twice", "aes-gcm-open-twice", "aes-ccm-twice", "aes-ccm-open-twice", "sm4-twice"}
IMAGES |= {f"{cipher}-{mode}" for cipher in ("aria", "camellia") for mode in ("twice", "ctr-twice")}
IMAGES |= {f"{cipher}-{mode}-open" for cipher in ("aes", "aria", "camellia") for mode in ("gcm", "ccm")}
SERVED = (
    "from lutra.firmware.manifest import catalogue; "
    "print(*{i.image.name for c in catalogue().ciphers for i in c.implementations}); "
    "print(*{c.taken('decrypt').image.name for c in catalogue().of_kind('gcm') + catalogue().of_kind('ccm')}); "
    "print(*{c.taken('encrypt').image.name for c in catalogue().of_kind('gcm') + catalogue().of_kind('ccm')})"
)
# Messages of no whole block, of a job and its rest, and of several jobs, by what computes twice and by what does not.
LENGTHS = """
from lutra import make_engine
from lutra.firmware import crypt
from lutra.firmware.manifest import catalogue
from lutra.firmware.request import Request
from lutra.firmware.session import Session

session = Session(make_engine("iss"))
for cipher in (c for c in catalogue().ciphers if c.kind.module == "crypt"):
    for twice in (i for i in cipher.implementations if i.image.parameters.done):
        job = twice.image.job_bytes
        sizes = (0, 1, 15, 16, 17, 31, 32, job - 1, job, job + 1, job + 15, job + 16, 2 * job + 1)
        for size in (n for n in sizes if cipher.partial or n % 16 == 0):
            data = bytes(n % 251 for n in range(size))
            about = cipher, "encrypt", bytes(range(cipher.key_bits // 8)), bytes(cipher.iv_bytes)
            once, again = (Request(*about, implementation=i) for i in (cipher.default, twice))
            assert crypt.answer(session, once, data) == crypt.answer(session, again, data), (twice, size)
        print(twice.image.name)
"""
# Each row that a known answer is compared with, changed: the job of the campaign ends in a trap.
KNOWN = """
from faults import jobs
from lutra import make_engine
from lutra.firmware.manifest import assembled
from lutra.firmware.session import Session
from lutra.firmware.twice import FaultError

ROWS = {
    "ecb-twice": {"known_enc": (0, 16), "known_schedule": (0,)},
    "cbc-twice": {"known_enc": (0, 16), "known_schedule": (0,)},
    "ecb-decrypt-twice": {"known_dec": (0, 16), "known_schedule": (0,), "known_sums": (0, 16), "aes_inv_sbox": (240,)},
    "cbc-decrypt-twice": {"known_dec": (0, 16), "known_schedule": (0,)},
    "ctr-twice": {"known_enc": (0, 16), "known_schedule": (0,)},
    "cmac-twice": {"known_enc": (0, 16), "known_schedule": (0,)},
    "ccm-twice": {"known_enc": (0, 16), "known_schedule": (0,)},
    "gcm-twice": {"known_enc": (0, 16), "known_schedule": (0,), "known_hash": (0, 16)},
    "aria-twice": {"aria_known_blocks": (0, 16), "aria_known_code": (0,)},
    "aria-ctr-twice": {"aria_known_blocks": (0, 16), "aria_known_code": (0,)},
    "camellia-twice": {"camellia_known_blocks": (0, 16), "camellia_known_code": (0,)},
    "camellia-ctr-twice": {"camellia_known_blocks": (0, 16), "camellia_known_code": (0,)},
    "sm4-twice": {"sm4_known_blocks": (0, 16), "sm4_known_schedule": (0,)},
    "chacha20-twice": {"chacha20_known_blocks": (0, 16)},
    "snow3g-twice": {"snow3g_known": (32, 48)},
    "zuc-twice": {"zuc_known": (32, 48)},
}
for name, labels in ROWS.items():
    for label, offset in ((label, offset) for label, offsets in labels.items() for offset in offsets):
        session = Session(make_engine("iss"))
        jobs.prepare(jobs.JOBS[name], session)
        row = assembled(jobs.cipher(jobs.JOBS[name]).default.image).symbol(label)
        changed = bytearray(session.engine.read(row.space, row.value + offset, 16))
        changed[5] ^= 4
        session.engine.write(row.space, row.value + offset, bytes(changed))
        try:
            jobs.run(jobs.JOBS[name], session)
        except FaultError as error:
            assert "ended trapped" in str(error), error
            print(name, label, offset)
        else:
            raise SystemExit(f"{name}: {label} + {offset} is not compared with anything")
"""
# The same bit of a word without a shadow, in both contexts and in the same cycle: each of a message's start and of its
# job. A gate that both share may do this to them.
BOTH = """
from faults import jobs
from lutra import make_engine
from lutra.firmware import crypt
from lutra.firmware.manifest import catalogue
from lutra.firmware.request import Request
from lutra.firmware.session import Session
from lutra.firmware.twice import FaultError
from lutra.iss.fault import Fault

KEY, IV, TEXT = jobs.value("key", 16), jobs.value("iv", 16), jobs.value("text", 71)

def flip(session, cycle):
    for context in ("c0", "c1"):
        session.engine.inject(Fault(cycle, context, "r1", 0x80))

def run(cipher, start, job):
    session = Session(make_engine("iss"))
    session.set_up(cipher, "encrypt", bytes(16), bytes(16))
    try:
        if start is not None:
            flip(session, start)
        session.set_up(cipher, "encrypt", KEY, IV)
        session.put(TEXT)
        if job is not None:
            flip(session, job)
        session.run()
        return session._read(len(TEXT)), session.usage
    except FaultError:
        return None, None

for name in ("snow3g-twice", "zuc-twice"):
    cipher = jobs.cipher(jobs.JOBS[name])
    once = catalogue().cipher(cipher.name)
    right = crypt.answer(Session(make_engine("iss")), Request(once, "encrypt", KEY, IV), TEXT)
    found, usage = run(cipher, None, None)
    assert found == right
    ends = [run(cipher, start, None)[0] for start in range(usage.start)]
    ends += [run(cipher, None, job)[0] for job in range(usage.cycles)]
    print(name, len(ends), ends.count(None), sum(found not in (None, right) for found in ends))
"""
COMPILED = pytest.mark.nightly("the simulator of another configuration is compiled")


def test_only_a_core_that_closes_its_memories_serves_it(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT / "isa")}
    command = [sys.executable, "-m", "isagen", "--configuration", NAME, "--out", str(tmp_path)]
    subprocess.run(command, check=True, env=environment, cwd=ROOT)
    served, decrypting, encrypting = python(tmp_path, SERVED).stdout.splitlines()
    assert {*served.split()} >= IMAGES
    # Plaintext of an authenticated message leaves it with its tag only.
    assert {*decrypting.split()} == {image for image in IMAGES if image.endswith("-open")}
    assert {*encrypting.split()} == {
        f"{cipher}-{mode}" for cipher in ("aes", "aria", "camellia") for mode in ("gcm", "ccm")
    }
    assert not IMAGES & {i.image.name for c in catalogue().ciphers for i in c.implementations}


@COMPILED
def test_messages_of_all_lengths_are_right_when_computed_twice() -> None:
    done = with_core("-c", LENGTHS)
    assert (done.returncode, done.stderr) == (0, "")
    # Those of messages that are neither a MAC nor authenticated.
    assert {*done.stdout.split()} == {i for i in IMAGES if "twice" in i and not re.search("gcm|ccm|mac", i)}


@COMPILED
def test_a_known_answer_that_is_wrong_ends_in_a_trap() -> None:
    done = with_core("-c", KNOWN)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 50


@COMPILED
def test_what_changes_both_contexts_alike_is_found() -> None:
    done = with_core("-c", BOTH)
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [(name, wrong) for name, _, _, wrong in lines] == [("snow3g-twice", "0"), ("zuc-twice", "0")]
    assert all(int(found) > int(tried) / 3 for _, tried, found, _ in lines)


@COMPILED
def test_no_changed_instruction_gives_a_wrong_result() -> None:
    done = with_core("-m", "injection.twice")
    assert (done.returncode, done.stderr) == (0, "")
    lines = re.findall(r"(\d+) changes, (\d+) without effect, (\d+) stopped, 0 wrong", done.stdout)
    # AES in four modes, of which three have two directions, and three key sizes; GCM and CCM, whose decryption is in
    # one job or not, with a right or a wrong tag; ARIA, Camellia and SM4 in three modes of two directions; three stream
    # ciphers.
    assert len(lines) == 3 * (7 + 5 + 5) + (3 + 3 + 1) * 3 * 2 + 3 * 2
    assert all(int(stopped) > int(changes) / 3 for changes, _, stopped in lines)


@COMPILED
def test_without_its_comparisons_wrong_results_come_out() -> None:
    done = with_core("-m", "injection.twice", "--unchecked", "--step", "5")
    assert done.returncode == 1
    assert "wrong with" in done.stdout
