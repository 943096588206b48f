"""Time and addresses of the firmware do not depend on keys, IVs or data, only on lengths.

Looking up tables at data-dependent rows is what the machine is for; the rows of a look-up are no address here.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable

import pytest

import lutra
from lutra.firmware.manifest import assembled, catalogue
from lutra.firmware.session import Session
from support.firmware import IMPLEMENTATIONS, Case

Look = Callable[[lutra.Engine, int], tuple[int, str]]

RUNS = 1000
# Stepping through every retirement is slow; so many runs are looked at in full, of the others the cycles.
TRACED = 200
UNITS = 5
# What a record says of addresses.
ADDRESSES = ("key_address", "data_address", "store_space", "store_address", "store_lanes", "ar_value")


def trace(engine: lutra.Engine, entry: int) -> tuple[int, str]:
    """Cycles, and a digest of which instruction retires when, and of all addresses: key slot, data slot, store."""
    digest = hashlib.sha256()
    engine.start(entry)
    for record in engine.records():
        digest.update(repr([record.cycle, record.pc, *map(record.fields.get, ADDRESSES)]).encode())
    return engine.stop().cycles, digest.hexdigest()


def cycles(engine: lutra.Engine, entry: int) -> tuple[int, str]:
    """Cycles alone."""
    return engine.run(entry).cycles, ""


LOOKS = pytest.mark.parametrize(("look", "runs"), [(trace, TRACED), (cycles, RUNS)])


@pytest.mark.parametrize("case", IMPLEMENTATIONS, ids=str)
@LOOKS
def test_time_and_addresses_do_not_depend_on_secrets(look: Look, runs: int, case: Case) -> None:
    cipher, implementation, direction = case.cipher, case.implementation, case.direction
    image = assembled(implementation.image)
    entries = implementation.entries[direction]
    own_tables = entries.key_tables != entries.tables
    set_up = (entries.key_tables, entries.key, entries.tables) if own_tables else (entries.key,)
    names = (*set_up, entries.start, entries.run, *entries.others.values())
    routines = [image.symbol(name).value for name in names if name]
    rng = random.Random(str(case))
    session = Session(lutra.make_engine("iss"))
    length = UNITS * cipher.whole_bytes + (7 if cipher.partial else 0)
    seen = set()
    for _ in range(runs):
        key, iv = rng.randbytes(cipher.key_bits // 8), rng.randbytes(cipher.iv_bytes)
        session.set_up(cipher, direction, key, iv, implementation)
        session.put(rng.randbytes(length))
        found = [look(session.engine, routine) for routine in routines]
        seen.add((session.usage.key_schedule, session.usage.start, *found))
    assert len(seen) == 1


@LOOKS
def test_a_crc_does_not_depend_on_register_and_message(look: Look, runs: int) -> None:
    rng = random.Random(9)
    session = Session(lutra.make_engine("iss"))
    cipher = catalogue().named("crc-32", "crc")
    entry = assembled(cipher.default.image).symbol(cipher.default.entries["encrypt"].run).value
    session.set_up(cipher, "encrypt", b"", bytes(cipher.iv_bytes))
    for length in (2, 77):
        seen = set()
        for _ in range(runs):
            session.restart(rng.randbytes(cipher.iv_bytes))
            session.put(rng.randbytes(length))
            seen.add(look(session.engine, entry))
        assert len(seen) == 1


@pytest.mark.parametrize("access", ["mov v1, m1[ar0]", "aesencl v1, v1, m0[ar0]", "mov m1[ar0], v1", "mov t0[ar0], v1"])
def test_an_address_made_of_a_secret_is_seen(access: str) -> None:
    """Though no cycle depends on it."""
    engine = lutra.make_engine("iss")
    engine.load(lutra.assemble_text(f"vtoar ar0, m2[0], 7\n{access}\nhalt"))
    seen = []
    for secret in (0x10, 0x20):
        engine.write("m2", 0, secret.to_bytes(16, "big"))
        seen.append([look(engine, 0) for look in (trace, cycles)])
    assert seen[0][0] != seen[1][0]
    assert seen[0][1] == seen[1][1]
