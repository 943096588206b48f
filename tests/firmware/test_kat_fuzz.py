"""Vector files with wrong values anywhere: whatever a test says, it ends as a test and does not end the run."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

import lutra
from lutra.firmware import kat
from lutra.firmware.manifest import catalogue
from lutra.firmware.session import Session

VECTORS = sorted((Path(__file__).parent.parent / "vectors").glob("*.json"))
NUMBERS = [None, True, -1, 0, 1, 7, 2**40, 2**70, 1.5, float("inf")]
TEXTS = ["", "0", "00", "zz", "00" * 15, "00" * 16, "00" * 33, "00" * 5000, "valid", "invalid", "encrypt", "decrypt"]
VALUES: list[Any] = [*NUMBERS, *TEXTS, [], {}, [[]], ["a"], {"a": 1}]
# Fields that few tests have by themselves.
RARE = [
    "repeat",
    "iterated_100",
    "length_bits",
    "result",
    "operation",
    "mac_bits",
    "tag_bits",
    "keystream_chunks",
    "iv",
]
CASES, WRONG = 300, 3


def damaged(rng: random.Random, test: dict[str, Any]) -> dict[str, Any]:
    """Some of the fields left out, or with a wrong value."""
    test = copy.deepcopy(test)
    for _ in range(rng.randint(1, WRONG)):
        name = rng.choice([*test, *RARE])
        if name in test and rng.random() < 0.2:
            del test[name]
        else:
            test[name] = copy.deepcopy(rng.choice(VALUES))
    return test


@pytest.fixture(scope="module")
def session() -> Session:
    return Session(lutra.make_engine("iss"))


@pytest.mark.parametrize("path", VECTORS, ids=lambda p: p.stem)
def test_no_value_of_a_field_ends_the_run(path: Path, session: Session, tmp_path: Path) -> None:
    rng = random.Random(path.stem)
    document = json.loads(path.read_text())
    good = document["tests"][0]
    tests = [damaged(rng, rng.choice(document["tests"])) for _ in range(CASES // len(VECTORS))]
    file = tmp_path / "a.json"
    file.write_text(json.dumps(document | {"tests": [*tests, good | {"id": "good"}]}))
    report = kat.run(session, catalogue(), kat.read(file, catalogue()))
    assert len(report.tests) == len(tests) + 1
    assert report.tests[str(file), "good"] == "passed"
    assert all("\n" not in f.message and len(f.message) < 200 for f in report.failures)
