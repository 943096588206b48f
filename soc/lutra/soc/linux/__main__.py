"""Builds the kernel module and runs it in a guest of QEMU: `make soc-linux`."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from lutra.firmware.errors import FirmwareError
from lutra.soc.linux import guest, kernel
from lutra.soc.linux.devices import DEVICES

BUILD = Path(__file__).parents[4] / "build" / "soc" / "linux"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m lutra.soc.linux", description=__doc__)
    parser.add_argument("--device", choices=DEVICES, default="model", help="what the module drives")
    parser.add_argument("--parameters", default="", help="parameters of the module, such as interrupts=0")
    parser.add_argument("--seconds", type=float, default=600, help="time that the guest may take")
    parser.add_argument("--show", action="store_true", help="print all that the guest says")
    arguments = parser.parse_args()
    try:
        kernel.tool(guest.QEMU, guest.QEMU_PACKAGE)
        system = kernel.find(BUILD)
        print(f"building the module for Linux {system.release}", flush=True)
        module = kernel.build(system, BUILD)
        init = guest.build_init(BUILD)
        setup = DEVICES[arguments.device]()
        archive = guest.pack(system, module, init, setup, arguments.parameters)
        print(f"booting a guest; the device: {arguments.device}", flush=True)
        outcome = guest.run(system, archive, setup, arguments.seconds, arguments.show)
    except (FirmwareError, kernel.MissingError) as missing:
        print(f"lutra.soc.linux: {missing}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        print(error.stdout or "", error.stderr or "", sep="", end="", file=sys.stderr)
        print(f"lutra.soc.linux: {error.cmd[0]} failed", file=sys.stderr)
        return 1
    if not outcome.passed:
        print("" if arguments.show else outcome.log, end="", file=sys.stderr)
        print("lutra.soc.linux: not passed; what the guest said is above", file=sys.stderr)
    elif not arguments.show:
        print(*outcome.said, sep="\n")
    return 0 if outcome.passed else 1


if __name__ == "__main__":
    sys.exit(main())
