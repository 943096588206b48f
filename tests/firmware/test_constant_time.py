"""Time and addresses of the firmware do not depend on keys, IVs or data, only on lengths.

Looking up tables at data-dependent rows is what the machine is for; the rows of a look-up are no address here.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable

import pytest
from support.firmware import IMPLEMENTATIONS, Case

import lutra
from lutra.firmware.manifest import assembled
from lutra.firmware.session import Session

Look = Callable[[Session, int], tuple[int, str]]

RUNS = 1000
# Stepping through every retirement is slow; so many runs are looked at in full, of the others the cycles.
TRACED = 25
UNITS = 5


def trace(session: Session, entry: int) -> tuple[int, str]:
    """Cycles, and a digest of which instruction retires when and where it stores."""
    digest = hashlib.sha256()
    session.engine.start(entry)
    for record in session.engine.records():
        store = record.raw.get("store")
        place = (record.cycle, record.pc, store and store[:3], sorted(record.raw.get("ar", {}).items()))
        digest.update(repr(place).encode())
    return session.engine.stop().cycles, digest.hexdigest()


def cycles(session: Session, entry: int) -> tuple[int, str]:
    """Cycles alone."""
    return session.engine.run(entry).cycles, ""


@pytest.mark.parametrize("case", IMPLEMENTATIONS, ids=str)
@pytest.mark.parametrize(("look", "runs"), [(trace, TRACED), (cycles, RUNS)])
def test_time_and_addresses_do_not_depend_on_secrets(look: Look, runs: int, case: Case) -> None:
    cipher, implementation, direction = case.cipher, case.implementation, case.direction
    image = assembled(implementation.image)
    entries = implementation.entries[direction]
    routines = [image.symbol(name).value for name in (entries.run, *entries.others.values())]
    rng = random.Random(str(case))
    session = Session(lutra.make_engine("iss"))
    length = UNITS * cipher.whole_bytes + (7 if cipher.partial else 0)
    seen = set()
    for _ in range(runs):
        key, iv = rng.randbytes(cipher.key_bits // 8), rng.randbytes(cipher.iv_bytes)
        session.set_up(cipher, direction, key, iv, implementation)
        session.put(rng.randbytes(length))
        found = (look(session, routine) for routine in routines)
        seen.add((session.usage.key_schedule, session.usage.start, *found))
    assert len(seen) == 1
