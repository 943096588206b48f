"""The core computes all ciphers behind every attachment, on every host; the systems take minutes to build."""

from __future__ import annotations

from pathlib import Path

import pytest

from lutra.soc import ring
from lutra.soc.programs import LINKS, SUBJECTS, Program, WrongResultError, measure, moves
from lutra.soc.ring import KEYS, QUEUED, measure_ring
from lutra.soc.study import ATTACHED, RING_MEMORIES, Case, main, ways
from lutra.soc.system import HOSTS, System

pytestmark = pytest.mark.nightly("builds a Verilated system with the core for each host")

WAYS = [(host, way, delay) for host, attached in ATTACHED.items() for way, delay in ways(attached)]


def system(host: str) -> Path:
    return System(host, ATTACHED[host]).build()


@pytest.mark.parametrize(("host", "way", "delay"), WAYS)
@pytest.mark.parametrize("name", SUBJECTS)
def test_the_core_computes_a_cipher(host: str, way: str, delay: int, name: str) -> None:
    case = Case(host, Program(name, way, sizes=(16, 100), cold_sizes=(64,)), delay)
    messages = measure(system(host), case.program, **case.arguments())
    assert all(0 < message.running < message.cycles for message in messages)


@pytest.mark.parametrize(("host", "way", "delay"), WAYS)
def test_a_longer_way_takes_longer(host: str, way: str, delay: int) -> None:
    """Programmed I/O reads what it wrote, and a word takes its round trip."""
    found = moves(system(host), way, **Case(host, Program("", way), delay).arguments())
    words = 1 if way == "wide" else 4
    assert min(found.write, found.read) >= words * max(delay, 1)


@pytest.mark.parametrize("name", [s.name for s in SUBJECTS.values() if s.stateless])
@pytest.mark.parametrize("way", ["bus", "fifo"])
def test_a_stateless_core_computes_a_cipher(name: str, way: str) -> None:
    program = Program(name, way, stateless=True, sizes=(64, 200), cold_sizes=())
    measure(system("picorv32"), program)


def test_every_link_belongs_to_some_host() -> None:
    assert {way for _, way, _ in WAYS} == set(LINKS)


def ring_system(host: str) -> Path:
    return System(host, frozenset({5})).build()


@pytest.mark.parametrize("host", RING_MEMORIES)
@pytest.mark.parametrize("name", QUEUED)
def test_the_ring_computes_a_cipher(host: str, name: str) -> None:
    messages, batches = measure_ring(ring_system(host), host, name, (16, 100, 300), memory=30, round_trip=8)
    assert [message.cold for message in messages] == [False, True] * 3
    assert all(0 < message.first < message.cycles for message in messages)
    assert [batch.keys for batch in batches] == [*KEYS, *KEYS, "kept", "new"]
    for batch in batches:
        assert 0 < batch.host < batch.cycles
        assert batch.steady < batch.cycles
    # The host that can count its instructions does so, and the contract of the driver holds on it.
    kept = next(batch for batch in batches if batch.keys == "kept")
    assert kept.instructions == 0 if not HOSTS[host].instructions else 20 < kept.instructions / kept.count < 60


def test_a_wrong_result_of_the_ring_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ring, "answer", lambda name, size, key, iv: right(name, size, key, iv ^ (iv == 15)))
    with pytest.raises(WrongResultError, match="message 15 of 16 bytes"):
        measure_ring(ring_system("ibex"), "ibex", "aes-128-ctr", (16,))


right = ring.answer


def test_figures_are_those_of_these_sources() -> None:
    """Each was measured with the system and the program that these sources make; `make soc-study` repeats others."""
    assert main(["--check"]) == 0
