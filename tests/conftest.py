"""Fixtures of all tests."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

import lutra
from lutra.asm import memory
from lutra.coverage.environment import from_environment
from lutra.iss.engine import EngineName
from support import images
from support.reports import Reports
from support.run import Ran, Run
from support.times import Times


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--times", type=Path, metavar="PAGE", help="write where the time went to a page")


def pytest_configure(config: pytest.Config) -> None:
    """Workers of xdist have the options of the process that started them."""
    images.keep()
    if page := config.getoption("--times"):
        config.pluginmanager.register(Times(page))
    if hasattr(config, "workerinput") and config.getoption("durations") is None:
        config.pluginmanager.register(Reports())


def pytest_collection_finish() -> None:
    """Keep the twenty thousand tests out of every later search for garbage: 7 % of the time."""
    gc.collect()
    gc.freeze()
    memory.count_as_old = lambda: None
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(scope="session", autouse=True)
def counted() -> Iterator[None]:
    """Coverage of all tests where LUTRA_COVERAGE asks for it (`make coverage`)."""
    with from_environment():
        yield


@pytest.fixture(params=["iss", "cosim"])
def run(request: pytest.FixtureRequest) -> Run:
    """Assemble, load and run; every test with it runs on the simulator and in lock-step with the RTL."""
    name: EngineName = request.param

    def execute(source: str, rounds: int = 2, max_cycles: int = 100_000, **spaces: bytes) -> Ran:
        engine = lutra.make_engine(name, rounds)
        image = lutra.assemble_text(source, warnings=["no-all"])  # fragments, some of which are meant to trap
        engine.load(image)
        for space, data in spaces.items():
            engine.write(space, 0, data)
        return Ran(engine.run(image.entry, max_cycles), engine)

    return execute
