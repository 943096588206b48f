"""Check bits of memories on the simulator: which flipped bits stop a program, and what it has done up to then."""

from __future__ import annotations

import pytest

from injection.memories import LIMIT, ROWS, WORDS, prepare, run
from lutra.iss.engine import Engine, EngineError, Simulator
from lutra.iss.fault import Fault

LATE = LIMIT  # a cycle after the program's end


def machine(protect: bool = True, rounds: int = 2) -> Engine:
    return prepare(Simulator(rounds, protect=protect))


def machine_with_a_wipe() -> Engine:
    return prepare(Simulator(2, protect=True, wipe=True))


@pytest.fixture(scope="module")
def right() -> bytes:
    state, got = run(machine())
    assert state == "halted" and got[:16] != bytes(16) != got[16:]
    return got


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("shadow", [False, True])
def test_every_bit_of_what_is_read_is_found(rounds: int, shadow: bool, right: bytes) -> None:
    for memory, places in (("m0", 16), ("m2", 16), ("pm", WORDS)):
        for place in range(places):
            bits = (8 if memory == "pm" else 1) if shadow else (64 if memory == "pm" else 8)
            for bit in range(bits):
                state, got = run(machine(rounds=rounds), Fault(0, memory, str(place), 1 << bit, shadow))
                assert state == "faulted", (memory, place, bit)
                assert got[:16] in (bytes(16), right[:16]) and got[16:] in (bytes(16), right[16:])


def test_a_wrong_entry_stops_the_store_of_what_was_looked_up(right: bytes) -> None:
    for lane in range(16):
        place = 16 * ROWS[lane] + lane
        state, got = run(machine(), Fault(0, "t0", str(place), 0x40))
        assert state == "faulted" and got == bytes(32)
        state, got = run(machine(), Fault(0, "t0", str((place + 16) % 4096), 0x40))
        assert state == "halted" and got == right


def test_two_wrong_bits_of_a_byte_are_not_found(right: bytes) -> None:
    state, got = run(machine(), Fault(0, "m2", "3", 0x11))
    assert state == "halted" and got != right


def test_what_is_written_or_read_before_the_fault_is_right(right: bytes) -> None:
    assert run(machine(), Fault(0, "m3", "5", 1)) == ("halted", right)  # overwritten
    assert run(machine(), Fault(LATE, "m2", "3", 1)) == ("halted", right)  # never


def test_the_host_reads_zeros_and_the_machine_is_faulted(right: bytes) -> None:
    engine = machine()
    state, got = run(engine, Fault(engine.run(0, LATE).cycles, "m3", "20", 1))
    assert state == "halted" and got == right[:16] + bytes(16)
    with pytest.raises(EngineError, match="clear its alert"):
        engine.start(0)
    engine.clear_alert()
    engine.write("m3", 0, bytes(32))
    assert engine.run(0, LATE).state == "halted" and engine.read("m3", 0, 32) == right


def test_a_wrong_row_that_the_host_reads_wipes_a_machine_with_a_wipe() -> None:
    """The rest of the access and all other memories are zero then, as in the core."""
    engine = machine_with_a_wipe()
    engine.write("t1", 0xFF0, b"\xff" * 16)
    engine.inject(Fault(engine.run(0, LATE).cycles, "m3", "4", 1))
    assert engine.run(0, LATE).state == "halted"
    assert engine.read("m3", 0, 32) == bytes(32)
    assert engine.read("t1", 0xFF0, 16) == bytes(16)


def test_a_wipe_writes_what_was_wrong() -> None:
    engine = machine_with_a_wipe()
    engine.inject(Fault(engine.run(0, LATE).cycles, "m0", "0x568", 1))
    engine.run(0, LATE)
    engine.wipe()
    assert engine.read("m0", 0, 4096) == bytes(4096)
    assert engine.stop().state == "idle"


def test_rows_that_the_host_may_not_see_are_not_checked() -> None:
    engine = prepare(Simulator(2, protect=True, key_rows=16))
    engine.inject(Fault(engine.run(0, LATE).cycles, "m0", "0x68", 1))
    engine.run(0, LATE)
    assert engine.read("m0", 0, 256) == bytes(256)
    assert engine.stop().state == "halted"


def test_a_core_without_checks_gives_a_wrong_result(right: bytes) -> None:
    state, got = run(machine(protect=False), Fault(0, "m2", "3", 1))
    assert state == "halted" and got not in (right, bytes(32))


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (Fault(0, "m4", "0", 1), "no stream context m4"),
        (Fault(0, "m0", "s3", 1), "not a place of m0"),
        (Fault(0, "m0", "4096", 1), "no such place"),
        (Fault(0, "pm", "1024", 1), "no such place"),
        (Fault(0, "m0", "0", 0x100), "not a set of bits of m0"),
        (Fault(0, "t0", "0", 2, shadow=True), "not a set of bits of t0"),
        (Fault(0, "pm", "0", 0x100, shadow=True), "not a set of bits of pm"),
    ],
)
def test_a_fault_of_no_memory_is_refused(fault: Fault, message: str) -> None:
    with pytest.raises(EngineError, match=message):
        machine().inject(fault)


def test_check_bits_that_are_not_there_are_refused() -> None:
    with pytest.raises(EngineError, match="no check bits"):
        machine(protect=False).inject(Fault(0, "m0", "0", 1, shadow=True))
