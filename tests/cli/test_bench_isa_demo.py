"""`lutra bench`, `lutra isa` and `lutra demo`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.cli import Lutra

from lutra.firmware import bench
from lutra.isa import load

KEYS = {
    "cipher",
    "variant",
    "engine",
    "unit",
    "units",
    "steady_cycles_per_unit",
    "all_in_cycles_per_unit",
    "setup_cycles",
    "code_words",
    "literature",
}


def test_bench_json_has_the_keys_of_the_contract(lutra: Lutra) -> None:
    objects = lutra("bench", "--json", "--cipher", "aes-128-ctr", "--cipher", "aes-256-cbc").json
    assert [(o["cipher"], o["variant"]) for o in objects] == [
        ("aes-128-ctr", "fused"),
        ("aes-128-ctr", "paper"),
        ("aes-256-cbc", "single-stream"),
        ("aes-256-cbc", "fused-decrypt"),
    ]
    for found in objects:
        assert found.keys() == KEYS
        assert (found["engine"], found["unit"], found["units"]) == ("rtl", "block", 256)
        assert found["setup_cycles"].keys() == {"tables", "key_schedule"}
    assert objects[0]["literature"]["cycles_per_unit"] == 11
    assert objects[2]["literature"] is None


def test_the_simulator_adds_its_own_speed(lutra: Lutra, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "MIPS_SECONDS", 0.01)
    (fused, paper) = lutra("bench", "--json", "--cipher", "aes-128-ctr", "--engine", "iss").json
    assert fused.keys() == KEYS | {"mips_functional", "mips_cycle_exact"}
    assert fused["mips_functional"] > 0 < paper["mips_cycle_exact"]


def test_simulator_and_core_measure_the_same(lutra: Lutra, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "MIPS_SECONDS", 0.0)
    cycles = [
        [(o["steady_cycles_per_unit"], o["all_in_cycles_per_unit"], o["setup_cycles"]) for o in objects]
        for objects in (lutra("bench", "--json", "--engine", engine).json for engine in ("rtl", "iss"))
    ]
    assert cycles[0] == cycles[1]


def test_bench_table_has_the_published_figure_beside_ours(lutra: Lutra) -> None:
    text = lutra("bench", "--cipher", "aes-128-ctr").out
    assert text.splitlines()[0].split()[:5] == ["cipher", "variant", "steady", "all-in", "published"]
    assert "published: CP-ASIP" in text


def test_bench_of_an_unknown_cipher(lutra: Lutra) -> None:
    assert "did you mean aes-128-ctr?" in lutra("bench", "--cipher", "aes-128-ct").error


def test_isa_lists_every_mnemonic(lutra: Lutra) -> None:
    assert [line.split()[0] for line in lutra("isa").out.splitlines()] == sorted(load().by_mnemonic)


@pytest.mark.parametrize("mnemonic", ["aesenc2", "repeat", "AESENC2"])
def test_isa_shows_an_entry(mnemonic: str, lutra: Lutra) -> None:
    assert lutra("isa", mnemonic).out.startswith(mnemonic.lower())


def test_isa_suggests_the_nearest(lutra: Lutra) -> None:
    assert lutra("isa", "aesenc3").error.startswith("no instruction 'aesenc3'; did you mean 'aesenc")


@pytest.mark.skipif(shutil.which("openssl") is None, reason="the comparison needs the openssl command")
def test_demo_compares_with_openssl(lutra: Lutra) -> None:
    Path("README.md").write_text("An otter.\n" * 100)
    result = lutra("demo")
    assert result.code == 0, result.err
    assert "README.md: equal to `openssl enc -aes-128-ctr`" in result.out
    assert "generated data: equal to `openssl enc -aes-128-ctr`" in result.out
    assert "published" in result.out


def test_demo_says_what_it_leaves_out(lutra: Lutra, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    result = lutra("demo")
    assert result.code == 0
    assert "no README.md in this folder: left out" in result.out
    assert "results are NOT compared" in result.out
    assert "equal to" not in result.out
