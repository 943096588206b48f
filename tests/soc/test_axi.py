"""`lutra_axi` with its core on a bench of cocotb and cocotbext-axi: see `bench/README.md`."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

BENCH = Path(__file__).parent / "bench"
sys.path.insert(0, str(BENCH))
import build  # noqa: E402

MODULES = ("straight", "wrong", "faults")
pytestmark = pytest.mark.nightly(reason="compiles the core and the engine: two minutes of processor time")


@pytest.fixture(scope="module", params=[64], ids=lambda width: f"{width} bits")
def width(request: pytest.FixtureRequest) -> int:
    """Of a bus whose model is built."""
    build.build(request.param)
    return int(request.param)


@pytest.mark.parametrize("module", MODULES)
def test_module_of_the_bench(module: str, width: int) -> None:
    cases = list(ElementTree.parse(build.run(module, width)).iter("testcase"))
    assert cases, f"{module}: no tests ran; see {build.folder(width) / module}.log"
    failed = [case.get("name") for case in cases if case.find("failure") is not None or case.find("error") is not None]
    assert not failed, f"{module}: see {build.folder(width) / module}.log"
