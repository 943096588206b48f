"""Cores without an extension, and cores of other configurations, as they are measured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from isagen import configuration
from lutra.isa import load
from ppa import configurations, design, extensions, generated, sram
from ppa.configurations import FULL
from ppa.tools import ROOT, PpaError


def test_every_extension_but_the_base_is_taken_away_once() -> None:
    gone = {name for names in extensions.without().values() for name in names}
    assert gone == {*FULL.extensions} - {configuration.BASE}


def test_an_extension_goes_with_those_that_need_it() -> None:
    for gone in extensions.without().values():
        kept = extensions.lacking(FULL, gone).extensions
        assert not [e.name for e in load().extensions if e.name in kept and not {*e.needs} <= {*kept}]


def test_the_core_without_an_extension_lacks_its_functions(tmp_path: Path) -> None:
    file = extensions.lacking(FULL, ["aria"])
    assert file.extensions == tuple(n for n in FULL.extensions if n != "aria")
    made = generated.generate(ROOT, file, tmp_path / "gen")
    files = design.core_files(ROOT, sram.write(tmp_path)[0], made)
    assert all(path.is_file() for path in files)
    assert "aria_diffusion(" not in (made / "lutra_blocks.sv").read_text()


def test_a_configuration_that_cannot_be_is_told(tmp_path: Path) -> None:
    odd = replace(FULL, extensions=("base", "rot13"))
    with pytest.raises(PpaError, match="no extension rot13"):
        generated.generate(ROOT, odd, tmp_path / "gen")


def test_the_configurations_that_lie_ready_can_be_measured() -> None:
    assert set(configuration.ready()) <= set(configurations.CONFIGURATIONS)
    cp_asip = configurations.CONFIGURATIONS["cp-asip"]
    assert (cp_asip.rounds, cp_asip.contexts, "ghash" in cp_asip.file.extensions) == (1, 1, False)


def test_a_core_is_generated_for_the_sizes_of_its_file(tmp_path: Path) -> None:
    generated.generate(ROOT, replace(FULL, sizes={"MemoryRows": 128}), tmp_path)
    assert configuration.read(tmp_path / "configuration.toml").sizes == {"MemoryRows": 128}
