"""A machine whose past is kept, and a host that writes, starts, resets and sets registers at times of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import lutra
from lutra import EngineError
from lutra.iss.timeline import Timeline
from support.timelines import made

TWICE = """
main:   mov     v0, m2[0]
        xor     v1, v1, v0
        mov     m3[0], v1
        wait
        mov     v2, m2[0]
        halt
other:  mov     v0, m2[16]
        halt
"""
ONE, TWO, THREE = (bytes([n]) * 16 for n in (1, 2, 3))


def two_runs() -> Timeline:
    """Two runs with a wait in the first, and the host before, in and after it."""
    timeline = made(TWICE)
    timeline.write("m2", 0, ONE)
    timeline.start(0)
    assert timeline.run() == "wait"
    timeline.write("m2", 0, TWO)
    timeline.resume()
    assert timeline.run() == "halt"
    timeline.write("m2", 16, THREE)
    timeline.start(6)
    assert timeline.run() == "halt"
    return timeline


def test_what_the_host_did_is_done_again() -> None:
    timeline = two_runs()
    assert timeline.now == 8
    end = dict(timeline.registers())
    seen = {}
    for time in (8, 5, 3, 0, 4, 6, 7):
        timeline.seek(time)
        seen[time] = timeline.read("m2", 0, 16), timeline.read("m2", 16, 16), timeline.state
    assert seen == {
        0: (ONE, bytes(16), "running"),
        3: (ONE, bytes(16), "running"),
        4: (TWO, bytes(16), "running"),
        5: (TWO, bytes(16), "running"),
        6: (TWO, THREE, "running"),
        7: (TWO, THREE, "running"),
        8: (TWO, THREE, "halted"),
    }
    timeline.seek(8)
    assert dict(timeline.registers()) == end
    assert [timeline.began, timeline.cycle] == [6, timeline.engine.stop().cycles]


def test_what_an_instruction_has_left_is_before_what_the_host_did_there() -> None:
    timeline = two_runs()
    left = {}
    for time in (8, 4, 6, 0, 5):
        assert timeline.seek(time, host=False) is None
        assert timeline.now == time
        left[time] = timeline.read("m2", 0, 16), timeline.read("m2", 16, 16), timeline.state
    assert left == {
        0: (ONE, bytes(16), "running"),  # no instruction has left it
        4: (ONE, bytes(16), "waiting"),
        5: (TWO, bytes(16), "running"),
        6: (TWO, bytes(16), "halted"),
        8: (TWO, THREE, "halted"),
    }
    assert timeline.latest == 8


@pytest.mark.parametrize("time", [4, 6])
def test_what_comes_after_what_an_instruction_has_left_goes_on_from_what_the_host_did(time: int) -> None:
    timeline = two_runs()
    end = dict(timeline.registers()), timeline.read("m2", 0, 32), timeline.engine.stop()
    moves: list[Callable[[], object]] = [
        lambda: timeline.seek(8),
        lambda: timeline.seek_cycle(2**62),
        lambda: [timeline.run() for _ in range(3)],
    ]
    for move in moves:
        timeline.seek(time, host=False)
        move()
        timeline.seek(8)
        assert (dict(timeline.registers()), timeline.read("m2", 0, 32), timeline.engine.stop()) == end
    timeline.seek(time, host=False)
    timeline.seek(time)
    assert timeline.state == "running"
    assert timeline.read("m2", 0, 32) == (TWO + bytes(16) if time == 4 else TWO + THREE)


def test_what_the_host_does_comes_after_what_it_did_at_the_same_time() -> None:
    timeline = made("mov v0, m2[0]\nnop\nhalt")
    timeline.start(0)
    timeline.run(limit=1)
    timeline.poke("v0", ONE)
    timeline.seek(1, host=False)
    assert timeline.registers()["v0"].value == bytes(16)
    timeline.poke("v1", TWO)
    assert [timeline.registers()[v].value for v in ("v0", "v1")] == [ONE, TWO]
    timeline.seek(0)
    timeline.seek(1)
    assert [timeline.registers()[v].value for v in ("v0", "v1")] == [ONE, TWO]


def test_runs_that_were_are_run_through_in_their_order() -> None:
    timeline = two_runs()
    timeline.seek(0)
    assert [timeline.run(), timeline.now] == ["wait", 4]
    assert [timeline.run(), timeline.now] == ["halt", 6]
    assert [timeline.run(), timeline.now] == ["halt", 8]
    assert [timeline.run(), timeline.now] == ["halt", 8]


def test_what_the_host_does_in_the_past_discards_the_future() -> None:
    timeline = two_runs()
    timeline.seek(5)
    timeline.write("m3", 32, TWO)
    assert [timeline.now, timeline.latest] == [5, 5]
    assert timeline.run() == "halt"
    assert [timeline.now, timeline.run()] == [6, "halt"]
    assert timeline.read("m2", 16, 16) == bytes(16)
    timeline.seek(0)
    assert timeline.read("m3", 32, 16) == bytes(16)
    timeline.seek(6)
    assert timeline.read("m3", 32, 16) == TWO


def test_program_memory_is_that_of_its_time() -> None:
    timeline = made("mov v0, m2[0]\nhalt")
    timeline.start(0)
    timeline.run()
    word = lutra.assemble_text("wait").program[0]
    timeline.write("pm", 0, word.to_bytes(8, "little"))
    timeline.start(0)
    assert timeline.run() == "wait"
    timeline.seek(1)
    assert int.from_bytes(timeline.read("pm", 0, 8), "little") != word
    assert timeline.record(3).insn == word


def test_a_reset_is_done_again() -> None:
    timeline = made("notify 7\nhalt")
    timeline.start(0)
    timeline.run()
    timeline.reset()
    assert timeline.registers()["notify"].value == 0
    timeline.seek(1)
    assert timeline.registers()["notify"].value == 7
    timeline.seek(2)
    assert [timeline.registers()["notify"].value, timeline.state, timeline.run()] == [0, "idle", "idle"]


def test_a_timeline_begins_where_the_machine_is() -> None:
    engine = lutra.make_engine("iss")
    engine.load(lutra.assemble_text("mov v0, m2[0]\nwait\nmov v1, v0\nhalt"))
    engine.write("m2", 0, ONE)
    engine.run(0)
    timeline = Timeline(engine)
    timeline.resume()
    assert [timeline.run(), timeline.now] == ["halt", 2]
    timeline.seek(0)
    assert [timeline.registers()[v].value for v in ("v0", "v1")] == [ONE, bytes(16)]


def test_a_running_machine_has_no_beginning() -> None:
    engine = lutra.make_engine("iss")
    engine.load(lutra.assemble_text("nop\nhalt"))
    engine.start(0)
    with pytest.raises(EngineError, match="not running"):
        Timeline(engine)


# ---------------------------------------------------------------- poke


def values(name: str) -> int | bytes:
    """One that every register can have, and that it has not after reset."""
    value = lutra.make_engine("iss").registers()[name].value
    if isinstance(value, bytes):
        return bytes(range(1, 13)) + bytes(4 if name.endswith("registers") else range(13, 17))
    return {"ctr.width": 64}.get(name, 1)


@pytest.mark.parametrize("name", [n for n in lutra.make_engine("iss").registers() if n != "resume"])
def test_a_register_that_is_set_has_the_value_and_nothing_else_changes(name: str) -> None:
    timeline = made("nop\nhalt")
    stack = name.partition(".")[0][:-1] if name[:4] in ("loop", "call") and "." in name else ""
    if stack:
        timeline.poke(f"{stack}s", 4)
    before = dict(timeline.registers())
    timeline.poke(name, values(name))
    after = dict(timeline.registers())
    assert after[name].value == values(name)
    others = {n: r for n, r in after.items() if n != name and not n.startswith(name.rstrip("s"))}
    assert others == {n: before[n] for n in others}


def test_what_was_set_is_set_again() -> None:
    timeline = made("mov v0, m2[0]\nxor v1, v1, v0\nhalt")
    timeline.start(0)
    timeline.run(limit=1)
    timeline.poke("v0", ONE)
    assert timeline.run() == "halt"
    assert timeline.registers()["v1"].value == ONE
    timeline.seek(0)
    assert timeline.registers()["v0"].value == bytes(16)
    timeline.seek(3)
    assert timeline.registers()["v1"].value == ONE


def test_where_a_wait_goes_on_can_be_set() -> None:
    timeline = made("wait\nhalt\nnotify 5\nhalt")
    timeline.start(0)
    timeline.run()
    timeline.poke("resume", 2)
    timeline.resume()
    timeline.run()
    assert timeline.registers()["notify"].value == 5


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("v9", ONE, "no register v9"),
        ("v0", 5, "v0 holds a vector of 16 bytes, not a number"),
        ("v0", b"short", "a vector has 16 bytes, not 5"),
        ("ar0", ONE, "ar0 holds a number, not a vector"),
        ("ar0", 65536, "ar0 holds numbers up to 65535"),
        ("ar0", -1, "ar0 cannot hold -1"),
        ("flag", 2, "flag holds numbers up to 1"),
        ("ctr.width", 7, "ctr.width cannot have this value now"),
        ("loops", 5, "loops cannot have this value now"),
        ("loop0.end", 3, "loop0.end cannot have this value now"),
        ("resume", 3, "resume cannot have this value now"),
    ],
)
def test_a_value_that_a_register_cannot_have_is_refused(name: str, value: int | bytes, text: str) -> None:
    timeline = made("halt")
    before = dict(timeline.registers())
    with pytest.raises(EngineError) as error:
        timeline.poke(name, value)
    assert text in str(error.value)
    assert "\n" not in str(error.value)
    assert dict(timeline.registers()) == before
