"""The host port of the core: interrupt, access during a running program, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import lutra
from lutra import EngineError
from lutra.isa import load

SPACES = {s.name: s.code for s in load().spaces if ":" not in s.name}
LONG = "repeat 20000, .L_end\nmov m0[0], v0\nnop\n.L_end: notify 7\nhalt"


def core(source: str, rounds: int = 2) -> lutra.Engine:
    engine = lutra.make_engine("rtl", rounds)
    engine.load(lutra.assemble_text(source))
    return engine


@pytest.mark.parametrize("end", ["halt", "wait", "ret", "notify 3\nhalt"])
def test_interrupt_stays_until_the_host_clears_it(end: str) -> None:
    engine = core(end)
    assert not engine.backend.irq
    engine.run(0)
    assert engine.backend.irq
    engine.backend.clear_irq()
    assert not engine.backend.irq


def test_reset_takes_the_interrupt_back() -> None:
    engine = core("halt")
    engine.run(0)
    engine.read("m0", 0, 16)  # an answer is on the port, too
    engine.reset()
    assert not engine.backend.irq


def test_interrupt_does_not_come_before_its_instruction_retires() -> None:
    engine = core("nop\nnop\nnotify 9\nnop\nhalt")
    engine.start(0)
    seen = [(engine.backend.irq, engine.backend.notified) for _ in engine.records()]
    # One entry a retirement: the notify is the third.
    assert seen == [(False, 0), (False, 0), (True, 9), (True, 9), (True, 9)]


@pytest.mark.parametrize(("end", "events"), [("halt", 1), ("wait", 1), ("ret", 1), ("notify 3\nhalt", 2)])
@pytest.mark.parametrize("rounds", [1, 2])
def test_an_event_in_the_cycle_of_the_clear_is_not_lost(end: str, events: int, rounds: int) -> None:
    engine = core(f"nop\n{end}", rounds)
    engine.start(0)
    raised = 0
    for _ in range(24):  # the host clears in every cycle
        engine.backend.clear_irq()
        raised += engine.backend.irq
    assert engine.stop().state != "running"
    assert raised == events


USES = {"m0": "aesencf v0, v0, m0[0]", "m2": "mov v0, m2[0]", "m3": "mov m3[0], v0"}


@pytest.mark.parametrize("write", [False, True], ids=["read", "write"])
@pytest.mark.parametrize("space", USES)
@pytest.mark.parametrize("rounds", [1, 2])
def test_the_host_waits_while_the_core_uses_a_memory_in_every_cycle(space: str, write: bool, rounds: int) -> None:
    engine = core(f"repeat 100, .L_end\n{USES[space]}\n.L_end: halt", rounds)
    engine.write(space, 16, bytes(range(16)))
    engine.start(0)
    for _ in range(10):
        engine.step()
    before = engine.backend.clocks
    if write:
        engine.write(space, 16, b"\x5a" * 16)
    found = engine.read(space, 16, 16)
    assert engine.backend.clocks - before > 80
    assert found == (b"\x5a" * 16 if write else bytes(range(16)))


@pytest.mark.parametrize("write", [False, True], ids=["read", "write"])
@pytest.mark.parametrize("space", ["pm", "t0", "t1", "t0:t1"])
def test_the_port_grants_tables_and_program_after_the_program_only(space: str, write: bool) -> None:
    engine = core("repeat 100, .L_end\nnop\n.L_end: halt")
    engine.start(0)
    if write:
        engine.backend.port_write(engine.space_code(space), 9, [0x5A] * 16)
    else:
        engine.backend.port_read(engine.space_code(space), 9)
    assert engine.stop().state == "halted"
    for one in space.split(":") if write else ():
        width = 8 if one == "pm" else 16
        assert engine.read(one, 9 * width, width) == b"\x5a" * width


@pytest.mark.parametrize("rounds", [1, 2])
def test_data_memories_are_open_while_a_program_runs(rounds: int) -> None:
    engine = core(LONG, rounds)
    engine.start(0)
    engine.step()
    engine.write("m2", 32, bytes(range(64)))
    engine.write("m0", 64, b"\xaa" * 16)  # the block that the program uses every other cycle
    assert engine.read("m2", 32, 64) == bytes(range(64))
    assert engine.stop().state == "running"
    assert engine.go().state == "halted"
    assert engine.read("m0", 64, 16) == b"\xaa" * 16


@pytest.mark.parametrize("space", ["pm", "t0", "t1"])
@pytest.mark.parametrize("name", ["iss", "rtl", "cosim"])
def test_program_and_tables_are_closed_while_a_program_runs(space: str, name: lutra.engine.EngineName) -> None:
    engine = lutra.make_engine(name)
    engine.load(lutra.assemble_text(LONG))
    engine.start(0)
    engine.step()
    with pytest.raises(EngineError, match="only while the machine is not running"):
        engine.read(space, 0, 16)
    with pytest.raises(EngineError, match="running"):
        engine.start(0)


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("name", ["iss", "rtl"])
def test_bytes_written_are_bytes_read(space: str, name: lutra.engine.EngineName) -> None:
    engine = lutra.make_engine(name)
    data = bytes(255 - n % 251 for n in range(engine.size(space)))
    engine.write(space, 0, data)
    engine.write(space, 5, b"otter")
    assert engine.read(space, 0, len(data)) == data[:5] + b"otter" + data[10:]


def test_one_write_reaches_both_banks() -> None:
    engine = lutra.make_engine("rtl")
    engine.write("t0:t1", 100, b"\x5a" * 40)
    assert engine.read("t0", 100, 40) == engine.read("t1", 100, 40) == b"\x5a" * 40


def test_a_write_beyond_the_memory_is_refused() -> None:
    with pytest.raises(EngineError, match="do not fit"):
        lutra.make_engine("rtl").write("m0", 4090, bytes(7))


def test_wait_lasts_until_the_host_resumes() -> None:
    engine = core("wait\nnotify 5\nhalt")
    engine.run(0)
    engine.read("m0", 0, 256)  # time passes: an access takes one cycle per row
    assert (engine.stop().state, engine.stop().notified) == ("waiting", 0)
    assert (engine.resume().state, engine.stop().notified) == ("halted", 5)


@pytest.mark.parametrize("space", SPACES)
def test_rows_that_do_not_exist_read_zero_and_ignore_writes(space: str) -> None:
    engine = lutra.make_engine("rtl")
    ones = b"\xff" * engine.size(space)
    engine.write(space, 0, ones)
    code = SPACES[space]
    rows = engine.size(space) // (8 if space == "pm" else 16)
    for row in (rows, 2 * rows, 0xFFFF):
        engine.backend.port_write(code, row, [0xAA] * 16)
        assert engine.read(space, 0, len(ones)) == ones
        assert engine.backend.port_read(code, row) == [0] * 16


def test_resume_without_a_wait_is_refused() -> None:
    engine = core("halt")
    engine.run(0)
    with pytest.raises(EngineError, match="not waiting"):
        engine.resume()


def test_waves_are_written_by_the_core_only(tmp_path: Path) -> None:
    file = tmp_path / "w.fst"
    engine = core("halt")
    engine.trace(file)
    engine.run(0)
    engine.close()
    assert file.stat().st_size > 1000
    with pytest.raises(EngineError, match="cannot be written"):
        engine.trace(tmp_path / "missing" / "w.fst")
    with pytest.raises(EngineError, match="no waves"):
        lutra.make_engine("iss").trace(file)
