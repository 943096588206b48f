"""`lutra isa`."""

from __future__ import annotations

import json
import re

import pytest

from lutra.isa import load
from support.cli import Lutra


def test_isa_lists_every_mnemonic_once_below_its_group(lutra: Lutra) -> None:
    out = lutra("isa").out
    listed = [line.split()[0] for line in out.splitlines() if line.startswith("  ") and "  " in line.strip()]
    assert sorted(listed) == sorted(load().by_mnemonic)
    assert re.findall(r"^(\w+): ", out, re.M) == [*(g.name for g in load().groups), "sections"]


def test_isa_of_a_group_lists_its_instructions_only(lutra: Lutra) -> None:
    out = lutra("isa", "aria").out
    assert out.startswith("aria: ARIA") and "aria2l" in out and "aesenc2" not in out


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ("hazards", "table0"),
        ("patterns", "ar+=s%"),
        ("traps", "call-stack-overflow"),
        ("sizes", "VectorRegs"),
        ("opcodes", "Free: "),
        ("spaces", "t0:t1"),
        ("states", "waiting"),
        ("datapath", "MixColumns"),
    ],
)
def test_isa_shows_a_section_of_the_reference(section: str, said: str, lutra: Lutra) -> None:
    assert said in lutra("isa", section).out
    assert said in json.dumps(lutra("isa", section, "--json").json)


def test_a_section_fits_a_terminal(lutra: Lutra) -> None:
    for section in ("hazards", "datapath", "retirement-record", "vector-operands"):
        assert all(len(line) <= 100 for line in lutra("isa", section).out.splitlines())


def test_isa_as_json_has_every_instruction_and_section(lutra: Lutra) -> None:
    found = lutra("isa", "--json").json
    assert sum(len(group["instructions"]) for group in found["groups"]) == len(load().instructions)
    assert {"hazards", "patterns", "traps", "sizes"} <= set(found["sections"])
    assert found["sections"]["sizes"][0]["body"][0][0].keys() == {"size", "value"}
    assert lutra("isa", "xor", "--json").json[0]["mnemonic"] == "xor"


@pytest.mark.parametrize("mnemonic", ["aesenc2", "repeat", "AESENC2"])
def test_isa_shows_an_entry(mnemonic: str, lutra: Lutra) -> None:
    assert lutra("isa", mnemonic).out.startswith(mnemonic.lower())


def test_isa_suggests_the_nearest(lutra: Lutra) -> None:
    assert lutra("isa", "aesenc3").error.startswith("no instruction, group or section 'aesenc3'; did you mean 'aesenc")
    assert "did you mean 'hazards'?" in lutra("isa", "hazard").error
