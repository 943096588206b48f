"""The fixed-function cores on Verilator against the known answers of the firmware, and their rates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from fixed_function import package
from fixed_function.bench import Bench, Job, block_setup, build, stream_setup
from fixed_function.cores import cores
from fixed_function.pipelines import pipelines
from lutra.firmware.polynomial import Polynomial
from support import fixed_function as known
from support.fixed_function import Question
from support.programs import kept

CRC32 = Polynomial(32, 0x04C11DB7, 0xFFFFFFFF, True, True, 0xFFFFFFFF)
QUESTIONS: dict[str, Callable[[], Iterator[Question]]] = {
    "aes": lambda: known.of_block_ciphers("aes"),
    "aria": lambda: known.of_block_ciphers("aria"),
    "camellia": lambda: known.of_block_ciphers("camellia"),
    "snow3g": lambda: known.of_stream_ciphers("snow3g"),
    "zuc": lambda: known.of_stream_ciphers("zuc"),
    "crc": known.of_crcs,
}


@pytest.fixture(scope="session")
def bench() -> Bench:
    return Bench(kept("fixed_function", known.MADE_FROM, build))


ALL = pytest.mark.nightly("all known answers of a core; one of eight is asked in `make test`")
EVERY = pytest.mark.parametrize("every", [8, pytest.param(1, marks=ALL)])


@EVERY
@pytest.mark.parametrize("name", QUESTIONS)
def test_known_answers_come_out(bench: Bench, name: str, every: int) -> None:
    questions = list(QUESTIONS[name]())[::every]
    assert questions
    assert not known.failures(bench, questions)


@EVERY
def test_gcm_of_ghash_and_block_ciphers(bench: Bench, every: int) -> None:
    assert known.gcm_vectors(every)
    assert not known.gcm_failures(bench, every)


@pytest.mark.parametrize("name", QUESTIONS)
def test_blocks_that_come_late_do_not_change_results(bench: Bench, name: str) -> None:
    some = list(QUESTIONS[name]())[::50]
    late = [replace(q, job=replace(q.job, gap=gap)) for gap in (1, 2, 3, 7, 40) for q in some]
    assert not known.failures(bench, late)


def test_a_wrong_expectation_is_found(bench: Bench) -> None:
    question = next(known.of_block_ciphers("aes"))
    wrong = replace(question, expected=bytes(len(question.expected)))
    assert known.failures(bench, [question, wrong]) == [wrong.name]


def steady(bench: Bench, job: Job, count: int) -> float:
    """Cycles of an item where the core is busy: the difference of two jobs over that of their lengths."""
    short, long = bench.run([replace(job, items=job.items * n) for n in (count, 3 * count)])
    return (long.cycles - short.cycles) / (2 * count * len(job.items))


@pytest.mark.parametrize("decrypt", [False, True])
@pytest.mark.parametrize("name", ["aes", "aria", "camellia"])
def test_rate_of_block_ciphers(bench: Bench, name: str, decrypt: bool) -> None:
    for bits, cycles in cores()[name].cycles.items():
        job = Job(name, block_setup(bytes(int(bits) // 8), decrypt), (0, 1))
        assert steady(bench, job, 4) == cycles


@pytest.mark.parametrize("name", ["snow3g", "zuc"])
def test_rate_of_stream_ciphers(bench: Bench, name: str) -> None:
    job = Job(name, stream_setup(bytes(16), bytes(16)), (0, 1))
    assert [steady(bench, job, 8)] == list(cores()[name].cycles.values())


def test_rate_of_ghash(bench: Bench) -> None:
    assert [steady(bench, Job("ghash", 5, (1, 2)), 4)] == list(cores()["ghash"].cycles.values())


def test_rate_of_crc(bench: Bench) -> None:
    short, long = bench.run([known.crc_job(CRC32, bytes(n)) for n in (800, 2400)])
    assert [(long.cycles - short.cycles) / 200] == list(cores()["crc"].cycles.values())


@pytest.mark.nightly("the search for S-boxes takes ten seconds; what it has written is tested here")
def test_package_is_what_the_generator_writes() -> None:
    assert package.TARGET.read_text() == package.text(), "run: ./lutra --with python -m fixed_function.package"


def test_each_file_belongs_to_a_core() -> None:
    listed = {path for core in cores().values() for path in core.files}
    listed |= {path for pipeline in pipelines().values() for path in pipeline.files}
    assert {path.resolve() for path in Path(package.TARGET).parent.glob("*.sv")} <= listed
    assert all(path.exists() for path in listed)
