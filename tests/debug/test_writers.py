"""Last writers and histories are those of plain records."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import lutra
from lutra.debug import DebugError, Session
from lutra.debug.commands import CommandState, execute
from lutra.iss.job import Job
from lutra.random import Generator
from support.debugging import open_session


def test_a_writer_has_its_place_and_both_values(session: Session) -> None:
    session.moves.go()
    found = session.history.last_writer("m1[0x40:4]")
    assert found is not None
    assert (found.time, found.pc, found.label, found.instruction) == (26, 14, "again", "mov m1[0x40], v0")
    assert (found.place and (found.place.file, found.place.line)) == ("program.s", 22)
    assert (found.before, found.after) == ("08090a0b", "08090a0b")
    first = session.history.writers("m1[0x40:4]")[-1]
    assert (first.before, first.after) == ("00000000", "08090a0b")
    session.moves.seek(found.time)
    assert session.inspect.where().pc == found.pc


def test_a_scatter_is_the_writer_of_one_byte_in_each_lane() -> None:
    session = open_session(
        "main: mov v0, m0[rows]\n mov v1, m0[rows + 16]\n tbls v0, zero, v1\n tbls v1, zero, v0\n halt\n"
        ' .section m0\nrows: .row "00010203 04050607 08090a0b 0c0d0e0f"\n .row "' + "20" * 16 + '"\n'
    )
    session.moves.go()
    for row, lane, time in ((3, 3, 3), (0x20, 3, 4)):
        found = session.history.last_writer(f"t0[{16 * row + lane}:1]")
        assert found is not None
        assert (found.time + 1, found.after) == (time, "20" if row == 3 else "03")
    assert session.history.last_writer(f"t0[{16 * 3 + 4}:1]") is None
    # The whole row has two writers: one of lane 3, none after it.
    assert [write.time + 1 for write in session.history.writers("t0[0x30]")] == [3]


def test_asking_does_not_move(session: Session) -> None:
    session.moves.step(10)
    before = session.inspect.where()
    session.history.writers("v0")
    session.history.last_writer("m1[0x40]")
    execute(CommandState(session), "trace 5")
    session.inspect.frames()
    assert session.inspect.where() == before


def test_history_is_newest_first_and_at_most_so_long(session: Session) -> None:
    session.moves.go()
    writes = session.history.writers("v0", 3)
    assert [write.time for write in writes] == [19, 18, 17]
    assert [write.chain[0].line for write in writes] == [3, 2, 3]
    assert len(session.history.writers("v0", 100)) == 17


def test_what_nothing_has_written_has_no_writer(session: Session) -> None:
    session.moves.go()
    assert session.history.last_writer("m3[0]") is None
    assert session.history.last_writer("key") is None
    assert session.history.writers("v7") == []


def test_a_part_of_a_register_has_the_writer_that_changed_it() -> None:
    session = open_session("main: arstep ar0, 16\n arset ar0, 5\n aradd ar0, ar0, 1\n halt\n")
    session.moves.go()
    found = session.history.last_writer("ar0.step")
    assert found is not None
    assert (found.time, found.before, found.after) == (0, "0", "16 (0x10)")


def test_what_sets_a_part_of_a_register_has_not_written_the_register() -> None:
    session = open_session("main: arset ar0, 5\n arset ar0, 5\n arstep ar0, 16\n arwin ar0, 0, 0x40\n ctrw 64\n halt\n")
    session.moves.go()
    assert [write.time for write in session.history.writers("ar0")] == [1, 0]
    assert session.history.last_writer("ctr") is None
    assert [write.time for write in session.history.writers("ctr.width")] == [4]


def test_a_byte_has_the_store_that_covers_it() -> None:
    program = "main: arset ar0, 0x18\n mov m1[0x10], v0\n mov m1[ar0], v0\n mov m1[0x30], v0\n halt\n"
    session = open_session(program)
    session.moves.go()
    times = {
        text: session.history.last_writer(text) for text in ("m1[0x17:1]", "m1[0x18:1]", "m1[0x27:1]", "m1[0x28:1]")
    }
    assert {text: write and write.time for text, write in times.items()} == {
        "m1[0x17:1]": 1,
        "m1[0x18:1]": 2,
        "m1[0x27:1]": 2,
        "m1[0x28:1]": None,
    }


SET = "main: nop\n arset ar0, 0x20\n mov m1[0x10], v0\n nop\n halt\n"


def set_by_hand() -> Session:
    """The host sets at the very time of a write what was written."""
    session = open_session(SET)
    session.moves.step(2)
    session.set("ar0", "7")
    session.moves.step()
    session.set("m1[0x10:4]", "0x11223344")
    session.moves.go()
    assert session.inspect.evaluate("ar0").value == 7
    return session


def test_what_the_host_sets_at_the_time_of_a_write_is_not_the_writers() -> None:
    session = set_by_hand()
    found = session.history.last_writer("ar0")
    assert found is not None
    assert (found.time, found.before, found.after) == (1, "0", "32 (0x20)")
    stored = session.history.last_writer("m1[0x10:4]")
    assert stored is not None
    assert (stored.time, stored.before, stored.after) == (2, "00000000", "00000000")
    assert session.inspect.evaluate("ar0").value == 7


def test_a_watchpoint_shows_what_was_written_not_what_the_host_set_then_forward_and_back() -> None:
    session = set_by_hand()
    session.watchpoints.add("ar0")
    stop = session.moves.back()
    assert (stop.kind, stop.old, stop.new, session.inspect.where().time) == ("watchpoint", "0", "32 (0x20)", 1)
    session.moves.seek(0)
    stop = session.moves.go()
    assert (stop.kind, stop.old, stop.new, session.inspect.where().time) == ("watchpoint", "0", "32 (0x20)", 2)
    assert session.inspect.evaluate("ar0").value == 7
    assert session.moves.go().kind == "halt"


def test_what_the_host_has_set_on_the_way_is_no_change_of_the_programs() -> None:
    session = open_session("main: nop\n nop\n arset ar0, 7\n halt\n")
    session.moves.step()
    session.set("ar0", "7")
    session.moves.seek(0)
    session.watchpoints.add("ar0")
    assert session.moves.go().kind == "halt"
    assert session.moves.back().kind == "start"


def test_what_is_no_place_has_no_history(session: Session) -> None:
    for text, message in (("v0 ^ v1", "is not a place"), ("pm[0]", "no instruction writes pm")):
        with pytest.raises(DebugError, match=message):
            session.history.writers(text)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=25, derandomize=True)
@given(seed=st.integers(0, 10_000), now=st.integers(0, 60), register=st.integers(0, 7), row=st.integers(0, 255))
def test_random_programs_have_the_writers_of_their_records(seed: int, now: int, register: int, row: int) -> None:
    program = Generator({}, "", 2).program(seed)
    memory = {space: [(0, data)] for space, data in program.memory.items()}
    image = lutra.Image(program=[0] * program.base + list(program.code()), memory=memory)
    session = Session.open(Job(image, (program.base,), max_cycles=2000))
    session.moves.seek(now)
    now = session.inspect.where().time
    engine = lutra.make_engine("iss")
    engine.load(image)
    engine.start(program.base)
    records = [record for _, record in zip(range(now), engine.records(), strict=False)]
    isa = lutra.isa.load()
    code = isa.vector(f"V{register}").code
    writers = [
        n
        for n, record in enumerate(records)
        if "rd_en" in record.fields
        and (record.fields["rd"] == code or ("partner_en" in record.fields and record.fields["rd"] + 1 == code))
    ]
    assert [write.time for write in session.history.writers(f"v{register}", 100)] == writers[::-1][:100]
    block = isa.space_by_name["m1"].blocks[0]
    stores = [
        n
        for n, record in enumerate(records)
        if "store_en" in record.fields
        and block in next(s for s in isa.spaces if s.code == record.fields["store_space"]).blocks
        and any(
            record.fields["store_lanes"] >> lane & 1
            and 16 * row <= record.fields["store_address"] + lane < 16 * row + 16
            for lane in range(16)
        )
    ]
    assert [write.time for write in session.history.writers(f"m1.row[{row}]", 100)] == stores[::-1][:100]
