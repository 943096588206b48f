"""Keys that a core has saved and restores: what the device refuses, and what happens where one cannot be read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from lutra.soc.cluster.traffic import ctr
from lutra.soc.devices import Maker
from lutra.soc.operations import load
from lutra.soc.stream import SAVED_KEY_BYTES
from support.soc import BUFFERS, MEMORY_BYTES, Bench, Completion, Ring

FIRMWARE = load("aes-packets")
SOURCE, DESTINATION, SAVED = BUFFERS, BUFFERS + 0x4000, BUFFERS + 0x8000
KEY, IV, TEXT = bytes(range(16)), bytes(range(16, 32)), bytes(range(100, 200))
HANDLE = {"context": 3, "generation": 5}
OTHER = {"context": 4, "generation": 6}


@dataclass
class Keys:
    """A device with the firmware of packets, and a key that is set and saved."""

    bench: Bench
    numbers: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        operations = sorted(FIRMWARE.operations.values(), key=lambda o: o.number)
        flags = {o.label: {"class": o.key_class} | dict.fromkeys(o.flags, 1) for o in operations}
        self.numbers = self.bench.load(FIRMWARE.image, flags)
        for ring in self.bench.rings:
            ring.enable()
        self.bench.put(SOURCE, TEXT)
        self.set_key()
        done = self.ring.do(**self.save())
        assert (done.status, done.bytes) == ("ok", SAVED_KEY_BYTES)

    @property
    def ring(self) -> Ring:
        return self.bench.rings[0]

    def set_key(self, key: bytes = KEY) -> None:
        fields = {"inline_payload": 1, "key": key, "bytes": len(key)} | HANDLE
        assert self.ring.do(operation=self.numbers[f"aes{8 * len(key)}_set_key"], **fields).status == "ok"

    def save(self, **fields: Any) -> dict[str, Any]:
        at = {"source": SAVED, "destination": SAVED, "bytes": SAVED_KEY_BYTES}
        return {"operation": self.numbers["aes128_save_key"]} | at | HANDLE | fields

    def restore(self, **fields: Any) -> dict[str, Any]:
        at = {"source": SAVED, "bytes": SAVED_KEY_BYTES}
        return {"operation": self.numbers["aes128_restore_key"]} | at | OTHER | fields

    def packet(self, **fields: Any) -> dict[str, Any]:
        at = {"source": SOURCE, "destination": DESTINATION, "bytes": len(TEXT), "iv": IV}
        return {"operation": self.numbers["aes128_ctr"]} | at | OTHER | fields

    def run(self, *jobs: dict[str, Any]) -> list[Completion]:
        self.ring.write(*(self.ring.descriptor(**job) for job in jobs))
        return self.ring.wait(len(jobs))

    def result(self, at: int = DESTINATION) -> bytes:
        return bytes(self.bench.memory[at : at + len(TEXT)])

    def saved(self) -> bytes:
        return bytes(self.bench.memory[SAVED : SAVED + SAVED_KEY_BYTES])


@pytest.fixture
def keys(maker: Maker) -> Keys:
    return Keys(Bench.make(maker))


def test_a_saved_key_has_nothing_of_the_one_before(keys: Keys) -> None:
    alone = keys.saved()
    keys.set_key(bytes(range(100, 132)))
    keys.set_key()
    assert keys.ring.do(**keys.save()).status == "ok"
    assert keys.saved() == alone


def test_a_key_that_is_restored_is_the_one_that_was_saved(keys: Keys) -> None:
    """In another context too, between packets of another key, and from pieces."""
    want = ctr(KEY, IV, b"", TEXT)
    pieces = keys.bench.list(SAVED + 0x1000, [(SAVED, 100), (SAVED + 100, 156)])
    there = [keys.packet(destination=DESTINATION + 128 * n) for n in range(4)]
    lists = keys.restore(source=pieces, gather=1)
    jobs = [there[0] | HANDLE, keys.restore(), there[1], there[2] | HANDLE, lists, there[3]]
    assert [done.status for done in keys.run(*jobs)] == ["ok"] * len(jobs)
    assert all(keys.result(DESTINATION + 128 * n) == want for n in range(4))


WRONG: dict[str, tuple[str, str, dict[str, Any]]] = {
    "restored from its descriptor": ("bad_descriptor", "restore", {"inline_payload": 1}),
    "saved from a descriptor": ("bad_descriptor", "save", {"inline_payload": 1}),
    "too short": ("bad_length", "restore", {"bytes": SAVED_KEY_BYTES - 16}),
    "too long": ("bad_length", "restore", {"bytes": SAVED_KEY_BYTES + 16}),
    "nothing": ("bad_length", "restore", {"bytes": 0}),
    "saved, too short": ("bad_length", "save", {"bytes": SAVED_KEY_BYTES - 1}),
    "saved with a stale handle": ("bad_key", "save", {"generation": 4}),
    "saved as a key of 256 bits": ("bad_key", "save", {"operation": FIRMWARE.operations["aes256-save-key"].number}),
    "no such context": ("bad_key", "restore", {"context": 24}),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_descriptor_of_a_saved_key_is_reported(keys: Keys, what: str) -> None:
    status, name, fields = WRONG[what]
    job = {"save": keys.save, "restore": keys.restore}[name](**fields)
    assert [done.status for done in keys.run(job, keys.packet(**HANDLE))] == [status, "ok"]
    assert keys.result() == ctr(KEY, IV, b"", TEXT)


def test_another_ring_neither_saves_a_key_nor_takes_its_place(keys: Keys) -> None:
    other = keys.bench.rings[1]
    assert other.do(**keys.save()).status == "bad_key"
    assert other.do(**keys.restore(**HANDLE)).status == "bad_key"
    assert other.do(**keys.restore()).status == "ok"
    assert other.do(**keys.packet()).status == "ok"
    assert keys.ring.do(**keys.packet(**HANDLE)).status == "ok"


@pytest.mark.parametrize("number", [3, 4, 8])  # one of them waits for its job when the keys are lost
@pytest.mark.parametrize(("what", "status"), [("bus", "read_error"), ("window", "bad_address")])
def test_a_saved_key_that_cannot_be_read_is_no_key_for_the_packets_behind_it(
    keys: Keys, what: str, status: str, number: int
) -> None:
    """Nor is any other key of the core, until it is set again."""
    if what == "bus":
        keys.bench.device.fail_reads(SAVED + 130, SAVED + 131)
        restore = keys.restore()
    else:
        restore = keys.restore(source=MEMORY_BYTES - 32)
    packets = [keys.packet()] * number
    before, first, *behind, kept = keys.run(keys.packet(**HANDLE), restore, *packets, keys.packet(**HANDLE))
    assert before.status in ("ok", status)
    assert first.status == status
    assert {done.status for done in (*behind, kept)} <= {status, "bad_key"}
    keys.bench.put(DESTINATION, bytes(len(TEXT)))
    assert keys.ring.do(**keys.packet()).status == "bad_key"
    assert not any(keys.result())
    keys.bench.device.heal()
    keys.set_key()
    assert [done.status for done in keys.run(keys.restore(), keys.packet())] == ["ok", "ok"]
    assert keys.result() == ctr(KEY, IV, b"", TEXT)
