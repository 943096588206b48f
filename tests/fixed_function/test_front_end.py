"""The front end of `lutra ppa` reads every core; it is stricter about names than Verilator."""

from __future__ import annotations

from pathlib import Path

import pytest

from fixed_function.cores import cores
from fixed_function.pipelines import pipelines
from ppa.tools import yosys


@pytest.mark.parametrize("name", cores())
def test_a_core_is_read(name: str, tmp_path: Path) -> None:
    core = cores()[name]
    yosys(f"read_slang --top {core.top} -D SYNTHESIS {' '.join(map(str, core.files))}\n", tmp_path)


def test_the_pipelines_are_read(tmp_path: Path) -> None:
    """The one with everything."""
    pipeline = pipelines()["SP_10_2 ICM"]
    parameters = " ".join(f"-G {name}={value}" for name, value in pipeline.parameters.items())
    files = " ".join(map(str, pipeline.files))
    yosys(f"read_slang --top {pipeline.top} -D SYNTHESIS {parameters} {files}\n", tmp_path)
