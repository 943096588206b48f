"""Rings: order, wrap-around, doorbells, interrupts, abort, and bus errors in their own memory."""

from __future__ import annotations

import random
from typing import Any

import pytest

from lutra.soc.devices import Maker
from support import toy
from support.soc import BUFFERS, LAYOUT, Bench, Ring

from .conftest import KEY, SetKey, loaded, operation

IV = bytes(range(16))
SOURCE, DESTINATION = BUFFERS, BUFFERS + 0x20000


def _crypt(ring: Ring, handle: dict[str, Any], n: int = 0, length: int = 16, **fields: Any) -> bytes:
    return ring.descriptor(
        operation=operation("toy_crypt"),
        source=SOURCE + 0x1000 * n,
        destination=DESTINATION + 0x1000 * n,
        bytes=length,
        iv=IV,
        cookie=n,
        **handle | fields,
    )


@pytest.mark.parametrize("refused", range(4))
def test_completions_after_a_refused_one_keep_their_places(toys: Bench, refused: int) -> None:
    """They may be in memory, where nobody looks for them, but not in the place of another."""
    ring = toys.rings[0]
    for _ in range(6):
        at = ring.completions + 16 * refused
        toys.device.fail_writes(at, at + 16)
        # Refused at once, so that completions follow one another closely.
        ring.write(*(ring.descriptor(operation=0xEF, cookie=n) for n in range(10)))
        toys.device.run(3000)
        assert ring.get("state.stopped") == 1
        for n in range(10):
            values = LAYOUT.completion.unpack(bytes(toys.memory[ring.completions + 16 * n :][:16]))
            assert values["result.phase"] == 0 or values["cookie.value"] == n
            assert not (n < refused) or values["result.phase"] == 1
        toys.device.heal()
        ring.disable()
        ring.set("interrupt.stopped", 1)
        ring.enable()


def test_completions_come_in_order_and_wrap_around(toys: Bench, set_key: SetKey) -> None:
    draw = random.Random(1)
    ring = toys.rings[0]
    handle = set_key(ring)
    for _ in range(12):
        lengths = [draw.choice((0, 8, 100, 1500)) for _ in range(draw.randrange(1, 17))]
        texts = [toys.put(SOURCE + 0x1000 * n, draw.randbytes(length)) for n, length in enumerate(lengths)]
        assert len(texts) == len(lengths)
        ring.write(*(_crypt(ring, handle, n, length) for n, length in enumerate(lengths)))
        done = ring.wait(len(lengths))
        assert [(d.cookie, d.status, d.bytes) for d in done] == [(n, "ok", length) for n, length in enumerate(lengths)]
        for n, length in enumerate(lengths):
            text = bytes(toys.memory[SOURCE + 0x1000 * n :][:length])
            assert toys.memory[DESTINATION + 0x1000 * n :][:length] == toy.crypt(KEY, IV, text)
    toys.device.run(2000)
    assert ring.get("head.head") == ring.tail


def test_two_rings_work_at_once_and_do_not_mix(toys: Bench, set_key: SetKey) -> None:
    keys = [bytes(32), bytes(range(32))]
    toys.put(SOURCE, bytes(0x10000))
    handles = [set_key(ring, context=n, key=key) for n, (ring, key) in enumerate(zip(toys.rings, keys, strict=True))]
    for turn in range(4):
        for n, ring in enumerate(toys.rings):
            ring.write(*(_crypt(ring, handles[n], 8 * n + i, 700) for i in range(8)))
        for n, ring in enumerate(toys.rings):
            done = ring.wait(8)
            assert [(d.cookie, d.status) for d in done] == [(8 * n + i, "ok") for i in range(8)], turn
            for i in range(8):
                at = 0x1000 * (8 * n + i)
                assert toys.memory[DESTINATION + at :][:700] == toy.crypt(keys[n], IV, bytes(700))


