"""Mistakes in isa/state.td are refused; a field more is one everywhere; a difference in any bit is reported."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

import lutra
from support.description import ROOT, described, isagen, refusal

REFUSED = {
    "field_used_twice": ('def : StateField<"wk", Bit, "key", [StageWB], "">;', "wk: two fields have this name"),
    "register_used_twice": ('def : StateField<"key", Bit, "wk", [StageWB], "">;', "key: two values are called wk"),
    "register_of_another_file": (
        'def : StateOfEach<"c", StreamContext, Bit, "v{}", [StageWB], "">;\n'
        'def : StateField<"d", Bit, "vc1", [StageWB], "">;',
        "d: two values are called vc1",
    ),
    "file_without_a_place": (
        'def : StateOfEach<"half", AddressRegister, Bit, "half", [StageWB], "">;',
        "half: the name of a file",
    ),
    "place_without_a_file": ('def : StateField<"half", Bit, "{}.half", [StageWB], "">;', "half: the name of a file"),
    "unknown_depth": (
        'let Depth = "height" in def : StateOfEach<"x", LoopEntry, Bit, "{}.x", [StageWB], "">;',
        "x: height is not a field",
    ),
    "written_by_no_stage": ('def : StateField<"key", Bit, "key", [], "">;', "key: it names the stages that write it"),
    "written_twice_by_a_stage": (
        'def : StateField<"key", Bit, "key", [StageWB, StageWB], "">;',
        "key: it names the stages that write it",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_state_is_refused(name: str, tmp_path: Path) -> None:
    addition, message = REFUSED[name]
    assert message in refusal(tmp_path, addition)


def test_a_field_more_is_in_the_struct_the_package_and_the_reference(tmp_path: Path) -> None:
    addition = (
        'def : StateOfEach<"bias", AddressRegister, Decimal<5>, "{}.bias", [StageMEM, StageWB], "what is added">;'
    )
    addition += '\nlet Reset = 1 in def : StateField<"sign", Bit, "sign", [StageWB], "its sign">;'
    run = isagen(described(tmp_path, addition), "--out", str(tmp_path / "gen"))
    assert run.returncode == 0, run.stderr
    header = (tmp_path / "gen/cpp/lutra_state.hpp").read_text()
    assert "std::array<std::uint8_t, 8> bias{};" in header
    assert 'visit("ar3.end", r.window_end[3], true, show.address(r.window_end[3]));\n  visit("ar3.bias"' in header
    assert "visit.template operator()<&Registers::bias>(kStageMEM, kStageWB);" in header
    assert "visit.template operator()<&Registers::sign>();" in header
    assert "visit.template operator()<&Registers::bias>();" not in header
    assert "    logic [7:0] [4:0] bias;" in (tmp_path / "gen/sim/lutra_state_pkg.sv").read_text()
    assert "| `ar0.bias`..`ar7.bias` | 5 |  | what is added |" in (tmp_path / "gen/docs/isa-reference.md").read_text()


def test_a_difference_in_any_bit_is_reported_by_the_name_of_its_register(tmp_path: Path) -> None:
    program = tmp_path / "bits"
    includes = [f"-I{ROOT / path}" for path in ("build/gen/cpp", "iss/src", "rtl/sim")]
    source = Path(__file__).with_name("state_bits.cpp")
    subprocess.run(
        ["g++", "-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", *includes, source, "-o", program], check=True
    )
    said = subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines()
    found = [re.fullmatch(r"register (\S+): simulator (\S+), RTL (\S+)", line) for line in said]
    assert all(match and match[2] != match[3] for match in found), [line for line in said if "lost" in line]
    registers = lutra.make_engine("iss").registers()
    bits = Counter(match[1] for match in found if match)
    assert list(registers) == sorted(bits, key=list(registers).index)
    header = (ROOT / "build/gen/cpp/lutra_state.hpp").read_text()
    assert bits.total() == 2 * int(re.findall(r"kRegistersBits = (\d+);", header)[0])
