"""Claims that are proved, claims that are refuted, and those that are not made."""

from __future__ import annotations

import dataclasses
import random
from itertools import islice
from pathlib import Path

import pytest

from lutra.asm import assemble_text, disassemble
from lutra.firmware.manifest import assembled
from lutra.isa import load
from lutra.prove import check
from lutra.prove.errors import SpecificationError
from proof_mutants.__main__ import judged
from proof_mutants.mutants import mutants
from support.wrong_firmware import changed, claim, with_word

SAMPLE = 3
APART = pytest.mark.nightly("half a minute for each proof; by day wrong firmware of shorter ones is refuted")


@pytest.mark.parametrize("name", ["aes-128-ctr", "sm4-128-cbc", "des-64-ecb"])
def test_firmware_is_proved(name: str) -> None:
    assert check(claim(name)).state == "proved"


def test_wrong_register_is_refuted_by_a_message() -> None:
    wrong = with_word(claim("aes-128-ctr"), "aes128_ctr", 15, "aesenc2 v1, v0, m0:m1[0x10]")
    outcome = check(wrong)
    assert outcome.state == "refuted"
    assert outcome.counterexample is not None
    assert outcome.counterexample.got != outcome.counterexample.expected
    assert f"row {outcome.counterexample.row}: " in str(outcome.counterexample)
    assert outcome.reason.startswith(f"row {outcome.counterexample.row} of the result is wrong; ")


def test_address_that_depends_on_the_key_is_refuted() -> None:
    """The first word of the job, which loads the counter, loads an address from the key instead."""
    outcome = check(with_word(claim("aes-128-ctr"), "aes128_ctr", 0, "vtoar ar7, m0[0x100], 0"))
    assert outcome.state == "refuted"


def test_secret_address_alone_is_refuted() -> None:
    """ar7 is not used, so every result is right: what is wrong is only that an address register depends on the key."""
    image = assembled(claim("aes-128-ctr").implementation.image)
    done = image.symbol("aes128_ctr").value
    halt = next(pc for pc in range(done, len(image.program)) if load().decode(image.program[pc]).name == "HALT")  # type: ignore[union-attr]
    program = list(image.program)
    program[halt] = assemble_text("vtoar ar7, m0[0x100], 0", warnings=["no-all"]).program[0]
    program.insert(halt + 1, assemble_text("halt").program[0])
    outcome = check(changed(claim("aes-128-ctr"), dataclasses.replace(image, program=program)))
    assert (outcome.state, outcome.counterexample) == ("refuted", None)
    assert "depends on data" in outcome.reason


def test_nothing_is_claimed_without_a_specification() -> None:
    outcome = check(claim("rc4-128"))
    assert (outcome.state, outcome.reason) == ("open", "no specification yet")


WRONG = {
    "def (": r"specification.py:1: invalid syntax",
    "raise ValueError('no key')": r"specification.py:1: ValueError: no key",
    "import otters": r"specification.py:1: ModuleNotFoundError: No module named 'otters'",
    "x = 1": r"specification.py: has no function specification\(name, direction\)",
    "def specification(name, direction): return 7": r"specification.py: specification\(\) returns int, not a Specif",
    "from lutra.prove import Specification\n"
    "from lutra.prove.specifications.modes import BlockCipher, Ctr\n"
    "def specification(name, direction):\n"
    "    return Specification(128, 16, lambda key: Ctr(BlockCipher(), 128))": r"BlockCipher has no method encrypt",
}


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_specification_that_does_not_run_is_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "specification.py").write_text(text)
    own = dataclasses.replace(claim("aes-128-ctr").cipher, manifest=tmp_path / "firmware.toml")
    with pytest.raises(SpecificationError, match=WRONG[text]) as raised:
        check(dataclasses.replace(claim("aes-128-ctr"), cipher=own))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "name",
    ["aes-128-ctr", "des-64-ecb", pytest.param("helix-256", marks=APART), pytest.param("phelix-256", marks=APART)],
)
def test_sample_of_wrong_firmware_is_not_proved(name: str) -> None:
    verdicts = [
        judged(mutant, check(mutant.claim)) for mutant in islice(mutants(claim(name), random.Random(7)), SAMPLE)
    ]
    assert "missed" not in verdicts
    assert "refuted" in verdicts


@pytest.mark.parametrize(("begins", "right", "wrong"), [("xor m3[", "xor", "and"), ("perm m1[", "wk", "v0")])
def test_wrong_loop_of_copies_is_refuted(begins: str, right: str, wrong: str) -> None:
    """The loops in front of the units and after them, where these are apart."""
    of = claim("helix-256")
    run, image = of.implementation.entries["encrypt"].run, assembled(of.implementation.image)
    begun = image.symbol(run).value
    texts = [" ".join(disassemble(word).split()) for word in image.program[begun:]]
    at = next(n for n, text in enumerate(texts) if text.startswith(begins))
    assert check(with_word(of, run, at, texts[at].replace(right, wrong))).state == "refuted"
