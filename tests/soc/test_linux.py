"""The kernel module in Debian's kernel, with the device model behind it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from lutra.soc.linux import guest, kernel
from lutra.soc.linux.cases import cases
from lutra.soc.linux.devices import DEVICES

DRIVERS = {"ctr-aes-lutra", "cbc-aes-lutra", "gcm-aes-lutra"}
REASON = "a kernel boots without virtualisation in 20 seconds of the processor"


@dataclass(frozen=True)
class System:
    """The kernel and the module that has been built for it."""

    kernel: kernel.Kernel
    module: Path
    said: str
    init: Path

    def run(self, device: str, parameters: str = "") -> guest.Outcome:
        maker, firmware = DEVICES[device]()
        archive = guest.pack(self.kernel, self.module, self.init, firmware, cases(), parameters)
        return guest.run(self.kernel, archive, maker)


@pytest.fixture(scope="module")
def system() -> System:
    """Skip where the system has no kernel, no headers of it, or no QEMU."""
    folder = Path(__file__).parents[2] / "build" / "soc" / "linux"
    try:
        kernel.tool(guest.QEMU, guest.QEMU_PACKAGE)
        found = kernel.find(folder)
        module, said = kernel.build(found, folder, check=True)
        return System(found, module, said, guest.build_init(folder))
    except kernel.Missing as missing:
        pytest.skip(str(missing))


@pytest.mark.nightly("a kernel boots without virtualisation in 20 seconds of the processor")
def test_the_compiler_and_sparse_say_nothing(system: System) -> None:
    assert system.said == ""


@pytest.mark.nightly("a kernel boots without virtualisation in 20 seconds of the processor")
@pytest.mark.parametrize("parameters", ["", "interrupts=0"])
def test_self_tests_and_messages_pass(system: System, parameters: str) -> None:
    outcome = system.run("model", parameters)
    assert outcome.passed, outcome.log
    assert outcome.selftests.keys() == DRIVERS


@pytest.mark.nightly("a kernel boots without virtualisation in 20 seconds of the processor")
@pytest.mark.parametrize("device", ["wrong-table", "wrong-cipher", "wrong-tag"])
def test_a_wrong_device_is_found(system: System, device: str) -> None:
    outcome = system.run(device)
    assert not outcome.passed
    assert set(outcome.selftests.values()) != {"passed"}, outcome.log


@pytest.mark.nightly("a kernel boots without virtualisation in 20 seconds of the processor")
def test_a_silent_device_ends_in_errors_and_the_module_unloads(system: System) -> None:
    outcome = system.run("silent")
    assert not outcome.passed
    assert "lutra.bin" not in outcome.log
    assert outcome.ended, outcome.log
