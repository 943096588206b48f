"""Builds the kernel module and runs it in a guest of QEMU: `make soc-linux`."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from lutra.soc.linux import guest, kernel
from lutra.soc.linux.cases import cases
from lutra.soc.linux.devices import DEVICES

BUILD = Path(__file__).parents[4] / "build" / "soc" / "linux"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m lutra.soc.linux", description=__doc__)
    parser.add_argument("--device", choices=DEVICES, default="model", help="what is behind the module")
    parser.add_argument("--parameters", default="", help="parameters of the module, such as interrupts=0")
    parser.add_argument("--seconds", type=float, default=240, help="time that the guest may take")
    parser.add_argument("--show", action="store_true", help="print all that the guest says")
    arguments = parser.parse_args()
    try:
        system = kernel.find(BUILD)
        module, said = kernel.build(system, BUILD, check=True)
        init = guest.build_init(BUILD)
        print(said, end="")
        device, firmware = DEVICES[arguments.device]()
        archive = guest.pack(system, module, init, firmware, cases(), arguments.parameters)
        outcome = guest.run(system, archive, device, arguments.seconds, arguments.show)
    except kernel.Missing as missing:
        print(f"lutra.soc.linux: {missing}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        print(error.stdout or "", error.stderr or "", sep="", end="", file=sys.stderr)
        print(f"lutra.soc.linux: {error.cmd[0]} failed", file=sys.stderr)
        return 1
    for driver, result in outcome.selftests.items():
        print(f"{driver}: self-test {result}")
    print(*(line for line in outcome.cases if line), sep="\n")
    if not outcome.passed:
        print(outcome.log if not arguments.show else "", end="", file=sys.stderr)
        print("lutra.soc.linux: failed", file=sys.stderr)
    return 0 if outcome.passed else 1


if __name__ == "__main__":
    sys.exit(main())
