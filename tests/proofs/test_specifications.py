"""Specifications are executable: on the examples that the standards print."""

from __future__ import annotations

from pathlib import Path

import pytest

from lutra.firmware import kat
from lutra.firmware.kat.vectors import Vector
from lutra.firmware.manifest import catalogue
from lutra.firmware.published import VECTORS
from lutra.prove.counterexample import evaluate
from lutra.prove.registry import specification

MOST_BYTES = 320
SPECIFIED = sorted(c.name for c in catalogue().offered if specification(c, "encrypt"))


def examples() -> dict[str, list[Vector]]:
    """The published examples by algorithm."""
    found: dict[str, list[Vector]] = {}
    for file in sorted(Path(VECTORS).glob("*.json")):
        for test in kat.read(file, catalogue()):
            if not isinstance(test, Vector) or test.chains or test.padded or test.stated or test.result != "valid":
                continue
            cipher = catalogue().serving(test.algorithm, test.mode, 8 * len(test.key))
            if cipher is not None and len(test.plaintext) <= MOST_BYTES:
                found.setdefault(cipher.name, []).append(test)
    return found


EXAMPLES = examples()


@pytest.mark.parametrize("name", [name for name in SPECIFIED if name in EXAMPLES])
def test_specification_computes_what_the_standard_prints(name: str) -> None:
    cipher = catalogue().cipher(name)
    for test in EXAMPLES[name][:4]:
        for direction in test.directions:
            spec = specification(cipher, direction)
            assert spec is not None
            data, right = test.plaintext, test.ciphertext
            if direction == "decrypt":
                data, right = right, data
            assert evaluate(spec, test.key, test.iv, data)[: len(right)] == right, (test.file, test.id)
