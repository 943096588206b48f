"""`lutra_axi` with its core on a bench of cocotb and cocotbext-axi: see `bench/README.md`."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from soc.bench import build

MODULES = ("straight", "wrong", "faults")
pytestmark = pytest.mark.nightly("core and engine are compiled, four minutes of processor time")


@pytest.fixture(scope="module", params=[64, 128], ids=lambda width: f"{width} bits")
def width(request: pytest.FixtureRequest) -> int:
    """Width of a bus whose model is built."""
    build.build(request.param)
    return int(request.param)


@pytest.mark.parametrize("module", MODULES)
def test_module_of_the_bench(module: str, width: int) -> None:
    cases = list(ElementTree.parse(build.run(module, width)).iter("testcase"))
    assert cases, f"{module}: no tests ran; see {build.folder(width) / module}.log"
    failed = [case.get("name") for case in cases if case.find("failure") is not None or case.find("error") is not None]
    assert not failed, f"{module}: see {build.folder(width) / module}.log"
