"""The AES pipelines SP_u_s on Verilator: known answers, late blocks, new keys, and their rates.

All of them are compiled with the S-box as a table, and those of one round as they are.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB

from fixed_function import pipelines as family
from fixed_function.bench import Bench, Job, build_pipelines, build_short_pipelines, pipeline_setup
from fixed_function.pipelines import Pipeline
from models.lanes import xor
from support.fixed_function import MADE_FROM
from support.programs import kept

PIPELINES = family.pipelines()
BLOCK = 16
VECTORS = Path(__file__).parents[1] / "vectors"
EACH = pytest.mark.parametrize("pipeline", PIPELINES.values(), ids=lambda p: p.name)
SHORT = [PIPELINES[f"SP_1_{inner}"] for inner in range(3)]
FAMILY = pytest.mark.nightly("all pipelines take a minute to compile and to run; those of one round stay, as circuits")


@pytest.fixture(scope="module")
def bench() -> Bench:
    return Bench(kept("pipelines", MADE_FROM, build_pipelines))


@pytest.fixture(scope="module")
def circuits() -> Bench:
    """Pipelines of one round, with and without registers in the S-box."""
    return Bench(kept("circuits", MADE_FROM, build_short_pipelines))


def encrypted(key: bytes, blocks: Sequence[int]) -> tuple[int, ...]:
    """The blocks, by OpenSSL."""
    encryptor = Cipher(AES(key), ECB()).encryptor()
    return tuple(int.from_bytes(encryptor.update(block.to_bytes(BLOCK, "big")), "big") for block in blocks)


def of(pipeline: Pipeline, key: bytes, blocks: Sequence[int], gap: int = 0) -> tuple[Job, tuple[int, ...]]:
    """A job of consecutive counters, or of blocks if the pipeline has no counter, and its results."""
    if not pipeline.counter:
        return Job(pipeline.name, pipeline_setup(key), tuple(blocks), gap=gap), encrypted(key, blocks)
    index = blocks[0] % (1 << 64)
    offset = (blocks[0] - index) % (1 << 128) ^ 0xFFFF
    first = offset + index
    counters = [(first + i) % (1 << 128) for i in range(len(blocks))]
    setup = pipeline_setup(key, offset.to_bytes(BLOCK, "big"), index)
    return Job(pipeline.name, setup, (0,) * len(blocks), gap=gap), encrypted(key, counters)


def some(pipeline: Pipeline, gaps: Sequence[int]) -> list[tuple[Job, tuple[int, ...]]]:
    """Jobs with a key each, of less than a fill to several."""
    rng = random.Random(pipeline.name)
    sizes = (1, pipeline.stages, pipeline.stages + 1, 3 * pipeline.stages - 1)
    return [
        of(pipeline, rng.randbytes(BLOCK), [rng.getrandbits(128) for _ in range(size)], gap)
        for gap in gaps
        for size in sizes
    ]


def wrong(bench: Bench, asked: Sequence[tuple[Job, tuple[int, ...]]]) -> list[str]:
    """The jobs whose results are others."""
    answers = bench.run([job for job, _ in asked])
    return [str(job) for (job, expected), a in zip(asked, answers, strict=True) if a.results != expected]


def test_there_is_every_member_of_the_family() -> None:
    names = {f"SP_{u}_{s}{icm}" for u in (1, 2, 5, 10) for s in (0, 1, 2) for icm in ("", " ICM")}
    assert set(PIPELINES) == names
    assert {PIPELINES[f"SP_{u}_1"].cycles for u in (1, 2, 5, 10)} == {10.5, 5.25, 2.1, 1.05}


@FAMILY
@EACH
def test_blocks_are_those_of_openssl_with_a_new_key_for_each_job(bench: Bench, pipeline: Pipeline) -> None:
    assert not wrong(bench, some(pipeline, (0,)))


@FAMILY
@EACH
def test_blocks_that_come_late_to_a_pipeline_are_right(bench: Bench, pipeline: Pipeline) -> None:
    assert not wrong(bench, some(pipeline, (1, 2, 7, 40)))


def test_s_boxes_are_right_as_circuits(circuits: Bench) -> None:
    """Every value of a byte occurs."""
    rng = random.Random(1)
    blocks = [rng.getrandbits(128) for _ in range(40)]
    assert not wrong(circuits, [of(pipeline, bytes(range(BLOCK)), blocks) for pipeline in SHORT])


def test_late_blocks_and_new_keys_are_right_as_circuits(circuits: Bench) -> None:
    assert not wrong(circuits, [asked for pipeline in SHORT for asked in some(pipeline, (0, 2))])


@FAMILY
def test_the_example_of_fips_197(bench: Bench) -> None:
    key, plain, cipher = bytes(range(16)), 0x00112233445566778899AABBCCDDEEFF, 0x69C4E0D86A7B0430D8CDB78070B4C55A
    plains = [name for name, p in PIPELINES.items() if not p.counter]
    answers = bench.run([Job(name, pipeline_setup(key), (plain,)) for name in plains])
    assert [a.results for a in answers] == [(cipher,)] * len(plains)


@FAMILY
def test_vectors_of_icm(bench: Bench) -> None:
    tests = json.loads((VECTORS / "aes_icm.json").read_text())["tests"]
    short = [t for t in tests if len(t["key"]) == 2 * BLOCK and t.get("result", "valid") == "valid"]
    assert short
    for test in short:
        key, offset = (bytes.fromhex(test[name]) for name in ("key", "offset"))
        index = int(test["segment"] or "0", 16) << 8 * test["block_bytes"] | test["block"]
        data = bytes.fromhex(test.get("plaintext", "00" * (len(test.get("keystream", "")) // 2)))
        items = (0,) * -(-len(data) // BLOCK)
        jobs = [Job(name, pipeline_setup(key, offset, index), items) for name, p in PIPELINES.items() if p.counter]
        for answer in bench.run(jobs):
            keystream = b"".join(block.to_bytes(BLOCK, "big") for block in answer.results)
            assert xor(data, keystream[: len(data)]).hex() == test.get("ciphertext", test.get("keystream"))


def test_a_wrong_result_of_a_pipeline_is_found(circuits: Bench) -> None:
    (job, expected), *_ = some(SHORT[1], (0,))
    assert wrong(circuits, [(job, expected), (job, (expected[0] ^ 1, *expected[1:]))]) == [str(job)]


def steady(bench: Bench, pipeline: Pipeline) -> float:
    """Cycles of a block in a busy pipeline: the difference of two jobs of whole fills."""
    fill = [Job(pipeline.name, pipeline_setup(bytes(BLOCK)), (0,) * n * pipeline.stages) for n in (4, 12)]
    short, long = bench.run(fill)
    return (long.cycles - short.cycles) / (8 * pipeline.stages)


@FAMILY
@EACH
def test_a_busy_pipeline_takes_the_cycles_of_the_formula(bench: Bench, pipeline: Pipeline) -> None:
    """P + 1/S."""
    assert steady(bench, pipeline) == pytest.approx(pipeline.cycles, abs=1e-9)


@pytest.mark.parametrize("pipeline", SHORT, ids=lambda p: p.name)
def test_a_busy_circuit_takes_the_cycles_of_the_formula(circuits: Bench, pipeline: Pipeline) -> None:
    assert steady(circuits, pipeline) == pytest.approx(pipeline.cycles, abs=1e-9)
