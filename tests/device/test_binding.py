"""The module `_loader`: what happens in Python's ports comes out of the loader as it is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lutra.firmware import device
from lutra.firmware._loader import Loader, Result, text
from lutra.firmware.device.errors import REMEDIES
from support.devices import otter


class Failing:
    """A port whose method of a name raises, after some calls; counts the calls after that."""

    def __init__(self, port: Any, method: str, error: BaseException, after: int = 0) -> None:
        self._port = port
        self._method = method
        self._error: BaseException | None = error
        self._left = after
        self.after = 0

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._port, name)
        return self._called(name, value) if callable(value) else value

    def _called(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            if self._left < 0:
                self.after += 1
            elif name == self._method:
                self._left -= 1
                if self._left < 0:
                    # Kept, it would keep this port's loader.
                    error, self._error = self._error, None
                    assert error is not None
                    raise error
            return method(*arguments)

        return call


PORTS = [
    *(("flash", method) for method in ("read", "erase", "write")),
    ("fuses", "read"),
    *(("core", method) for method in ("reset", "write", "read", "run")),
]


@pytest.mark.parametrize(("port", "method"), PORTS)
@pytest.mark.parametrize("kind", [RuntimeError, KeyboardInterrupt])
def test_an_exception_in_a_port_comes_out_and_ends_the_call(
    port: str, method: str, kind: type[BaseException], dev: Path
) -> None:
    error = kind("the port is broken")
    with device.opened(dev) as opened:
        ports: dict[str, Any] = {"flash": opened.folder.flash, "fuses": opened.folder.fuses, "core": opened.core}
        failing = {name: Failing(p, method if name == port else "", error) for name, p in ports.items()}
        with pytest.raises(kind) as raised:
            Loader(**failing).apply(otter("1.2.0", 2))
        assert raised.value is error
        assert failing[port].after == 0


def test_an_exception_while_fuses_are_burnt_comes_out(dev: Path) -> None:
    with device.opened(dev) as opened:
        opened.update(otter("1.2.0", 9), confirm=False)
        fuses = Failing(opened.folder.fuses, "burn", OSError(5, "I/O error"))
        loader = Loader(opened.folder.flash, fuses, opened.core)
        loader.running = opened.status().running
        with pytest.raises(OSError, match="I/O error"):
            loader.confirm()


def test_a_loader_works_again_after_an_exception(dev: Path) -> None:
    with device.opened(dev) as opened:
        core = Failing(opened.core, "write", RuntimeError("once"))
        loader = Loader(opened.folder.flash, opened.folder.fuses, core)
        with pytest.raises(RuntimeError, match="once"):
            loader.boot()
        assert loader.boot().result is Result.OK
        assert loader.running == 0


def test_a_port_must_read_what_it_was_asked_for(dev: Path) -> None:
    class Short(device.Fuses):
        def read(self, offset: int, length: int) -> bytes:
            return super().read(offset, length)[1:]

    with device.opened(dev) as opened, (dev / "fuses.bin").open("r+b") as file:
        loader = Loader(opened.folder.flash, Short(file), opened.core)
        with pytest.raises(ValueError, match="another number of bytes than it was asked for"):
            loader.status()


def test_a_port_without_what_the_loader_asks_for_is_refused_at_once(dev: Path) -> None:
    with device.opened(dev) as opened, pytest.raises(AttributeError, match="sector_bytes"):
        Loader(object(), opened.folder.fuses, opened.core)


def test_every_result_has_its_text_and_a_remedy() -> None:
    assert set(REMEDIES) == set(Result) - {Result.OK}
    assert all(text(result) for result in Result)
    assert len({text(result) for result in Result}) == len(Result)


def test_what_runs_can_be_said_and_taken_back(dev: Path) -> None:
    with device.opened(dev) as opened:
        loader = Loader(opened.folder.flash, opened.folder.fuses, opened.core)
        assert loader.running is None
        loader.running = 1
        assert loader.running == 1
        loader.running = None
        assert loader.running is None