def test_key_belongs_to_its_ring_and_its_class(toys: Bench, set_key: SetKey) -> None:
    first, second = toys.rings
    handle = set_key(first)

    def status(ring: Ring, handle: dict[str, int]) -> str:
        ring.write(_crypt(ring, handle))
        return ring.wait()[0].status

    def put(ring: Ring, length: int) -> str:
        return ring.do(
            operation=operation("toy_key"), inline_payload=1, key=KEY[:length], bytes=length, **handle
        ).status

    assert (status(first, handle), status(second, handle)) == ("ok", "bad_key")
    assert (put(second, 16), put(second, 0)) == ("bad_key", "bad_key")
    once: dict[str, Any] = {
        "operation": operation("toy_once_in_context"),
        "inline_key": bytes(16),
        "context": handle["context"],
        "bytes": 0,
    }
    assert second.do(**once).status == "bad_key"
    assert status(first, handle) == "ok"
    assert put(first, 0) == "ok"
    assert status(first, handle) == "bad_key"
    assert put(second, 32) == "ok"
    assert (status(first, handle), status(second, handle)) == ("bad_key", "ok")
    other = set_key(first, context=7, name="toy_other_key")
    assert status(first, other) == "bad_key"
    # An inline key overwrites the context where the operation uses one.
    assert second.do(**once | {"operation": operation("toy_once")}).status == "ok"
    assert status(second, handle) == "ok"
    assert second.do(**once).status == "ok"
    assert status(second, handle) == "bad_key"


def test_key_may_be_used_in_the_same_batch(toys: Bench) -> None:
    ring = toys.rings[0]
    toys.put(SOURCE, bytes(0x8000))
    batch = []
    for n in range(8):
        batch.append(
            ring.descriptor(
                operation=operation("toy_key"), inline_payload=1, key=bytes([n] * 32), bytes=32, context=2, generation=n
            )
        )
        batch.append(_crypt(ring, {"context": 2, "generation": n}, n, 40))
    ring.write(*batch)
    assert [d.status for d in ring.wait(16)] == ["ok"] * 16
    for n in range(8):
        assert toys.memory[DESTINATION + 0x1000 * n :][:40] == toy.crypt(bytes([n] * 32), IV, bytes(40))


def test_doorbell_that_runs_ahead_stops_the_ring(toys: Bench) -> None:
    ring = toys.rings[1]
    ring.set("interrupt_enable.stopped", 1)
    ring.set("tail.tail", 17)
    toys.device.run(1000)
    assert (ring.get("state.stopped"), ring.get("state.reason")) == (1, LAYOUT.status["bad_descriptor"])
    assert toys.device.interrupts == 2
    assert ring.poll() is None
    ring.set("interrupt.stopped", 1)
    assert toys.device.interrupts == 0
    ring.disable()
    toys.device.run(1000)
    ring.enable()
    assert ring.do(operation=0xEF).status == "bad_operation"


def test_place_is_free_once_its_completion_is_seen(toys: Bench) -> None:
    """The device gets the answer to its write later than the host may see what was written."""
    ring, seen = toys.rings[0], 0
    ring.write(*(ring.descriptor(operation=0xEF) for _ in range(16)))
    end = toys.device.cycles + 100_000
    while seen < 64:
        assert toys.device.cycles < end
        toys.device.run(1)
        while ring.poll() is not None:
            ring.write(ring.descriptor(operation=0xEF))
            seen += 1
    assert ring.get("state.stopped") == 0


@pytest.mark.parametrize("side", ("reads", "writes"))
def test_bus_error_in_the_memory_of_a_ring_stops_it_alone(toys: Bench, set_key: SetKey, side: str) -> None:
    first, second = toys.rings
    handle = set_key(second)
    base, fail = {
        "reads": (first.base, toys.device.fail_reads),
        "writes": (first.completions, toys.device.fail_writes),
    }[side]
    fail(base, base + 16)
    first.tail = first.head = 16  # the entry at the beginning comes next
    first.set("control.enable", 0)
    toys.device.run(1000)
    first.enable()
    first.write(first.descriptor(operation=0xEF), first.descriptor(operation=0xEF))
    toys.device.run(5000)
    reason = {"reads": "read_error", "writes": "write_error"}[side]
    assert (first.get("state.stopped"), first.get("state.reason")) == (1, LAYOUT.status[reason])
    assert first.get("state.idle") == 1
    second.write(_crypt(second, handle))
    assert second.wait()[0].status == "ok"


def test_interrupt_by_count(toys: Bench, set_key: SetKey) -> None:
    ring = toys.rings[0]
    handle = set_key(ring)
    ring.set("moderation.count", 3)
    ring.set("interrupt_enable.completed", 1)
    ring.set("interrupt.completed", 1)
    ring.write(_crypt(ring, handle), _crypt(ring, handle))
    toys.device.run(5000)
    before = toys.device.interrupts
    ring.write(_crypt(ring, handle))
    toys.device.run(5000)
    assert (before, toys.device.interrupts) in ((0, 1), (1, 1))
    ring.set("interrupt.completed", 1)
    assert toys.device.interrupts == 0


