"""A known answer that is wrong opens where its first wrong byte was written, or where it first does something else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from lutra.debug import DebugError, Session, known_answers
from lutra.firmware.manifest import SOURCES, catalogue

KEY = "0123456789abcdeffedcba9876543210"
RIGHT = "681edf34d206965e86b3e94f536e4246"


def copied(*edits: tuple[str, str, str]) -> Path:
    """A copy of SM4's firmware with some edits: file, text, what stands there instead."""
    for name in ("sm4", "common"):
        shutil.copytree(SOURCES / name, name)
    for file, old, new in edits:
        path = Path("sm4", file)
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))
    return Path("sm4")


def vectors(*tests: dict[str, object], mode: str = "ECB") -> Path:
    """A file of known answers of SM4."""
    one = {"id": "a1", "key": KEY, "plaintext": KEY, "ciphertext": RIGHT}
    file = Path("vectors.json")
    file.write_text(json.dumps({"algorithm": "SM4", "mode": mode, "tests": [one | test for test in tests or ({},)]}))
    return file


def opened(file: Path, manifest: Path | None = None, engine: str = "iss", test: str | None = None) -> Session:
    known = known_answers.only([manifest]) if manifest else catalogue()
    return known_answers.opened(known_answers.chosen(file, test, known, 2, 100_000), engine, 2)


# The first instruction of every job.
BEGINS = "        mov     wk, m1[sm4_reverse]\n"
WRONG_ROTATION = ("schedule.inc", "turned, 23", "turned, 24")


@pytest.mark.parametrize("engine", ["iss", "rtl", "cosim"])
def test_a_wrong_answer_opens_at_the_last_writer_of_its_first_wrong_byte(engine: str) -> None:
    session = opened(vectors(), copied(WRONG_ROTATION), engine)
    assert session.moves.stop.kind == "failed"
    assert session.moves.stop.text == "byte 0 of the answer is 0xd0, not 0x68: m3[0x000:1], written here last"
    assert session.moves.stop.detail.startswith("vectors.json: a1 (encrypt): expected 681edf34")
    assert session.inspect.where().instruction == "perm {v0, m3[ar1++]}, v0, wk"
    assert session.inspect.evaluate("v0[12]").value == 0xD0
    assert session.moves.go().kind == "failed"


def test_the_wrong_byte_is_the_first_one_that_differs() -> None:
    wrong = RIGHT[:14] + "00" + RIGHT[16:]
    session = opened(vectors({"ciphertext": wrong}))
    assert session.moves.stop.text.startswith("byte 7 of the answer is 0x5e, not 0x00: m3[0x007:1]")


@pytest.mark.parametrize("engine", ["iss", "rtl", "cosim"])
def test_beside_right_firmware_it_opens_at_the_first_instruction_that_does_something_else(engine: str) -> None:
    file, own = vectors(), known_answers.only([copied(WRONG_ROTATION)])
    answer = known_answers.chosen(file, None, own, 2, 100_000)
    reference = known_answers.same(file, answer, catalogue(), 2, 100_000)
    session = known_answers.opened_against(answer, reference, engine, 2)
    assert session.inspect.where().instruction == "rotx v6, v5, v6, 24"
    assert session.moves.stop.kind == "failed"
    assert "rd:v6=c83c7cba" in session.moves.stop.text
    assert "the reference: rd:v6=7bf3c7db" in session.moves.stop.text


def test_what_the_host_did_before_is_done_again() -> None:
    session = opened(vectors(), copied(WRONG_ROTATION))
    assert len(session.runs) == 2
    session.moves.seek(0)
    assert session.inspect.show(session.inspect.evaluate("sm4_key"), "hex") == KEY
    assert session.moves.go().kind == "failed"


