"""MACs of AES in a batch on the device, which takes two of them together: any keys and lengths, and errors of one."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import algorithms
from cryptography.hazmat.primitives.cmac import CMAC

from lutra.soc.devices import Maker
from lutra.soc.operations import load
from support.soc import BUFFERS, MEMORY_BYTES, Bench, Completion

FIRMWARE = load("aes")
BATCH = 12
SOURCE, DESTINATION = BUFFERS, BUFFERS + 0x10000
SPACE, MAC_BYTES = 0x1000, 16
LENGTHS = (0, 1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 144, 200, 570, 1518, 1664, 1665, 3000)
CONTEXTS = (3, 4)


@dataclass
class Macs:
    """A device with the image of AES and two keys of one size."""

    bench: Bench
    bits: int
    draw: random.Random = field(default_factory=lambda: random.Random(7))

    def __post_init__(self) -> None:
        operations = sorted(FIRMWARE.operations.values(), key=lambda o: o.number)
        flags = {o.label: {"class": o.key_class} | dict.fromkeys(o.flags, 1) for o in operations}
        self.numbers = self.bench.load(FIRMWARE.image, flags)
        self.ring = self.bench.rings[0]
        self.ring.enable()
        self.keys = {context: self.draw.randbytes(self.bits // 8) for context in CONTEXTS}
        for context, key in self.keys.items():
            fields = {"inline_payload": 1, "key": key, "bytes": len(key), "context": context, "generation": 5}
            assert self.ring.do(operation=self.numbers[f"aes{self.bits}_set_key"], **fields).status == "ok"

    def job(self, n: int, size: int, **fields: Any) -> dict[str, Any]:
        """The descriptor of the job with this number in its batch; its text is written."""
        context = CONTEXTS[n % 2]
        self.bench.put(SOURCE + SPACE * n, self.draw.randbytes(size))
        self.bench.put(DESTINATION + 2 * MAC_BYTES * n, bytes(2 * MAC_BYTES))
        return {
            "operation": self.numbers[f"aes{self.bits}_cmac"],
            "source": SOURCE + SPACE * n,
            "destination": DESTINATION + 2 * MAC_BYTES * n,
            "bytes": size,
            "tag": MAC_BYTES,
            "iv": self.draw.randbytes(16),
            "context": context,
            "generation": 5,
        } | fields

    def run(self, *jobs: dict[str, Any]) -> list[Completion]:
        self.ring.write(*(self.ring.descriptor(cookie=n, **job) for n, job in enumerate(jobs)))
        done = self.ring.wait(len(jobs))
        assert [one.cookie for one in done] == list(range(len(jobs)))
        return done

    def is_right(self, job: dict[str, Any]) -> bool:
        """Whether the MAC is there, and nothing after it."""
        mac = CMAC(algorithms.AES(self.keys[job["context"]]))
        mac.update(bytes(self.bench.memory[job["source"] : job["source"] + job["bytes"]]))
        at = job["destination"]
        return bytes(self.bench.memory[at : at + 2 * MAC_BYTES]) == mac.finalize() + bytes(MAC_BYTES)


@pytest.fixture(params=[128, 256])
def macs(maker: Maker, request: pytest.FixtureRequest) -> Macs:
    return Macs(Bench.make(maker), request.param)


def test_macs_of_two_keys_in_a_batch_are_right(macs: Macs) -> None:
    for _ in range(6):
        jobs = [macs.job(n, macs.draw.choice(LENGTHS)) for n in range(BATCH)]
        done = macs.run(*jobs)
        assert {(one.status, one.bytes) for one in done} == {("ok", MAC_BYTES)}
        assert all(map(macs.is_right, jobs))


ERRORS = ("read_error", "bad_address", "bad_key", "write_error")


@pytest.mark.parametrize("number", [2, 3])
@pytest.mark.parametrize("status", ERRORS)
def test_an_error_of_one_mac_is_not_one_of_the_mac_with_it(macs: Macs, status: str, number: int) -> None:
    """First and second of a pair, in the middle of a batch."""
    sizes = (570, 200, 1518, 400, 300, 300)
    wrong = {"bad_address": {"source": MEMORY_BYTES - 32}, "bad_key": {"generation": 4}}.get(status, {})
    jobs = [macs.job(n, size, **(wrong if n == number else {})) for n, size in enumerate(sizes)]
    if status == "read_error":
        macs.bench.device.fail_reads(SOURCE + SPACE * number + 256, SOURCE + SPACE * number + 257)
    if status == "write_error":
        at = jobs[number]["destination"]
        macs.bench.device.fail_writes(at, at + 1)
    done = macs.run(*jobs)
    assert [one.status for one in done] == [status if n == number else "ok" for n in range(len(sizes))]
    assert [macs.is_right(job) for job in jobs] == [n != number for n in range(len(sizes))]
    macs.bench.device.heal()
    jobs = [macs.job(n, 300) for n in range(4)]
    assert {one.status for one in macs.run(*jobs)} == {"ok"}
    assert all(map(macs.is_right, jobs))
