"""Withdrawn ciphers: as sound as those that replace them, in no catalogue, and broken in the way that is known."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from lutra.firmware import testing
from lutra.firmware.manifest import assembled, catalogue
from lutra.iss.engine import EngineName
from models import zuc, zuc14
from models.lanes import xor
from support.firmware import EVERYTHING, WITHDRAWN
from support.sessions import through

Keystream = Callable[[bytes, bytes, int], bytes]
# Those that a model answers for; another cipher has its own test.
MODELS: dict[str, Keystream] = {"zuc14-128": zuc14.keystream}
PAIRS = json.loads((WITHDRAWN / "zuc14/zuc14.vectors.json").read_text())["tests"]
FOLDERS = sorted(path for path in WITHDRAWN.iterdir() if path.is_dir())


def crypted(name: str, key: bytes, iv: bytes, data: bytes, engine: EngineName = "iss") -> bytes:
    """A message through the firmware of a cipher, withdrawn or not."""
    cipher = EVERYTHING.cipher(name)
    return through(engine, cipher, "encrypt", key, iv, data)


def test_no_withdrawn_cipher_is_offered_unasked() -> None:
    withdrawn = {c.name for c in EVERYTHING.own}
    assert withdrawn >= MODELS.keys()
    assert withdrawn & {c.name for c in catalogue().ciphers} == set()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_lutra_test_passes_withdrawn_firmware(folder: Path) -> None:
    """Assembly, headers, constant time, and the folder's vectors in lock-step; skipped is the time of `_var` alone."""
    report = testing.run(testing.find([folder]), testing.Options("cosim", rounds=(1, 2), strict=True))
    variable = [c for c in report.checks if c.kind == "time" and "_var" in c.name]
    assert [c for c in report.checks if c.state != ("skipped" if c in variable else "passed")] == []
    assert {"assembly", "header", "time", "vector"} <= {c.kind for c in report.checks}


@pytest.mark.parametrize("engine", ["iss", "cosim"])
@pytest.mark.parametrize("size", [0, 1, 3, 4, 15, 16, 17, 60, 4095, 4096, 4097, 9000])
@pytest.mark.parametrize("name", MODELS)
def test_a_withdrawn_stream_of_any_size_is_that_of_its_model(name: str, size: int, engine: EngineName) -> None:
    rng, cipher = random.Random(f"{name} {size}"), EVERYTHING.cipher(name)
    key, iv, data = rng.randbytes(cipher.key_bits // 8), rng.randbytes(cipher.iv_bytes), rng.randbytes(size)
    assert crypted(name, key, iv, data, engine) == xor(data, MODELS[name](key, iv, size))


# ---------------------------------------------------------------------------------------- ZUC 1.4 and 1.5


@pytest.mark.parametrize("engine", ["iss", "rtl", "cosim"])
def test_a_pair_of_ivs_has_one_keystream_in_zuc_14_and_two_in_zuc_15(engine: EngineName) -> None:
    assert len(PAIRS) == 4
    for one, other in zip(PAIRS[::2], PAIRS[1::2], strict=True):
        assert one["key"] == other["key"]
        assert one["iv"] != other["iv"]
        key, ivs = bytes.fromhex(one["key"]), [bytes.fromhex(test["iv"]) for test in (one, other)]
        before = [crypted("zuc14-128", key, iv, bytes(4096), engine) for iv in ivs]
        after = [crypted("zuc-128", key, iv, bytes(4096), engine) for iv in ivs]
        assert before[0] == before[1] != after[0] != after[1]
        assert before[0][:32].hex() == one["keystream"]
        assert after == [zuc.keystream(key, iv, 4096) for iv in ivs]


def test_a_pair_of_ivs_meets_in_the_second_clock_of_zuc_14() -> None:
    """The states differ until v is u in the one and 2^31 - 1 - u in the other; both words become 2^31 - 1."""
    for one, other in zip(PAIRS[::2], PAIRS[1::2], strict=True):
        states = [zuc14.Zuc14(bytes.fromhex(t["key"]), bytes.fromhex(t["iv"])) for t in (one, other)]
        for _ in range(2):
            assert states[0].s != states[1].s
            for state in states:
                state.clock(init=True)
        assert (states[0].s, states[0].r) == (states[1].s, states[1].r)
        assert states[0].s[15] == zuc.PRIME


def test_zuc_14_and_15_are_called_in_one_way() -> None:
    """A host treats both alike: parameters, places, lengths."""
    before, after = EVERYTHING.cipher("zuc14-128"), EVERYTHING.cipher("zuc-128")
    assert (before.key_bits, before.iv_bytes, before.unit) == (after.key_bits, after.iv_bytes, after.unit)
    sources = [cipher.default.image for cipher in (before, after)]
    assert sources[0].parameters == sources[1].parameters
    assert (sources[0].offset, sources[0].job_bytes) == (sources[1].offset, sources[1].job_bytes)
    rows = sources[0].parameters
    places = [[assembled(s).symbol(name).value for name in (rows.key, rows.iv, rows.length)] for s in sources]
    assert places[0] == places[1]