def test_a_later_job_of_a_long_answer_is_reached() -> None:
    blocks = 300
    text: dict[str, object] = {"plaintext": KEY * blocks, "ciphertext": RIGHT * (blocks - 1) + "00" * 16}
    session = opened(vectors(text))
    assert session.moves.stop.text.startswith(f"byte {16 * (blocks - 1)} of the answer is 0x68, not 0x00: m3[0x2b0:1]")
    assert len(session.runs) == 3
    assert session.inspect.where().run == 2


def test_a_trap_opens_at_the_trap() -> None:
    session = opened(vectors(), copied(("block.inc", BEGINS, f"        ret\n{BEGINS}")))
    assert session.moves.stop.kind == "trap"
    assert "call-stack-underflow" in session.moves.stop.text
    assert "ended trapped" in session.moves.stop.detail


def test_an_endless_program_opens_at_the_limit() -> None:
    forever = ("block.inc", BEGINS, f".L_for\\@: jmp .L_for\\@\n{BEGINS}")
    assert opened(vectors(), copied(forever)).moves.stop.kind == "limit"


def test_a_wrong_tag_opens_where_it_was_written() -> None:
    file = Path("mac.json")
    test = {"id": "t1", "key": "2b7e151628aed2a6abf7158809cf4f3c", "message": "", "mac": "00" * 16}
    file.write_text(json.dumps({"algorithm": "AES", "mode": "CMAC", "tests": [test]}))
    session = opened(file)
    assert session.moves.stop.kind == "failed"
    assert session.moves.stop.text.startswith("byte 0 of the answer is 0xbb, not 0x00: ")
    assert session.inspect.where().state == "running"


def test_of_several_the_first_wrong_one_is_opened_and_any_by_its_name() -> None:
    file = vectors({}, {"id": "a2", "ciphertext": "00" * 16}, {"id": "a3", "ciphertext": "11" * 16})
    assert ": a2 (encrypt)" in opened(file).moves.stop.detail
    assert ": a3 (encrypt)" in opened(file, test="a3").moves.stop.detail
    right = opened(file, test="a1")
    assert (right.moves.stop.kind, right.inspect.where().time) == ("start", 0)
    assert right.moves.go().kind == "halt"


@pytest.mark.parametrize(
    ("tests", "test", "message"),
    [
        ([{}], None, "vectors.json: all 2 answers are right; --test ID opens one all the same"),
        ([{}], "a9", "vectors.json has no test a9"),
        ([{"key": KEY + KEY}], None, "vectors.json: nothing to run: no firmware takes its key"),
        ([{"key": "xx"}], None, "vectors.json: nothing to run: "),
    ],
)
def test_what_cannot_be_opened_is_said_in_one_line(tests: list[dict[str, object]], test: str, message: str) -> None:
    with pytest.raises(DebugError) as error:
        opened(vectors(*tests), test=test)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_a_reference_that_is_wrong_itself_is_refused() -> None:
    file, own = vectors(), known_answers.only([copied(WRONG_ROTATION)])
    answer = known_answers.chosen(file, None, own, 2, 100_000)
    with pytest.raises(DebugError, match="a1: the reference gives no right answer either"):
        known_answers.same(file, answer, own, 2, 100_000)


def test_a_reference_for_something_else_is_refused_with_the_reason() -> None:
    file, other = vectors(), known_answers.only([SOURCES / "camellia"])
    answer = known_answers.chosen(file, None, known_answers.only([copied(WRONG_ROTATION)]), 2, 100_000)
    with pytest.raises(DebugError, match="a1: the reference gives no right answer: no firmware for SM4 ECB"):
        known_answers.same(file, answer, other, 2, 100_000)


def test_firmware_that_does_the_same_has_no_first_difference() -> None:
    file = vectors({"ciphertext": "00" * 16})
    answer = known_answers.chosen(file, None, catalogue(), 2, 100_000)
    with pytest.raises(DebugError, match="both do the same, instruction for instruction"):
        known_answers.opened_against(answer, answer, "iss", 2)
