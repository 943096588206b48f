"""Translation and what else looks at a machine: known answers, observers, timelines, the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

import lutra
from lutra.cli.main import main
from lutra.firmware import kat
from lutra.firmware.session import Session
from lutra.iss import _iss, translation
from lutra.iss.job import Job
from lutra.iss.timeline import Timeline
from lutra.profile import of_job
from support.cli import Outcome
from support.firmware import EVERYTHING
from support.translation import LEVELS, Both

VECTORS = Path(__file__).parents[1] / "vectors"
EXAMPLES = (
    "aes_fips197",
    "aes_sp800_38a",
    "aes_gcm_spec",
    "aria_rfc5794",
    "camellia_rfc3713",
    "chacha20_poly1305_rfc8439",
    "ascon_sp800_232",
    "zuc_eea3_ts35223",
)
PROGRAM = """
        repeat  100, end
        call    routine
        add32   v0, v0, m2[0]
end:    tbl1    v1, v0
        halt
routine:
        aesencl v2, v1, m0[0]
        mov     m3[0], v2
        ret
"""


@pytest.fixture(params=LEVELS)
def level(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A level that every engine translates with, from the first entry on."""
    name: str = request.param
    monkeypatch.setenv(translation.VARIABLE, name)
    monkeypatch.setattr(translation, "PATIENCE", 1)
    return name


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_of_the_standards_are_met_by_translated_firmware(name: str, level: str) -> None:
    session = Session(lutra.make_engine("iss"))
    assert session.engine.backend.level == level
    tests = [test for test in kat.read(VECTORS / f"{name}.json", EVERYTHING, 12) if isinstance(test, kat.Vector)]
    for _ in range(2):
        report = kat.run(session, EVERYTHING, tests)
        assert not report.failures
        assert report.passed > 0


@pytest.mark.parametrize("level", LEVELS)
def test_a_machine_that_has_translated_is_stepped(level: str) -> None:
    both = Both(level)
    both.load(PROGRAM, m2=bytes(15) + b"\1")
    both.run(times=3)
    for engine in both.engines:
        engine.start(0)
    for _ in range(700):
        interpreted, translated = (engine.step() for engine in both.engines)
        assert interpreted == translated
    assert both.go().state == "halted"
    both.run()


@pytest.mark.parametrize("level", LEVELS)
def test_a_machine_that_has_translated_goes_back(level: str) -> None:
    both = Both(level)
    both.load(PROGRAM, m2=bytes(15) + b"\1")
    both.run(times=3)
    timelines = [Timeline(engine) for engine in both.engines]
    for timeline in timelines:
        timeline.start(0)
        timeline.run()
    for time in (500, 499, 3, 400):
        for timeline in timelines:
            timeline.seek(time)
        both.same(lambda engine: engine.stop())
    assert both.go().state == "halted"
    both.run()


def test_a_profile_counts_what_a_run_takes(level: str) -> None:
    engine = lutra.make_engine("iss")
    image = lutra.assemble_text(PROGRAM, warnings=["no-all"])
    engine.load(image)
    before = [engine.run(0) for _ in range(3)]
    profile, _ = of_job(engine, Job(image, (image.entry,)))
    assert profile.stop == before[0] == before[2]
    assert sum(line.own.cycles for line in profile.lines.values()) == before[0].cycles
    assert engine.run(0) == before[0]


def test_coverage_counts_the_same(level: str) -> None:
    both = Both(level)
    both.load(PROGRAM, m2=bytes(15) + b"\1")
    both.run(times=3)
    collectors = [lutra.coverage.Collector(engine) for engine in both.engines]
    both.run(times=2)
    first, second = (collector.counts().rounds for collector in collectors)
    assert first == second
    assert first
    for collector in collectors:
        collector.close()
    both.run()


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> Outcome:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return Outcome(code, captured.out, captured.err)


def test_an_unknown_level_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.s").write_text("halt\n")
    monkeypatch.setenv(translation.VARIABLE, "avx1024")
    outcome = run(capsys, "run", str(tmp_path / "a.s"))
    assert outcome.error == "LUTRA_SIMULATOR=avx1024: choose from avx512, avx2, portable, interpreter"


def test_a_level_that_the_machine_does_not_have_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Without:
        def translate(self, _level: str, _patience: int) -> bool:
            return False

    monkeypatch.setenv(translation.VARIABLE, "portable")
    with pytest.raises(translation.TranslationError, match="leave the variable out"):
        translation.apply(Without())
    monkeypatch.delenv(translation.VARIABLE)
    translation.apply(Without())


def test_the_version_names_the_level(level: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = run(capsys, "--version", "--verbose").out
    others = ", ".join([*LEVELS, translation.INTERPRETER])
    assert f"translates with {level} instructions; LUTRA_SIMULATOR chooses from {others}" in said


def test_the_interpreter_can_be_chosen(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv(translation.VARIABLE, translation.INTERPRETER)
    assert "simulator: interprets" in run(capsys, "--version", "--verbose").out
    assert lutra.make_engine("iss").backend.level == ""


def test_a_machine_that_gets_no_memory_for_code_interprets(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a gigabyte for all machines of a process."""
    machines = []
    while (machine := _iss.Machine()).translate(level, 1):
        machines.append(machine)
        assert len(machines) < 1024
    with pytest.raises(lutra.engine.EngineError, match=f"{translation.VARIABLE}={level}: this machine"):
        lutra.make_engine("iss")
    monkeypatch.delenv(translation.VARIABLE)
    engine = lutra.make_engine("iss")
    assert engine.backend.level == ""
    engine.load(lutra.assemble_text(PROGRAM, warnings=["no-all"]))
    assert engine.run(0).state == "halted"
    del machines
    assert lutra.make_engine("iss").backend.level
