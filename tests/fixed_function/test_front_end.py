"""The front end of `lutra ppa` reads every core; it is stricter about names than Verilator."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixed_function.cores import cores
from ppa.tools import yosys


@pytest.mark.parametrize("name", cores())
def test_a_core_is_read(name: str, tmp_path: Path) -> None:
    core = cores()[name]
    yosys(f"read_slang --top {core.top} -D SYNTHESIS {' '.join(map(str, core.files))}\n", tmp_path)
