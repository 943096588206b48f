"""Known answers run on an engine as a device runs them, and a pack's algorithms run as those of its sources."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import lutra
from lutra.firmware import pack
from lutra.firmware.pack import format as layout
from lutra.firmware.session import Session
from support import small_pack as packs

MADE = packs.small()
CONTENTS = pack.contents(MADE)
(ANSWER,) = CONTENTS.answers
WRITE, TEXT, RUN, COMPARE = ANSWER.steps


def outcome(*steps: pack.Write | pack.Run | pack.Compare, engine: str = "iss") -> pack.Outcome:
    (found,) = pack.run(replace(CONTENTS, answers=(replace(ANSWER, steps=steps),)), lutra.make_engine(engine))
    return found


@pytest.mark.parametrize("engine", ["iss", "rtl", "cosim"])
def test_a_right_answer_takes_the_cycles_that_are_promised(engine: str) -> None:
    found = outcome(*ANSWER.steps, engine=engine)
    assert found.good
    assert found.cycles == found.promised == packs.cycles()


def test_a_wrong_answer_says_where_it_is() -> None:
    assert isinstance(COMPARE, pack.Compare)
    wrong = replace(COMPARE, data=COMPARE.data[:5] + b"\0" + COMPARE.data[6:])
    assert outcome(WRITE, TEXT, RUN, wrong).error.startswith("step 3: wrong answer at m3@0x005: expected 00")


def test_a_run_that_takes_longer_than_promised_fails() -> None:
    assert outcome(WRITE, TEXT, pack.Run(0, packs.cycles() - 1), COMPARE).error == (
        f"step 2: the run from 0x0000 takes {packs.cycles()} cycles, promised are {packs.cycles() - 1}"
    )


def test_a_run_without_an_end_is_ended() -> None:
    loop = lutra.assemble_text("here: jmp here", warnings=["no-all"]).program[0].to_bytes(8, "little")
    found = outcome(pack.Write("pm", 0, loop), pack.Run(0, 10), COMPARE)
    assert "does not halt within" in found.error


def test_a_trap_is_told() -> None:
    assert "ended trapped at pc 0x0100" in outcome(pack.Run(0x100, 10), COMPARE).error


def test_a_step_that_the_engine_does_not_take_is_an_error_of_the_answer() -> None:
    assert "do not fit" in outcome(pack.Write("m0", 4096, b"a"), COMPARE).error


def test_every_answer_begins_with_memories_that_are_zero() -> None:
    """An answer does not see the state after the previous one."""
    zeros = replace(ANSWER, name="zeros", steps=(pack.Compare("m2", 0, bytes(16)), pack.Compare("m3", 0, bytes(16))))
    contents = replace(CONTENTS, answers=(ANSWER, zeros))
    assert [o.good for o in pack.run(contents, lutra.make_engine("iss"))] == [True, True]


def test_an_algorithm_of_another_kind_of_host_is_refused() -> None:
    (algorithm,) = CONTENTS.manifest.algorithms
    for wrong, error in (
        (replace(algorithm, kind="hash"), "has the unknown kind hash"),
        (replace(algorithm, output=pack.Place("m0", 0)), "its output at m0@0x000, not in m2 and at m3@0x000"),
    ):
        contents = replace(CONTENTS, manifest=replace(CONTENTS.manifest, algorithms=(wrong,)))
        with pytest.raises(pack.PackError, match=error):
            pack.catalogue(contents, Path("x.pack"))


def test_a_session_runs_what_is_in_the_pack() -> None:
    """This algorithm has no length row, which a session needs."""
    (algorithm,) = CONTENTS.manifest.algorithms
    algorithm = replace(algorithm, length=pack.Place("m0", 0))
    contents = replace(CONTENTS, manifest=replace(CONTENTS.manifest, algorithms=(algorithm,)))
    cipher = pack.catalogue(contents, Path("x.pack")).cipher("xor")
    session = Session(lutra.make_engine("iss"))
    session.set_up(cipher, "encrypt", packs.KEY)
    assert session.job(packs.TEXT) == bytes(a ^ b for a, b in zip(packs.KEY, packs.TEXT, strict=True))


def test_the_parts_are_those_of_the_image() -> None:
    assert [part.name for part in CONTENTS.manifest.images] == ["mole"]
    assert layout.read(layout.SEGMENTS, MADE.parts[0]) == CONTENTS.images[0]
