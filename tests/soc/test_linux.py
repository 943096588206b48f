"""The kernel module in Debian's kernel, on the device model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from lutra.soc.linux import guest, kernel
from lutra.soc.linux.devices import DEVICES, DRIVERS

GCM = frozenset({"gcm-aes-lutra"})
PASSED = """\
lutra: algorithm ctr-aes-lutra: passed
lutra: 132 cases, all as expected
lutra: 0 of 4 processes at once failed
lutra: unloaded
lutra: end
"""
NIGHTLY = pytest.mark.nightly("a kernel boots in QEMU without virtualisation, which takes half a minute")


@dataclass(frozen=True)
class System:
    """The kernel and the module that has been built for it."""

    kernel: kernel.Kernel
    module: Path
    init: Path

    def run(self, device: str, parameters: str = "") -> guest.Outcome:
        setup = DEVICES[device]()
        return guest.run(self.kernel, guest.pack(self.kernel, self.module, self.init, setup, parameters), setup)


@pytest.fixture(scope="module")
def system() -> System:
    """Skip where the system has no kernel, no headers of it, or no QEMU."""
    folder = Path(__file__).parents[2] / "build" / "soc" / "linux"
    try:
        kernel.tool(guest.QEMU, guest.QEMU_PACKAGE)
        found = kernel.find(folder)
        return System(found, kernel.build(found, folder), guest.build_init(folder))
    except kernel.MissingError as missing:
        pytest.skip(str(missing))


@NIGHTLY
@pytest.mark.parametrize(
    ("device", "parameters"),
    [("model", ""), ("model", "interrupts=0"), ("model-inverse", ""), ("model-chacha20", ""), ("stand-in", "")],
)
def test_self_tests_and_messages_pass(system: System, device: str, parameters: str) -> None:
    outcome = system.run(device, parameters)
    assert outcome.passed, outcome.log
    assert outcome.selftests.keys() == DEVICES[device]().drivers


@NIGHTLY
@pytest.mark.parametrize(("device", "found"), [("wrong-table", DRIVERS), ("wrong-cipher", DRIVERS), ("wrong-tag", GCM)])
def test_the_kernel_finds_a_wrong_device(system: System, device: str, found: frozenset[str]) -> None:
    outcome = system.run(device)
    assert not outcome.passed
    assert {driver for driver, result in outcome.selftests.items() if result != "passed"} == found, outcome.log


@NIGHTLY
@pytest.mark.parametrize(("device", "said"), [("stuck", "no progress"), ("dead", "the device is dead")])
def test_a_device_without_answers_gives_errors_and_the_module_unloads(system: System, device: str, said: str) -> None:
    outcome = system.run(device)
    assert not outcome.passed
    assert outcome.unloaded and said in outcome.log, outcome.log
    assert DRIVERS.isdisjoint(driver for driver, result in outcome.selftests.items() if result == "passed")


@pytest.mark.parametrize(
    "log",
    [
        "",
        PASSED.replace("passed", "unknown"),
        PASSED.replace("all as", "not all as"),
        PASSED.replace("0 of 4", "1 of 4"),
        PASSED.replace("lutra: unloaded\n", ""),
        PASSED.replace("lutra: end\n", ""),
        PASSED + "lutra: failed: /cases: No such file or directory\n",
        PASSED.replace("lutra: algorithm", "lutra: Algorithm"),
    ],
)
def test_a_guest_that_has_not_said_all_has_not_passed(log: str) -> None:
    assert guest.outcome(PASSED).passed
    assert not guest.outcome(log).passed