def test_interrupt_by_time_and_at_once(toys: Bench, set_key: SetKey) -> None:
    ring = toys.rings[1]
    handle = set_key(ring)
    ring.set("moderation.count", 0)
    ring.set("interrupt_enable.completed", 1)
    toys.device.run(1000)
    ring.set("interrupt.completed", 1)
    ring.write(_crypt(ring, handle))
    toys.device.run(20_000)
    assert toys.device.interrupts == 0
    ring.write(_crypt(ring, handle, interrupt=1))
    toys.device.run(20_000)
    assert toys.device.interrupts == 2
    ring.set("interrupt.completed", 1)
    ring.set("moderation.timer", 100)
    ring.write(_crypt(ring, handle))
    toys.device.run(4000)
    assert toys.device.interrupts == 0
    toys.device.run(20_000)
    assert toys.device.interrupts == 2


def test_time_passes_while_an_interrupt_waits_for_the_host(toys: Bench, set_key: SetKey) -> None:
    ring = toys.rings[0]
    handle = set_key(ring)
    ring.set("interrupt_enable.completed", 1)
    assert toys.device.interrupts == 1
    ring.write(_crypt(ring, handle))
    toys.device.run(5000)
    assert ring.poll() is not None


@pytest.mark.parametrize("cycles", (0, 1, 50, 500, 3000))
def test_abort_takes_back_what_is_not_in_work(maker: Maker, set_key: SetKey, cycles: int) -> None:
    bench = loaded(Bench.make(maker))
    ring, other = bench.rings
    handle = set_key(ring)
    bench.put(SOURCE, bytes(0x10000))
    ring.write(*(_crypt(ring, handle, n, 3000) for n in range(15)))
    if cycles:
        bench.device.run(cycles)
    ring.set("control.abort", 1)
    for _ in range(100):
        bench.device.run(1000)
        if ring.get("state.idle"):
            break
    assert ring.get("state.idle") == 1
    done = ring.wait(15, cycles=1)
    statuses = [d.status for d in done]
    ok = statuses.count("ok")
    assert statuses == ["ok"] * ok + ["aborted"] * (15 - ok)
    for n, d in enumerate(done):
        assert d.cookie == n
        written = bench.memory[DESTINATION + 0x1000 * n :][:3000]
        assert (written == toy.crypt(KEY, IV, bytes(3000))) == (d.status == "ok")
        assert d.status == "ok" or written == bytes(3000)
    ring.set("control.abort", 0)
    ring.write(_crypt(ring, handle))
    assert ring.wait()[0].status == "ok"
    assert other.do(operation=0xEF).status == "bad_operation"


def test_nothing_is_taken_while_device_or_ring_is_off(toys: Bench, set_key: SetKey) -> None:
    ring = toys.rings[0]
    handle = set_key(ring)
    toys.set("control.enable", 0)
    ring.write(_crypt(ring, handle))
    toys.device.run(5000)
    assert ring.poll() is None
    assert ring.get("state.idle") == 1
    toys.set("control.enable", 1)
    assert ring.wait()[0].status == "ok"
    ring.disable()
    toys.device.run(1000)
    ring.enable()
    assert ring.get("head.head") == 0
    ring.write(_crypt(ring, handle))
    assert ring.wait()[0].status == "ok"


@pytest.mark.parametrize("order", ("little", "big"))
def test_words_have_either_order_and_byte_strings_have_none(maker: Maker, set_key: SetKey, order: str) -> None:
    bench = loaded(Bench.make(maker, "big" if order == "big" else "little"))
    ring = bench.rings[0]
    handle = set_key(ring)
    text = bytes(range(100, 140))
    bench.put(SOURCE, text)
    pieces = bench.list(SOURCE + 0x800, [(SOURCE, 7), (SOURCE + 7, 33)])
    done = ring.do(
        operation=operation("toy_crypt"),
        gather=1,
        source=pieces,
        destination=DESTINATION,
        bytes=40,
        iv=IV,
        cookie=0x01020304,
        **handle,
    )
    assert (done.status, done.cookie, done.bytes) == ("ok", 0x01020304, 40)
    assert bench.memory[DESTINATION : DESTINATION + 40] == toy.crypt(KEY, IV, text)
